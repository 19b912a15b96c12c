//===- RingTiles.cpp - Loads whose tiles come through rings ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingTiles.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

bool attn_gpu::isCopied(Operation *load) {
  return llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>);
}

bool attn_gpu::isReadByThreads(Operation *load, ScheduleAttr schedule) {
  return schedule.getMma() != MmaKind::Wgmma || isCopied(load);
}

void attn_gpu::acquireLoaded(LoadOp load, RingOp ring) {
  ImplicitLocOpBuilder b(load.getLoc(), load);
  auto acquired = AcquireOp::create(b, load.getResult().getType(),
                                    b.getI32Type(), ring, Value());
  load.replaceAllUsesWith(acquired.getTile());
  load.erase();
}
