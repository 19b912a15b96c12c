//===- ProgramPlanner.h - Resources of an op's kernels ----------*- C++ -*-===//
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

/// The number of accumulators and of bytes of shared memory that a kernel needs
/// with a schedule, and what ptxas would reject.
struct KernelNeeds {
  ScheduleAttr schedule;
  /// The number of elements that the kernel's MMAs accumulate, added up over
  /// all threads of a CTA. MMAs of a reducer do not count.
  int64_t accumulators = 0;
  int64_t sharedBytes = 0;
  /// Why ptxas would reject a product of the kernel, or "".
  std::string unfitProduct;
  /// The first error of the passes that give the kernel's tiles layouts and its
  /// ops roles, or "".
  std::string error;
};

/// An interface of the dialect that builds an op's programs for a schedule, by
/// the passes that lower them, to find the resources that the programs take. It
/// is an interface because the dialect's libraries cannot link the passes of
/// the levels above. attn::registerDialects registers the implementation.
class ProgramPlanner : public DialectInterface::Base<ProgramPlanner> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ProgramPlanner)
  explicit ProgramPlanner(Dialect *dialect) : Base(dialect) {}

  /// Returns what each kernel of the op's programs needs. For a program that
  /// cannot be lowered, returns no kernel or one with zeros, since lowering the
  /// op itself reports the error.
  virtual SmallVector<KernelNeeds> plan(attn::AttentionInterface op,
                                        ScheduleAttr schedule,
                                        const attn::Chip &chip) const = 0;
};

} // namespace mlir::attn_gpu

#endif // ATTN_DIALECT_ATTNGPU_SCHEDULE_PROGRAMPLANNER_H
