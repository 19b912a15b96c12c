//===- BackwardRounding.cpp - Gradients with a rounded d_output -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With narrow_products, the first grid also rounds the rows of d_output to
// f8E4M3FN, with a scale for each row, and dP and delta are computed from the
// rounded rows. If 8-bit MMAs compute scores and values are of the same type,
// they also compute dP, from the rounded numbers and those that value stores.
// Elsewhere the rounded numbers are in memory in the type of the other
// products, which represents them, and d_value, which reads d_output, has a
// grid of its own.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "attn/Dialect/Attn/IR/ExtraOperands.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

bool BackwardPrograms::multipliesNarrowValues() {
  if (!op.getNarrowProducts() || !multipliesStored ||
      !isa<Float8E4M3FNType>(getElementTypeOrSelf(stored.getValue())) ||
      liesAlongKeys(cast<ShapedType>(stored.getValue().getType())))
    return false;
  constexpr int64_t kMostColumns = 128;
  return op.getValueHeadDim() <= kMostColumns &&
         !isOfTokens(Extra::ValueScale) && !hasChannelScales();
}

/// Allocates `roundedRows`, the array of d_output's rows after rounding.
void BackwardPrograms::createRounded() {
  Type narrow = Float8E4M3FNType::get(b.getContext());
  Value memory;
  std::tie(memory, roundedRows) =
      allocateRows(dOutput, multipliesNarrow ? narrow : inputType);
  workspace.push_back(memory);
}

/// Returns the scale of each of `rows` rows of an f32 array: the row's largest
/// magnitude divided by 448, the largest number of f8E4M3FN, but at least the
/// smallest normal f32. `forEachPanel` calls its argument with tiles that
/// together have all columns of the rows.
Value BackwardPrograms::findRoundingScales(
    int64_t rows, function_ref<void(function_ref<void(Value)>)> forEachPanel) {
  constexpr double kLargest = 448;
  RankedTensorType type = f32Tile({rows});
  Value most;
  forEachPanel([&](Value tile) {
    Value own =
        b.reduce(type, attn_tile::ReduceKind::MaxNum, b.absf(tile), /*axis=*/1);
    most = most ? b.maximumf(most, own) : own;
  });
  return b.maximumf(b.divf(most, splat(type, kLargest)), splat(type, 0x1p-126));
}

/// Divides a tile of d_output by the scales of its rows, rounds it to f8E4M3FN
/// and stores the rounded numbers to `array`. Returns the rounded numbers
/// multiplied by the scales.
Value BackwardPrograms::storeRounded(Value tile, Value scales, Value array,
                                     ValueRange place) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto ofRows = cast<RankedTensorType>(scales.getType());
  Value factors = b.divf(splat(ofRows, 1.0), scales);
  Type narrow = Float8E4M3FNType::get(b.getContext());
  Value numbers =
      round(b.mulf(tile, broadcast(factors, 1, type.getShape())), narrow);
  Value extended = b.extf(type, numbers);
  store(multipliesNarrow ? numbers : round(extended, inputType), array, place);
  return b.mulf(extended, broadcast(scales, 1, type.getShape()));
}

/// Returns the scales of rows, multiplied by the scale of their head's values
/// if all values of a head share one.
Value BackwardPrograms::scaleByValue(Value scales, const SequenceView &at,
                                     Value head) {
  Value number =
      readHeadScale(Extra::ValueScale, at.arrayBatch, getKvHead(head));
  if (!number)
    return scales;
  return b.mulf(scales,
                b.splat(number, cast<RankedTensorType>(scales.getType())));
}
