//===- ForwardProgram.cpp - Attention as a tile program -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ForwardProgram.h"
#include "Programs.h"

#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

ForwardProgram::ForwardProgram(AttentionOp op, OpBuilder &builder)
    : ProgramBuilder(op, builder), op(op),
      rows(op.getScheduleAttr().getTileQ()),
      columns(op.getScheduleAttr().getTileKv()), division({1, rows}),
      scoreType(inputType), valueType(inputType), scale(op.getScaleValue()) {
  if (multipliesHalf(getElementTypeOrSelf(op.getKey())))
    scoreType = b.getF16Type();
  if (op.getValue() && multipliesHalf(getElementTypeOrSelf(op.getValue())) &&
      !hasTokenScales(Extra::ValueScale))
    valueType = b.getF16Type();
  if (op.hasScore())
    score = getScaledScore(op);
  else if (mayFollowMaximum(scale))
    std::swap(scale, score.factor);
}

/// Returns the masked scores of a block of keys, in f32. Sets `hasMask`,
/// whether code that masks scores was emitted. Sets `place`, the position of
/// the block's scores in the larger problem, if a region or dropout needs it or
/// if the tile has rows of several heads.
Value ForwardProgram::emitScores(Value query, Value keyBlock, Value ropeBlock,
                                 Value keyScales, Value position, Value partial,
                                 ScorePlace &place) {
  RankedTensorType type = tileType({rows, columns}, b.getF32Type());
  Value none = splat(type, 0.0), ofRope = none;
  if (ropeBlock)
    ofRope = attn_tile::DotOp::create(b, queryRopeTile, ropeBlock, none,
                                      /*transpose_lhs=*/false,
                                      /*transpose_rhs=*/true);
  bool isApart = hasUnscaledColumns();
  Value scores =
      attn_tile::DotOp::create(b, query, keyBlock, isApart ? none : ofRope,
                               /*transpose_lhs=*/false,
                               /*transpose_rhs=*/true);
  if (isApart) {
    scores = b.addf(scaleByKeys(scores, keyScales), ofRope);
    keyScales = Value();
  }
  scores = scaleScores(scores, keyScales);
  if (scale != 1.0)
    scores =
        b.mulf(scores, splat(type, scale),
               arith::FastMathFlags::contract | arith::FastMathFlags::reassoc);
  if (op.hasScore() || op.hasMaskRegion() || op.getDropoutAttr() ||
      at.packing) {
    place = getScorePlace(b, at, head, row, position, /*rowAxis=*/0);
    place.readsBeside = true;
  }
  if (op.hasScore())
    scores = inlineScore(op, b, scores, place, score.value,
                         /*loadsAhead=*/true)
                 .front();
  Value masked =
      maskPartial(op, b, at, scores, partial, /*keyAxis=*/1, place, [&] {
        return getMaskConditions(op, b, at, row, position, columns);
      });
  hasMask = masked != scores;
  return masked;
}

std::pair<Value, Value> ForwardProgram::finish(Value accumulator, Value state,
                                               Value sink, bool mayBeEmpty) {
  RankedTensorType rowType = f32Tile({rows});
  auto finish = attn_tile::SoftmaxFinishOp::create(
      b, rowType, rowType, state, sink, /*approximate=*/!inputType.isF32());
  Value inverse = finish.getInverse(), factor = inverse;
  if (op.getDropoutAttr())
    factor = b.mulf(inverse, splat(rowType, op.getDropoutScale()));
  Value output =
      scaleAsValues(b.mulf(accumulator, ofRows(factor, valueHeadDim)));
  output = scaleOutput(addMean(output, inverse, finish.getLse(), sink));
  if (mayBeEmpty) {
    // Rows that see no key get an output of 0 by a select: their probabilities
    // are 0, and 0 times a value that is not finite would be NaN.
    Value isEmpty = b.oeq(inverse, splat(rowType, 0.0));
    output = b.select(ofRows(isEmpty, valueHeadDim),
                      splat(f32Tile({rows, valueHeadDim}), 0.0), output);
  }
  return {output, finish.getLse()};
}

void ForwardProgram::emitEpilogue(Value accumulator, Value state) {
  auto [output, lse] = finish(accumulator, state, sink, mayLeaveOutKeys(op));
  // Rows of the array past the true length (`len_q`) are stored as rows that
  // see no key: output 0, and the lse of such rows. With packed sequences, rows
  // past the end of the program's sequence are not stored at all.
  OpFoldResult stored = isPacked(op) ? at.numRows : getSize(op.getQuery(), 2);
  if (Value isReal = findStoredRows(b, at, stored, row, rows)) {
    output = b.select(ofRows(isReal, valueHeadDim), output,
                      splat(f32Tile({rows, valueHeadDim}), 0.0));
    lse = b.select(isReal, lse, emitEmptyLse(b, sink, rows));
  }
  output = round(output, op.getOutputType().getElementType());
  storeResults(output, lse);
}

Value ForwardProgram::widenQuery(Value tile) {
  if (hasNarrowScores(op))
    return tile;
  if (scoreType != inputType)
    return scaleToHalf(tile);
  return widen(tile, getElementTypeOrSelf(tile), inputType);
}

Value ForwardProgram::sliceValue(Value keyBlock) {
  auto type = cast<RankedTensorType>(keyBlock.getType());
  if (valueHeadDim == headDim)
    return keyBlock;
  auto attr = [&](int64_t n) -> OpFoldResult { return b.getIndexAttr(n); };
  return tensor::ExtractSliceOp::create(
      b, tileType({columns, valueHeadDim}, type.getElementType()), keyBlock,
      {attr(0), attr(op.getFirstValueDim())},
      {attr(columns), attr(valueHeadDim)}, {attr(1), attr(1)});
}

std::pair<Value, Value> ForwardProgram::emitBlocks(Value queryTile,
                                                   Value kvHead, Value domain) {
  bool isNarrow = hasNarrowProbabilities(op);
  bool isExact = isNarrow && !op.getFastAccumulate();
  // The softmax state is marked exact only if all values of the program share
  // one scale. Scales that differ among tokens multiply the probabilities, in
  // f32, before these are rounded to 8 bits.
  auto stateType = attn_tile::SoftmaxType::get(
      b.getContext(), rows, b.getF64FloatAttr(score.factor),
      /*exact=*/isExact && !hasTokenScales(Extra::ValueScale));
  RankedTensorType accType = tileType({rows, valueHeadDim}, b.getF32Type());
  SmallVector<Value> initial = {splat(accType, 0.0),
                                attn_tile::SoftmaxInitOp::create(b, stateType)};
  enterScales(kvHead);
  Type ofKeys = getElementTypeOrSelf(op.getKey());
  Type ofValues = op.getValue() ? getElementTypeOrSelf(op.getValue()) : ofKeys;
  bool isAlongKeys = hasValueAlongKeys(op);
  Type probability =
      isNarrow ? Type(Float8E4M3FNType::get(b.getContext())) : valueType;
  auto emitBlock = [&](Value position, Value partial, ValueRange carried) {
    PagedBlock paged;
    if (op.getPages())
      paged = enterPages(op, b, at, position, columns);
    auto loadBlock = [&](Value array, Value ofHead, Type stored,
                         int64_t width) {
      if (isInt4(stored))
        width /= 2;
      return op.getPages()
                 ? loadPaged(op, b, at, paged, array, ofHead, {columns, width})
                 : loadRows(array, ofHead, position, columns, width);
    };
    Value stored = loadBlock(at.key, kvHead, ofKeys, headDim);
    Value ropeBlock;
    if (at.keyRope)
      ropeBlock = loadBlock(at.keyRope, getHeadOf(Extra::KeyRope, kvHead),
                            getElementTypeOrSelf(at.keyRope), ropeDim);
    // If a loaded tile is widened, threads read it to registers before the
    // product. Its load is then marked `beside`, since these registers are
    // needed next to those of the accumulators.
    auto widenRead = [&](Value tile, Type stored, Type element, Value loaded) {
      Value wide = widen(tile, stored, element);
      if (auto load = loaded.getDefiningOp<attn_tile::LoadOp>())
        load.setBeside(load.getBeside() || wide != tile);
      return wide;
    };
    Value keyBlock = hasNarrowScores(op)
                         ? stored
                         : widenRead(stored, ofKeys, scoreType, stored);
    Value valueBlock;
    std::array<int64_t, 2> transposed = {valueHeadDim, columns};
    if (isAlongKeys && op.getPages())
      valueBlock = loadPaged(op, b, at, paged, at.value, kvHead, transposed,
                             /*keyAxis=*/1);
    else if (isAlongKeys)
      valueBlock =
          load(at.value, transposed,
               ValueRange{at.arrayBatch, kvHead, b.index(0), position});
    else if (isValueWithinKey)
      valueBlock = sliceValue(keyBlock);
    else
      valueBlock = loadBlock(at.value, kvHead, ofValues, valueHeadDim);
    if (!isNarrow && !isValueWithinKey)
      valueBlock = widenRead(valueBlock, ofValues, valueType, valueBlock);
    Value keyScales = loadTokenScales(Extra::KeyScale, position, paged);
    Value valueScales = loadTokenScales(Extra::ValueScale, position, paged);
    ScorePlace place;
    Value scores = emitScores(queryTile, keyBlock, ropeBlock, keyScales,
                              position, partial, place);
    if (op.getPages())
      scores = maskMissing(op, b, at, scores, paged);
    auto step = attn_tile::SoftmaxUpdateOp::create(
        b,
        tileType({rows, columns}, valueScales ? b.getF32Type() : probability),
        stateType, TypeRange(accType), scores, carried[1], softmaxFactors,
        carried[0]);
    Value kept =
        dropOut(scaleProbabilities(step.getProbabilities(), valueScales),
                emitKeep(op, b, {rows, columns}, at, place));
    Value accumulator = attn_tile::DotOp::create(
        b, kept, valueBlock, step.getRescaled().front(),
        /*transpose_lhs=*/false, /*transpose_rhs=*/isAlongKeys, isExact);
    return SmallVector<Value>{accumulator, step.getNewState()};
  };
  SmallVector<Value> results = loopOverBlocks(domain, initial, emitBlock);
  return {results[0], results[1]};
}

void ForwardProgram::emitProgram(Value query) {
  Value kvHead = getKvHead(op, b, head);
  Value queryTile = widenQuery(loadQuery(query, headDim));
  if (Value rope = op.getExtra(Extra::QueryRope).value)
    queryRopeTile = loadQuery(rowsOf(op, b, at, rope), ropeDim);
  sink = emitRowSinks();
  Value domain = createKeyDomain(op, b, at, head, row, rows, columns);
  auto [accumulator, state] = emitBlocks(queryTile, kvHead, domain);
  emitEpilogue(accumulator, state);
}

/// Stores the results of a tile whose rows see no key, so that nothing is
/// loaded: output 0 and, as lse, the sink if it is finite, else -inf.
void ForwardProgram::emitEmptyRows() {
  Type element = op.getOutputType().getElementType();
  storeResults(splat(tileType({rows, valueHeadDim}, element), 0.0),
               op.getLse() ? emitEmptyLse(b, emitRowSinks(), rows) : Value());
}

void ForwardProgram::storeResults(Value output, Value lse) {
  if (at.packing)
    return scatterResults(output, lse);
  store(output, rowsOf(op, b, at, op.getOutput()), {at.arrayBatch, head, row});
  if (Value destination = op.getLse())
    store(lse, rowsOf(op, b, at, destination), {at.arrayBatch, head, row});
}

void ForwardProgram::emit() {
  if (isKnownEmpty(op.getOutput()))
    return;
  // If the key array is statically empty (a paged cache with no pages, for
  // example), every key is masked, and the program only stores the results of
  // rows that see no key.
  bool hasKeys = !isKnownEmpty(op.getKey());
  TileSizesAttrInterface schedule = op.getScheduleAttr();
  // Packed sequences have rows of several heads whatever their lengths. Other
  // tiles have rows of one head where sequences may have many tokens, since
  // these tiles are full anyway and their results are stored faster.
  std::optional<int64_t> tokens =
      isPacked(op) ? std::nullopt : estimateTokens(op);
  if (mayJoinHeads(op) && (isPacked(op) || tokens))
    division = divideTile(op, rows, tokens);
  OpFoldResult heads =
      apply(dim(0).floorDiv(division.heads), {getSize(op.getQuery(), 1)});
  PackedTiles tiles;
  SequenceView all = viewAll(op, b);
  if (isPacked(op))
    tiles = listPackedTiles(op, b, /*ofKeys=*/false, division.tokens,
                            schedule.getRowwise());
  else if (hasKeys)
    listBlocks(op, b, all, /*ofRows=*/false, division.tokens, columns,
               division.heads,
               /*cutsRows=*/false, schedule.getRowwise());
  auto grid = isPacked(op) ? createPackedGrid(op, b, tiles, heads, schedule)
                           : createGrid(op, b, op.getOutput(), heads,
                                        division.tokens, schedule);
  auto coordinates = enter(grid);
  head = asValue(
      apply(dim(0) * division.heads, {Value(coordinates.drop_back().back())}));
  at = enterTile(op, b, all, tiles, coordinates, row);
  at.packing = getPacking(b, division);
  row = findListedTile(b, at.keyLists, at.batch, head, row);
  if (!hasKeys)
    return emitEmptyRows();
  emitProgram(rowsOf(op, b, at, op.getQuery()));
  describePrograms(b, grid, findSharedDims(op, grid), getKeyBytes());
}

bool mlir::attn::emitForward(AttentionOp op, OpBuilder &builder) {
  auto emit = [](auto program) {
    program.emit();
    return program.isMasked();
  };
  if (op.getScheduleAttr().getSplitKv())
    return emit(SplitProgram(op, builder));
  return emit(ForwardProgram(op, builder));
}
