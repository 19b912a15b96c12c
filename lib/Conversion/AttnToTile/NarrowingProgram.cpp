//===- NarrowingProgram.cpp - What programs that quantise emit ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NarrowingProgram.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn;

Value NarrowingProgram::getColumns(RankedTensorType type, int64_t axis,
                                   ColumnStep step) {
  Value columns = b.coordinate(type, axis);
  if (step.step != 1)
    columns = b.muli(columns, splat(type, step.step));
  return step.first == 0 ? columns : b.addi(columns, splat(type, step.first));
}

Value NarrowingProgram::findMagnitudes(Value tile) {
  RankedTensorType type =
      f32Tile(cast<RankedTensorType>(tile.getType()).getShape());
  Value sizes = b.absf(extend(tile));
  Value isFinite =
      b.olt(sizes, splat(type, std::numeric_limits<double>::infinity()));
  return b.select(isFinite, sizes, splat(type, 0.0));
}

Value NarrowingProgram::findScales(Value most, Type element) {
  auto type = cast<RankedTensorType>(most.getType());
  double largest = isa<Float8E4M3FNType>(element) ? 448
                   : isFloat8(element)            ? 57344
                   : isInt4(element)              ? 7
                                                  : 127;
  Value scale = b.divf(most, splat(type, largest));
  return b.maximumf(scale, splat(type, 0x1p-126));
}

Value NarrowingProgram::narrow(Value numbers, Type element) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(numbers.getType()).getShape();
  if (isFloat8(element))
    return b.truncf(tileType(shape, element), numbers);
  double largest = isInt4(element) ? 7 : 127;
  RankedTensorType type = f32Tile(shape);
  // NaN becomes 0 before the conversion to integers, since a conversion of NaN
  // would be undefined.
  Value isNumber =
      arith::CmpFOp::create(b, arith::CmpFPredicate::ORD, numbers, numbers);
  numbers = b.select(isNumber, numbers, splat(type, 0.0));
  numbers = b.maximumf(b.minimumf(numbers, splat(type, largest)),
                       splat(type, -largest - 1));
  numbers = math::RoundEvenOp::create(b, numbers);
  Value words = b.fptosi(tileType(shape, b.getI32Type()), numbers);
  return isInt4(element) ? words : b.trunci(tileType(shape, element), words);
}

Value NarrowingProgram::packHalves(Value low, Value high) {
  auto words = cast<RankedTensorType>(low.getType());
  low = b.andi(low, splat(words, int64_t(15)));
  high = b.shli(high, splat(words, int64_t(4)));
  return b.trunci(tileType(words.getShape(), b.getI8Type()), b.ori(low, high));
}

void NarrowingProgram::storeFirst(Value ofRows, Value array,
                                  ArrayRef<Value> place) {
  auto numbers = cast<RankedTensorType>(ofRows.getType());
  RankedTensorType type = tileType(numbers.getShape(), b.getIndexType());
  SmallVector<Value> indices(place);
  if (!indices.empty()) {
    Value size = getSize(array, indices.size() - 1);
    Value others = b.muli(b.coordinate(type, 0), b.splat(size, type));
    indices.back() = b.addi(others, b.splat(indices.back(), type));
  }
  attn_tile::ScatterOp::create(b, ofRows, array, indices);
}

void NarrowingProgram::storeColumns(Value ofColumns, Value array,
                                    ArrayRef<Value> place, Value column) {
  auto numbers = cast<RankedTensorType>(ofColumns.getType());
  SmallVector<Value> indices(place);
  indices.push_back(
      countFrom(column, tileType(numbers.getShape(), b.getIndexType())));
  attn_tile::ScatterOp::create(b, ofColumns, array, indices);
}
