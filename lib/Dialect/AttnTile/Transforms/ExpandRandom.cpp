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
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNTILEEXPANDRANDOMPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

/// Emits the 16 random bits of each element of a random_keep, as i64. Philox
/// returns 128 bits for the counter (key / 8, row, plane, offset). Each of the
/// eight keys with this counter takes 16 of these bits.
static Value emitBits(attn::NumberBuilder &b, RandomKeepOp op) {
  RankedTensorType type = op.getResult().getType().clone(b.getI64Type());
  PhiloxEmitter philox(b, type);
  auto positions = [&](Value first, int64_t axis) -> Value {
    Value start = b.indexCast(b.getI64Type(), first);
    return b.addi(CoordinateOp::create(b, type, axis), philox.spread(start));
  };
  int64_t rowAxis = op.getRowAxis();
  Value key = positions(op.getKey(), 1 - rowAxis);
  Value mask = philox.constant(0xFFFFFFFF);
  Value plane = getLowWord(b, op.getPlane(), /*isWide=*/true), row;
  if (op.getDistances().empty()) {
    row = positions(op.getRow(), rowAxis);
  } else {
    auto move = [&](Value first, Value distances) -> Value {
      return b.addi(philox.spread(b.indexCast(b.getI64Type(), first)),
                    arith::ExtSIOp::create(b, type, distances));
    };
    plane = b.andi(move(op.getPlane(), op.getDistances()[0]), mask);
    row = move(op.getRow(), op.getDistances()[1]);
  }
  Value group = b.andi(b.shrui(key, philox.constant(3)), mask);
  std::array<Value, 4> words =
      philox.emit({group, b.andi(row, mask), plane,
                   getLowWord(b, op.getOffset(), /*isWide=*/true)},
                  {getLowWord(b, op.getSeed(), /*isWide=*/true),
                   getHighWord(b, op.getSeed(), /*isWide=*/true)});
  auto hasBit = [&](int64_t bit) {
    Value own = b.andi(key, philox.constant(bit));
    return b.ne(own, philox.constant(0));
  };
  Value isOdd = hasBit(2), isUpper = hasBit(4);
  Value word = b.select(isUpper, b.select(isOdd, words[3], words[2]),
                        b.select(isOdd, words[1], words[0]));
  Value half = b.select(hasBit(1), b.shrui(word, philox.constant(16)), word);
  return b.andi(half, philox.constant(0xFFFF));
}

namespace {
struct AttnTileExpandRandomPass
    : public attn_tile::impl::AttnTileExpandRandomPassBase<
          AttnTileExpandRandomPass> {
  void runOnOperation() override {
    getOperation()->walk([](RandomKeepOp op) {
      attn::NumberBuilder b(op.getLoc(), op);
      Value bits = emitBits(b, op);
      Value threshold =
          PhiloxEmitter(b, bits.getType()).constant(op.getThreshold());
      // Each use gets its own comparison of the random bits with the threshold.
      // So the tile that is kept in memory is that of the bits, and not one of
      // i1.
      for (OpOperand &use : llvm::make_early_inc_range(op->getUses()))
        use.set(b.uge(bits, threshold));
      op->erase();
    });
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Philox
//===----------------------------------------------------------------------===//
// Philox is from J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw,
// "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011.

Value PhiloxEmitter::spread(Value value) {
  if (value.getType() == type)
    return value;
  if (isa<VectorType>(type))
    return vector::BroadcastOp::create(b, type, value);
  return tensor::SplatOp::create(b, value, type);
}

Value PhiloxEmitter::constant(int64_t value) {
  auto element = cast<IntegerType>(getElementTypeOrSelf(type));
  // The constant has the low 32 bits of `value` in an i32, and all bits in an
  // i64. In an i32, a value above 2^31 - 1 becomes negative, which does not
  // matter for Philox.
  auto attribute = IntegerAttr::get(
      element, APInt(element.getWidth(), static_cast<uint64_t>(value),
                     /*isSigned=*/false, /*implicitTrunc=*/true));
  if (auto shaped = dyn_cast<ShapedType>(type))
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(shaped, Attribute(attribute)));
  return arith::ConstantOp::create(b, attribute);
}

Value PhiloxEmitter::truncate(Value word) {
  return b.andi(word, constant(0xFFFFFFFF));
}

std::pair<Value, Value> PhiloxEmitter::multiply(Value word, uint32_t factor) {
  if (getElementTypeOrSelf(type).isInteger(32)) {
    auto product = arith::MulUIExtendedOp::create(b, word, constant(factor));
    return {product.getHigh(), product.getLow()};
  }
  Value product = b.muli(word, constant(factor));
  return {b.shrui(product, constant(32)), truncate(product)};
}

std::array<Value, 4> PhiloxEmitter::emit(std::array<Value, 4> counter,
                                         std::array<Value, 2> key) {
  constexpr int kRounds = 10;
  constexpr uint32_t kFactors[] = {0xD2511F53, 0xCD9E8D57};
  constexpr uint32_t kSteps[] = {0x9E3779B9, 0xBB67AE85};
  bool isWide = getElementTypeOrSelf(type).isInteger(64);
  PhiloxEmitter scalars(b, getElementTypeOrSelf(type));
  for (Value &word : counter)
    word = spread(word);
  for (int round = 0; round < kRounds; ++round) {
    auto [high0, low0] = multiply(counter[0], kFactors[0]);
    auto [high1, low1] = multiply(counter[2], kFactors[1]);
    auto mix = [&](Value high, Value word, Value keyWord) -> Value {
      return b.xori(b.xori(high, word), spread(keyWord));
    };
    counter = {mix(high1, counter[1], key[0]), low1,
               mix(high0, counter[3], key[1]), low0};
    for (int i : {0, 1}) {
      key[i] = b.addi(key[i], scalars.constant(kSteps[i]));
      if (isWide)
        key[i] = scalars.truncate(key[i]);
    }
  }
  return counter;
}

static Value asLong(attn::NumberBuilder &b, Value number) {
  if (number.getType().isIndex())
    return b.indexCast(b.getI64Type(), number);
  return number;
}

static Value asWord(attn::NumberBuilder &b, Value number, bool isWide) {
  if (!isWide)
    return b.trunci(b.getI32Type(), number);
  Value mask = b.i64(0xFFFFFFFF);
  return b.andi(number, mask);
}

Value attn_tile::getLowWord(attn::NumberBuilder &b, Value number, bool isWide) {
  return asWord(b, asLong(b, number), isWide);
}

Value attn_tile::getHighWord(attn::NumberBuilder &b, Value number,
                             bool isWide) {
  Value bits = b.i64(32);
  return asWord(b, b.shrui(asLong(b, number), bits), isWide);
}
