//===- ShadowBuilder.cpp - Builds ops on tensors --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShadowBuilder.h"
#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

using namespace mlir;
using namespace mlir::attn::raise;

bool mlir::attn::raise::canCastScalar(Type from, Type to) {
  return from == to || isa<FloatType>(to) ||
         (from.isSignlessInteger() && to.isSignlessInteger());
}

Value mlir::attn::raise::castScalar(ImplicitLocOpBuilder &b, Value value,
                                    Type type) {
  Type from = value.getType();
  if (from == type)
    return value;
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    unsigned width = from.getIntOrFloatBitWidth(),
             target = type.getIntOrFloatBitWidth();
    if (width < target)
      return arith::ExtFOp::create(b, type, value);
    if (width == target)
      value = arith::ExtFOp::create(b, b.getF32Type(), value);
    return arith::TruncFOp::create(b, type, value);
  }
  if (isa<FloatType>(type))
    return from.isInteger(1) ? Value(arith::UIToFPOp::create(b, type, value))
                             : Value(arith::SIToFPOp::create(b, type, value));
  if (isa<FloatType>(from))
    return nullptr;
  if (from.getIntOrFloatBitWidth() > type.getIntOrFloatBitWidth())
    return arith::TruncIOp::create(b, type, value);
  return from.isInteger(1) ? Value(arith::ExtUIOp::create(b, type, value))
                           : Value(arith::ExtSIOp::create(b, type, value));
}

Value ShadowBuilder::getDim(Value tensor, int64_t dim) {
  return tensor::DimOp::create(b, tensor, dim);
}

/// Whether ranks fit the maps, and static sizes of dimensions that one loop
/// indexes are equal.
static bool areConsistent(RankedTensorType type, AffineMap result,
                          ArrayRef<Value> operands, ArrayRef<AffineMap> maps) {
  SmallVector<int64_t> sizes(result.getNumDims(), ShapedType::kDynamic);
  auto take = [&](ArrayRef<int64_t> shape, AffineMap map) {
    if (shape.size() != map.getNumResults())
      return false;
    for (auto [size, expr] : llvm::zip(shape, map.getResults())) {
      auto constant = dyn_cast<AffineConstantExpr>(expr);
      if (constant && !ShapedType::isDynamic(size) &&
          (constant.getValue() < 0 || constant.getValue() >= size))
        return false;
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || ShapedType::isDynamic(size))
        continue;
      int64_t &known = sizes[loop.getPosition()];
      if (!ShapedType::isDynamic(known) && known != size)
        return false;
      known = size;
    }
    return true;
  };
  for (auto [operand, map] : llvm::zip(operands, maps))
    if (!take(getShape(operand), map))
      return false;
  return take(type.getShape(), result);
}

Value ShadowBuilder::makeEmpty(RankedTensorType type, AffineMap result,
                               ArrayRef<Value> operands,
                               ArrayRef<AffineMap> maps,
                               ArrayRef<Value> known) {
  if (!areConsistent(type, result, operands, maps))
    return nullptr;
  SmallVector<Value> sizes;
  for (auto [dim, expr] : llvm::enumerate(result.getResults())) {
    if (!type.isDynamicDim(dim))
      continue;
    Value found = known.empty() ? nullptr : known[dim];
    for (auto [operand, map] : llvm::zip(operands, maps))
      if (auto at = map.getResultPosition(expr); at && !found)
        found = getDim(operand, *at);
    if (!found)
      return nullptr;
    sizes.push_back(found);
  }
  return tensor::EmptyOp::create(b, type, sizes);
}

Value ShadowBuilder::map(RankedTensorType type, ArrayRef<Value> operands,
                         ArrayRef<AffineMap> maps, Body body,
                         ArrayRef<Value> sizes) {
  AffineMap identity = getIdentity(type.getRank());
  Value empty = makeEmpty(type, identity, operands, maps, sizes);
  if (!empty)
    return nullptr;
  SmallVector<AffineMap> all(maps);
  all.push_back(identity);
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange{type}, operands, ValueRange{empty}, all, loops,
             [&](OpBuilder &inner, Location loc, ValueRange elements) {
               ImplicitLocOpBuilder ib(loc, inner);
               linalg::YieldOp::create(ib, body(ib, elements.drop_back()));
             })
      .getResult(0);
}

Value ShadowBuilder::broadcast(RankedTensorType type, ArrayRef<Value> operands,
                               Body body, ArrayRef<Value> sizes) {
  SmallVector<AffineMap> maps;
  int64_t rank = type.getRank();
  for (Value operand : operands) {
    ArrayRef<int64_t> shape = getShape(operand);
    int64_t first = rank - static_cast<int64_t>(shape.size());
    if (first < 0)
      return nullptr;
    SmallVector<AffineExpr> indices;
    for (auto [i, size] : llvm::enumerate(shape))
      indices.push_back(size == 1 && type.getDimSize(first + i) != 1
                            ? b.getAffineConstantExpr(0)
                            : dim(first + i));
    maps.push_back(getMap(rank, indices));
  }
  return map(type, operands, maps, body, sizes);
}

Value ShadowBuilder::move(RankedTensorType type, Value operand, AffineMap map) {
  return this->map(type, operand, map,
                   [](ImplicitLocOpBuilder &, ValueRange x) { return x[0]; });
}

Value ShadowBuilder::reduce(RankedTensorType type, AffineMap result,
                            ArrayRef<Value> operands, ArrayRef<AffineMap> maps,
                            bool isSum, Body body) {
  Value empty = makeEmpty(type, result, operands, maps);
  if (!empty)
    return nullptr;
  Type element = type.getElementType();
  bool isOfBools = element.isInteger(1);
  if (!isa<FloatType>(element) && (!isOfBools || isSum))
    return nullptr;
  double first = isSum ? 0 : -std::numeric_limits<double>::infinity();
  TypedAttr ofNone = isOfBools ? TypedAttr(b.getBoolAttr(false))
                               : b.getFloatAttr(element, first);
  Value neutral = arith::ConstantOp::create(b, ofNone);
  Value init = linalg::FillOp::create(b, neutral, empty).getResult(0);
  SmallVector<AffineMap> all(maps);
  all.push_back(result);
  SmallVector<utils::IteratorType> loops;
  for (unsigned loop = 0; loop < result.getNumDims(); ++loop)
    loops.push_back(result.isFunctionOfDim(loop)
                        ? utils::IteratorType::parallel
                        : utils::IteratorType::reduction);
  return linalg::GenericOp::create(
             b, TypeRange{type}, operands, ValueRange{init}, all, loops,
             [&](OpBuilder &inner, Location loc, ValueRange elements) {
               ImplicitLocOpBuilder ib(loc, inner);
               Value value =
                   castScalar(ib, body(ib, elements.drop_back()), element);
               Value before = elements.back(), all;
               if (isOfBools)
                 all = arith::OrIOp::create(ib, value, before);
               else if (isSum)
                 all = arith::AddFOp::create(ib, value, before);
               else
                 all = arith::MaximumFOp::create(ib, value, before);
               linalg::YieldOp::create(ib, all);
             })
      .getResult(0);
}

Value ShadowBuilder::convert(Value operand, Type element) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getElementType() == element)
    return operand;
  if (!canCastScalar(type.getElementType(), element))
    return nullptr;
  return map(type.clone(element), operand, getIdentity(type.getRank()),
             [&](ImplicitLocOpBuilder &ib, ValueRange x) {
               return castScalar(ib, x[0], element);
             });
}

Value ShadowBuilder::softmax(Value operand, int64_t dim, Value *lse) {
  auto type = cast<RankedTensorType>(operand.getType());
  Type f32 = b.getF32Type();
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> sizes;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (i != dim) {
      kept.push_back(this->dim(i));
      sizes.push_back(type.getDimSize(i));
    }
  AffineMap all = getIdentity(type.getRank()),
            rows = getMap(type.getRank(), kept),
            same = getIdentity(kept.size());
  auto ofRows = RankedTensorType::get(sizes, f32);
  auto take = [](ImplicitLocOpBuilder &, ValueRange x) { return x[0]; };
  Value most = reduce(ofRows, rows, operand, all, /*isSum=*/false, take);
  if (!most)
    return nullptr;
  Value weights = map(type.clone(f32), {operand, most}, {all, rows},
                      [&](ImplicitLocOpBuilder &ib, ValueRange x) {
                        Value score = castScalar(ib, x[0], f32);
                        return math::ExpOp::create(
                                   ib, arith::SubFOp::create(ib, score, x[1]))
                            .getResult();
                      });
  Value sum = reduce(ofRows, rows, weights, all, /*isSum=*/true, take);
  if (lse)
    *lse = map(ofRows, {sum, most}, {same, same},
               [](ImplicitLocOpBuilder &ib, ValueRange x) {
                 Value log = math::LogOp::create(ib, x[0]);
                 return arith::AddFOp::create(ib, log, x[1]).getResult();
               });
  return map(type, {weights, sum}, {all, rows},
             [&](ImplicitLocOpBuilder &ib, ValueRange x) {
               return castScalar(ib, arith::DivFOp::create(ib, x[0], x[1]),
                                 type.getElementType());
             });
}

Value ShadowBuilder::reshape(RankedTensorType type, Value operand) {
  auto from = cast<RankedTensorType>(operand.getType());
  if (from.getElementType() != type.getElementType())
    return nullptr;
  // With more dynamic sizes, the types do not say which elements go where.
  if (from.getNumDynamicDims() > 1 || type.getNumDynamicDims() > 1 ||
      from.getNumDynamicDims() != type.getNumDynamicDims())
    return nullptr;
  auto count = [](RankedTensorType shape) {
    int64_t product = 1;
    for (int64_t size : shape.getShape())
      product *= ShapedType::isDynamic(size) ? 1 : size;
    return product;
  };
  if (count(from) == 0 || count(type) == 0 ||
      (from.hasStaticShape() && count(from) != count(type)))
    return nullptr;
  if (from == type)
    return operand;
  if (auto groups = getReassociationIndicesForReshape(from, type)) {
    if (from.getRank() > type.getRank())
      return tensor::CollapseShapeOp::create(b, type, operand, *groups);
    SmallVector<OpFoldResult> sizes;
    for (auto [dim, group] : llvm::enumerate(*groups)) {
      int64_t product = 1;
      for (int64_t i : group)
        product *= type.isDynamicDim(i) ? 1 : type.getDimSize(i);
      for (int64_t i : group) {
        if (!type.isDynamicDim(i)) {
          sizes.push_back(b.getIndexAttr(type.getDimSize(i)));
          continue;
        }
        if (!from.isDynamicDim(dim))
          return nullptr;
        Value size = getDim(operand, dim);
        if (product != 1)
          size = arith::DivUIOp::create(
              b, size, arith::ConstantIndexOp::create(b, product));
        sizes.push_back(size);
      }
    }
    // Ranks of 0 have no groups, but dimensions of size 1.
    while (sizes.size() < static_cast<size_t>(type.getRank()))
      sizes.push_back(b.getIndexAttr(1));
    return tensor::ExpandShapeOp::create(b, type, operand, *groups, sizes);
  }
  if (!from.hasStaticShape() || from.getRank() == 0 || type.getRank() == 0)
    return nullptr;
  ReassociationIndices all = llvm::to_vector(llvm::seq(from.getRank())),
                       target = llvm::to_vector(llvm::seq(type.getRank()));
  auto flat = RankedTensorType::get(count(from), from.getElementType());
  Value line = operand;
  if (from.getRank() > 1)
    line = tensor::CollapseShapeOp::create(
        b, flat, operand, SmallVector<ReassociationIndices>{all});
  if (type.getRank() == 1)
    return line;
  return tensor::ExpandShapeOp::create(
      b, type, line, SmallVector<ReassociationIndices>{target});
}
