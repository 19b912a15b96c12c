//===- StepLoads.h - Loads for other steps of a loop ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STEPLOADS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STEPLOADS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// The loads to shared memory of a kernel without roles, and their rings.
struct SharedLoads {
  explicit SharedLoads(KernelOp kernel);

  /// Shared memory of the rings: of single loads, then loop after loop. Of
  /// blocks that are no loop yet it is an upper bound, with rings for what
  /// their overlap will add. In an estimate, any load in a loop may become one
  /// that is made for other steps, once passes have simplified its indices.
  RingPlan plan(ScheduleAttr schedule, bool isEstimate = false) const;

  /// Those of a loop's body that can be made for another step as well. Of
  /// blocks that are no loop yet all are taken for such.
  llvm::MapVector<Operation *, SmallVector<attn_tile::LoadOp>> inLoops;
  /// The others.
  SmallVector<attn_tile::LoadOp> single;
};

/// What of a loop's body computes where a load reads, which depends on the step
/// alone.
SetVector<Operation *> getIndexArithmetic(attn_tile::LoadOp load,
                                          scf::ForOp loop);

/// Clones that for the step at `position`.
IRMapping cloneForStep(OpBuilder &builder,
                       const SetVector<Operation *> &arithmetic,
                       scf::ForOp loop, Value position);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STEPLOADS_H
