//===- ScoreTiling.cpp - Score regions on tiles -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreTiling.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

/// A scalar on every element of a tile.
static Value splat(OpBuilder &builder, Location loc, Value scalar,
                   ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, scalar.getType());
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc, SplatElementsAttr::get(type, ArrayRef(constant)));
  return tensor::SplatOp::create(builder, loc, scalar, type);
}

/// Products and sums may become one instruction, divisors be inverted, and
/// constant factors be multiplied with each other.
static void allowFusion(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return;
  auto fastMath = cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlags flags = fastMath.getFastMathFlagsAttr().getValue() |
                               arith::FastMathFlags::contract |
                               arith::FastMathFlags::arcp;
  bool hasConstant = llvm::any_of(op->getOperands(), [](Value operand) {
    return matchPattern(operand, m_Constant());
  });
  if (hasConstant && isa<arith::MulFOp, arith::DivFOp>(op))
    flags = flags | arith::FastMathFlags::reassoc;
  op->setAttr(fastMath.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

ScaledScore mlir::attn::getScaledScore(AttentionOp op) {
  Value score = cast<YieldOp>(op.getScore().front().getTerminator()).getScore();
  auto product = score.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {score, 1.0};
  for (auto [value, other] : {std::pair(product.getLhs(), product.getRhs()),
                              {product.getRhs(), product.getLhs()}}) {
    APFloat constant(0.0f);
    if (!matchPattern(other, m_ConstantFloat(&constant)))
      continue;
    double factor = constant.convertToDouble();
    bool isBounded = value.getDefiningOp<math::TanhOp>() != nullptr;
    if (mayFollowMaximum(factor) && (isBounded || factor <= llvm::numbers::ln2))
      return {value, factor};
  }
  return {score, 1.0};
}

SmallVector<Value> mlir::attn::inlineScore(AttentionInterface op,
                                           OpBuilder &builder, Value scores,
                                           const ScorePlace &place,
                                           ValueRange results) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> shape = cast<RankedTensorType>(scores.getType()).getShape();
  Block &body = op.getScore().front();

  IRMapping mapping;
  // A tile of indices is made only where the region looks at it.
  auto mapIndices = [&](BlockArgument argument, Value first, int64_t axis) {
    if (argument.use_empty())
      return;
    auto type = RankedTensorType::get(shape, builder.getIndexType());
    Value local = attn_tile::CoordinateOp::create(builder, loc, type, axis);
    mapping.map(argument,
                arith::AddIOp::create(builder, loc, local,
                                      splat(builder, loc, first, shape)));
  };
  mapping.map(body.getArgument(0), scores);
  mapping.map(body.getArgument(1), place.batch);
  mapping.map(body.getArgument(2), place.head);
  mapIndices(body.getArgument(3), place.row, place.rowAxis);
  mapIndices(body.getArgument(4), place.key, 1 - place.rowAxis);
  for (auto [argument, capture] :
       llvm::zip(body.getArguments().drop_front(5), op.getCaptures()))
    mapping.map(argument, capture);

  auto isTile = [](Value v) { return isa<RankedTensorType>(v.getType()); };
  for (Operation &inner : body.without_terminator()) {
    bool varies = llvm::any_of(inner.getOperands(), [&](Value operand) {
      return isTile(mapping.lookup(operand));
    });
    if (!varies) {
      allowFusion(builder.clone(inner, mapping));
      continue;
    }
    IRMapping onTiles;
    for (Value operand : inner.getOperands()) {
      Value mapped = mapping.lookup(operand);
      onTiles.map(operand,
                  isTile(mapped) ? mapped : splat(builder, loc, mapped, shape));
    }
    Operation *clone = builder.clone(inner, onTiles);
    allowFusion(clone);
    for (auto [result, original] :
         llvm::zip(clone->getResults(), inner.getResults())) {
      result.setType(RankedTensorType::get(shape, original.getType()));
      mapping.map(original, result);
    }
  }
  return llvm::map_to_vector(results, [&](Value result) {
    Value tile = mapping.lookupOrDefault(result);
    return isTile(tile) ? tile : splat(builder, loc, tile, shape);
  });
}
