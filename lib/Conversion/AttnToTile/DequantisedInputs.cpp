//===- DequantisedInputs.cpp - Gradients of arrays of 8 bits --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most programs of gradients read query, key and value more than once. For each
// of these arrays that has 8 bits, a grid writes the numbers to workspace, in
// the type that MMAs multiply, and the op then reads the workspace. The numbers
// are exact, and scales multiply later, except those of the value's channels.
// In bf16, where scores are products of the arrays themselves, the copies of
// query and key have the scales of tokens, too (GradientScales.cpp). A d_output
// of f32 is rounded in the same way if MMAs multiply 16 bits, and so is a value
// copied that lies along keys. The value is not copied where dP is a product of
// it (multipliesNarrowValues()).
//
//===----------------------------------------------------------------------===//

#include "DequantisedInputs.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

bool DequantisedInputs::isNeeded(std::optional<Extra> scale, Value array) {
  Type element = getElementTypeOrSelf(array);
  return (scale == Extra::ValueScale && hasChannelScales()) ||
         isNarrow(element) ||
         element.getIntOrFloatBitWidth() > inputType.getIntOrFloatBitWidth() ||
         liesAlongKeys(cast<ShapedType>(array.getType()));
}

/// Loads a tile of stored (quantized) numbers and extends it to f32.
Value DequantisedInputs::loadNumbers(Value array, ArrayRef<int64_t> shape,
                                     ValueRange place) {
  Value tile = load(array, shape, place);
  if (getElementTypeOrSelf(tile).isSignlessInteger())
    return b.sitofp(f32Tile(shape), tile);
  return extend(tile);
}

/// Returns a tile with the scale of each element of a tile of numbers. A vector
/// of scales is gathered, one for each row or, if scales have a dimension of
/// columns, one for each column. It is then broadcast.
Value DequantisedInputs::loadScales(const ExtraOperand &scale,
                                    ArrayRef<int64_t> shape, Value batch,
                                    Value head, Value row, Value column) {
  auto count = [&](int64_t size, Value first) {
    return countFrom(first, tileType(size, b.getIndexType()));
  };
  SmallVector<Value> indices =
      indexScale(scale, batch, head, count(shape[0], row));
  bool isOfColumns = scale.findDim('d').has_value();
  if (isOfColumns)
    indices.back() = count(shape[1], column);
  int64_t axis = isOfColumns ? 0 : 1;
  return broadcast(gatherScale(scale, shape[1 - axis], indices), axis, shape);
}

/// Emits a grid that stores the array to workspace in the type that MMAs
/// multiply. The numbers of query and key are multiplied by the powers of two
/// that splitScale() finds in their scale `which` if hasPowers(), by that scale
/// itself if scalesCopy(), and else by nothing. The numbers of value are
/// multiplied by the scales of channels, if it has such scales. Returns the
/// workspace. For an array that is statically empty, no grid is emitted.
Value DequantisedInputs::dequantise(Value array, std::optional<Extra> which) {
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(array);
  int64_t columns = *getConstantIntValue(sizes[3]);
  Value copy = allocateRows(array, inputType);
  if (isKnownEmpty(array))
    return copy;
  bool hasFactors = which && (*which == Extra::ValueScale
                                  ? hasChannelScales()
                                  : hasPowers(*which) || scalesCopy(*which));
  TileSizesAttrInterface rowwise = op.getScheduleAttr().getRowwise();
  int64_t rows = rowwise.getTileQ();
  // The array is converted in panels of at most kMost columns, which registers
  // can hold.
  constexpr int64_t kMost = 128;
  OpBuilder::InsertionGuard guard(b);
  auto program = enter(createGrid(op, b, array, sizes[1], rows, rowwise));
  Value batch = program[0], head = program[1], row = program[2];
  for (int64_t first = 0; first < columns; first += kMost) {
    int64_t width =
        llvm::alignTo<kHeadDimStep>(std::min(kMost, columns - first));
    std::array<int64_t, 2> shape = {rows, width};
    Value column = b.index(first);
    SmallVector<Value> place = {batch, head, row, column};
    Value numbers = loadNumbers(array, shape, place);
    if (hasFactors) {
      Value factors =
          loadScales(op.getExtra(*which), shape, batch, head, row, column);
      if (Value powers = splitScale(*which, factors).first)
        factors = powers;
      numbers = b.mulf(numbers, factors);
    }
    store(round(numbers, inputType), copy, place);
  }
  return copy;
}

AttentionBackwardOp DequantisedInputs::emit(bool keepsValue, bool ofStored) {
  multipliesStored = ofStored;
  auto copy = cast<AttentionBackwardOp>(b.clone(*op.getOperation()));
  b.setInsertionPoint(copy);
  for (auto [which, operand] :
       {std::pair(std::optional(Extra::QueryScale), &copy.getQueryMutable()),
        {Extra::KeyScale, &copy.getKeyMutable()},
        {Extra::ValueScale, &copy.getValueMutable()},
        {std::nullopt, &copy.getDOutputMutable()}})
    if (isNeeded(which, operand->get()) &&
        !(keepsValue && which == Extra::ValueScale))
      operand->set(dequantise(operand->get(), which));
  copy.getExtrasMutable().clear();
  copy.removeExtraNamesAttr();
  copy.removeExtraBlocksAttr();
  return copy;
}
