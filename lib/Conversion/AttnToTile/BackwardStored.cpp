//===- BackwardStored.cpp - Gradients by scores that are stored -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers do not hold a gradient of more than 256 columns for the rows of a
// wgmma program, and shared memory too few rows and keys to compute scores
// twice. So P and dS pass through memory, which takes five products in place of
// seven or eight:
//
// - a grid computes tiles of P and dS, each from all columns of query, keys,
//   d_output and values,
// - three grids multiply them: d_value = P^T d_output, d_key = dS^T query and
//   d_query = dS keys, in tiles of up to 256 columns.
//
// That memory is bounded: the host goes over sections of heads or, where one
// head takes more, of keys. Sections of keys add d_query in f32 memory, one
// after the other, so that results are the same bits each time.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

/// The largest number of bytes of P and dS in a section, unless the keys of one
/// tile take more.
static constexpr int64_t kSectionBytes = int64_t(512) << 20;

void BackwardPrograms::emitStoredGradients() {
  Value dQuery = op.getGradient(Gradients::Query);
  bool ofValue = bool(op.getGradient(Gradients::Value));
  bool ofScores = dQuery || op.getGradient(Gradients::Key);
  if (!ofValue && !ofScores)
    return;
  Value zero = b.index(0), one = b.index(1);
  auto multiply = [&](Value lhs, Value rhs) -> Value {
    return b.createOrFold<arith::MulIOp>(lhs, rhs);
  };
  auto least = [&](Value lhs, Value rhs) -> Value {
    return b.createOrFold<arith::MinUIOp>(lhs, rhs);
  };
  auto most = [&](Value lhs, Value rhs) -> Value {
    return b.createOrFold<arith::MaxUIOp>(lhs, rhs);
  };
  auto divide = [&](Value lhs, Value rhs) -> Value {
    return b.createOrFold<arith::DivUIOp>(lhs, rhs);
  };

  groupSize = getGroup();
  if (!groupSize)
    groupSize = one;
  Value rows = asValue(getSize(query, 2));
  Value keys = asValue(getSize(op.getKey(), 2));
  Value heads = multiply(asValue(getSize(op.getKey(), 0)),
                         asValue(getSize(op.getKey(), 1)));
  Value allKeys =
      asValue(apply(dim(0).ceilDiv(own) * own, {getSize(op.getKey(), 2)}));
  // Sizes may be 0.
  int64_t bytesOfPair = ofValue && ofScores ? 4 : 2;
  Value bytesOfKeys = multiply(most(multiply(groupSize, rows), one),
                               b.index(bytesOfPair * own));
  Value parts = most(divide(b.index(kSectionBytes), bytesOfKeys), one);
  Value step =
      most(least(multiply(parts, b.index(own)), allKeys), b.index(own));
  Value headsOfSection =
      most(least(divide(parts, divide(step, b.index(own))), heads), one);

  SmallVector<OpFoldResult> sizes = {
      getAsOpFoldResult(multiply(headsOfSection, groupSize)),
      getAsOpFoldResult(divide(step, b.index(own))), getAsOpFoldResult(rows),
      b.getIndexAttr(own)};
  auto createStored = [&] {
    workspace.push_back(allocate(sizes, inputType));
    return workspace.back();
  };
  if (ofValue)
    storedProbabilities = createStored();
  if (ofScores)
    storedScores = createStored();

  std::optional<int64_t> numKeys = getConstantIntValue(keys);
  std::optional<int64_t> numStep = getConstantIntValue(step);
  bool isWhole = numKeys && numStep && *numKeys <= *numStep;
  Value out = dQuery;
  if (dQuery && !isZeroInteger(firstRow)) {
    // Rows before firstRow see no key, so their gradient is 0.
    out = slice(dQuery, firstRow,
                apply(dim(0) - dim(1), {getSize(dQuery, 2), firstRow}));
    emitZeros(clip(dQuery, firstRow));
  }
  if (dQuery && !isWhole) {
    dividesKeys =
        b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::ugt, keys, step);
    SmallVector<OpFoldResult> sums = memref::getMixedSizes(b, b.getLoc(), out);
    sums[1] = b.select(dividesKeys, asValue(sums[1]), zero);
    sums[3] = b.getIndexAttr(llvm::alignTo(headDim, getTileColumns(headDim)));
    querySums = createWorkspace(sums);
    emitZeros(querySums);
  }

  // Lists leave out what ranges do not.
  if (op.hasMaskRegion() &&
      !op.getMaskRegion().front().getOps<ReadOp>().empty())
    for (bool ofRows : {false, true})
      listBlocks(all, ofRows, own, block, /*cutsRows=*/true,
                 schedule.getRowwise(), /*hasMap=*/true);
  emitSections({heads, headsOfSection, keys, step, isWhole}, out);
  if (querySums)
    roundStoredSums(out);
}

void BackwardPrograms::emitSection(const Section &section, Value dQuery) {
  emitStoredScores(section);
  if (Value out = op.getGradient(Gradients::Value))
    emitKeyProduct(section, storedProbabilities, dOutput, out,
                   op.getDropoutAttr() ? op.getDropoutScale() : 1.0);
  if (Value out = op.getGradient(Gradients::Key))
    emitKeyProduct(section, storedScores, query, out, scale);
  if (dQuery)
    emitQueryProduct(section, dQuery);
}

/// Returns the keys that rows [first, last) of the tile at `row` see, given the
/// ranges of the mask region, if it has any.
ProgramBuilder::Interval
BackwardPrograms::boundKeysOfTile(const SequenceView &at,
                                  std::optional<MaskRanges> &ranges, Value row,
                                  Value first, Value last) {
  SequenceView ofTile = at;
  if (at.hasRowsBehind)
    ofTile.numKeys = countForTile(row, at.numRows, at.numKeys);
  Interval interval = boundKeys(ofTile, first, last);
  boundByMask(at, ranges, /*ofRows=*/false, first, last, interval);
  interval.hiVaries |= at.hasRowsBehind;
  return interval;
}

/// Emits the grid that computes and stores the section's tiles of P and dS. A
/// tile without valid pairs is not stored, and the grids that multiply P and dS
/// do not read it. Which tiles have valid pairs is known from the lists of
/// blocks or, without lists, from the mask's diagonals, the lengths and the
/// ranges of a mask region. With lists, the grid of d_query reads the blocks of
/// keys that the lists of rows name, and the grids of d_key and d_value read
/// the blocks of rows that the lists of keys name.
void BackwardPrograms::emitStoredScores(const Section &section) {
  OpBuilder::InsertionGuard guard(b);
  Value allBias = collapse(bias), allDelta = collapse(delta);
  StoredTile of = createStoredGrid(section, TilesOf::Pairs);
  const SequenceView &at = of.at;
  Value kvHead = of.kvHead;
  Value batch = at.arrayBatch;
  ScoreTile tile;
  tile.rowAxis = 0;
  tile.at = at;
  tile.head = getQueryHead(kvHead, of.inGroup);
  tile.row = of.row;
  tile.key = of.key;

  OpFoldResult endOfRows =
      min(apply(dim(0) + constant(own), {tile.row}), at.numRows);
  OpFoldResult endOfKeys = apply(dim(0) + constant(own), {tile.key});
  std::optional<MaskRanges> ranges =
      getMaskRanges(at, /*ofRows=*/false, tile.head);
  Interval seen =
      boundKeysOfTile(at, ranges, tile.row, tile.row, asValue(endOfRows));
  auto isBefore = [&](OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return b.slt(asValue(lhs), asValue(rhs));
  };
  auto isWithin = [&](OpFoldResult lhs, OpFoldResult rhs) -> Value {
    return b.sle(asValue(lhs), asValue(rhs));
  };
  Value isListed, isFull;
  if (keyLists.blocks) {
    std::tie(isListed, isFull) = findListedBlocks(keyLists, at.batch, tile.head,
                                                  tile.row, tile.key, own);
    isFull = b.andi(isFull, isWithin(endOfKeys, at.numKeys));
  } else {
    isFull = b.andi(isWithin(seen.fullLo, tile.key),
                    isWithin(endOfKeys, seen.fullHi));
  }
  // A score region may yield any number for rows past the last one, so a tile
  // with such rows is partial.
  if (op.hasScore())
    isFull = b.andi(isFull, isWithin(apply(dim(0) + constant(own), {tile.row}),
                                     at.numRows));
  tile.partial =
      b.xori(isFull, arith::ConstantOp::create(b, b.getBoolAttr(true)));
  OpFoldResult columns = b.getIndexAttr(std::max(headDim, valueHeadDim));
  Value isVisited;
  if (isListed) {
    isVisited = b.ori(isListed, findListedBlocks(rowLists, at.batch, tile.head,
                                                 tile.key, tile.row, own)
                                    .first);
  } else if (op.getMaskAttr() || ranges || op.isRagged() || at.hasRowsBehind ||
             at.hasKeysBehind) {
    isVisited =
        b.andi(isBefore(tile.key, seen.hi), isBefore(seen.lo, endOfKeys));
    // A tile is also stored if the grids of d_key and d_value read it, which
    // visit whole blocks of the rows that see the tile's keys. No row of such a
    // tile need see a key: a region's ranges may differ between the two sides,
    // and the first row that would see the keys may lie past the last row, in
    // its block.
    Value lastKey = asValue(min(endOfKeys, at.numKeys));
    Interval rows = boundRows(at, tile.key, lastKey, block, /*cutsRows=*/true);
    std::optional<MaskRanges> ofRows =
        getMaskRanges(at, /*ofRows=*/true, tile.head);
    boundByMask(at, ofRows, /*ofRows=*/true, tile.key, lastKey, rows);
    Value isRead =
        b.andi(isBefore(tile.row, rows.hi),
               isBefore(rows.lo, apply(dim(0) + constant(own), {tile.row})));
    isVisited =
        b.ori(isVisited, b.andi(isRead, isBefore(tile.key, at.numKeys)));
  }
  if (isVisited)
    columns = b.select(isVisited, asValue(columns), b.index(0));

  Value domain = createWholeDomain(b.getIndexAttr(0), columns, block);
  Value zeros = splat(f32Tile({own, own}), 0.0);
  Value loadedQuery = realRowsOf(at, query);
  Value loadedDOutput = realRowsOf(at, dOutput);
  bool ofValue = bool(storedProbabilities), ofScores = bool(storedScores);
  SmallVector<Value> initial(ofScores ? 2 : 1, zeros);
  auto products = loopOverBlocks(
      domain, initial, [&](Value column, Value partial, ValueRange sums) {
        SmallVector<Value> next;
        auto accumulate = [&](Value ofRows, Value ofKeys) {
          SmallVector<int64_t> shape = {own, block};
          Value lhs = load(ofRows, shape, {batch, tile.head, tile.row, column});
          Value rhs = load(ofKeys, shape, {batch, kvHead, tile.key, column});
          next.push_back(attn_tile::DotOp::create(
              b, lhs, rhs, sums[next.size()],
              /*transpose_lhs=*/false, /*transpose_rhs=*/true));
        };
        accumulate(loadedQuery, at.key);
        if (ofScores)
          accumulate(loadedDOutput, at.value);
        return next;
      });

  auto store = [&](Value result, Value memory) {
    if (isVisited) {
      OpFoldResult rows = isPacked() ? at.numRows : getSize(memory, 2);
      memory = slice(memory, at.firstRow,
                     b.select(isVisited, asValue(rows), b.index(0)));
    }
    TileProgram::store(round(result, inputType), memory,
                       placeStored(of, of.inGroup, tile.row, of.localKey));
  };
  auto [scores, derivatives] = scaleScores(tile, products[0], derivative);
  SmallVector<Value> ofTile = {batch, tile.head, tile.row};
  tile.bias = load(ofUnits(at, allBias), {own}, ofTile);
  Value probabilities = emitProbabilities(tile, scores);
  if (ofValue)
    store(dropOut(round(probabilities, inputType), tile.keep),
          storedProbabilities);
  if (!ofScores)
    return;
  tile.delta = load(ofUnits(at, allDelta), {own}, ofTile);
  Value gradient =
      emitResultGradient(tile, probabilities, dropProduct(tile, products[1]));
  store(applyDerivative(gradient, probabilities, derivatives.front()),
        storedScores);
}

/// Emits the grid that computes d_key or d_value, `out`, for the keys of a
/// section: `factor` times the sum of the products of transposed tiles of
/// `scores` (dS or P, in memory) and tiles of `rows` (query or d_output), over
/// all rows of all query heads of the group.
void BackwardPrograms::emitKeyProduct(const Section &section, Value scores,
                                      Value rows, Value out, double factor) {
  OpBuilder::InsertionGuard guard(b);
  int64_t width = getTileColumns(*getConstantIntValue(getSize(out, 3)));
  StoredTile of = createStoredGrid(section, TilesOf::Keys, out);
  const SequenceView &at = of.at;
  Value kvHead = of.kvHead;
  Value batch = at.arrayBatch, column = of.column, key = of.key;
  // With a mask region, each query head has its own domain of rows.
  auto createDomainOf = [&](Value head) {
    return createRowDomain(at, head, key, own, block, /*cutsRows=*/true);
  };
  Value domain = op.hasMaskRegion() ? Value() : createDomainOf(Value());
  Value loaded = realRowsOf(at, rows);
  scores = rowsOf(at, scores);
  auto overRows = [&](Value number, ValueRange sums) {
    Value head = getQueryHead(kvHead, number);
    return loopOverBlocks(
        domain ? domain : createDomainOf(head), sums,
        [&](Value row, Value partial, ValueRange sums) -> SmallVector<Value> {
          Value lhs = load(scores, {block, own},
                           placeStored(of, number, row, of.localKey));
          Value rhs = load(loaded, {block, width}, {batch, head, row, column});
          return {attn_tile::DotOp::create(b, lhs, rhs, sums.front(),
                                           /*transpose_lhs=*/true,
                                           /*transpose_rhs=*/false)};
        });
  };
  SmallVector<Value> sums = {splat(f32Tile({own, width}), 0.0)};
  if (getConstantIntValue(groupSize) == 1) {
    sums = overRows(b.index(0), sums);
  } else {
    auto heads = scf::ForOp::create(b, b.index(0), groupSize, b.index(1), sums);
    sums = heads.getResults();
    OpBuilder::InsertionGuard inLoop(b);
    b.setInsertionPointToStart(heads.getBody());
    scf::YieldOp::create(
        b, overRows(heads.getInductionVar(), heads.getRegionIterArgs()));
  }
  storeGradient(sums.front(), keysOf(at, out), at.numKeys, factor,
                {batch, kvHead, key, column});
}

/// Multiplies a tile of d_query by the op's scale and stores it to `out` at
/// `place` (batch entry, head, row, column). Rows that attend to no key and
/// rows past the last valid one get zeros.
void BackwardPrograms::storeQueryGradient(const SequenceView &at,
                                          Value gradient, Value out,
                                          ArrayRef<Value> place) {
  int64_t rows = cast<RankedTensorType>(gradient.getType()).getDimSize(0);
  if (mayLeaveOutKeys())
    gradient = clearEmptyRows(
        gradient, load(realRowsOf(at, lse), {rows}, place.take_front(3)));
  storeGradient(gradient, out, at.numRows, scale, place);
}

/// Emits the grid that computes d_query, `out`: the stored dS times the
/// section's keys. If several sections have keys of the same head, it adds
/// these products to the f32 sums `querySums` instead.
void BackwardPrograms::emitQueryProduct(const Section &section, Value out) {
  OpBuilder::InsertionGuard guard(b);
  int64_t width = getTileColumns(headDim);
  StoredTile of = createStoredGrid(section, TilesOf::Rows, out);
  const SequenceView &at = of.at;
  Value kvHead = of.kvHead;
  Value batch = at.arrayBatch, row = of.row, column = of.column;
  Value head = getQueryHead(kvHead, of.inGroup);
  std::optional<MaskRanges> ranges = getMaskRanges(at, /*ofRows=*/false, head);
  auto bound = [&](Value first, Value last) {
    Interval seen = boundKeysOfTile(at, ranges, row, first, last);
    if (!isZeroInteger(getAsOpFoldResult(section.firstKey)))
      seen.lo = max(seen.lo, section.firstKey);
    if (dividesKeys)
      seen.hi = min(
          seen.hi, apply(dim(0) + dim(1), {section.firstKey, section.numKeys}));
    return seen;
  };
  Value domain;
  if (!keyLists.blocks)
    domain = createDomain(row, own, at.numRows, block, bound);
  else if (!dividesKeys)
    domain = createListedDomain(keyLists, at.batch, head, row);
  else
    domain = createListedDomain(keyLists, at.batch, head, row, section.firstKey,
                                b.addi(section.firstKey, section.numKeys));
  Value stored = rowsOf(at, storedScores);
  SmallVector<Value> sums = {splat(f32Tile({own, width}), 0.0)};
  Value gradient = loopOverBlocks(
      domain, sums,
      [&](Value key, Value partial, ValueRange sums) -> SmallVector<Value> {
        Value local = asValue(apply(dim(0) - dim(1), {key, section.firstKey}));
        Value lhs =
            load(stored, {own, block}, placeStored(of, of.inGroup, row, local));
        Value rhs = load(at.key, {block, width}, {batch, kvHead, key, column});
        return {attn_tile::DotOp::create(b, lhs, rhs, sums.front(),
                                         /*transpose_lhs=*/false,
                                         /*transpose_rhs=*/false)};
      })[0];
  SmallVector<Value> target = {batch, head, row, column};
  out = rowsOf(at, out);
  if (!dividesKeys)
    return storeQueryGradient(at, gradient, out, target);
  auto branch = scf::IfOp::create(b, dividesKeys, /*withElseRegion=*/true);
  b.setInsertionPointToStart(branch.thenBlock());
  store(gradient, rowsOf(at, querySums), target, /*add=*/true);
  b.setInsertionPointToStart(branch.elseBlock());
  storeQueryGradient(at, gradient, out, target);
}

/// Emits the grid that multiplies `querySums`, to which sections of keys added,
/// by the op's scale, rounds them and stores them as d_query, `out`. If one
/// section has all keys, the sums have 0 heads, so the grid has no programs.
void BackwardPrograms::roundStoredSums(Value out) {
  constexpr int64_t kPanel = 64;
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  auto body = [&](const SequenceView &at, Value head, Value row) {
    for (int64_t first = 0; first < headDim; first += kPanel) {
      SmallVector<Value> target = {at.arrayBatch, head, row, b.index(first)};
      storeQueryGradient(at,
                         load(rowsOf(at, querySums), {rows, kPanel}, target),
                         rowsOf(at, out), target);
    }
  };
  emitGrid(/*ofKeys=*/false, out, rows, rowwise, body, getSize(querySums, 1));
}
