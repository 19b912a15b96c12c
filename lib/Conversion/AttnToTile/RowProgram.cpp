//===- RowProgram.cpp - What programs on rows are made of -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RowProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;

Value RowProgram::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value RowProgram::getSize(Value array, int64_t dim) {
  return b.createOrFold<memref::DimOp>(array, dim);
}

Value RowProgram::splat(RankedTensorType type, double value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(type,
                                b.getFloatAttr(type.getElementType(), value)));
}

Value RowProgram::splat(RankedTensorType type, int64_t value) {
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(
             type, b.getIntegerAttr(type.getElementType(), value)));
}

Value RowProgram::load(Value array, ArrayRef<int64_t> shape,
                       ValueRange position) {
  Type element = cast<ShapedType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(b, tileType(shape, element), array,
                                   position);
}

Value RowProgram::broadcast(Value vector, int64_t axis,
                            ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  return attn_tile::BroadcastOp::create(b, tileType(shape, element), vector,
                                        axis);
}

Value RowProgram::extend(Value value) {
  if (getElementTypeOrSelf(value).isF32())
    return value;
  Type type = b.getF32Type();
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = f32Tile(tile.getShape());
  return arith::ExtFOp::create(b, type, value);
}

Value RowProgram::round(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  return arith::TruncFOp::create(b, tileType(type.getShape(), element), value);
}

attn_tile::GridOp RowProgram::beginGrid(ArrayRef<Value> sizes) {
  SmallVector<int64_t> steps(sizes.size(), 1);
  steps.back() = rows;
  auto grid = attn_tile::GridOp::create(b, sizes, steps, op.getScheduleAttr());
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
  b.setInsertionPointToStart(&grid.getBody().front());
  return grid;
}
