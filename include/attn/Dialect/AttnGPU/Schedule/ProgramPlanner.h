//===- ProgramPlanner.h - What an op's kernels take -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNGPU_SCHEDULE_PROGRAMPLANNER_H
#define ATTN_DIALECT_ATTNGPU_SCHEDULE_PROGRAMPLANNER_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/IR/DialectInterface.h"

namespace mlir::attn_gpu {

/// The accumulators and the shared memory that a kernel takes.
struct KernelNeeds {
  ScheduleAttr schedule;
  /// Elements of the results of MMAs, without those of a reducer.
  int64_t accumulators = 0;
  int64_t sharedBytes = 0;
};

/// Builds an op's programs for a schedule with the passes that lower them. It
/// is an interface, since the dialect's libraries do not know the passes of the
/// levels above; attn::registerDialects registers the implementation.
class ProgramPlanner : public DialectInterface::Base<ProgramPlanner> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProgramPlanner)
  explicit ProgramPlanner(Dialect *dialect) : Base(dialect) {}

  /// The kernels of the op's programs. A program that cannot be lowered has
  /// none, or not all numbers: the lowering of the op itself reports why.
  virtual SmallVector<KernelNeeds> plan(attn::AttentionInterface op,
                                        ScheduleAttr schedule,
                                        const attn::Chip &chip) const = 0;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_PROGRAMPLANNER_H
