//===- ContribRotary.cpp - Rotations of query and key by positions --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rotary position embeddings of GroupQueryAttention (do_rotary). Columns of a
// head are paired, and each pair is rotated by an angle that depends on the
// row's position and on the pair. The ops are built before attention, since the
// rotated keys are part of the cache that is a result.
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "ShadowBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

bool ContribReader::takeRotation() {
  for (StringRef name : {"do_rotary", "rotary_interleaved"})
    if (int64_t value = getInt(name, 0); value != 0 && value != 1)
      return refuse("expected " + name + " to be 0 or 1, found " +
                    Twine(value));
  if (getInt("do_rotary", 0) == 0)
    return true;
  ContribRotation rotation;
  rotation.isInterleaved = getInt("rotary_interleaved", 0) != 0;
  rotation.cosines = take(7);
  rotation.sines = take(8);
  auto isCache = [&](Value cache) {
    return isOfFloats(cache, 2) && !ShapedType::isDynamic(getShape(cache)[1]) &&
           getShape(cache)[0] != 0 && getShape(cache)[1] > 0 &&
           getShape(cache)[1] <= call.headDim / 2;
  };
  if (!isCache(rotation.cosines) || !isCache(rotation.sines) ||
      !fits(getShape(rotation.cosines)[0], getShape(rotation.sines)[0]) ||
      getShape(rotation.cosines)[1] != getShape(rotation.sines)[1])
    return refuse(
        "expected a cos_cache and a sin_cache of positions and 1 to " +
        Twine(call.headDim / 2) +
        " columns, of one size, for do_rotary, found " +
        describe(rotation.cosines) + " and " + describe(rotation.sines));
  if (isPresent(9)) {
    rotation.positions = take(9);
    ArrayRef<int64_t> query = getShape(call.query);
    if (!rotation.positions || getShape(rotation.positions).size() != 2 ||
        !getElementTypeOrSelf(rotation.positions.getType())
             .isSignlessInteger(64) ||
        !fits(getShape(rotation.positions)[0], query[0]) ||
        !fits(getShape(rotation.positions)[1], query[1]))
      return refuse("expected position_ids of i64, of batch entries and rows, "
                    "found " +
                    describe(rotation.positions));
  }
  arrays.rotate(rotation);
  return true;
}

namespace {
/// The columns and signs of a rotation at one element of an array.
struct RotatedColumn {
  /// The other column of the pair, and the column of the caches.
  Value other, pair;
  /// Whether the element is the first one of its pair.
  Value isFirst;
  /// Whether the column is rotated, or null if all are.
  Value isRotated;
};
} // namespace

/// Finds the pair of a column of all heads, of which each has `headDim` columns
/// in `pairs` pairs. Columns without a pair get themselves and pair 0.
static RotatedColumn findPair(ImplicitLocOpBuilder &b, Value column,
                              int64_t headDim, int64_t pairs,
                              bool isInterleaved) {
  auto number = [&](int64_t n) -> Value {
    return arith::ConstantIndexOp::create(b, n);
  };
  Value ofHead = arith::RemSIOp::create(b, column, number(headDim));
  int64_t distance = isInterleaved ? 1 : pairs;
  RotatedColumn found;
  Value rest = isInterleaved
                   ? arith::RemSIOp::create(b, ofHead, number(2)).getResult()
                   : ofHead;
  found.isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, rest,
                                        number(distance));
  found.other = arith::SelectOp::create(
      b, found.isFirst, arith::AddIOp::create(b, column, number(distance)),
      arith::SubIOp::create(b, column, number(distance)));
  if (isInterleaved)
    found.pair = arith::DivSIOp::create(b, ofHead, number(2));
  else
    found.pair = arith::SelectOp::create(
        b, found.isFirst, ofHead,
        arith::SubIOp::create(b, ofHead, number(pairs)));
  if (2 * pairs == headDim)
    return found;
  found.isRotated = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, ofHead,
                                          number(2 * pairs));
  found.other =
      arith::SelectOp::create(b, found.isRotated, found.other, column);
  found.pair =
      arith::SelectOp::create(b, found.isRotated, found.pair, number(0));
  return found;
}

/// Returns an array of batch entries, rows, and the columns of all heads, with
/// pairs of columns rotated.
Value ContribArrays::rotate(Value array, const ContribRotation &rotation) {
  auto type = cast<RankedTensorType>(array.getType());
  Type element = type.getElementType(), f32 = b.getF32Type();
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), array), element);
  Value numRows = tensor::DimOp::create(b, array, 1),
        numPositions = tensor::DimOp::create(b, rotation.cosines, 0);
  if (ShapedType::isDynamic(getShape(rotation.cosines)[0]))
    numPositions = arith::MinSIOp::create(
        b, numPositions, tensor::DimOp::create(b, rotation.sines, 0));
  auto build = [&](OpBuilder &builder, Location loc, ValueRange x) {
    ImplicitLocOpBuilder inner(loc, builder);
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < 3; ++dim)
      at.push_back(linalg::IndexOp::create(inner, dim));
    Value position = at[1];
    if (rotation.positions)
      position = arith::IndexCastOp::create(inner, inner.getIndexType(), x[1]);
    else if (call.hasPast)
      position = arith::AddIOp::create(
          inner, getFirstRow(inner, at[0], numRows), at[1]);
    // Positions outside of the caches take the nearest row.
    Value zero = arith::ConstantIndexOp::create(inner, 0),
          one = arith::ConstantIndexOp::create(inner, 1);
    position = arith::MaxSIOp::create(
        inner, zero,
        arith::MinSIOp::create(
            inner, position, arith::SubIOp::create(inner, numPositions, one)));
    RotatedColumn column =
        findPair(inner, at[2], call.headDim, getShape(rotation.cosines)[1],
                 rotation.isInterleaved);
    auto read = [&](Value from, ValueRange indices) {
      return castScalar(
          inner, tensor::ExtractOp::create(inner, from, indices).getResult(),
          f32);
    };
    Value other = read(array, {at[0], at[1], column.other}),
          cosine = read(rotation.cosines, {position, column.pair}),
          sine = read(rotation.sines, {position, column.pair});
    Value negated = arith::NegFOp::create(inner, other);
    other = arith::SelectOp::create(inner, column.isFirst, negated, other);
    Value sum = arith::AddFOp::create(
        inner,
        arith::MulFOp::create(inner, castScalar(inner, x[0], f32), cosine),
        arith::MulFOp::create(inner, other, sine));
    Value result = castScalar(inner, sum, element);
    if (column.isRotated)
      result = arith::SelectOp::create(inner, column.isRotated, result, x[0]);
    linalg::YieldOp::create(inner, result);
  };
  AffineMap identity = b.getMultiDimIdentityMap(3);
  SmallVector<Value> inputs = {array};
  SmallVector<AffineMap> maps = {identity};
  if (rotation.positions) {
    inputs.push_back(rotation.positions);
    maps.push_back(identity.dropResult(2));
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> loops(3, utils::IteratorType::parallel);
  return linalg::GenericOp::create(b, TypeRange(type), inputs,
                                   ValueRange(empty), maps, loops, build)
      .getResult(0);
}

void ContribArrays::rotate(const ContribRotation &rotation) {
  call.query = rotate(call.query, rotation);
  call.key = rotate(call.key, rotation);
}
