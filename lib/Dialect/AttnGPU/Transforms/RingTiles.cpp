//===- RingTiles.cpp - Loads whose tiles come through rings ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingTiles.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<Operation *> attn_gpu::getReaders(Value tile) {
  SmallVector<Operation *> readers;
  for (Operation *user : tile.getUsers())
    if (auto columns = dyn_cast<ColumnsOp>(user))
      llvm::append_range(readers, getReaders(columns.getResult()));
    else
      readers.push_back(user);
  return readers;
}

bool attn_gpu::isCopied(Operation *load) {
  return llvm::any_of(getReaders(load->getResult(0)),
                      llvm::IsaPred<ConvertLayoutOp>);
}

bool attn_gpu::isReadByThreads(Operation *load, ScheduleAttr schedule) {
  return schedule.getMma() != MmaKind::Wgmma || isCopied(load);
}

FillOp attn_gpu::fillByThreads(ImplicitLocOpBuilder &b, LoadOp load,
                               RingOp ring, Value index, ScheduleAttr schedule,
                               const IRMapping &mapping) {
  auto map = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  // Vectors are the workspace's, which is aligned.
  bool isAligned = schedule.getCopy() == CopyKind::CpAsync ||
                   load.getResult().getType().getRank() == 1;
  return FillOp::create(b, ring, index, map(load.getSources()),
                        map(load.getIndices()), isAligned);
}

void attn_gpu::acquireLoaded(LoadOp load, RingOp ring, Value index) {
  ImplicitLocOpBuilder b(load.getLoc(), load);
  auto acquired = AcquireOp::create(b, load.getResult().getType(),
                                    b.getI32Type(), ring, index);
  load.replaceAllUsesWith(acquired.getTile());
  load.erase();
}
