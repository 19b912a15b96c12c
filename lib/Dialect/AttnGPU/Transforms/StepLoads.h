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

/// The loads of a kernel without roles that go to shared memory. Each gets a
/// ring.
struct SharedLoads {
  explicit SharedLoads(KernelOp kernel);

  /// Plans the shared memory of the rings: first those of `single`, the loads
  /// that are not copied ahead, then those of each loop of `inLoops`. While
  /// loops over blocks of keys are still `for_blocks` ops, the plan is an upper
  /// bound that includes the rings which overlap will add.
  ///
  /// With `isEstimate`, each load of `single` that is in a loop gets as many
  /// slots as a load that is copied ahead. It may become such a load once
  /// passes have simplified its indices.
  RingPlan plan(ScheduleAttr schedule, bool isEstimate = false) const;

  /// For each loop, the loads whose copies can be issued iterations ahead.
  /// Before blocks are expanded to loops, these are all loads that are directly
  /// in a loop over blocks.
  llvm::MapVector<Operation *, SmallVector<attn_tile::LoadOp>> inLoops;
  /// The loads whose copies cannot be issued iterations ahead.
  SmallVector<attn_tile::LoadOp> single;
};

/// Adds to `ops` the ops of the loop's body that compute `value`, and returns
/// true if the value is known iterations ahead. It may then depend only on the
/// loop's counter, values from outside of the loop, and memory that the kernel
/// does not write, such as a list of blocks or a table of pages. Returns false
/// if it depends on anything else.
bool takeArithmetic(Value value, scf::ForOp loop, SetVector<Operation *> &ops);

/// Returns the ops of a loop's body that compute the indices of a load from the
/// loop's counter.
SetVector<Operation *> getIndexArithmetic(attn_tile::LoadOp load,
                                          scf::ForOp loop);

/// Clones the ops of a loop's body that takeArithmetic() found, for the
/// iteration whose counter is `position`. Returns the mapping to the clones.
IRMapping cloneForStep(OpBuilder &builder,
                       const SetVector<Operation *> &arithmetic,
                       scf::ForOp loop, Value position);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STEPLOADS_H
