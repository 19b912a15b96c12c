//===- AheadLoads.cpp - Loads that are wanted ahead -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AheadLoads.h"
#include "ArrayOrigin.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"

#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns why a load of a vector cannot be copied ahead, or "" if it can.
static StringRef findUnfitVector(KernelOp kernel, LoadOp load) {
  ScheduleAttr schedule = kernel.getSchedule();
  if (schedule.getCopy() == CopyKind::Tma || schedule.hasProducer()) {
    if (!load->getParentOfType<LoopLikeOpInterface>())
      return "it is in no loop";
  } else if (!isa<ForBlocksOp>(load->getParentOp())) {
    return "it is not directly in a loop over blocks";
  }
  return isWholeRow(kernel, load)
             ? ""
             : "it is no whole row of f32 of the workspace";
}

/// Returns why a load of a tile cannot be copied ahead, or "" if it can.
static StringRef findUnfitPairs(KernelOp kernel, LoadOp load) {
  if (kernel.getSchedule().getCopy() != CopyKind::Tma)
    return "TMA alone copies such a tile";
  if (!load->getParentOfType<ForBlocksOp>())
    return "it is in no loop over blocks";
  Value array = getOuterArray(kernel, load.getSource()).array;
  return !load.isListed() && array &&
                 mayStreamPairs(cast<MemRefType>(array.getType()))
             ? ""
             : "TMA does not copy tiles of such an array";
}

AheadLoads::AheadLoads(KernelOp kernel) {
  kernel.walk([&](LoadOp load) {
    RankedTensorType tile = load.getResult().getType();
    // Tiles in shared memory are operands of products, which rings copy anyway.
    if (!load.getAhead() ||
        isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
            tile.getEncoding()))
      return;
    bool isVector = tile.getRank() == 1;
    StringRef misfit =
        isVector ? findUnfitVector(kernel, load) : findUnfitPairs(kernel, load);
    if (misfit.empty() && !isVector && pairs)
      misfit = "another such tile is";
    if (!misfit.empty())
      load.emitRemark("not copied ahead: ") << misfit;
    else if (isVector)
      vectors.push_back(load);
    else
      pairs = load;
  });
}
