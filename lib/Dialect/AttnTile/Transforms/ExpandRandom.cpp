//===- ExpandRandom.cpp - Random bits as arithmetic on tiles --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/Philox.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNTILEEXPANDRANDOMPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

/// The 16 bits of each element, of i64.
static Value emitBits(ImplicitLocOpBuilder &b, RandomKeepOp op) {
  RankedTensorType type = op.getResult().getType().clone(b.getI64Type());
  PhiloxEmitter philox(b, type);
  auto positions = [&](Value first, int64_t axis) -> Value {
    Value start = arith::IndexCastOp::create(b, b.getI64Type(), first);
    return arith::AddIOp::create(b, CoordinateOp::create(b, type, axis),
                                 philox.spread(start));
  };
  int64_t rowAxis = op.getRowAxis();
  Value row = positions(op.getRow(), rowAxis);
  Value key = positions(op.getKey(), 1 - rowAxis);
  Value mask = philox.constant(0xFFFFFFFF);
  Value group = arith::AndIOp::create(
      b, arith::ShRUIOp::create(b, key, philox.constant(3)), mask);
  std::array<Value, 4> words =
      philox.emit({group, arith::AndIOp::create(b, row, mask),
                   getLowWord(b, op.getPlane(), /*isWide=*/true),
                   getLowWord(b, op.getOffset(), /*isWide=*/true)},
                  {getLowWord(b, op.getSeed(), /*isWide=*/true),
                   getHighWord(b, op.getSeed(), /*isWide=*/true)});
  auto hasBit = [&](int64_t bit) {
    Value own = arith::AndIOp::create(b, key, philox.constant(bit));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, own,
                                 philox.constant(0));
  };
  Value isOdd = hasBit(2), isUpper = hasBit(4);
  Value word = arith::SelectOp::create(
      b, isUpper, arith::SelectOp::create(b, isOdd, words[3], words[2]),
      arith::SelectOp::create(b, isOdd, words[1], words[0]));
  Value half = arith::SelectOp::create(
      b, hasBit(1), arith::ShRUIOp::create(b, word, philox.constant(16)), word);
  return arith::AndIOp::create(b, half, philox.constant(0xFFFF));
}

namespace {
struct AttnTileExpandRandomPass
    : public attn_tile::impl::AttnTileExpandRandomPassBase<
          AttnTileExpandRandomPass> {
  void runOnOperation() override {
    getOperation()->walk([](RandomKeepOp op) {
      ImplicitLocOpBuilder b(op.getLoc(), op);
      Value bits = emitBits(b, op);
      Value threshold =
          PhiloxEmitter(b, bits.getType()).constant(op.getThreshold());
      // A comparison for each use: memory holds the bits, not the i1.
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
        use.set(arith::CmpIOp::create(b, arith::CmpIPredicate::uge, bits,
                                      threshold));
      op->erase();
    });
  }
};
} // namespace
