//===- TileNumbers.cpp - Tile numbers for the roles of a CTA --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dynamic tile scheduler passes tile numbers to all roles through two slots
// in shared memory, each with a full and an empty barrier as a ring's slots
// have.
//
//===----------------------------------------------------------------------===//

#include "Slots.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

namespace {

class TileSlots : public Slots {
public:
  TileSlots(NumberBuilder &b, int64_t offset)
      : Slots(b, addWord(b, getSharedMemory(b), offset), kSchedulerSlots) {}

  Value getNumber(Value slot) {
    return getSharedPointer(b, getSlotAddress(b, address, slot, /*bytes=*/4,
                                              2 * kBarrierBytes * count));
  }
};

LogicalResult convertInitScheduler(ConversionBuilder &b, InitSchedulerOp op,
                                   InitSchedulerOp::Adaptor) {
  TileSlots(b, op.getOffset()).init(op.getReaders());
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertPublishTile(ConversionBuilder &b, PublishTileOp op,
                                 PublishTileOp::Adaptor adaptor) {
  TileSlots slots(b, op.getOffset());
  Value slot = slots.waitUntilFree(adaptor.getIndex());
  LLVM::StoreOp::create(b, adaptor.getTile(), slots.getNumber(slot),
                        /*alignment=*/4, /*isVolatile=*/true);
  arrive(b, slots.getFilled(slot));
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertNextTile(ConversionBuilder &b, NextTileOp op,
                              NextTileOp::Adaptor adaptor) {
  TileSlots slots(b, op.getOffset());
  Value slot = slots.waitUntilFilled(adaptor.getIndex());
  Value number = LLVM::LoadOp::create(b, b.getI32Type(), slots.getNumber(slot),
                                      /*alignment=*/4, /*isVolatile=*/true);
  arrive(b, slots.getFree(slot));
  // A shuffle broadcasts the tile number from lane 0, which tells ptxas that it
  // is the same in all lanes.
  b.rewriter.replaceOpWithNewOp<NVVM::ShflOp>(op, b.getI32Type(), b.word(-1),
                                              number, b.word(0), b.word(31),
                                              NVVM::ShflKind::idx, UnitAttr());
  return success();
}

} // namespace

void attn::populateTileNumberPatterns(const TileTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  addConversions<convertInitScheduler, convertPublishTile, convertNextTile>(
      converter, patterns);
}
