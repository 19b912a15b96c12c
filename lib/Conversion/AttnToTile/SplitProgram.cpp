//===- SplitProgram.cpp - Few rows and many keys ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where there are few rows, as when tokens are generated one by one, one
// program for all keys of a head would leave most of a GPU idle. So blocks of
// keys are divided evenly among programs, as in "Flash-Decoding" (Dao, Haziza,
// Massa and Sizov, 2023). Each program writes an output and an lse in f32, and
// a second grid merges them,
//
//   lse = ln sum_n exp(lse[n])      output = sum_n exp(lse[n] - lse) output[n]
//
// where a sink takes part once. A tile has the rows of all G query heads that
// share keys. If these are in the order of heads, row r of the tile is row r
// mod Sq of head r / Sq; if they are in the order of tokens, it is row r / G of
// head r mod G.
//
//===----------------------------------------------------------------------===//

#include "ForwardProgram.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

/// The number of a row's partial results that one iteration of the merge takes:
/// kManyParts while at least that many are left, then kParts. Fewer iterations
/// are faster, since each costs the latency of a read.
static constexpr int64_t kManyParts = 64, kParts = 16;

SplitProgram::SplitProgram(AttentionOp op, OpBuilder &builder)
    : ForwardProgram(op, builder),
      hasSingleRows(op.getQueryType().getDimSize(2) == 1) {}

/// Returns the number of parts into which keys are divided. It is the largest
/// number with which the grid has at most as many programs as the target runs
/// at a time, but at least 1 and at most the number of blocks of keys.
OpFoldResult SplitProgram::countSplits() {
  Value one = b.index(1);
  Value tiles = asValue(apply(dim(0).ceilDiv(rows), {numPacked}));
  Value programs = b.muliOrFold(b.muliOrFold(asValue(getSize(op.getQuery(), 0)),
                                             asValue(getSize(op.getKey(), 1))),
                                tiles);
  Value processors = attn_tile::ProcessorsOp::create(b, b.getIndexType(),
                                                     op.getScheduleAttr());
  Value splits = b.divui(processors, b.maxui(programs, one));
  Value blocks = asValue(apply(dim(0).ceilDiv(columns), {op.getKvLength(b)}));
  splits = b.minui(splits, blocks);
  return getAsOpFoldResult(b.maxui(splits, one));
}

/// Returns the domain of part `split` of the keys. All parts have the same
/// number of the blocks that any row sees, except the last ones, which may have
/// fewer.
Value SplitProgram::createSplitDomain(Value split) {
  Value none = b.index(0);
  OpFoldResult last = min(at.numRows, rowsOfHead);
  Interval all = boundKeys(op, b, at, none, asValue(last));
  if (op.hasMaskRegion())
    all.fullHi = b.getIndexAttr(0);
  OpFoldResult first =
      apply(dim(0).floorDiv(columns), {max(all.lo, b.getIndexAttr(0))});
  OpFoldResult blocks =
      max(b.getIndexAttr(0),
          apply(dim(0).ceilDiv(columns) - dim(1), {all.hi, first}));
  // Affine maps cannot divide by a variable, so arith.divui divides the number
  // of blocks by the number of parts.
  Value splits = asValue(numSplits);
  Value one = b.index(1);
  Value own = b.divui(b.addi(asValue(blocks), b.subi(splits, one)), splits);
  Value before = b.muli(split, own);
  OpFoldResult start = apply((dim(0) + dim(1)) * columns, {first, before});
  OpFoldResult end = apply(dim(0) + dim(1) * columns, {start, own});
  auto emit = [&](Value, Value) -> Interval {
    return {max(all.lo, start), min(all.hi, end), all.fullLo, all.fullHi};
  };
  return createDomain(b, at.packing.first, rows, numPacked, columns, emit);
}

void SplitProgram::emitPart(const SequenceView &all, attn_tile::GridOp grid) {
  OpBuilder::InsertionGuard guard(b);
  auto place = enter(grid);
  Value kvHead = place[1], split = place[2];
  row = b.index(0);
  head = b.muliOrFold(kvHead, group);
  at = enterBatch(op, b, all, place[0]);
  Value packedRow = at.packing.first = place[3];
  auto loadQuery = [&](Value packed, Columns own) {
    if (!hasSingleRows)
      return loadRows(packed, kvHead, packedRow, rows, own);
    return loadRows(slice(packed, head, group), b.index(0), packedRow, rows,
                    own);
  };
  SmallVector<Value> queryTiles =
      loadGroups([&](Columns own) { return loadQuery(packedQuery, own); });
  if (packedRope)
    queryRopeTile = loadQuery(packedRope, {0, ropeDim});
  emitResults(emitBlocks(queryTiles, kvHead, createSplitDomain(split)), kvHead,
              split);
}

/// Stores the results of a program. If one program has all keys, and the
/// strides of the output array allow a store of the rows of a group as one
/// tile, these are the output and the lse. Otherwise they are a partial result,
/// which a second grid merges.
void SplitProgram::emitResults(const Sums &sums, Value kvHead, Value split) {
  auto storePart = [&] {
    auto [outputs, lse] = finish(sums, /*sink=*/Value(), /*mayBeEmpty=*/true);
    SmallVector<Value> place = {at.arrayBatch, kvHead, split, at.packing.first};
    for (auto [output, own] : llvm::zip_equal(outputs, valueGroups)) {
      SmallVector<Value> ofColumns = place;
      ofColumns.push_back(b.index(own.first));
      store(output, partOutputs, ofColumns);
    }
    store(lse, partStates, place);
  };
  auto branch = scf::IfOp::create(b, isWhole, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  Value sinks = emitSinks();
  auto [outputs, lse] = finish(sums, sinks, /*mayBeEmpty=*/true);
  // Rows past the true length (`len_q`) get the results of rows that see no
  // key.
  if (!isAtMost(dim(0), {getSize(op.getQuery(), 2)}, at.numRows)) {
    Value ofRow;
    for (auto [output, own] : llvm::zip_equal(outputs, valueGroups)) {
      Value ofElement;
      std::tie(ofRow, ofElement) = findPackedRealRows(own.count);
      output =
          b.select(ofElement, output, splat(f32Tile({rows, own.count}), 0.0));
    }
    lse = b.select(ofRow, lse, emitEmptyLse(b, sinks, rows));
  }
  // Stores a tile of a group's rows to `array`, from column `first` on. If each
  // head has one row, the rows go to the group's slice of the dimension of
  // heads; else to the dimension into which heads and rows were collapsed.
  auto storeRows = [&](Value tile, Value array, int64_t first) {
    SmallVector<Value> place = {
        at.arrayBatch, hasSingleRows ? b.index(0) : kvHead, at.packing.first};
    if (cast<RankedTensorType>(tile.getType()).getRank() == 2)
      place.push_back(b.index(first));
    store(tile, hasSingleRows ? slice(array, head, group) : array, place);
  };
  for (auto [output, own] : llvm::zip_equal(outputs, valueGroups))
    storeRows(round(output, op.getOutputType().getElementType()), packedOutput,
              own.first);
  if (packedLse)
    storeRows(lse, packedLse, /*first=*/0);
  else if (op.getLse())
    scatterLse(lse);
  b.setInsertionPointToStart(branch.elseBlock());
  storePart();
}

/// Emits the grid that merges the partial results of each row. A program
/// computes a few elements of one output row. Its tiles have these elements as
/// rows and the parts as columns, so that a lane holds several parts of few
/// elements and adds most of them in its registers. So few programs run that
/// only latencies matter, including that of fetching the code.
void SplitProgram::emitMerge(const SequenceView &all) {
  TileSizesAttrInterface rowwise = op.getScheduleAttr().getRowwise();
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Value> sizes = getSizes(op.getQuery());
  sizes.back() = b.index(valueHeadDim);
  int64_t elements = rowwise.getTileQ();
  auto grid = attn_tile::GridOp::create(b, sizes, {1, 1, 1, elements}, rowwise);
  auto place = enter(grid);
  SequenceView at = enterBatch(op, b, all, place[0]);
  Value head = place[1], row = place[2], element = place[3];
  Value kvHead = getKvHead(op, b, head);
  Value inGroup = b.remui(head, group);
  Value packed = hasSingleRows ? asValue(apply(dim(0) + dim(1), {inGroup, row}))
                               : b.addi(b.muli(inGroup, at.packing.headStep),
                                        b.muli(row, at.packing.tokenStep));

  RankedTensorType vector = f32Tile({elements});
  Value none = splat(vector, -INFINITY), zeros = splat(vector, 0.0);
  auto reduce = [&](attn_tile::ReduceKind kind, Value parts) -> Value {
    return b.reduce(vector, kind, parts, /*axis=*/1);
  };
  auto isEqual = [&](Value lhs, Value rhs) -> Value { return b.oeq(lhs, rhs); };
  /// Returns exp(x - m), with 0 for elements of x that are -inf.
  auto weigh = [&](Value x, Value m) -> Value {
    auto type = cast<RankedTensorType>(x.getType());
    return b.select(isEqual(x, splat(type, -INFINITY)), splat(type, 0.0),
                    b.exp(b.subf(x, m)));
  };
  Value elementsOfParts = transpose(outputs, {0, 1, 2, 4, 3});
  /// Emits a loop that merges the parts from `start` (inclusive) to `end`
  /// (exclusive), `block` parts per iteration. With `isWhole`, the number of
  /// parts is a multiple of `block`, so that no part has to be masked.
  auto merge = [&](OpFoldResult start, OpFoldResult end, int64_t block,
                   bool isWhole, ValueRange initial) {
    RankedTensorType tile = f32Tile({elements, block});
    auto ofParts = [&](Value ofElements) {
      return broadcast(ofElements, 1, tile.getShape());
    };
    auto emit = [&](Value first, Value, ValueRange carried) {
      Value max = carried[0], sum = carried[1], output = carried[2];
      Value read =
          load(states, {block}, {at.arrayBatch, kvHead, packed, first});
      if (!isWhole) {
        // Past the last part, the load of the parts' lse returns 0. These
        // elements are replaced by -inf, so that they have no weight.
        RankedTensorType parts = tileType({block}, b.getIndexType());
        Value left = asValue(apply(dim(0) - dim(1), {end, first}));
        Value isPart = b.slt(b.coordinate(parts, 0), b.splat(left, parts));
        read = b.select(isPart, read, splat(f32Tile({block}), -INFINITY));
      }
      Value lse = broadcast(read, 0, tile.getShape());
      Value own = load(elementsOfParts, tile.getShape(),
                       {at.arrayBatch, kvHead, packed, element, first});
      Value newMax =
          b.maximumf(max, reduce(attn_tile::ReduceKind::MaxNum, lse));
      Value weights = weigh(lse, ofParts(newMax));
      // A part of weight 0 is replaced by 0 instead of multiplied by its
      // weight, since its output may be NaN.
      Value weighted = b.select(isEqual(weights, splat(tile, 0.0)),
                                splat(tile, 0.0), b.mulf(weights, own));
      Value before = weigh(max, newMax);
      auto add = [&](Value old, Value parts) -> Value {
        return b.addf(b.mulf(old, before),
                      reduce(attn_tile::ReduceKind::Add, parts));
      };
      return SmallVector<Value>{newMax, add(sum, weights),
                                add(output, weighted)};
    };
    return loopOverBlocks(createWholeDomain(b, start, end, block), initial,
                          emit);
  };
  OpFoldResult whole =
      apply(dim(0).floorDiv(kManyParts) * kManyParts, {numSplits});
  SmallVector<Value> merged = merge(b.getIndexAttr(0), whole, kManyParts,
                                    /*isWhole=*/true, {none, zeros, zeros});
  merged = merge(whole, numSplits, kParts, /*isWhole=*/false, merged);
  Value max = merged[0], sum = merged[1], output = merged[2];
  if (Value sink = emitSink(op, b, head, elements)) {
    // In a row without keys, a sink that is not finite counts as no sink.
    sink = b.select(isEqual(sum, zeros), emitEmptyLse(b, sink, elements), sink);
    Value newMax = b.maximumf(max, sink);
    Value before = weigh(max, newMax);
    sum = b.addf(b.mulf(sum, before), weigh(sink, newMax));
    output = b.mulf(output, before);
    max = newMax;
  }
  Value isEmpty = isEqual(sum, zeros);
  // Rows past the true length (`len_q`) get the results of rows that see no
  // key.
  if (!isAtMost(dim(0), {getSize(op.getQuery(), 2)}, at.numRows)) {
    Value isPast = b.sge(row, asValue(at.numRows));
    isEmpty =
        b.ori(isEmpty, b.splat(isPast, tileType({elements}, b.getI1Type())));
  }
  auto quotient = arith::DivFOp::create(b, output, sum);
  if (!inputType.isF32())
    quotient.setFastmath(arith::FastMathFlags::afn);
  output = b.select(isEmpty, zeros, quotient);
  store(round(output, op.getOutputType().getElementType()), op.getOutput(),
        {at.arrayBatch, head, row, element});
  // All elements of the vector `lse` are the lse of the row. Of the programs of
  // a row, only that of element 0 stores it: the view has one element, so that
  // stores at other indices write nothing.
  if (Value destination = op.getLse()) {
    Value lse = b.addf(max, b.log(sum));
    lse = b.select(isEmpty,
                   emitEmptyLse(b, emitSink(op, b, head, elements), elements),
                   lse);
    store(lse, slice(destination, row, b.getIndexAttr(1)),
          {at.arrayBatch, head, element});
  }
}

void SplitProgram::emit() {
  if (llvm::is_contained(op.getOutputType().getShape(), 0))
    return;
  // If the key array is statically empty, there are no keys to divide, and the
  // program of ForwardProgram stores the results.
  if (llvm::is_contained(op.getKeyType().getShape(), 0))
    return ForwardProgram::emit();
  SequenceView all = viewAll(op, b);
  group = getGroup(op, b);
  if (!group)
    group = b.index(1);
  rowsOfHead = getSize(op.getQuery(), 2);
  numPacked = multiplyRows(getAsOpFoldResult(group));
  all.packing = packRows();
  numSplits = countSplits();
  OpFoldResult batches = getSize(op.getQuery(), 0);
  OpFoldResult kvHeads = getSize(op.getKey(), 1);
  auto findWhole = [&] { return b.eq(asValue(numSplits), b.index(1)); };
  OpFoldResult entries = batches;
  if (hasRowsInPlace) {
    isWhole = b.andiOrFold(findWhole(), hasRowsInPlace);
    // If `isWhole` is true at run time, no program writes partial results, so
    // their workspace gets one batch entry instead of all.
    entries = getAsOpFoldResult(
        b.selectOrFold(isWhole, b.index(1), asValue(batches)));
  }
  SmallVector<OpFoldResult> sizes = {entries, kvHeads, numPacked, numSplits};
  states = allocate(sizes, b.getF32Type());
  sizes.push_back(b.getIndexAttr(valueHeadDim));
  outputs = allocate(sizes, b.getF32Type());
  partOutputs = transpose(outputs, {0, 1, 3, 2, 4});
  partStates = transpose(states, {0, 1, 3, 2});
  if (!isWhole)
    isWhole = findWhole();
  auto grid = createGridOf(op,
                           {asValue(batches), asValue(kvHeads),
                            asValue(numSplits), asValue(numPacked)},
                           {1, 1, 1, rows}, op.getScheduleAttr());
  emitPart(all, grid);
  // Programs of different parts of the keys (dimension 2 of the grid) read the
  // same rows of the query.
  constexpr int64_t kSplits = 2;
  describePrograms(b, grid, kSplits, getKeyBytes());
  Value isDivided = hasSingleRows ? b.ne(asValue(numSplits), b.index(1))
                                  : b.xori(isWhole, b.boolean(true));
  auto branch = scf::IfOp::create(b, isDivided);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    emitMerge(all);
  }
}
