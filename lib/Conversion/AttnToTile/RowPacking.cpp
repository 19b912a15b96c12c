//===- RowPacking.cpp - Rows of several heads in a tile -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreTiling.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns a tile of `type` with the index `size` in all elements.
static Value splatSize(TileBuilder &b, OpFoldResult size,
                       RankedTensorType type) {
  Type element = type.getElementType();
  if (std::optional<int64_t> value = getConstantIntValue(size))
    return b.integer(type, *value);
  Value scalar = b.asValue(size);
  if (!element.isIndex())
    scalar = b.createOrFold<arith::IndexCastOp>(element, scalar);
  return splatScalar(b, scalar, type.getShape());
}

/// Returns a tile of the row numbers `first`, `first` + 1, ... along `axis`,
/// divided by `step` unless `step` is null.
static Value divideRows(TileBuilder &b, Value first, Value step,
                        RankedTensorType type, int64_t axis) {
  Value numbers = b.addi(b.coordinate(type, axis), splatSize(b, first, type));
  return step ? b.divui(numbers, splatSize(b, step, type)) : numbers;
}

Value RowPacking::getTokens(TileBuilder &b, RankedTensorType type,
                            int64_t axis) const {
  return b.remui(divideRows(b, first, tokenStep, type, axis),
                 splatSize(b, rowsOfHead, type));
}

Value RowPacking::getHeads(TileBuilder &b, RankedTensorType type,
                           int64_t axis) const {
  Value numbers = divideRows(b, first, headStep, type, axis);
  if (!headStep)
    return b.divui(numbers, splatSize(b, rowsOfHead, type));
  return b.remui(numbers, splatSize(b, group, type));
}
