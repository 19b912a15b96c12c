//===- Stages.h - When the ops of a loop run --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STAGES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STAGES_H

#include "LoopRotation.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn_gpu {

/// An MMA of a loop's body, the `index`-th, in the list of those that the
/// pipelined loop issues. Its stage is the number of iterations by which it
/// runs late; with `use` above, what reads its result runs later still.
struct MmaStage {
  unsigned index, stage, use;
};

/// Which MMAs of a loop overlap with the softmax of the next iteration: those
/// that nothing in their own iteration waits for run one late. Empty if there
/// are none, or none others.
///
/// With `prefetches`, where several MMAs wait for no other, the first of them
/// is issued an iteration ahead instead, behind all others.
SmallVector<MmaStage> getOverlap(scf::ForOp loop, bool prefetches);

/// The ops of a loop in the order of the pipelined one, with their stages. Each
/// MMA is waited for in its own stage. Fails, with an error at the loop, where
/// the MMAs' stages contradict each other.
///
/// An MMA is issued as soon as its operands are there; what it needs comes
/// first, then any other op, and a wait when nothing else is left.
///
/// With `savesRegisters`, an MMA that begins with zeros is not issued before
/// what another has left is rounded.
FailureOr<StagedOps> getStages(scf::ForOp loop, ArrayRef<MmaStage> mmas,
                               bool savesRegisters = false);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STAGES_H
