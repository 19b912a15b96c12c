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
      scoresRole(op.getScheduleAttr().getScoresRole()), scoreType(inputType),
      valueType(inputType), scale(op.getScaleValue()) {
  if (multipliesHalf(getElementTypeOrSelf(op.getKey())))
    scoreType = b.getF16Type();
  if (op.getValue() && multipliesHalf(getElementTypeOrSelf(op.getValue())) &&
      !hasTokenScales(Extra::ValueScale))
    valueType = b.getF16Type();
  if (op.hasScore())
    score = getScaledScore(op);
  else if (mayFollowMaximum(scale))
    std::swap(scale, score.factor);
  divideColumns();
}

/// Tiles have all columns if one role computes scores and output. If scores are
/// computed apart, a group has at most kGroup columns, and each is a load of
/// its own: the first product begins when the first group has arrived. Keys
/// and queries of other types than that of the products are not divided.
void ForwardProgram::divideColumns() {
  constexpr int64_t kGroup = 256;
  bool isDivided = !scoresRole.empty() && scoreType == inputType &&
                   getElementTypeOrSelf(op.getKey()) == inputType;
  auto divide = [&](SmallVectorImpl<Columns> &groups, int64_t first,
                    int64_t end) {
    for (int64_t count; first < end; first += count) {
      count = isDivided ? std::min(end - first, kGroup) : end - first;
      groups.push_back({first, count});
    }
  };
  divide(valueGroups, 0, valueHeadDim);
  if (!isDivided || !isValueWithinKey)
    return divide(keyGroups, 0, headDim);
  int64_t first = op.getFirstValueDim();
  divide(keyGroups, 0, first);
  divide(keyGroups, first, first + valueHeadDim);
  divide(keyGroups, first + valueHeadDim, headDim);
}

SmallVector<Value>
ForwardProgram::loadGroups(function_ref<Value(Columns)> load) {
  return llvm::map_to_vector(
      keyGroups, [&](Columns own) { return widenQuery(load(own)); });
}

/// Returns the masked scores of a block of keys, in f32. Sets `hasMask`,
/// whether code that masks scores was emitted. Sets `place`, the position of
/// the block's scores in the larger problem, if a region or dropout needs it or
/// if the tile has rows of several heads.
Value ForwardProgram::emitScores(ArrayRef<Value> queries,
                                 ArrayRef<Value> keyBlocks, Value ropeBlock,
                                 Value keyScales, Value position, Value partial,
                                 ScorePlace &place) {
  RankedTensorType type = tileType({rows, columns}, b.getF32Type());
  auto add = [&](Value query, Value keyBlock, Value sum) -> Value {
    auto dot = attn_tile::DotOp::create(b, query, keyBlock, sum,
                                        /*transpose_lhs=*/false,
                                        /*transpose_rhs=*/true);
    if (!scoresRole.empty())
      dot.setApart(scoresRole);
    return dot;
  };
  Value none = splat(type, 0.0), ofRope = none, scores = none;
  bool hasUnscaled = hasUnscaledColumns();
  // Products that are apart take the further columns last, as these are dead
  // after that.
  bool isLast = !scoresRole.empty() && !hasUnscaled;
  if (ropeBlock && !isLast)
    ofRope = add(queryRopeTile, ropeBlock, none);
  if (!hasUnscaled)
    scores = ofRope;
  for (auto [query, keyBlock] : llvm::zip_equal(queries, keyBlocks))
    scores = add(query, keyBlock, scores);
  if (ropeBlock && isLast)
    scores = add(queryRopeTile, ropeBlock, scores);
  if (hasUnscaled) {
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

std::pair<SmallVector<Value>, Value>
ForwardProgram::finish(const Sums &sums, Value sink, bool mayBeEmpty) {
  RankedTensorType rowType = f32Tile({rows});
  auto finish =
      attn_tile::SoftmaxFinishOp::create(b, rowType, rowType, sums.state, sink,
                                         /*approximate=*/!inputType.isF32());
  Value inverse = finish.getInverse(), factor = inverse;
  if (op.getDropoutAttr())
    factor = b.mulf(inverse, splat(rowType, op.getDropoutScale()));
  SmallVector<Value> outputs;
  for (auto [sum, own] : llvm::zip_equal(sums.accumulators, valueGroups)) {
    Value output = scaleAsValues(b.mulf(sum, ofRows(factor, own.count)), own);
    output = scaleOutput(addMean(output, own, inverse, finish.getLse(), sink));
    if (mayBeEmpty) {
      // Rows that see no key get an output of 0 by a select: their
      // probabilities are 0, and 0 times a value that is not finite would be
      // NaN.
      Value isEmpty = b.oeq(inverse, splat(rowType, 0.0));
      output = b.select(ofRows(isEmpty, own.count),
                        splat(f32Tile({rows, own.count}), 0.0), output);
    }
    outputs.push_back(output);
  }
  return {outputs, finish.getLse()};
}

void ForwardProgram::emitEpilogue(const Sums &sums) {
  auto [outputs, lse] = finish(sums, sink, mayLeaveOutKeys(op));
  // Rows of the array past the true length (`len_q`) are stored as rows that
  // see no key: output 0, and the lse of such rows. With packed sequences, rows
  // past the end of the program's sequence are not stored at all.
  OpFoldResult stored = isPacked(op) ? at.numRows : getSize(op.getQuery(), 2);
  if (Value isReal = findStoredRows(b, at, stored, row, rows)) {
    for (auto [output, own] : llvm::zip_equal(outputs, valueGroups))
      output = b.select(ofRows(isReal, own.count), output,
                        splat(f32Tile({rows, own.count}), 0.0));
    lse = b.select(isReal, lse, emitEmptyLse(b, sink, rows));
  }
  for (Value &output : outputs)
    output = round(output, op.getOutputType().getElementType());
  storeResults(outputs, lse);
}

Value ForwardProgram::widenQuery(Value tile) {
  if (hasNarrowScores(op))
    return tile;
  if (scoreType != inputType)
    return scaleToHalf(tile);
  return widen(tile, getElementTypeOrSelf(tile), inputType);
}

SmallVector<Value> ForwardProgram::takeValues(ArrayRef<Value> keyBlocks) {
  int64_t first = op.getFirstValueDim(), end = first + valueHeadDim;
  SmallVector<Value> values;
  for (auto [block, own] : llvm::zip_equal(keyBlocks, keyGroups))
    if (own.first >= first && own.first + own.count <= end)
      values.push_back(block);
  if (!values.empty())
    return values;
  Value keyBlock = keyBlocks.front();
  auto type = cast<RankedTensorType>(keyBlock.getType());
  auto attr = [&](int64_t n) -> OpFoldResult { return b.getIndexAttr(n); };
  return {tensor::ExtractSliceOp::create(
      b, tileType({columns, valueHeadDim}, type.getElementType()), keyBlock,
      {attr(0), attr(first)}, {attr(columns), attr(valueHeadDim)},
      {attr(1), attr(1)})};
}

std::pair<Value, Value>
ForwardProgram::emitSoftmax(Value scores, Value state, Type probability,
                            MutableArrayRef<Value> accumulators) {
  auto update = [&](ValueRange rescaled) {
    return attn_tile::SoftmaxUpdateOp::create(
        b, tileType({rows, columns}, probability), state.getType(),
        rescaled.getTypes(), scores, state, softmaxFactors, rescaled);
  };
  if (scoresRole.empty()) {
    auto step = update(accumulators);
    llvm::copy(step.getRescaled(), accumulators.begin());
    return {step.getProbabilities(), step.getNewState()};
  }
  auto step = update({});
  Value factor = attn_tile::SoftmaxFactorOp::create(b, f32Tile({rows}), state,
                                                    step.getNewState());
  for (Value &accumulator : accumulators)
    accumulator = attn_tile::RescaleOp::create(b, accumulator, factor);
  return {step.getProbabilities(), step.getNewState()};
}

Value ForwardProgram::placeProbabilities(Value probabilities,
                                         ArrayRef<Value> dead) {
  if (scoresRole.empty())
    return probabilities;
  auto getSize = [](Value tile) {
    auto type = cast<RankedTensorType>(tile.getType());
    return std::pair(type.getDimSize(0),
                     type.getDimSize(1) * type.getElementTypeBitWidth());
  };
  for (Value block : llvm::reverse(dead))
    if (block.hasOneUse() && block.getDefiningOp<attn_tile::LoadOp>() &&
        getSize(block) == getSize(probabilities))
      return attn_tile::ReuseOp::create(b, probabilities, block);
  return probabilities;
}

ForwardProgram::Sums ForwardProgram::emitBlocks(ArrayRef<Value> queryTiles,
                                                Value kvHead, Value domain) {
  bool isNarrow = hasNarrowProbabilities(op);
  bool isExact = isNarrow && !op.getFastAccumulate();
  // The softmax state is marked exact only if all values of the program share
  // one scale. Scales that differ among tokens multiply the probabilities, in
  // f32, before these are rounded to 8 bits.
  auto stateType = attn_tile::SoftmaxType::get(
      b.getContext(), rows, b.getF64FloatAttr(score.factor),
      /*exact=*/isExact && !hasTokenScales(Extra::ValueScale));
  SmallVector<Value> initial = llvm::map_to_vector(valueGroups, [&](auto own) {
    return splat(f32Tile({rows, own.count}), 0.0);
  });
  initial.push_back(attn_tile::SoftmaxInitOp::create(b, stateType));
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
    auto loadBlock = [&](Value array, Value ofHead, Type stored, Columns own) {
      if (isInt4(stored))
        own = {own.first / 2, own.count / 2};
      return op.getPages()
                 ? loadPaged(op, b, at, paged, array, ofHead,
                             {columns, own.count}, /*keyAxis=*/0, own.first)
                 : loadRows(array, ofHead, position, columns, own);
    };
    SmallVector<Value> keyBlocks =
        llvm::map_to_vector(keyGroups, [&](Columns own) {
          return loadBlock(at.key, kvHead, ofKeys, own);
        });
    Value ropeBlock;
    if (at.keyRope)
      ropeBlock =
          loadBlock(at.keyRope, getHeadOf(Extra::KeyRope, kvHead),
                    getElementTypeOrSelf(at.keyRope), Columns{0, ropeDim});
    // If a loaded tile is widened, threads read it to registers before the
    // product. Its load is then marked `beside`, since these registers are
    // needed next to those of the accumulators.
    auto widenRead = [&](Value tile, Type stored, Type element, Value loaded) {
      Value wide = widen(tile, stored, element);
      if (auto load = loaded.getDefiningOp<attn_tile::LoadOp>())
        load.setBeside(load.getBeside() || wide != tile);
      return wide;
    };
    if (!hasNarrowScores(op))
      for (Value &block : keyBlocks)
        block = widenRead(block, ofKeys, scoreType, block);
    auto loadValue = [&](Columns own) -> Value {
      std::array<int64_t, 2> transposed = {own.count, columns};
      if (isAlongKeys && op.getPages())
        return loadPaged(op, b, at, paged, at.value, kvHead, transposed,
                         /*keyAxis=*/1, own.first);
      if (isAlongKeys)
        return load(
            at.value, transposed,
            ValueRange{at.arrayBatch, kvHead, b.index(own.first), position});
      return loadBlock(at.value, kvHead, ofValues, own);
    };
    SmallVector<Value> valueBlocks =
        isValueWithinKey ? takeValues(keyBlocks)
                         : map_to_vector(valueGroups, loadValue);
    if (!isNarrow && !isValueWithinKey)
      for (Value &block : valueBlocks)
        block = widenRead(block, ofValues, valueType, block);
    Value keyScales = loadTokenScales(Extra::KeyScale, position, paged);
    Value valueScales = loadTokenScales(Extra::ValueScale, position, paged);
    ScorePlace place;
    Value scores = emitScores(queryTiles, keyBlocks, ropeBlock, keyScales,
                              position, partial, place);
    if (op.getPages())
      scores = maskMissing(op, b, at, scores, paged);
    SmallVector<Value> next(carried);
    auto [probabilities, state] =
        emitSoftmax(scores, carried.back(),
                    valueScales ? Type(b.getF32Type()) : probability,
                    MutableArrayRef(next).drop_back());
    Value kept = dropOut(scaleProbabilities(probabilities, valueScales),
                         emitKeep(op, b, {rows, columns}, at, place));
    if (ropeBlock)
      keyBlocks.push_back(ropeBlock);
    llvm::erase_if(keyBlocks, [&](Value block) {
      return llvm::is_contained(valueBlocks, block);
    });
    kept = placeProbabilities(kept, keyBlocks);
    for (auto [sum, values] : llvm::zip(next, valueBlocks))
      sum = attn_tile::DotOp::create(b, kept, values, sum,
                                     /*transpose_lhs=*/false,
                                     /*transpose_rhs=*/isAlongKeys, isExact);
    next.back() = state;
    return next;
  };
  SmallVector<Value> results = loopOverBlocks(domain, initial, emitBlock);
  Value state = results.pop_back_val();
  return {results, state};
}

void ForwardProgram::emitProgram(Value query) {
  Value kvHead = getKvHead(op, b, head);
  SmallVector<Value> queryTiles =
      loadGroups([&](Columns own) { return loadQuery(query, own); });
  if (Value rope = op.getExtra(Extra::QueryRope).value)
    queryRopeTile = loadQuery(rowsOf(op, b, at, rope), {0, ropeDim});
  sink = emitRowSinks();
  Value domain = createKeyDomain(op, b, at, head, row, rows, columns);
  emitEpilogue(emitBlocks(queryTiles, kvHead, domain));
}

/// Stores the results of a tile whose rows see no key, so that nothing is
/// loaded: output 0 and, as lse, the sink if it is finite, else -inf.
void ForwardProgram::emitEmptyRows() {
  Type element = op.getOutputType().getElementType();
  SmallVector<Value> outputs = llvm::map_to_vector(valueGroups, [&](auto own) {
    return splat(tileType({rows, own.count}, element), 0.0);
  });
  storeResults(outputs,
               op.getLse() ? emitEmptyLse(b, emitRowSinks(), rows) : Value());
}

void ForwardProgram::storeResults(ArrayRef<Value> outputs, Value lse) {
  if (at.packing)
    return scatterResults(outputs, lse);
  for (auto [output, own] : llvm::zip_equal(outputs, valueGroups))
    store(output, rowsOf(op, b, at, op.getOutput()),
          {at.arrayBatch, head, row, b.index(own.first)});
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
