//===- Scales.cpp - Arrays of 8 bits, and scales --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs that are stored in 8 or 4 bits are extended to the type that MMAs
// multiply, exactly. A scale that all tokens of a program share is read once:
// the scales of query and key are a factor of the scores, that of value is one
// of the output. Scales of single tokens are vectors in f32. Those of query and
// key multiply rows and columns of the scores, those of value the columns of
// the probabilities before these are rounded. The mean of values is added to
// the output after the scale of values, once for each row.
//
//===----------------------------------------------------------------------===//

#include "ForwardProgram.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/TypeUtilities.h"

#include <algorithm>
#include <array>
#include <utility>

using namespace mlir;
using namespace mlir::attn;

Value ForwardProgram::widen(Value tile, Type stored, Type element) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (isInt4(stored))
    return attn_tile::UnpackOp::create(
        b, tileType({type.getDimSize(0), 2 * type.getDimSize(1)}, element),
        tile);
  if (type.getElementType() == element)
    return tile;
  RankedTensorType wide = tileType(type.getShape(), element);
  return isFloat8(type.getElementType()) ? b.extf(wide, tile)
                                         : b.sitofp(wide, tile);
}

bool ForwardProgram::multipliesHalf(Type stored) {
  // A program of more rows than one MMA has multiplies extended numbers more
  // often, so their conversion matters less. Programs that do not divide keys
  // may load a tile of queries in parts, which only shared memory can hold. A
  // query that is computed has no copy there, so wider ones spill.
  constexpr int64_t kFewRows = 16, kMostColumns = 256;
  return op.getQueryType().getElementType().isBF16() && rows <= kFewRows &&
         std::max(headDim, valueHeadDim) <= kMostColumns &&
         op.getScheduleAttr().getSplitKv() && isNarrow(stored) &&
         !isValueWithinKey && ropeDim == 0;
}

Value ForwardProgram::scaleToHalf(Value tile) {
  RankedTensorType type = f32Tile({rows, headDim}), ofRows = f32Tile({rows}),
                   ofWords = tileType({rows}, b.getI32Type());
  auto word = [&](int64_t value) { return splat(ofWords, value); };
  Value numbers = extend(tile);
  Value largest =
      b.reduce(ofRows, attn_tile::ReduceKind::MaxNum, b.absf(numbers),
               /*axis=*/1);
  // The exponent of the factor is 14 minus that of the row's largest element,
  // except where its inverse would not be a normal number. Exponents are
  // stored with 127 added. The largest element is then less than 2^15, unless
  // it is infinite.
  constexpr int64_t kBits = 23, kBias = 127, kLargest = 14;
  Value exponent = b.shrui(b.bitcast(ofWords, largest), word(kBits));
  Value ofFactor = b.minsi(b.subi(word(2 * kBias + kLargest), exponent),
                           word(2 * kBias - 1));
  auto power = [&](Value stored) {
    return b.bitcast(ofRows, b.shli(stored, word(kBits)));
  };
  queryFactors = power(b.subi(word(2 * kBias), ofFactor));
  Value scaled =
      b.mulf(numbers, broadcast(power(ofFactor), 1, type.getShape()));
  return round(scaled, scoreType);
}

//===----------------------------------------------------------------------===//
// Indices of scales
//===----------------------------------------------------------------------===//

/// Whether `scale`, a scale of keys or values, may differ among the keys of a
/// program: if it has a dimension of tokens or, with keys in pages, a dimension
/// of pages.
static bool isOfKeys(AttentionOp op, const ExtraOperand &scale) {
  return scale.findDim('s') || (op.getPages() && scale.findDim('b'));
}

/// Returns the index of each token's block of scale.block tokens, which share
/// one scale.
static Value divideByBlock(TileBuilder &b, const ExtraOperand &scale,
                           Value tokens) {
  if (scale.block == 1)
    return tokens;
  Value block = b.index(scale.block);
  if (auto type = dyn_cast<RankedTensorType>(tokens.getType()))
    block = b.splat(block, type);
  return b.divui(tokens, block);
}

SmallVector<Value> TileBuilder::indexScale(const ExtraOperand &scale,
                                           Value entry, Value head,
                                           Value token) {
  SmallVector<Value> indices;
  for (char letter : scale.form) {
    Value own = letter == 'b'   ? entry
                : letter == 'h' ? head
                : letter == 's' ? token
                                : Value();
    if (!own || !scale.findDim(letter))
      own = index(0);
    else if (letter == 's')
      own = divideByBlock(*this, scale, own);
    indices.push_back(own);
  }
  return indices;
}

Value TileBuilder::gatherScale(const ExtraOperand &scale, int64_t count,
                               ArrayRef<Value> indices, bool beside) {
  if (llvm::none_of(indices, [](Value index) {
        return isa<RankedTensorType>(index.getType());
      }))
    return splat(
        attn_tile::GatherOp::create(*this, getF32Type(), scale.value, indices),
        f32Tile({count}));
  return attn_tile::GatherOp::create(*this, f32Tile({count}), scale.value,
                                     indices, beside);
}

Value TileBuilder::loadChannels(const ExtraOperand &operand, Value entry,
                                Value head, Value first, int64_t count) {
  auto [strides, offset] =
      cast<MemRefType>(operand.value.getType()).getStridesAndOffset();
  SmallVector<Value> indices =
      indexScale(operand, entry, head, /*token=*/Value());
  if (operand.findDim('d')) {
    indices.back() = first;
    if (strides.back() == 1)
      return load(operand.value, count, indices);
    indices.back() = countFrom(first, tileType(count, getIndexType()));
  }
  return gatherScale(operand, count, indices);
}

bool TileBuilder::isContiguous(const ExtraOperand &scale) {
  auto [strides, offset] =
      cast<MemRefType>(scale.value.getType()).getStridesAndOffset();
  return scale.findDim('s') && scale.block == 1 && strides.back() == 1;
}

Value mlir::attn::loadScalesOfKeys(TileBuilder &b, const ExtraOperand &scale,
                                   const SequenceView &at, Value head,
                                   Value position, int64_t count) {
  // Neither branch reads scales past the last valid key, where memory may hold
  // anything: the load returns 0 there, and the gather clamps the token's
  // index.
  if (b.isContiguous(scale))
    return b.load(b.slice(scale.value, at.firstKey, at.numKeys), {count},
                  b.indexScale(scale, at.arrayBatch, head, position),
                  /*beside=*/true);
  RankedTensorType type = b.tileType({count}, b.getIndexType());
  auto splat = [&](OpFoldResult value) -> Value {
    return b.splat(b.asValue(value), type);
  };
  Value last = splat(b.max(b.getIndexAttr(0),
                           b.apply(b.dim(0) - b.constant(1), {at.numKeys})));
  Value tokens = b.minui(b.addi(b.coordinate(type, 0), splat(position)), last);
  tokens = b.addi(tokens, splat(at.firstKey));
  return b.gatherScale(scale, count,
                       b.indexScale(scale, at.arrayBatch, head, tokens),
                       /*beside=*/true);
}

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

Value ForwardProgram::readScale(Extra which, Value ofHead) {
  ExtraOperand scale = op.getExtra(which);
  return attn_tile::GatherOp::create(
      b, b.getF32Type(), scale.value,
      indexScale(scale, at.arrayBatch, ofHead, /*token=*/Value()));
}

std::pair<Value, Value> ForwardProgram::placeRows() {
  RankedTensorType type = tileType({rows}, b.getIndexType());
  auto splat = [&](Value value) -> Value { return b.splat(value, type); };
  Value first = asValue(apply(dim(0) + dim(1), {at.firstRow, row}));
  if (at.packing)
    return {b.addi(at.packing.getHeads(b, type), splat(head)),
            b.addi(at.packing.getTokens(b, type), splat(first))};
  return {head, b.addi(b.coordinate(type, 0), splat(first))};
}

/// Emits a vector with the scale of each of the program's query rows.
Value ForwardProgram::loadQueryScale() {
  ExtraOperand scale = op.getExtra(Extra::QueryScale);
  if (!at.packing && isContiguous(scale))
    return load(rowsOf(op, b, at, scale.value), {rows},
                indexScale(scale, at.arrayBatch, head, row));
  auto [ofHead, token] = placeRows();
  return gatherScale(scale, rows,
                     indexScale(scale, at.arrayBatch, ofHead, token));
}

void ForwardProgram::enterScales(Value kvHead) {
  scoreFactor = rowFactors = keyFactor = Value();
  valueHead = kvHead;
  auto multiply = [&](Value factor) {
    scoreFactor = scoreFactor ? b.mulf(scoreFactor, factor) : factor;
  };
  if (ExtraOperand ofKey = op.getExtra(Extra::KeyScale);
      ofKey && !isOfKeys(op, ofKey)) {
    if (hasUnscaledColumns())
      keyFactor = readScale(Extra::KeyScale, kvHead);
    else
      multiply(readScale(Extra::KeyScale, kvHead));
  }
  if (ExtraOperand ofQuery = op.getExtra(Extra::QueryScale)) {
    if (ofQuery.findDim('s') || (at.packing && ofQuery.findDim('h')))
      rowFactors = loadQueryScale();
    else
      multiply(readScale(Extra::QueryScale, head));
  }
  if (queryFactors)
    rowFactors = rowFactors ? b.mulf(rowFactors, queryFactors) : queryFactors;
  moveFactorsToSoftmax();
}

void ForwardProgram::moveFactorsToSoftmax() {
  softmaxFactors = Value();
  // A score region reads scores that are already multiplied.
  if (op.hasScore() || !(scoreFactor || rowFactors) ||
      !op.getScheduleAttr().foldsRowFactors())
    return;
  softmaxFactors = std::exchange(rowFactors, Value());
  if (Value ofAll = std::exchange(scoreFactor, Value())) {
    Value factors = b.splat(ofAll, f32Tile({rows}));
    softmaxFactors = softmaxFactors ? b.mulf(softmaxFactors, factors) : factors;
  }
}

bool ForwardProgram::hasUnscaledColumns() {
  Value rope = op.getExtra(Extra::KeyRope).value;
  return rope && op.getExtra(Extra::KeyScale) &&
         getElementTypeOrSelf(rope) != getElementTypeOrSelf(op.getKey());
}

Value ForwardProgram::scaleByKeys(Value scores, Value keyScales) {
  std::array<int64_t, 2> shape = {rows, columns};
  if (keyFactor)
    scores = b.mulf(scores, b.splat(keyFactor, f32Tile(shape)));
  if (keyScales)
    scores = b.mulf(scores, broadcast(keyScales, 0, shape));
  return scores;
}

Value ForwardProgram::scaleScores(Value scores, Value keyScales) {
  RankedTensorType type = f32Tile({rows, columns});
  if (scoreFactor)
    scores = b.mulf(scores, b.splat(scoreFactor, type));
  if (rowFactors)
    scores = b.mulf(scores, ofRows(rowFactors, columns));
  if (keyScales)
    scores = b.mulf(scores, broadcast(keyScales, 0, {rows, columns}));
  return scores;
}

//===----------------------------------------------------------------------===//
// Keys and values
//===----------------------------------------------------------------------===//

/// Returns a vector of the scales of a block of keys, or values, in pages. The
/// scale is 0 for those whose page is missing.
Value ForwardProgram::loadPagedScales(const ExtraOperand &scale,
                                      const PagedBlock &block) {
  if (block.parts.size() == 1) {
    const PagedBlock::Part &part = block.parts.front();
    if (isContiguous(scale))
      return load(slice(scale.value, b.getIndexAttr(0), part.count), {columns},
                  indexScale(scale, part.page, valueHead, block.row),
                  /*beside=*/true);
    if (!scale.findDim('s')) {
      Value own = attn_tile::GatherOp::create(
          b, b.getF32Type(), scale.value,
          indexScale(scale, part.page, valueHead, /*token=*/Value()));
      own = b.select(part.isMissing, b.f32(0), own);
      return b.splat(own, f32Tile({columns}));
    }
  }
  GatheredKeys keys = findKeys(op, b, at, block.position, columns);
  Value own = gatherScale(scale, columns,
                          indexScale(scale, keys.page, valueHead, keys.row),
                          /*beside=*/true);
  return b.select(keys.isKept, own, splat(f32Tile({columns}), 0.0));
}

bool ForwardProgram::hasTokenScales(Extra which) {
  ExtraOperand scale = op.getExtra(which);
  return scale && isOfKeys(op, scale);
}

Value ForwardProgram::loadTokenScales(Extra which, Value position,
                                      const PagedBlock &block) {
  if (!hasTokenScales(which))
    return Value();
  ExtraOperand scale = op.getExtra(which);
  if (op.getPages())
    return loadPagedScales(scale, block);
  return loadScalesOfKeys(b, scale, at, valueHead, position, columns);
}

Value ForwardProgram::scaleProbabilities(Value probabilities,
                                         Value valueScales) {
  if (!valueScales)
    return probabilities;
  Value scaled =
      b.mulf(probabilities, broadcast(valueScales, 0, {rows, columns}));
  return round(scaled, inputType);
}

Value ForwardProgram::loadForOutput(Extra which, Columns own) {
  ExtraOperand operand = op.getExtra(which);
  std::array<int64_t, 2> shape = {rows, own.count};
  if (!operand.findDim('d'))
    return b.splat(readScale(which, valueHead), f32Tile(shape));
  return broadcast(loadChannels(operand, at.arrayBatch, valueHead,
                                b.index(own.first), own.count),
                   0, shape);
}

Value ForwardProgram::scaleAsValues(Value output, Columns own) {
  ExtraOperand scale = op.getExtra(Extra::ValueScale);
  if (!scale || isOfKeys(op, scale))
    return output;
  return b.mulf(output, loadForOutput(Extra::ValueScale, own));
}

Value ForwardProgram::addMean(Value output, Columns own, Value inverse,
                              Value lse, Value sink) {
  if (!op.getExtra(Extra::ValueMean))
    return output;
  RankedTensorType type = f32Tile({rows});
  Value weight = splat(type, 1.0);
  if (sink)
    weight = b.subf(weight, b.exp(b.subf(sink, lse)));
  Value isEmpty = b.oeq(inverse, splat(type, 0.0));
  weight = b.select(isEmpty, splat(type, 0.0), weight);
  constexpr auto kContract = arith::FastMathFlags::contract;
  Value mean = b.mulf(loadForOutput(Extra::ValueMean, own),
                      ofRows(weight, own.count), kContract);
  return b.addf(output, mean, kContract);
}

Value ForwardProgram::scaleOutput(Value output) {
  ExtraOperand scale = op.getExtra(Extra::OutputScale);
  if (!scale)
    return output;
  auto type = cast<RankedTensorType>(output.getType());
  if (!at.packing || !scale.findDim('h')) {
    Value factor = b.divf(b.f32(1), readScale(Extra::OutputScale, head));
    return b.mulf(output, b.splat(factor, type));
  }
  Value own = gatherScale(
      scale, rows,
      indexScale(scale, at.arrayBatch, placeRows().first, /*token=*/Value()));
  Value factors = b.divf(splat(f32Tile({rows}), 1.0), own);
  return b.mulf(output, ofRows(factors, type.getDimSize(1)));
}
