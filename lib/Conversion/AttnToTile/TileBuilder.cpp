//===- TileBuilder.cpp - Arithmetic on scalars and tiles ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

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
                                   position);
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
