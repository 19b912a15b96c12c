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
// With narrow_products<all>, the scales are powers of two, so that the products
// of rounded numbers and scales are exact in the type of the other products,
// except that 2^16 becomes the largest number of f16. The first grid also
// stores these products, and programs read them in place of d_output. P and dS
// are rounded to as many bits as f8E4M3FN has, and the products for the
// gradients are of 16 bits.
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

/// Allocates the arrays of d_output's rows after rounding that programs read:
/// `roundedRows` with its vector of scales, of the given sizes, or
/// `roundedProducts`, which becomes `dOutput`, or both.
void BackwardPrograms::createRounded(ArrayRef<OpFoldResult> ofVectors) {
  auto create = [&](Type element) { return allocateRows(dOutput, element); };
  if (multipliesNarrow || !roundsOperands()) {
    Type narrow = Float8E4M3FNType::get(b.getContext());
    roundedScales = createWorkspace(ofVectors);
    roundedRows = create(multipliesNarrow ? narrow : inputType);
  }
  if (roundsOperands())
    dOutput = roundedProducts = create(inputType);
}

/// Returns the scale of each of `rows` rows of an f32 array: the row's largest
/// magnitude divided by 448, the largest number of f8E4M3FN, but at least the
/// smallest normal f32. With roundsOperands(), this is rounded up to a power of
/// two. `forEachPanel` calls its argument with tiles that together have all
/// columns of the rows.
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
  Value scales =
      b.maximumf(b.divf(most, splat(type, kLargest)), splat(type, 0x1p-126));
  if (!roundsOperands())
    return scales;
  // The addition adds one to the positive float's exponent unless the 23 bits
  // of its significand are 0, and the mask then sets these bits to 0. Infinity
  // stays as it is.
  constexpr int64_t kSignificand = (1 << 23) - 1, kExponent = 255 << 23;
  RankedTensorType words = type.clone(b.getI32Type());
  Value bits = b.addi(b.bitcast(words, scales), splat(words, kSignificand));
  return b.bitcast(type, b.andi(bits, splat(words, kExponent)));
}

/// Divides a tile of d_output by the scales of its rows, rounds it to f8E4M3FN
/// and stores the rounded numbers to `roundedRows`, and their products with the
/// scales to `roundedProducts`, if there are these arrays. Where programs need
/// zeros in rows that attend to no key (copiesKeptRows), `roundedProducts` has
/// them, so that it needs no copy. Returns the products in f32.
Value BackwardPrograms::storeRounded(Value tile, Value scales,
                                     const SequenceView &at, ValueRange place) {
  auto type = cast<RankedTensorType>(tile.getType());
  auto ofRows = cast<RankedTensorType>(scales.getType());
  Value factors = b.divf(splat(ofRows, 1.0), scales);
  Type narrow = Float8E4M3FNType::get(b.getContext());
  Value numbers =
      round(b.mulf(tile, broadcast(factors, 1, type.getShape())), narrow);
  Value extended = b.extf(type, numbers);
  if (roundedRows)
    store(multipliesNarrow ? numbers : round(extended, inputType),
          realRowsOf(op, b, at, roundedRows), place);
  Value products = b.mulf(extended, broadcast(scales, 1, type.getShape()));
  if (!roundedProducts)
    return products;
  // Numbers of f16 from 63488 on are rounded to 2^16, which f16 lacks. They
  // become its largest number, and a NaN stays a NaN.
  constexpr double kLargestOfF16 = 65504;
  Value kept = products;
  if (inputType.isF16())
    kept = b.maximumf(b.minimumf(products, splat(type, kLargestOfF16)),
                      splat(type, -kLargestOfF16));
  // dP is the product of values and what programs read.
  if (!roundedRows)
    products = kept;
  if (copiesKeptRows)
    kept = clearEmptyRows(kept, load(realRowsOf(op, b, at, lse),
                                     ofRows.getShape(), place.drop_back()));
  store(round(kept, inputType), realRowsOf(op, b, at, roundedProducts), place);
  return products;
}

/// Returns P or dS as the operand of a product, in the type that MMAs multiply.
/// With roundsOperands(), it has the four significant bits of f8E4M3FN:
/// multiplied by 2^20 + 1, a number's last 20 bits are those that subtracting
/// the product from it, and adding it again, cuts off.
Value BackwardPrograms::roundOperand(Value tile) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (!roundsOperands())
    return round(tile, inputType);
  constexpr double kFactor = (1 << 20) + 1;
  Value multiple = b.mulf(tile, splat(type, kFactor));
  return round(b.subf(multiple, b.subf(multiple, tile)), inputType);
}

/// Returns the scales of rows, multiplied by the scale of their head's values
/// if all values of a head share one.
Value BackwardPrograms::scaleByValue(Value scales, const SequenceView &at,
                                     Value head) {
  Value number =
      readHeadScale(Extra::ValueScale, at.arrayBatch, getKvHead(op, b, head));
  if (!number)
    return scales;
  return b.mulf(scales,
                b.splat(number, cast<RankedTensorType>(scales.getType())));
}
