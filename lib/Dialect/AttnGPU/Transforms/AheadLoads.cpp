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

SmallVector<LoadOp> mlir::attn_gpu::findVectorsAhead(KernelOp kernel,
                                                     ScheduleAttr schedule) {
  SmallVector<LoadOp> vectors;
  kernel.walk([&](LoadOp load) {
    bool isOfStep =
        schedule.getCopy() == CopyKind::Tma || schedule.hasProducer()
            ? bool(load->getParentOfType<LoopLikeOpInterface>())
            : isa<ForBlocksOp>(load->getParentOp());
    if (load.getAhead() && isOfStep && isWholeRow(kernel, load))
      vectors.push_back(load);
  });
  return vectors;
}

LoadOp mlir::attn_gpu::findPairsAhead(KernelOp kernel, ScheduleAttr schedule) {
  LoadOp found;
  if (schedule.getCopy() != CopyKind::Tma)
    return found;
  kernel.walk([&](LoadOp load) {
    RankedTensorType tile = load.getResult().getType();
    Value array = getOuterArray(kernel, load.getSource()).array;
    if (!found && load.getAhead() && !load.isListed() &&
        load->getParentOfType<ForBlocksOp>() && tile.getRank() == 2 &&
        isa_and_nonnull<MmaLayoutAttr>(tile.getEncoding()) && array &&
        mayStreamPairs(cast<MemRefType>(array.getType())))
      found = load;
  });
  return found;
}
