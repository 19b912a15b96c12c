//===- Stages.h - Stages of a pipelined loop's ops --------------*- C++ -*-===//
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

/// An MMA of a pipelined loop: the `index`-th MMA of the original body. It runs
/// `stage` iterations after its iteration of the original loop, and the ops
/// that read its result run `use` iterations after that one; `use` is at least
/// `stage`. Lists of these are in the order of issue.
struct MmaStage {
  unsigned index, stage, use;
};

/// Chooses the stages of a loop's MMAs so that some overlap with the softmax of
/// the next iteration: an MMA that depends on another one of its iteration, and
/// on which no other one depends, runs one iteration late. Returns an empty
/// list if no MMA, or every MMA, would run late.
///
/// With `prefetches`, if several MMAs do not run late, the first of them is
/// issued an iteration ahead instead, after all others.
SmallVector<MmaStage> getOverlap(scf::ForOp loop, bool prefetches);

/// Returns the ops of a loop in the order of the pipelined loop, with their
/// stages. Each MMA is waited for in its own stage. Fails with an error at the
/// loop if the MMAs' stages contradict each other.
///
/// An MMA is issued as soon as its operands are ready. Ops that it needs come
/// first, then other ops, and a wait only when no other op is ready.
///
/// With `savesRegisters`, an MMA that begins with zeros is not issued before
/// values that depend on another such MMA are converted to narrower types.
FailureOr<StagedOps> getStages(scf::ForOp loop, ArrayRef<MmaStage> mmas,
                               bool savesRegisters = false);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STAGES_H
