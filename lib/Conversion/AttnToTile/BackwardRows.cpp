//===- BackwardRows.cpp - Programs of rows, for delta and d_query ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"
#include "SumPrograms.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;

/// Sets `unit` and allocates the vectors of lse and delta. They have the rows
/// of a multiple of `unit` tokens, and so consist of whole blocks, so that
/// tensor maps can describe the vectors whatever the number of rows.
void BackwardPrograms::createRowVectors() {
  // Rows of one head are stored as whole tiles. Those of several are scattered.
  unit = ofBlock.heads > 1 ? ofBlock.tokens
                           : std::lcm(schedule.getRowwise().getTileQ(), block);
  OpFoldResult units = apply(dim(0).ceilDiv(unit), {getSize(query, 2)});
  // In the vectors of lse and delta, each packed sequence takes a multiple of
  // `unit` tokens, and so do the tokens before the first and after the last
  // sequence. Each of these parts may have one unit that is not full. With n
  // cumulative lengths there are n + 1 such parts.
  if (isPacked(op))
    units = apply(dim(0) + dim(1) + constant(1),
                  {units, getSize(op.getPacked()[0], 0)});
  SmallVector<OpFoldResult> sizes = {
      getSize(query, 0), getSize(query, 1),
      apply(dim(0) * (unit / ofBlock.tokens), {units}), b.getIndexAttr(block)};
  if (ofBlock.heads > 1)
    sizes[1] = apply(dim(0).floorDiv(ofBlock.heads), {sizes[1]});
  for (Value *vector : {&bias, &delta})
    *vector = createWorkspace(sizes);
  // A tile of rows may have several heads where a block of rows has one.
  bool joinsHeads = ofBlock.heads > 1 || ofTile.heads > 1;
  if (isOfTokens(Extra::QueryScale) ||
      (joinsHeads && stored.getExtra(Extra::QueryScale).findDim('h'))) {
    scoreScales = createWorkspace(sizes);
    if (scalesAddends(Extra::QueryScale))
      queryScales = createWorkspace(sizes);
  }
  if (op.getNarrowProducts())
    createRounded(sizes);
}

/// Returns `panel`, columns of the output from `column` on, minus the mean of
/// values if the op has one. Programs multiply d_output by values without their
/// mean, so that each dP lacks sum_d d_output[i,d] * mean[d]. If delta lacks
/// this term, too, P (dP - delta) is unchanged. This also holds for a row with
/// a sink; in a row that sees no key, P is 0.
Value BackwardPrograms::subtractMean(Value panel, Value batch, Value head,
                                     Value column) {
  ExtraOperand mean = stored.getExtra(Extra::ValueMean);
  if (!mean)
    return panel;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(panel.getType()).getShape();
  Value channels =
      loadChannels(mean, batch, getKvHead(op, b, head), column, shape[1]);
  return b.subf(panel, broadcast(channels, 0, shape));
}

/// Emits the grid that computes the vectors delta and bias:
///
/// delta[i] = sum_d output[i,d] * d_output[i,d] - d_lse[i], with the output
/// that subtractMean() returns. With `narrow_products`, d_output is first
/// rounded, and the rounded rows and their scales are stored.
///
/// bias[i] is the lse, in units of log2 unless roundsScores(), or inf for rows
/// that attend to no key.
///
/// If rows of a tile have scales of their own, the grid also stores vectors of
/// these scales. It sets the sums of d_query to zero, if there are such sums,
/// threads do not add to them from registers, and coversBlocks() is true.
void BackwardPrograms::emitRows() {
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  Value allBias = collapse(bias), allDelta = collapse(delta);
  // Calls `emit` with the first column and the width of each panel. The columns
  // are divided into panels of at most kMost columns, so that registers hold a
  // panel of output and one of d_output.
  auto forEachPanel = [&](int64_t columns,
                          llvm::function_ref<void(Value, int64_t)> emit) {
    constexpr int64_t kMost = 128;
    int64_t width = llvm::alignTo(
        llvm::divideCeil(columns, llvm::divideCeil(columns, kMost)),
        kHeadDimStep);
    for (int64_t first = 0; first < columns; first += width)
      emit(b.index(first), std::min(width, columns - first));
  };
  auto body = [&](const SequenceView &at, Value head, Value row) {
    Value batch = at.arrayBatch;
    auto storeUnits = [&](Value tile, Value vector) {
      if (ofBlock.heads > 1)
        storeToVector(tile, vector, at, head, row);
      else
        store(tile, ofUnits(at, vector), {batch, head, row});
    };
    RankedTensorType type = f32Tile({rows});
    auto loadF32 = [&](Value array, Value column, int64_t width) -> Value {
      RankedTensorType panel = f32Tile({rows, width});
      Value tile = load(realRowsOf(op, b, at, array), {rows, width},
                        {batch, head, row, column});
      return tile.getType() == panel ? tile : b.extf(panel, tile);
    };
    // The tile of d_output if one panel has all of its columns, so that it is
    // loaded only once; else null.
    Value scales, whole;
    if (op.getNarrowProducts()) {
      scales = findRoundingScales(rows, [&](auto addPanel) {
        forEachPanel(valueHeadDim, [&](Value column, int64_t width) {
          Value tile = loadF32(rowsOfDOutput, column, width);
          if (width == valueHeadDim)
            whole = tile;
          addPanel(tile);
        });
      });
      if (roundedScales)
        storeUnits(scaleByValue(scales, at, head), collapse(roundedScales));
    }
    Value sum;
    forEachPanel(valueHeadDim, [&](Value column, int64_t width) {
      Value ofOutput =
          subtractMean(loadF32(output, column, width), batch, head, column);
      Value dOutput = whole ? whole : loadF32(rowsOfDOutput, column, width);
      if (scales)
        dOutput = storeRounded(dOutput, scales, at, {batch, head, row, column});
      Value product = b.mulf(ofOutput, dOutput);
      Value part = b.reduce(type, attn_tile::ReduceKind::Add, product, 1);
      sum = sum ? b.addf(sum, part) : part;
    });
    if (dLse)
      sum = b.subf(
          sum, load(realRowsOf(op, b, at, dLse), {rows}, {batch, head, row}));
    storeUnits(sum, allDelta);
    // A row that attends to no key (lse -inf) gets a bias of inf, so that its
    // probabilities are exp(-inf) = 0.
    Value rowLse = load(realRowsOf(op, b, at, lse), {rows}, {batch, head, row});
    Value isEmpty = b.oeq(rowLse, splat(type, -INFINITY));
    Value own = rowLse;
    if (!roundsScores())
      own = b.mulf(own, splat(type, llvm::numbers::log2e));
    storeUnits(b.select(isEmpty, splat(type, INFINITY), own), allBias);
    if (scoreScales) {
      auto [ofScores, ofKeys] = gatherQueryScales(at, head, row, rows);
      storeUnits(ofScores, collapse(scoreScales));
      if (queryScales)
        storeUnits(ofKeys, collapse(queryScales));
    }
    if (querySums && !schedule.addsFromRegisters() && coversBlocks())
      forEachPanel(headDim, [&](Value column, int64_t width) {
        Value zeros = splat(f32Tile({rows, width}), 0.0);
        if (ofBlock.heads > 1)
          storeToVector(zeros, querySums, at, head, row, column);
        else
          store(zeros, rowsOf(op, b, at, querySums),
                {batch, head, row, column});
      });
  };
  // Elements of the vectors that no program writes are zeros, as are those of
  // rows past the last one.
  if (!coversBlocks())
    for (Value vector : {bias, delta, scoreScales, queryScales, roundedScales})
      if (vector)
        TileBuilder::emitZeros(vector, rowwise);
  Value like = ofBlock.heads > 1 ? query : allBias;
  if (!isPacked(op)) {
    emitGrid(/*ofKeys=*/false, like, rows, rowwise, body);
    return;
  }
  // In the vectors of lse and delta, a packed sequence takes a multiple of
  // `unit` tokens, and the elements past its last one must be written, too. So
  // a program has a multiple of `unit` tokens, and computes `rows` of them at a
  // time.
  int64_t step = std::lcm(unit, rows);
  emitGrid(/*ofKeys=*/false, like, step, rowwise,
           [&](const SequenceView &at, Value head, Value first) {
             for (int64_t row = 0; row < step; row += rows)
               body(at, head, asValue(apply(dim(0) + constant(row), {first})));
           });
}

/// Emits the grid whose programs have a tile of rows and visit the keys that
/// these see. It computes d_query, unless `out` is null, and the gradients
/// `summed` of captures, which are sums over keys.
void BackwardPrograms::emitRowGradients(Value out,
                                        ArrayRef<CaptureGradient> summed) {
  CaptureSums captures(op, b, schedule.getRowwise());
  SmallVector<Value> wanted = {derivative}, outs;
  SmallVector<std::optional<CaptureReads>> ofSums;
  for (const CaptureGradient &own : summed) {
    wanted.push_back(own.derivative);
    ofSums.push_back(own.reads);
    outs.push_back(own.out);
  }
  Value allBias = collapse(bias), allDelta = collapse(delta);
  auto body = [&](SequenceView at, Value head, Value row) {
    head = asValue(apply(dim(0) * ofTile.heads, {head}));
    at.packing = getPacking(b, ofTile);
    row = findListedTile(b, at.keyLists, at.batch, head, row);
    Value kvHead = getKvHead(op, b, head);
    ScoreTile tile = loadRowTile(at, head, kvHead, row, allBias, allDelta);
    Value domain = createKeyDomain(op, b, at, head, row, own, block);
    SmallVector<Value> initial(summed.size(), splat(f32Tile({own}), 0.0));
    if (out)
      initial.push_back(splat(f32Tile({own, headDim}), 0.0));
    auto emitBlock = [&](Value position, Value partial, ValueRange sums) {
      loadKeys(tile, kvHead, position, partial);
      auto [scores, tiles] = emitScores(tile, wanted);
      auto [probabilities, gradient] = emitGradient(tile, scores);
      SmallVector<Value> next;
      if (out) {
        Value dScores = applyDerivative(gradient, probabilities, tiles.front());
        next.push_back(attn_tile::DotOp::create(
            b, scaleGradient(tile, dScores, /*ofKeys=*/false), tile.keyTile,
            sums.back(),
            /*transpose_lhs=*/false, /*transpose_rhs=*/false));
      }
      for (auto [i, derivative] : llvm::enumerate(ArrayRef(tiles).drop_front()))
        next.insert(next.begin() + i,
                    b.addf(sums[i], sumPairs(tile, applyDerivative(
                                                       gradient, probabilities,
                                                       derivative))));
      return next;
    };
    SmallVector<Value> sums = loopOverBlocks(domain, initial, emitBlock);
    Value isReal = findStoredRows(
        b, at, getSize(rowsOf(op, b, at, op.getQuery()), 2), row, own);
    std::pair<Value, Value> place;
    if (at.packing && !summed.empty())
      place = placeHeads(op, b, at, ofTile, head, row, own);
    for (unsigned i = 0; i < summed.size(); ++i) {
      Value sum = sums[i];
      if (isReal)
        sum = b.select(isReal, sum, splat(f32Tile({own}), 0.0));
      if (at.packing)
        captures.scatter(i, sum, at.arrayBatch, place.first, place.second);
      else
        captures.store(i, sum, at.arrayBatch, head, row);
    }
    if (!out)
      return;
    storeRowGradient(sums.back(), out, at, head, row);
  };
  captures.allocateRows(ofSums);
  listBlocks(op, b, all, /*ofRows=*/false, ofTile.tokens, block, ofTile.heads,
             /*cutsRows=*/false, schedule.getRowwise());
  auto grid = emitGrid(
      /*ofKeys=*/false, op.getQuery(), ofTile.tokens, schedule, body,
      apply(dim(0).floorDiv(ofTile.heads), {getSize(op.getQuery(), 1)}));
  describePrograms(b, grid, findSharedDims(op, grid), getKeyBytes());
  captures.finish(outs);
}
