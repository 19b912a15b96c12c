//===- ContribNorms.cpp - Norms of query and key --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GroupQueryAttention may divide each head's columns of query and key by their
// root mean square, and multiply them by weights, before it rotates them.
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "ShadowBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

bool ContribReader::takeNorms() {
  if (!isPresent(14) && !isPresent(15))
    return true;
  Value ofQuery = take(14), ofKey = take(15);
  auto isWeight = [&](Value weight) {
    return isOfFloats(weight, 1) && getShape(weight)[0] == call.headDim;
  };
  if (!isWeight(ofQuery) || !isWeight(ofKey))
    return refuse("expected q_norm_weight and k_norm_weight of " +
                  Twine(call.headDim) + " columns, found " + describe(ofQuery) +
                  " and " + describe(ofKey));
  double epsilon = getFloat("qk_norm_epsilon", 1e-6);
  if (!std::isfinite(static_cast<float>(epsilon)) || epsilon <= 0)
    return refuse("expected a finite qk_norm_epsilon above 0");
  arrays.normalize(ofQuery, ofKey, epsilon);
  return true;
}

/// Returns an array of batch entries, rows, and the columns of all heads, whose
/// heads are divided by their root mean square.
Value ContribArrays::normalizeHeads(Value array, Value weight, double epsilon) {
  auto type = cast<RankedTensorType>(array.getType());
  Type element = type.getElementType(), f32 = b.getF32Type();
  int64_t heads = type.getDimSize(2) / call.headDim;
  SmallVector<ReassociationIndices> groups = {{0}, {1}, {2, 3}};
  auto split = RankedTensorType::get(
      {type.getDimSize(0), type.getDimSize(1), heads, call.headDim}, element);
  Value parts = tensor::ExpandShapeOp::create(b, split, array, groups);
  ShadowBuilder s(b);
  AffineMap all = s.getIdentity(4), ofHead = all.dropResult(3),
            ofColumn = s.getMap(4, {s.dim(3)});
  Value sums = s.reduce(
      RankedTensorType::get(split.getShape().drop_back(), f32), ofHead, parts,
      all, /*isSum=*/true, [&](ImplicitLocOpBuilder &inner, ValueRange x) {
        Value number = castScalar(inner, x[0], f32);
        return arith::MulFOp::create(inner, number, number).getResult();
      });
  Value result = s.map(
      split, {parts, sums, weight}, {all, ofHead, ofColumn},
      [&](ImplicitLocOpBuilder &inner, ValueRange x) {
        auto getNumber = [&](double number) -> Value {
          return arith::ConstantOp::create(inner,
                                           inner.getFloatAttr(f32, number));
        };
        Value mean =
            arith::DivFOp::create(inner, x[1], getNumber(call.headDim));
        Value factor = math::RsqrtOp::create(
            inner, arith::AddFOp::create(inner, mean, getNumber(epsilon)));
        Value normal =
            arith::MulFOp::create(inner, castScalar(inner, x[0], f32), factor);
        return castScalar(
            inner,
            arith::MulFOp::create(inner, normal, castScalar(inner, x[2], f32)),
            element);
      });
  return tensor::CollapseShapeOp::create(b, type, result, groups);
}

void ContribArrays::normalize(Value ofQuery, Value ofKey, double epsilon) {
  call.query = normalizeHeads(call.query, ofQuery, epsilon);
  call.key = normalizeHeads(call.key, ofKey, epsilon);
}
