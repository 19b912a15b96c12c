//===- TileBuilder.cpp - Arithmetic on scalars and tiles ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace mlir::attn;

Value TileProgram::splat(RankedTensorType type, double value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getFloatAttr(type.getElementType(), value)));
}

Value TileProgram::splat(RankedTensorType type, int64_t value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getIntegerAttr(type.getElementType(), value)));
}

Value TileProgram::load(Value array, ArrayRef<int64_t> shape,
                        ValueRange position) {
  Type element = cast<ShapedType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(b, tileType(shape, element), array,
                                   completePosition(array, position));
}

void TileProgram::store(Value tile, Value array, ValueRange position,
                        bool add) {
  attn_tile::StoreOp::create(b, tile, array, completePosition(array, position),
                             add);
}

SmallVector<Value> TileProgram::completePosition(Value array,
                                                 ValueRange position) {
  SmallVector<Value> complete(position);
  size_t rank = cast<ShapedType>(array.getType()).getRank();
  while (complete.size() < rank)
    complete.push_back(b.index(0));
  return complete;
}

Value TileProgram::broadcast(Value vector, int64_t axis,
                             ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  return b.broadcast(tileType(shape, element), vector, axis);
}

Value TileProgram::extend(Value value) {
  if (getElementTypeOrSelf(value).isF32())
    return value;
  Type type = b.getF32Type();
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = f32Tile(tile.getShape());
  return b.extf(type, value);
}

Value TileProgram::round(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return b.truncf(tileType(type.getShape(), element), value);
}

attn_tile::GridOp TileProgram::createGridOf(Operation *op,
                                            ArrayRef<Value> sizes,
                                            ArrayRef<int64_t> steps,
                                            TileSizesAttrInterface schedule) {
  auto grid = attn_tile::GridOp::create(b, sizes, steps, schedule);
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
  return grid;
}

OpFoldResult TileProgram::getSize(Value view, int64_t dim) {
  return memref::getMixedSize(b, b.getLoc(), view, dim);
}

bool TileProgram::isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                           OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

Value TileProgram::allocate(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, element),
                                 dynamicSizes);
}

Value TileProgram::slice(Value view, OpFoldResult first, OpFoldResult length) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), view);
  if (isZeroInteger(first) && sizes[2] == length)
    return view;
  sizes[2] = length;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[2] = first;
  return memref::SubViewOp::create(b, view, offsets, sizes, strides);
}

Value TileProgram::transpose(Value array, ArrayRef<unsigned> order) {
  AffineMap map = AffineMap::getPermutationMap(order, b.getContext());
  return memref::TransposeOp::create(b, array, AffineMapAttr::get(map));
}

void TileProgram::emitZeros(Value array, TileSizesAttrInterface schedule) {
  auto type = cast<MemRefType>(array.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return;
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    sizes.push_back(asValue(getSize(array, dim)));
  SmallVector<int64_t> steps(type.getRank(), 1);
  int64_t rows = steps.back() = schedule.getTileQ();
  OpBuilder::InsertionGuard guard(b);
  auto grid = attn_tile::GridOp::create(b, sizes, steps, schedule);
  b.setInsertionPointToStart(&grid.getBody().front());
  attn_tile::StoreOp::create(
      b, splat(tileType({rows}, type.getElementType()), 0.0), array,
      grid.getBody().getArguments());
}

Value TileProgram::dropDims(Value array, function_ref<bool(int64_t)> isKept) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (isKept(dim))
      shape.push_back(type.getDimSize(dim));
  if (static_cast<int64_t>(shape.size()) == type.getRank())
    return array;
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return memref::SubViewOp::create(b, reduced, array, offsets, sizes, strides);
}

Value TileProgram::divideHeads(Value head, Value count) {
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), value);
  };
  return arith::IndexCastUIOp::create(
      b, b.getIndexType(),
      arith::DivUIOp::create(b, narrow(head), narrow(count)));
}

Value TileProgram::findRealRows(OpFoldResult arrayLength, OpFoldResult length,
                                Value first, int64_t rows) {
  if (isAtMost(dim(0), {arrayLength}, length))
    return Value();
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value bound = asValue(apply(dim(0) - dim(1), {length, first}));
  return b.slt(b.coordinate(type, 0), b.splat(bound, type));
}

Value TileProgram::readNumber(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return operand;
  SmallVector<Value> indices;
  if (type.getRank() == 1)
    indices.push_back(b.index(0));
  return attn_tile::GatherOp::create(b, type.getElementType(), operand,
                                     indices);
}

Value TileProgram::dropOut(Value tile, Value keep) {
  if (!keep)
    return tile;
  return b.select(keep, tile,
                  splat(cast<RankedTensorType>(tile.getType()), 0.0));
}
