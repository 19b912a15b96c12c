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

/// The stage of one MMA of a loop that is pipelined. `index` is the MMA's
/// position among the MMAs of the original body. The MMA runs `stage`
/// iterations after its iteration of the original loop. The ops that read its
/// result run `use` iterations after that iteration; `use` is at least `stage`.
/// In lists, MMAs are in the order in which they are issued.
struct MmaStage {
  unsigned index, stage, use;
};

/// Returns stages of a loop's MMAs with which some MMAs overlap with the
/// softmax of the next iteration. An MMA runs one iteration late if it depends
/// on another MMA of its iteration and no other MMA depends on it. Returns an
/// empty list if no MMA, or every MMA, would run late.
///
/// With `prefetches`, if several MMAs would not run late, all MMAs but the
/// first of these run late. The first one is then issued one iteration ahead,
/// after all other MMAs of the pipelined loop's body.
SmallVector<MmaStage> getOverlap(scf::ForOp loop, bool prefetches);

/// Returns the ops of a loop's body in the order of the pipelined loop, with
/// their stages. Each MMA is waited for in its own stage. Fails with an error
/// at the loop if the MMAs' stages contradict each other.
///
/// The MMAs are issued in the order of `mmas`, each as soon as its operands are
/// ready. The ops that compute operands of the next MMA come first, then other
/// ops. A wait for an MMA comes only when no other op is ready.
///
/// With `savesRegisters`, an MMA that begins with zeros is issued only after
/// values that depend on an earlier such MMA have been converted to narrower
/// types.
FailureOr<StagedOps> getStages(scf::ForOp loop, ArrayRef<MmaStage> mmas,
                               bool savesRegisters = false);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_STAGES_H
