//===- BackwardTables.cpp - Gradients of tables at computed indices -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradient of a table's element is the sum over all pairs that read the
// element. The program of a block of rows goes over the blocks of keys, and for
// each over the elements that pairs of that block may read. For each element
// and row, it sums the row's pairs to a number to which no other program adds.
// Two more grids sum these numbers, in an order that does not change from run
// to run.
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"
#include "RegionIntervals.h"
#include "SumPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

namespace {
/// Computes intervals of the flat indices at which a score region reads tables.
/// They are derived from the intervals of the rows and keys of a tile of pairs.
class TableRanges final : RegionIntervals {
public:
  explicit TableRanges(AttentionBackwardOp op)
      : RegionIntervals(op, op.getScore().front()) {}

  /// Returns a lower and an upper bound of `values`, which are values of the
  /// region that hold indices, over all pairs of a tile of `rows.heads` heads,
  /// `rows.tokens` rows of each, and `keys` keys at position `place` of the
  /// larger problem.
  std::pair<Value, Value> find(TileBuilder &b, const ScorePlace &place,
                               const HeadRows &rows, int64_t keys,
                               ArrayRef<Value> values);

private:
  bool isSource(Value value) const override {
    return !value.getDefiningOp() || !isBounded(value.getDefiningOp());
  }
  Interval getSource(Value value) override;
  bool isBounded(Operation *op) const override;
  Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                       Operation *op) override;
};

/// Sums the terms of a table's gradient. There is one term for each batch
/// entry, query head, element of the table, and row. The gradient of an element
/// is the sum of its terms over all rows, and over heads and batch entries
/// unless the table has a dimension for them.
class TableSums : SumPrograms {
public:
  TableSums(AttentionBackwardOp op, OpBuilder &builder,
            TileSizesAttrInterface rowwise, const CaptureReads &reads,
            int64_t numElements)
      : SumPrograms(op, builder, rowwise), reads(reads),
        numElements(numElements) {}

  /// Allocates memory for the terms of a table's gradient, of shape batch x
  /// heads x elements x rows, and emits a grid that fills it with zeros.
  Value allocateTerms();
  /// Emits the grids that sum the terms of a table's gradient and store the
  /// sums as the gradient `out`.
  void finish(Value out);

private:
  const CaptureReads &reads;
  int64_t numElements;
  Value terms;
};
} // namespace

Value TableSums::allocateTerms() {
  follow();
  terms = allocate({getSize(op.getQuery(), 0), getSize(op.getQuery(), 1),
                    b.getIndexAttr(numElements), getSize(op.getQuery(), 2)});
  emitZeros(terms, rowwise);
  return terms;
}

void TableSums::finish(Value out) {
  follow();
  OpFoldResult sizes[] = {getSize(terms, 0), getSize(terms, 1)};
  Value sums = allocate({sizes[0], sizes[1], b.getIndexAttr(numElements)});
  addRows(terms, sums);
  {
    OpBuilder::InsertionGuard guard(b);
    OpFoldResult one = b.getIndexAttr(1);
    bool isKept[] = {reads.has(CaptureReads::Batch),
                     reads.has(CaptureReads::Head)};
    int64_t step = rowwise.getTileQ();
    auto grid = attn_tile::GridOp::create(
        b,
        ValueRange{asValue(isKept[0] ? sizes[0] : one),
                   asValue(isKept[1] ? sizes[1] : one),
                   asValue(b.getIndexAttr(numElements))},
        {1, 1, step}, rowwise);
    auto program = enter(grid);
    Value place[] = {program[0], program[1]}, first = program[2];
    Value zero = b.index(0);
    Value unit = b.index(1);
    Value sum = splat(f32Tile({step}), 0.0);
    SmallVector<Value> at(place, place + 2);
    SmallVector<scf::ForOp> loops;
    for (int64_t dim : {0, 1}) {
      if (isKept[dim])
        continue;
      auto loop = scf::ForOp::create(b, zero, asValue(sizes[dim]), unit, sum);
      b.setInsertionPointToStart(loop.getBody());
      at[dim] = loop.getInductionVar();
      sum = loop.getRegionIterArg(0);
      loops.push_back(loop);
    }
    at.push_back(first);
    sum = b.addf(sum, load(sums, {step}, at));
    for (scf::ForOp loop : llvm::reverse(loops)) {
      scf::YieldOp::create(b, sum);
      sum = loop.getResult(0);
      b.setInsertionPointAfter(loop);
    }
    // The indices of a table's element are computed from its flat index,
    // beginning with the last computed dimension. For flat indices past the
    // last element, the index of the first computed dimension is out of bounds,
    // so that the scatter stores nothing.
    RankedTensorType vector = tileType({step}, b.getIndexType());
    auto number = [&](int64_t value) {
      return b.splat(b.index(value), vector);
    };
    Value rest = countFrom(first, vector);
    auto type = cast<MemRefType>(out.getType());
    auto firstComputed = llvm::find(reads.dims, CaptureReads::Computed);
    SmallVector<Value> indices(type.getRank());
    for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
      CaptureReads::Position position = reads.dims[dim];
      if (position == CaptureReads::Batch || position == CaptureReads::Head) {
        indices[dim] = place[position];
      } else if (position != CaptureReads::Computed) {
        indices[dim] = zero;
      } else if (&reads.dims[dim] == firstComputed) {
        indices[dim] = rest;
      } else {
        Value size = number(reads.getType().getDimSize(dim));
        indices[dim] = b.remui(rest, size);
        rest = b.divui(rest, size);
      }
    }
    attn_tile::ScatterOp::create(b, round(sum, type.getElementType()), out,
                                 indices);
  }
}

/// Emits the grids that compute the gradient of a table.
void BackwardPrograms::emitTableGradient(const TableGradient &table) {
  TableSums sums(op, b, schedule.getRowwise(), table.reads, table.numElements);
  Value terms = sums.allocateTerms();
  Value allBias = collapse(bias), allDelta = collapse(delta);
  SmallVector<Value> wanted(table.derivatives);
  llvm::append_range(wanted, table.elements);
  TableRanges ranges(op);
  auto body = [&](SequenceView at, Value head, Value row) {
    head = asValue(apply(dim(0) * ofTile.heads, {head}));
    at.packing = getPacking(b, ofTile);
    row = findListedTile(b, at.keyLists, at.batch, head, row);
    Value kvHead = getKvHead(op, b, head);
    ScoreTile tile = loadRowTile(at, head, kvHead, row, allBias, allDelta);
    Value isReal = findStoredRows(b, at, getSize(op.getQuery(), 2), row, own);
    std::pair<Value, Value> rows = {head, row};
    if (at.packing)
      rows = placeHeads(op, b, at, ofTile, head, row, own);
    auto emitBlock = [&](Value position, Value partial, ValueRange) {
      loadKeys(tile, kvHead, position, partial);
      auto [scores, tiles] = emitScores(tile, wanted);
      auto [probabilities, gradient] = emitGradient(tile, scores);
      RankedTensorType type = f32Tile({own, block});
      Value zeros = splat(type, 0.0);
      size_t count = table.derivatives.size();
      SmallVector<Value> found;
      for (Value derivative : ArrayRef(tiles).take_front(count)) {
        Value term = applyDerivative(gradient, probabilities, derivative);
        if (isReal)
          term = b.select(broadcast(isReal, 1, type.getShape()), term, zeros);
        found.push_back(term);
      }
      ScorePlace place =
          getScorePlace(b, at, head, row, position, /*rowAxis=*/0);
      auto [first, last] = ranges.find(b, place, ofTile, block, table.elements);
      Value end = b.addi(last, b.index(1));
      auto loop = scf::ForOp::create(b, first, end, b.index(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      Value element = b.indexCast(b.getI32Type(), loop.getInductionVar());
      Value own32 = b.splat(element, type.clone(b.getI32Type()));
      Value sum;
      for (auto [term, of] :
           llvm::zip(found, ArrayRef(tiles).drop_front(count))) {
        Value isOwn = b.eq(of, own32);
        Value part = b.select(isOwn, term, zeros);
        sum = sum ? b.addf(sum, part) : part;
      }
      SmallVector<Value> to = {at.arrayBatch, rows.first,
                               loop.getInductionVar(), rows.second};
      if (at.packing)
        attn_tile::ScatterOp::create(b, sumPairs(tile, sum), terms, to,
                                     /*add=*/true);
      else
        store(sumPairs(tile, sum), terms, to, /*add=*/true);
      return SmallVector<Value>();
    };
    loopOverBlocks(createKeyDomain(op, b, at, head, row, own, block), {},
                   emitBlock);
  };
  listBlocks(op, b, all, /*ofRows=*/false, ofTile.tokens, block, ofTile.heads,
             /*cutsRows=*/false, schedule.getRowwise());
  auto grid = emitGrid(
      /*ofKeys=*/false, op.getQuery(), ofTile.tokens, schedule, body,
      apply(dim(0).floorDiv(ofTile.heads), {getSize(op.getQuery(), 1)}));
  describePrograms(b, grid, findSharedDims(op, grid), getKeyBytes());
  sums.finish(table.out);
}

/// Appends a table, whose gradient is to be computed, to `tables`, unless it
/// has no elements. For each of its reads, adds ops to the score region that
/// compute the flat index of the element read. It is row-major over the
/// dimensions that are indexed by computed values (CaptureReads::Computed).
/// Each index is clamped to the bounds of its dimension, as the read itself
/// clamps it.
void BackwardPrograms::addTable(const CaptureReads &reads, Value out,
                                ArrayRef<Value> derivatives) {
  ArrayRef<int64_t> shape = reads.getType().getShape();
  TileBuilder region(op.getLoc(),
                     OpBuilder(op.getScore().front().getTerminator()));
  TableGradient table = {reads, out, SmallVector<Value>(derivatives), {}, 1};
  for (auto [dim, position] : llvm::enumerate(reads.dims))
    if (position == CaptureReads::Computed)
      table.numElements *= shape[dim];
  if (table.numElements == 0)
    return;
  for (ReadOp read : reads.reads) {
    Value element;
    for (auto [dim, position] : llvm::enumerate(reads.dims)) {
      if (position != CaptureReads::Computed)
        continue;
      Value own = region.maxsi(
          region.minsi(read.getIndices()[dim], region.index(shape[dim] - 1)),
          region.index(0));
      element =
          element
              ? region.addi(region.muli(element, region.index(shape[dim])), own)
              : own;
    }
    table.elements.push_back(region.indexCast(region.getI32Type(), element));
  }
  tables.push_back(std::move(table));
}

//===----------------------------------------------------------------------===//
// Indices of tables
//===----------------------------------------------------------------------===//

/// The largest constant by which an index may be multiplied or divided. The
/// product of this constant and kAny, the largest magnitude of a bound, does
/// not overflow 64 bits.
static constexpr int64_t kLargestFactor = 1 << 16;

RegionIntervals::Interval TableRanges::getSource(Value value) {
  TileBuilder &b = *builder;
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 25) {
    OpFoldResult own = b.getIndexAttr(constant.getSExtValue());
    return {own, own};
  }
  return {b.getIndexAttr(-kAny), b.getIndexAttr(kAny)};
}

bool TableRanges::isBounded(Operation *inner) const {
  if (std::optional<int64_t> divisor = getDivisor(inner))
    return *divisor <= kLargestFactor &&
           (!isa<arith::DivUIOp>(inner) || isNotNegative(inner->getOperand(0)));
  APInt factor;
  if (isa<arith::MulIOp>(inner))
    return matchPattern(inner->getOperand(1), m_ConstantInt(&factor)) &&
           factor.isStrictlyPositive() && factor.ule(kLargestFactor);
  return isa<arith::AddIOp, arith::SubIOp, arith::MinSIOp, arith::MaxSIOp,
             math::AbsIOp, arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
      inner);
}

/// Returns the interval of an op's result in its integer type. Where it is
/// certain at compile time that the result does not wrap, this is `result`: for
/// casts to 64 bits; for quotients, sums, differences and magnitudes of 64 bits
/// of numbers with known bounds; and for ops whose operands and result are
/// known not to be negative (for differences, only the operands). For other
/// ops, it is the interval of all numbers where the result may not fit the
/// type. A quotient of a number about which nothing is known has the interval
/// of all numbers, too, since a quotient of kAny would be less than kAny, and
/// so has a sum, which may wrap.
RegionIntervals::Interval TableRanges::keepInRange(Interval result,
                                                   ArrayRef<Interval> operands,
                                                   Operation *inner) {
  auto isPlain = [&](Value value) { return isNotNegative(value); };
  unsigned width = getWidth(inner);
  bool isQuotient = getDivisor(inner).has_value();
  bool isCast = width == 64 && isa<arith::IndexCastOp, arith::ExtSIOp>(inner);
  if (isCast || (!isQuotient &&
                 (isa<arith::SubIOp>(inner) || isPlain(inner->getResult(0))) &&
                 llvm::all_of(inner->getOperands(), isPlain)))
    return result;
  if (!isQuotient && (width < 64 || isa<arith::MulIOp>(inner)))
    return keepFitting(result, {}, width);
  // Half of kAny, since a small number may have been added to an unknown one.
  constexpr int64_t kUnknown = kAny / 2;
  for (auto [value, operand] : llvm::zip(inner->getOperands(), operands))
    if (!isWithin(value, kUnknown))
      result = widen(result, isAny(operand, -kUnknown, kUnknown));
  return result;
}

std::pair<Value, Value> TableRanges::find(TileBuilder &b,
                                          const ScorePlace &place,
                                          const HeadRows &rows, int64_t keys,
                                          ArrayRef<Value> values) {
  builder = &b;
  intervals.clear();
  Block::BlockArgListType arguments =
      body.getArguments().drop_front(getFirstPosition(body));
  for (auto [argument, first, count] :
       {std::tuple(arguments[0], place.batch, int64_t(1)),
        {arguments[1], place.head, rows.heads},
        {arguments[2], place.row, rows.tokens},
        {arguments[3], place.key, keys}})
    intervals[argument] = {
        first, b.apply(b.getAffineDimExpr(0) + (count - 1), {first})};
  std::optional<Interval> all;
  for (Value value : values) {
    Interval own = getInterval(value);
    all =
        all ? Interval{min(all->low, own.low), max(all->high, own.high)} : own;
  }
  return {b.asValue(all->low), b.asValue(all->high)};
}
