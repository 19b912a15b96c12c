//===- BackwardPrograms.cpp - Gradients as tile programs
//----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The first grid computes two numbers for each row: delta, the sum of output
// times d_output, and the bias of its exponents. Then a program has a block of
// keys and goes over the rows that see them, of each query head that shares
// them: d_key and d_value, which are of a grid each where a program has no room
// for both. There are two ways to d_query:
//
// - In memory, to which each of these programs adds its part: five MMAs for a
//   block, in an order that differs from run to run. The first grid clears that
//   memory, a last one rounds what it holds.
// - By a grid of its own, in which a program has a block of rows and goes over
//   the keys: seven MMAs. No program adds to another's results, so they are the
//   same bits each time. It also sums over keys what gradients of captures are
//   made of; see CaptureSums.h.
//

#include "CaptureSums.h"
#include "ProgramBuilder.h"
#include "Programs.h"
#include "ScorePoles.h"

#include "attn/Dialect/Attn/Transforms/ScoreDerivative.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A tile of scores and what its gradients are made of. Rows are along
/// `rowAxis`, keys along the other axis.
struct ScoreTile {
  int64_t rowAxis;
  /// Of the first row and key; `head` is a query head.
  Value batch, head, row, key;
  /// Whether some pairs of it may be masked, an i1.
  Value partial;
  Value queryTile, keyTile, valueTile, dOutputTile;
  /// Of rows: exponents are scores less the bias.
  Value bias, delta;
  /// What dropout keeps, or null.
  Value keep;
};

class BackwardPrograms : ProgramBuilder {
public:
  BackwardPrograms(AttentionBackwardOp op, OpBuilder &builder)
      : ProgramBuilder(op, builder), op(op), schedule(op.getScheduleAttr()),
        own(schedule.getTileQ()), block(schedule.getTileKv()),
        scale(op.getScaleValue()) {}

  LogicalResult emit();

private:
  using Body = function_ref<void(Value batch, Value head, Value position)>;

  /// Over all rows of an array.
  void emitRowwise(Value like, Body body);
  /// Over rows, or keys, of sequences.
  void emitGrid(bool ofKeys, Value like, int64_t step,
                TileSizesAttrInterface schedule, Body body);
  bool isPacked() { return !op.getPacked().empty(); }
  /// An array's rows of the program's sequence, and those that count.
  Value ofSequence(Value array) {
    return isPacked() ? slice(array, sequenceRow, numRows) : array;
  }
  Value ofRealRows(Value array) {
    if (isPacked())
      return sliceLoaded(array, sequenceRow, numRows);
    return op.isRagged() ? slice(array, sequenceRow, numRows) : array;
  }
  Value sliceLoaded(Value array, OpFoldResult first, OpFoldResult length);
  /// A row's place in vectors of rows.
  Value placeInVectors(Value row);
  void emitZeros(Value out);
  /// Of f32, row by row.
  Value createWorkspace(ArrayRef<OpFoldResult> sizes) {
    workspace.push_back(allocate(sizes, b.getF32Type()));
    return workspace.back();
  }
  void createRowVectors();
  void createSums();
  void emitRows();
  LogicalResult deriveRegion();
  LogicalResult findCaptures();
  void emitPairGradient(unsigned derivative, const CaptureReads &reads,
                        Value out);
  void skipRowsWithoutKeys();
  void beginAtFirstRow();
  void emitRowGradients();
  void emitKeyGradients(Value dKey, Value dValue);
  void addQueryGradient(const ScoreTile &tile, Value dScores);
  void emitRounding();

  Value loadRows(Value array, int64_t count, int64_t width, Value batch,
                 Value head, Value position) {
    return load(array, {count, width}, {batch, head, position, zero});
  }
  /// In the type that MMAs take, whatever the output's is.
  Value loadDOutput(int64_t count, Value batch, Value head, Value row) {
    return round(
        loadRows(ofRealRows(dOutput), count, valueHeadDim, batch, head, row),
        inputType);
  }
  /// Of a block of the rows that a program goes over.
  Value loadVector(Value blocks, Value batch, Value head, Value row) {
    Value number =
        asValue(apply(dim(0).floorDiv(block), {placeInVectors(row)}));
    return load(blocks, {block}, {batch, head, number, zero});
  }
  /// As one dimension, whose length is a multiple of both tiles' rows.
  Value collapse(Value blocks) {
    return memref::CollapseShapeOp::create(
        b, blocks, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  }
  Value emitMask(const ScoreTile &tile, Value scores, const ScorePlace &place);
  std::pair<Value, SmallVector<Value>> emitScores(ScoreTile &tile,
                                                  ArrayRef<Value> wanted);
  Value emitProbabilities(const ScoreTile &tile, Value scores);
  Value emitProbabilityGradient(const ScoreTile &tile);
  Value emitResultGradient(const ScoreTile &tile, Value probabilities,
                           Value dProbabilities);
  Value applyDerivative(Value gradient, Value probabilities, Value derivative);
  Value clearEmptyRows(Value rows, Value lse);
  Value copyKeptRows(Value array, int64_t width);
  Value sumPairs(const ScoreTile &tile, Value gradient);
  void storeGradient(Value gradient, Value out, OpFoldResult length,
                     double factor, ValueRange place);

  AttentionBackwardOp op;
  TileSizesAttrInterface schedule;
  /// Rows or keys that a program has, and those that it goes over at a time.
  int64_t own, block;
  double scale;
  /// What the score region yields, and its derivatives: with respect to the
  /// score, then to captures that have a gradient.
  Value score;
  SmallVector<Value> derivatives;
  /// Of those captures: how arrays are read, and none for numbers.
  SmallVector<std::optional<CaptureReads>> reads;
  /// Those of `reads` that are summed over all pairs of a row.
  SmallVector<unsigned> summed;
  /// The row before which the mask leaves no key.
  OpFoldResult firstRow;
  Value zero;
  /// Memory that is freed behind all programs.
  SmallVector<Value> workspace;
  /// Arrays of the rows that count.
  Value query, output, dOutput, lse, dLse;
  /// As dOutput, of none where there are none.
  Value rowsOfDOutput;
  /// Rows of whole blocks of those, and of rowwise programs.
  int64_t unit = 0;
  /// Workspace: numbers of rows, in blocks, and what is added up of d_query.
  Value bias, delta, querySums;
};

} // namespace

void BackwardPrograms::emitRowwise(Value like, Body body) {
  OpBuilder::InsertionGuard guard(b);
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  auto grid = createGrid(like, getSize(like, 1), rowwise.getTileQ(), rowwise);
  Block &block = grid.getBody().front();
  b.setInsertionPointToStart(&block);
  zero = arith::ConstantIndexOp::create(b, 0);
  body(block.getArgument(0), block.getArgument(1), block.getArgument(2));
}

void BackwardPrograms::emitGrid(bool ofKeys, Value like, int64_t step,
                                TileSizesAttrInterface schedule, Body body) {
  PackedTiles tiles;
  if (isPacked()) {
    tiles = listPackedTiles(ofKeys, step, schedule.getRowwise(), unit);
    workspace.push_back(tiles.numbers);
  }
  OpFoldResult heads = getSize(like, 1);
  OpBuilder::InsertionGuard guard(b);
  auto outside = std::tuple(lengthQ, lengthKv, numRows, numKeys, diagonal);
  auto grid = isPacked() ? createPackedGrid(tiles, heads, schedule)
                         : createGrid(like, heads, step, schedule);
  Block &block = grid.getBody().front();
  b.setInsertionPointToStart(&block);
  zero = arith::ConstantIndexOp::create(b, 0);
  auto place = block.getArguments();
  Value position = place.back();
  if (isPacked()) {
    position = enterPacked(tiles, position);
    key = sliceLoaded(op.getKey(), sequenceKey, numKeys);
    value = sliceLoaded(op.getValue(), sequenceKey, numKeys);
  } else {
    enterBatch(place.front());
  }
  body(arrayBatch, place.drop_back().back(), position);
  std::tie(lengthQ, lengthKv, numRows, numKeys, diagonal) = outside;
}

/// A sequence's part of an array, for loads. Entries of no tile have all of it,
/// of which they store nothing: TMA reads the beginning of a map for a box of
/// no element, and of a map of slices that is in front of the array.
Value BackwardPrograms::sliceLoaded(Value array, OpFoldResult first,
                                    OpFoldResult length) {
  Value own = asValue(length);
  Value isNone = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, own,
                                       arith::ConstantIndexOp::create(b, 0));
  Value rest = asValue(apply(dim(0) - dim(1), {getSize(array, 2), first}));
  return slice(array, first,
               arith::SelectOp::create(b, isNone, rest, own).getResult());
}

Value BackwardPrograms::placeInVectors(Value row) {
  if (!isPacked())
    return row;
  return asValue(apply(dim(0) + dim(1) * unit, {row, sequenceUnit}));
}

void BackwardPrograms::emitZeros(Value out) {
  auto type = cast<MemRefType>(out.getType());
  if (llvm::is_contained(type.getShape(), 0))
    return;
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  RankedTensorType tile = tileType(
      {rows,
       static_cast<int64_t>(llvm::alignTo(type.getDimSize(3), kHeadDimStep))},
      type.getElementType());
  emitRowwise(out, [&](Value batch, Value head, Value position) {
    attn_tile::StoreOp::create(b, splat(tile, 0.0), out,
                               {batch, head, position, zero});
  });
}

/// Both vectors have whole blocks for all rows: tensor maps can describe them,
/// whatever the number of rows.
void BackwardPrograms::createRowVectors() {
  unit = std::lcm(schedule.getRowwise().getTileQ(), block);
  OpFoldResult units = apply(dim(0).ceilDiv(unit), {getSize(query, 2)});
  // Each sequence has whole ones, and there are those before and behind all.
  if (isPacked())
    units = apply(dim(0) + dim(1) + constant(1),
                  {units, getSize(op.getPacked()[0], 0)});
  SmallVector<OpFoldResult> sizes = {getSize(query, 0), getSize(query, 1),
                                     apply(dim(0) * (unit / block), {units}),
                                     b.getIndexAttr(block)};
  for (Value *vector : {&bias, &delta})
    *vector = createWorkspace(sizes);
}

void BackwardPrograms::createSums() {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), query);
  sizes.back() = b.getIndexAttr(headDim);
  querySums = createWorkspace(sizes);
}

/// delta[i] = sum_d output[i,d] * d_output[i,d] - d_lse[i], the bias, and zeros
/// where d_query is added up.
void BackwardPrograms::emitRows() {
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  int64_t rows = rowwise.getTileQ();
  Value allBias = collapse(bias), allDelta = collapse(delta);
  auto body = [&](Value batch, Value head, Value row) {
    // Tiles of no sequence have no units, and write nothing.
    auto store = [&](Value tile, Value all) {
      if (isPacked())
        all = slice(all, apply(dim(0) * unit, {sequenceUnit}),
                    apply(dim(0).ceilDiv(unit) * unit, {numRows}));
      attn_tile::StoreOp::create(b, tile, all, {batch, head, row});
    };
    auto loadF32 = [&](Value array) -> Value {
      Value tile =
          loadRows(ofRealRows(array), rows, valueHeadDim, batch, head, row);
      RankedTensorType type = f32Tile({rows, valueHeadDim});
      return tile.getType() == type
                 ? tile
                 : arith::ExtFOp::create(b, type, tile).getResult();
    };
    RankedTensorType type = f32Tile({rows});
    Value product =
        arith::MulFOp::create(b, loadF32(output), loadF32(rowsOfDOutput));
    Value sum = attn_tile::ReduceOp::create(b, type, attn_tile::ReduceKind::Add,
                                            product, 1);
    if (dLse)
      sum = arith::SubFOp::create(
          b, sum, load(ofRealRows(dLse), {rows}, {batch, head, row}));
    store(sum, allDelta);
    // A row with nothing to attend to has probabilities of 0.
    Value rowLse = load(ofRealRows(lse), {rows}, {batch, head, row});
    Value isEmpty = arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, rowLse,
                                          splat(type, -INFINITY));
    Value scaled =
        arith::MulFOp::create(b, rowLse, splat(type, llvm::numbers::log2e));
    store(arith::SelectOp::create(b, isEmpty, splat(type, INFINITY), scaled),
          allBias);
    if (querySums)
      attn_tile::StoreOp::create(b, splat(f32Tile({rows, headDim}), 0.0),
                                 ofSequence(querySums),
                                 {batch, head, row, zero});
  };
  if (!isPacked())
    return emitGrid(/*ofKeys=*/false, allBias, rows, rowwise, body);
  // All rows of a sequence's units, also of those that are behind its last.
  emitGrid(/*ofKeys=*/false, allBias, unit, rowwise,
           [&](Value batch, Value head, Value first) {
             for (int64_t row = 0; row < unit; row += rows)
               body(batch, head,
                    asValue(apply(dim(0) + constant(row), {first})));
           });
}

//===----------------------------------------------------------------------===//
// A tile of scores
//===----------------------------------------------------------------------===//

Value BackwardPrograms::emitMask(const ScoreTile &tile, Value scores,
                                 const ScorePlace &place) {
  int64_t keyAxis = 1 - tile.rowAxis;
  auto shape = cast<RankedTensorType>(scores.getType()).getShape();
  return maskPartial(scores, tile.partial, keyAxis, place, [&] {
    SmallVector<MaskCondition> conditions =
        getMaskConditions(tile.row, tile.key, shape[keyAxis]);
    // Rows beyond the last one are zero, and so are their gradients, but a
    // region may make anything of them.
    if (op.hasScore())
      conditions.push_back({MaskCondition::Position::Row,
                            arith::CmpIPredicate::slt,
                            apply(dim(0) - dim(1), {numRows, tile.row})});
    return conditions;
  });
}

/// Scores in units of log2, masked, and some of the region's derivatives; what
/// dropout keeps of the tile, too.
std::pair<Value, SmallVector<Value>>
BackwardPrograms::emitScores(ScoreTile &tile, ArrayRef<Value> wanted) {
  Value lhs = tile.queryTile, rhs = tile.keyTile;
  if (tile.rowAxis == 1)
    std::swap(lhs, rhs);
  RankedTensorType type =
      f32Tile({cast<RankedTensorType>(lhs.getType()).getDimSize(0),
               cast<RankedTensorType>(rhs.getType()).getDimSize(0)});
  auto multiply = [&](Value scores, double factor) -> Value {
    return arith::MulFOp::create(b, scores, splat(type, factor),
                                 arith::FastMathFlags::contract |
                                     arith::FastMathFlags::reassoc);
  };
  Value scores =
      attn_tile::DotOp::create(b, lhs, rhs, splat(type, 0.0),
                               /*transpose_lhs=*/false, /*transpose_rhs=*/true);
  ScorePlace place;
  if (op.hasScore() || op.hasMaskRegion() || op.getDropoutAttr())
    place = getScorePlace(batch, tile.head, tile.row, tile.key, tile.rowAxis);
  tile.keep = emitKeep(type.getShape(), place);
  auto mask = [&](Value scores) { return emitMask(tile, scores, place); };
  if (!op.hasScore())
    return {mask(multiply(scores, scale * llvm::numbers::log2e)),
            SmallVector<Value>(1)};
  SmallVector<Value> results = {score};
  llvm::append_range(results, wanted);
  SmallVector<Value> tiles =
      inlineScore(op, b, multiply(scores, scale), place, results);
  Value masked = multiply(mask(tiles.front()), llvm::numbers::log2e);
  tiles.erase(tiles.begin());
  return {masked, tiles};
}

/// P = exp(s' - lse), where `scores` are in units of log2.
Value BackwardPrograms::emitProbabilities(const ScoreTile &tile, Value scores) {
  auto shape = cast<RankedTensorType>(scores.getType()).getShape();
  Value exponent = arith::SubFOp::create(
      b, scores, broadcast(tile.bias, 1 - tile.rowAxis, shape),
      arith::FastMathFlags::contract);
  return math::Exp2Op::create(b, exponent);
}

/// dP, the product of d_output and the values, of pairs that dropout keeps.
Value BackwardPrograms::emitProbabilityGradient(const ScoreTile &tile) {
  Value lhs = tile.dOutputTile, rhs = tile.valueTile;
  if (tile.rowAxis == 1)
    std::swap(lhs, rhs);
  RankedTensorType type =
      f32Tile({cast<RankedTensorType>(lhs.getType()).getDimSize(0),
               cast<RankedTensorType>(rhs.getType()).getDimSize(0)});
  Value product = attn_tile::DotOp::create(b, lhs, rhs, splat(type, 0.0),
                                           /*transpose_lhs=*/false,
                                           /*transpose_rhs=*/true);
  if (!tile.keep)
    return product;
  return dropOut(
      arith::MulFOp::create(b, product, splat(type, op.getDropoutScale())),
      tile.keep);
}

/// P (dP - delta), the gradient of what the region yields.
Value BackwardPrograms::emitResultGradient(const ScoreTile &tile,
                                           Value probabilities,
                                           Value dProbabilities) {
  auto type = cast<RankedTensorType>(dProbabilities.getType());
  Value difference = arith::SubFOp::create(
      b, dProbabilities,
      broadcast(tile.delta, 1 - tile.rowAxis, type.getShape()));
  return arith::MulFOp::create(b, probabilities, difference);
}

/// The gradient times a derivative of the region, if there is one.
Value BackwardPrograms::applyDerivative(Value gradient, Value probabilities,
                                        Value derivative) {
  Value zeros = splat(cast<RankedTensorType>(gradient.getType()), 0.0);
  if (derivative)
    gradient = arith::MulFOp::create(b, gradient, derivative);
  // Of pairs that do not count, whatever the other factors are.
  if (!op.hasScore() && !mayLeaveOutKeys())
    return gradient;
  Value isOut =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, probabilities, zeros);
  return arith::SelectOp::create(b, isOut, zeros, gradient);
}

/// Rows with nothing to attend to as zeros: P of 0 makes a NaN of what is not
/// finite. A vector of lse for each element: one of conditions would have two
/// layouts.
Value BackwardPrograms::clearEmptyRows(Value rows, Value lse) {
  auto type = cast<RankedTensorType>(rows.getType());
  Value ofElements = broadcast(lse, 1, type.getShape());
  Value isEmpty =
      arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, ofElements,
                            splat(f32Tile(type.getShape()), -INFINITY));
  return arith::SelectOp::create(b, isEmpty, splat(type, 0.0), rows);
}

/// The array's rows with zeros where there is nothing to attend to, in memory
/// of the program's own. Rows begin at multiples of 16 bytes there, which any
/// copies take.
Value BackwardPrograms::copyKeptRows(Value array, int64_t width) {
  auto type = cast<MemRefType>(array.getType());
  int64_t perChunk = 128 / type.getElementTypeBitWidth();
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> padded = sizes;
  padded[3] =
      b.getIndexAttr(llvm::alignTo(*getConstantIntValue(sizes[3]), perChunk));
  Value memory = allocate(padded, type.getElementType());
  workspace.push_back(memory);
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  Value copy = memref::SubViewOp::create(b, memory, offsets, sizes, strides);
  int64_t rows = schedule.getRowwise().getTileQ();
  emitRowwise(array, [&](Value batch, Value head, Value row) {
    Value own = load(lse, {rows}, {batch, head, row});
    Value kept =
        clearEmptyRows(loadRows(array, rows, width, batch, head, row), own);
    attn_tile::StoreOp::create(b, kept, copy, {batch, head, row, zero});
  });
  return copy;
}

/// A gradient's sum over the keys of a block, for rows that count.
Value BackwardPrograms::sumPairs(const ScoreTile &tile, Value gradient) {
  RankedTensorType type = f32Tile({own});
  return attn_tile::ReduceOp::create(b, type, attn_tile::ReduceKind::Add,
                                     gradient, 1 - tile.rowAxis);
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Writes the rows of a program, zeros past `length`.
void BackwardPrograms::storeGradient(Value gradient, Value out,
                                     OpFoldResult length, double factor,
                                     ValueRange place) {
  auto type = cast<RankedTensorType>(gradient.getType());
  if (factor != 1.0)
    gradient = arith::MulFOp::create(b, gradient, splat(type, factor));
  if (Value isReal =
          findRealRows(getSize(out, 2), length, place[2], type.getDimSize(0)))
    gradient = arith::SelectOp::create(b, broadcast(isReal, 1, type.getShape()),
                                       gradient, splat(type, 0.0));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  attn_tile::StoreOp::create(b, round(gradient, element), out, place);
}

/// d_query, if it is asked for, and those of captures.
void BackwardPrograms::emitRowGradients() {
  Value out = op.getGradient(Gradients::Query);
  CaptureSums captures(op, b, schedule.getRowwise());
  SmallVector<Value> wanted = {derivatives.front()}, outs;
  SmallVector<std::optional<CaptureReads>> ofSums;
  for (unsigned i : summed) {
    wanted.push_back(derivatives[1 + i]);
    ofSums.push_back(reads[i]);
    outs.push_back(op.getCaptureGradients()[i]);
  }
  Value allBias = collapse(bias), allDelta = collapse(delta);
  auto body = [&](Value batch, Value head, Value row) {
    Value kvHead = getKvHead(head);
    ScoreTile tile;
    tile.rowAxis = 0;
    tile.batch = batch;
    tile.head = head;
    tile.row = row;
    tile.queryTile =
        loadRows(ofRealRows(query), own, headDim, batch, head, row);
    tile.dOutputTile = loadDOutput(own, batch, head, row);
    Value place = placeInVectors(row);
    tile.bias = load(allBias, {own}, {batch, head, place});
    tile.delta = load(allDelta, {own}, {batch, head, place});
    Value domain = createKeyDomain(row, own, block, this->batch, head);
    SmallVector<Value> initial(summed.size(), splat(f32Tile({own}), 0.0));
    if (out)
      initial.push_back(splat(f32Tile({own, headDim}), 0.0));
    auto emitBlock = [&](Value position, Value partial, ValueRange sums) {
      tile.key = position;
      tile.partial = partial;
      tile.keyTile = loadRows(key, block, headDim, batch, kvHead, position);
      tile.valueTile =
          loadRows(value, block, valueHeadDim, batch, kvHead, position);
      auto [scores, tiles] = emitScores(tile, wanted);
      Value probabilities = emitProbabilities(tile, scores);
      Value gradient = emitResultGradient(tile, probabilities,
                                          emitProbabilityGradient(tile));
      SmallVector<Value> next;
      if (out) {
        Value dScores = applyDerivative(gradient, probabilities, tiles.front());
        next.push_back(attn_tile::DotOp::create(
            b, round(dScores, inputType), tile.keyTile, sums.back(),
            /*transpose_lhs=*/false, /*transpose_rhs=*/false));
      }
      for (auto [i, derivative] : llvm::enumerate(ArrayRef(tiles).drop_front()))
        next.insert(next.begin() + i,
                    arith::AddFOp::create(
                        b, sums[i],
                        sumPairs(tile, applyDerivative(gradient, probabilities,
                                                       derivative))));
      return next;
    };
    SmallVector<Value> sums = loopOverBlocks(domain, initial, emitBlock);
    Value isReal =
        findRealRows(getSize(ofSequence(op.getQuery()), 2), numRows, row, own);
    for (auto [i, sum] :
         llvm::enumerate(ArrayRef(sums).drop_back(out ? 1 : 0))) {
      Value zeros = splat(f32Tile({own}), 0.0);
      captures.store(
          i,
          isReal ? arith::SelectOp::create(b, isReal, sum, zeros).getResult()
                 : sum,
          batch, head, row);
    }
    if (!out)
      return;
    Value gradient = sums.back();
    if (mayLeaveOutKeys())
      gradient = clearEmptyRows(
          gradient, load(ofRealRows(lse), {own}, {batch, head, row}));
    storeGradient(gradient, ofSequence(out), numRows, scale,
                  {batch, head, row, zero});
  };
  captures.allocateRows(ofSums);
  listBlocks(/*ofRows=*/false, own, block, /*cutsRows=*/false,
             schedule.getRowwise());
  emitGrid(/*ofKeys=*/false, op.getQuery(), own, schedule, body);
  captures.finish(outs);
}

/// The gradient of an array that the region reads by row and key: each element
/// is of one pair of each batch entry and head, or, where it has none of these,
/// of those one after the other.
void BackwardPrograms::emitPairGradient(unsigned derivative,
                                        const CaptureReads &reads, Value out) {
  auto has = [&](CaptureReads::Position p) { return reads.has(p); };
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  out = dropDims(
      out, [&](int64_t dim) { return reads.dims[dim] != CaptureReads::One; });
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult batches = getSize(op.getQuery(), 0);
  OpFoldResult heads = getSize(op.getQuery(), 1);
  bool adds = (!has(CaptureReads::Batch) && !isOneInteger(batches)) ||
              (!has(CaptureReads::Head) && !isOneInteger(heads));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  Value sums = out;
  if (adds && !element.isF32())
    sums = createWorkspace(memref::getMixedSizes(b, b.getLoc(), out));
  // Blocks that no row sees are not visited.
  ProgramBuilder::emitZeros(sums, rowwise);
  Value allBias = collapse(bias), allDelta = collapse(delta);
  listBlocks(/*ofRows=*/false, own, block, /*cutsRows=*/false, rowwise);
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> sizes = {
        asValue(has(CaptureReads::Batch) ? batches : one),
        asValue(has(CaptureReads::Head) ? heads : one),
        asValue(getSize(op.getQuery(), 2))};
    auto grid = attn_tile::GridOp::create(b, sizes, {1, 1, own}, schedule);
    if (Attribute reasons = op->getAttr(kReasonsAttrName))
      grid->setAttr(kReasonsAttrName, reasons);
    b.setInsertionPointToStart(&grid.getBody().front());
    zero = arith::ConstantIndexOp::create(b, 0);
    Value row = grid.getBody().getArgument(2);
    auto emitTiles = [&](Value batch, Value head) {
      enterBatch(batch);
      ScoreTile tile;
      tile.rowAxis = 0;
      tile.batch = batch;
      tile.head = head;
      tile.row = row;
      Value kvHead = getKvHead(head);
      tile.queryTile =
          loadRows(ofRealRows(query), own, headDim, batch, head, row);
      tile.dOutputTile = loadDOutput(own, batch, head, row);
      tile.bias = load(allBias, {own}, {batch, head, row});
      tile.delta = load(allDelta, {own}, {batch, head, row});
      Value isReal = findRealRows(getSize(op.getQuery(), 2), numRows, row, own);
      auto emitBlock = [&](Value position, Value partial, ValueRange) {
        tile.key = position;
        tile.partial = partial;
        tile.keyTile = loadRows(key, block, headDim, batch, kvHead, position);
        tile.valueTile =
            loadRows(value, block, valueHeadDim, batch, kvHead, position);
        auto [scores, tiles] = emitScores(tile, derivatives[derivative]);
        Value probabilities = emitProbabilities(tile, scores);
        Value gradient =
            applyDerivative(emitResultGradient(tile, probabilities,
                                               emitProbabilityGradient(tile)),
                            probabilities, tiles.front());
        RankedTensorType type = f32Tile({own, block});
        if (isReal)
          gradient =
              arith::SelectOp::create(b, broadcast(isReal, 1, type.getShape()),
                                      gradient, splat(type, 0.0));
        SmallVector<Value> place;
        for (CaptureReads::Position position : reads.dims)
          if (position != CaptureReads::One)
            place.push_back(
                ArrayRef<Value>{batch, head, row, tile.key}[position]);
        attn_tile::StoreOp::create(b,
                                   adds ? gradient : round(gradient, element),
                                   sums, place, /*add=*/adds);
        return SmallVector<Value>();
      };
      loopOverBlocks(createKeyDomain(row, own, block, batch, head), {},
                     emitBlock);
    };
    auto overAll = [&](bool isKept, Value own, OpFoldResult count,
                       function_ref<void(Value)> emit) {
      if (isKept || isOneInteger(count))
        return emit(own);
      auto loop = scf::ForOp::create(b, zero, asValue(count),
                                     arith::ConstantIndexOp::create(b, 1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emit(loop.getInductionVar());
    };
    overAll(has(CaptureReads::Batch), grid.getBody().getArgument(0), batches,
            [&](Value batch) {
              overAll(has(CaptureReads::Head), grid.getBody().getArgument(1),
                      heads, [&](Value head) { emitTiles(batch, head); });
            });
  }
  if (sums == out)
    return;
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  constexpr int64_t kColumns = 64;
  SmallVector<Value> sizes;
  int64_t rank = cast<MemRefType>(sums.getType()).getRank();
  for (int64_t dim = 0; dim < rank; ++dim)
    sizes.push_back(asValue(getSize(sums, dim)));
  SmallVector<int64_t> steps(rank, 1);
  steps[rank - 2] = rows;
  steps[rank - 1] = kColumns;
  auto grid = attn_tile::GridOp::create(b, sizes, steps, rowwise);
  b.setInsertionPointToStart(&grid.getBody().front());
  ValueRange place = grid.getBody().getArguments();
  attn_tile::StoreOp::create(
      b, round(load(sums, {rows, kColumns}, place), element), out, place);
}

/// To memory, what the tile's scores make of d_query.
void BackwardPrograms::addQueryGradient(const ScoreTile &tile, Value dScores) {
  Value part = attn_tile::DotOp::create(
      b, dScores, tile.keyTile, splat(f32Tile({block, headDim}), 0.0),
      /*transpose_lhs=*/true, /*transpose_rhs=*/false);
  attn_tile::StoreOp::create(b, part, ofSequence(querySums),
                             {tile.batch, tile.head, tile.row, zero},
                             /*add=*/true);
}

/// d_query of what was added up, and zeros for the rows that nothing was added
/// to.
void BackwardPrograms::emitRounding() {
  int64_t rows = schedule.getRowwise().getTileQ();
  Value all = op.getGradient(Gradients::Query), out = all;
  if (!isZeroInteger(firstRow)) {
    out = slice(all, firstRow,
                apply(dim(0) - dim(1), {getSize(all, 2), firstRow}));
    emitZeros(slice(all, b.getIndexAttr(0), firstRow));
  }
  auto body = [&](Value batch, Value head, Value row) {
    SmallVector<Value> place = {batch, head, row, zero};
    // Of all sequences, or batch entries, zeros were stored at first.
    OpFoldResult length = op.isRagged() ? getSize(out, 2) : numRows;
    storeGradient(load(querySums, {rows, headDim}, place), out, length, scale,
                  place);
  };
  emitRowwise(out, body);
}

/// Either may be null.
void BackwardPrograms::emitKeyGradients(Value dKey, Value dValue) {
  auto body = [&](Value batch, Value kvHead, Value position) {
    ScoreTile tile;
    tile.rowAxis = 1;
    tile.batch = batch;
    tile.key = position;
    tile.keyTile = loadRows(key, own, headDim, batch, kvHead, position);
    if (dKey)
      tile.valueTile =
          loadRows(value, own, valueHeadDim, batch, kvHead, position);
    // Which rows see the keys may hang on the head.
    auto createDomainOf = [&](Value head) {
      return createRowDomain(position, own, block, /*cutsRows=*/op.hasScore(),
                             this->batch, head);
    };
    Value domain = op.hasMaskRegion() ? Value() : createDomainOf(Value());
    SmallVector<Value> initial;
    if (dValue)
      initial.push_back(splat(f32Tile({own, valueHeadDim}), 0.0));
    if (dKey)
      initial.push_back(splat(f32Tile({own, headDim}), 0.0));

    auto emitBlock = [&](Value row, Value partial, ValueRange sums) {
      tile.row = row;
      tile.partial = partial;
      tile.queryTile =
          loadRows(ofRealRows(query), block, headDim, batch, tile.head, row);
      tile.dOutputTile = loadDOutput(block, batch, tile.head, row);
      auto [scores, tiles] = emitScores(tile, derivatives.front());
      tile.bias = loadVector(bias, batch, tile.head, row);
      Value probabilities = emitProbabilities(tile, scores);
      Value rounded = round(probabilities, inputType);
      SmallVector<Value> next;
      auto accumulate = [&](Value left, Value right) {
        next.push_back(attn_tile::DotOp::create(
            b, round(left, inputType), right, sums[next.size()],
            /*transpose_lhs=*/false, /*transpose_rhs=*/false));
      };
      // The scores' gradients need dP alone: the sum for d_value can wait.
      Value dProbabilities;
      if (dKey)
        dProbabilities = emitProbabilityGradient(tile);
      if (dValue)
        accumulate(dropOut(rounded, tile.keep), tile.dOutputTile);
      if (dKey) {
        tile.delta = loadVector(delta, batch, tile.head, row);
        // Where others add to d_query, registers hold what is rounded, and no
        // more, beside the sums for d_key and d_value.
        if (querySums && rounded != probabilities)
          probabilities =
              arith::ExtFOp::create(b, probabilities.getType(), rounded);
        Value gradient =
            emitResultGradient(tile, probabilities, dProbabilities);
        Value dScores = round(
            applyDerivative(gradient, probabilities, tiles.front()), inputType);
        accumulate(dScores, tile.queryTile);
        if (querySums)
          addQueryGradient(tile, dScores);
      }
      return next;
    };
    auto overHead = [&](Value head, ValueRange sums) {
      tile.head = head;
      return loopOverBlocks(domain ? domain : createDomainOf(head), sums,
                            emitBlock);
    };
    SmallVector<Value> sums;
    if (Value group = getGroup()) {
      Value one = arith::ConstantIndexOp::create(b, 1);
      Value first = arith::MulIOp::create(b, kvHead, group);
      auto heads = scf::ForOp::create(b, zero, group, one, initial);
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(heads.getBody());
      Value head = arith::AddIOp::create(b, first, heads.getInductionVar());
      scf::YieldOp::create(b, overHead(head, heads.getRegionIterArgs()));
      sums = heads.getResults();
    } else {
      sums = overHead(kvHead, initial);
    }
    auto keysOf = [&](Value array) {
      return isPacked() ? slice(array, sequenceKey, numKeys) : array;
    };
    SmallVector<Value> place = {batch, kvHead, position, zero};
    if (dKey)
      storeGradient(sums.back(), keysOf(dKey), numKeys, scale, place);
    if (dValue)
      storeGradient(sums.front(), keysOf(dValue), numKeys,
                    op.getDropoutAttr() ? op.getDropoutScale() : 1.0, place);
  };
  listBlocks(/*ofRows=*/true, own, block, /*cutsRows=*/op.hasScore(),
             schedule.getRowwise());
  emitGrid(/*ofKeys=*/true, op.getKey(), own, schedule, body);
}

/// How the region reads the arrays that have gradients.
LogicalResult BackwardPrograms::findCaptures() {
  for (auto [i, number] : llvm::enumerate(op.getCaptureWrt())) {
    std::optional<CaptureReads> &own = reads.emplace_back();
    if (isa<ShapedType>(op.getCaptures()[number].getType())) {
      FailureOr<CaptureReads> found = findCaptureReads(op, number);
      if (failed(found))
        return failure();
      own = *found;
    }
    if (!own || !own->isOfPairs())
      summed.push_back(i);
  }
  return success();
}

/// The region's derivatives, or one that is null.
LogicalResult BackwardPrograms::deriveRegion() {
  derivatives.assign(1, Value());
  if (!op.hasScore())
    return success();
  Block &region = op.getScore().front();
  SmallVector<SmallVector<Value>> variables = {{region.getArgument(0)}};
  for (auto [number, own] : llvm::zip(op.getCaptureWrt(), reads)) {
    SmallVector<Value> &variable = variables.emplace_back();
    if (!own)
      variable.push_back(region.getArgument(kNumScoreArguments + number));
    else
      for (ReadOp read : own->reads)
        variable.push_back(read.getResult());
  }
  auto found = deriveScoreOf(region, variables);
  if (failed(found))
    return failure();
  score = cast<YieldOp>(region.getTerminator()).getValue();
  derivatives = *found;
  for (Value &derivative : derivatives)
    if (!derivative) {
      // The region does not look at the variable.
      OpBuilder inner(region.getTerminator());
      derivative = arith::ConstantOp::create(inner, op.getLoc(),
                                             inner.getF32FloatAttr(0.0));
    }
  return success();
}

/// Rows that see no key by the mask's diagonals are not read: those from
/// numRows on and those before firstRow.
void BackwardPrograms::skipRowsWithoutKeys() {
  firstRow = b.getIndexAttr(0);
  MaskAttr mask = op.getMaskAttr();
  if (!mask || op.isRagged())
    return;
  if (std::optional<int64_t> lower = mask.getLowerDiagonal())
    numRows = min(numRows, apply(dim(0) - dim(1) - constant(*lower),
                                 {numKeys, diagonal}));
  if (std::optional<int64_t> upper = mask.getUpperDiagonal())
    firstRow = max(firstRow, apply(-dim(0) - constant(*upper), {diagonal}));
}

/// Rows are counted from firstRow on. Row vectors are to be computed anew.
void BackwardPrograms::beginAtFirstRow() {
  if (isZeroInteger(firstRow))
    return;
  firstRow = min(firstRow, numRows);
  numRows = apply(dim(0) - dim(1), {numRows, firstRow});
  for (Value *array : {&output, &rowsOfDOutput, &lse, &dLse})
    if (*array)
      *array = slice(*array, firstRow, numRows);
  // A tensor map has a row at least; of none, nothing is read.
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult last =
      max(b.getIndexAttr(0), apply(dim(0) - constant(1), {getSize(query, 2)}));
  for (Value *array : {&query, &dOutput})
    *array = slice(*array, min(firstRow, last), max(one, numRows));
  diagonal = apply(dim(0) + dim(1), {diagonal, firstRow});
  origin[2] = apply(dim(0) + dim(1), {origin[2], firstRow});
}

LogicalResult BackwardPrograms::emit() {
  // Of the region's own ops, not its derivative's.
  bool mayEmptyRows = op.hasMaskRegion() || (op.hasScore() && hasPole(op)) ||
                      (op.isRagged() && op.getMaskAttr());
  if (failed(findCaptures()) || failed(deriveRegion()))
    return failure();
  // Nothing to go over: there are views of no row, which have no tiles.
  auto isEmpty = [](Value array) {
    return llvm::is_contained(cast<ShapedType>(array.getType()).getShape(), 0);
  };
  Value dSink = op.getGradient(Gradients::Sink);
  if (dSink)
    emitSinkGradient(op, b, dSink);
  if (isEmpty(op.getQuery()) || isEmpty(op.getKey())) {
    for (Value out : op.getOuts().drop_back(op.getCaptureWrt().size()))
      if (out != dSink)
        emitZeros(out);
    CaptureSums(op, b, schedule.getRowwise())
        .storeZeros(op.getCaptureGradients());
    return success();
  }
  if (op.getWrt() == Gradients::Sink && op.getCaptureWrt().empty())
    return success();

  computeSizes();
  skipRowsWithoutKeys();
  query = op.getQuery();
  dOutput = op.getDOutput();
  lse = op.getLse();
  output = op.getOutput();
  dLse = op.getDLse();
  // Of what lies beyond the last row, zeros are read.
  if (!isAtMost(dim(0), {getSize(query, 2)}, numRows)) {
    numRows = max(b.getIndexAttr(0), numRows);
    for (Value *array : {&query, &dOutput, &lse})
      *array = clip(*array, numRows);
  }
  rowsOfDOutput = dOutput;
  bool adds = op.addsQueryGradient(schedule);
  if (!adds &&
      (op.getGradient(Gradients::Query) || !op.getCaptureWrt().empty())) {
    createRowVectors();
    emitRows();
    if (op.getGradient(Gradients::Query) || !summed.empty())
      emitRowGradients();
    for (auto [i, own] : llvm::enumerate(reads))
      if (own && own->isOfPairs())
        emitPairGradient(1 + i, *own, op.getCaptureGradients()[i]);
  }
  // Of the rows that the programs of keys go over.
  beginAtFirstRow();
  if (!bias || !isZeroInteger(firstRow)) {
    createRowVectors();
    if (adds)
      createSums();
    emitRows();
  }
  Value dKey = op.getGradient(Gradients::Key);
  Value dValue = op.getGradient(Gradients::Value);
  // Probabilities of 0 make a NaN of what is not finite. Rows that the mask's
  // diagonals empty are not read; those that a region does are known by their
  // lse alone.
  if (mayEmptyRows) {
    if (dKey)
      query = copyKeptRows(query, headDim);
    if (dValue || dKey)
      dOutput = copyKeptRows(dOutput, valueHeadDim);
  }
  if (dKey && dValue && !schedule.mayAccumulate(headDim + valueHeadDim)) {
    emitKeyGradients(Value(), dValue);
    emitKeyGradients(dKey, Value());
  } else if (dKey || dValue) {
    emitKeyGradients(dKey, dValue);
  }
  if (querySums)
    emitRounding();
  freeLists();
  for (Value memory : workspace)
    memref::DeallocOp::create(b, memory);
  return success();
}

LogicalResult mlir::attn::emitBackward(AttentionBackwardOp op,
                                       OpBuilder &builder) {
  return BackwardPrograms(op, builder).emit();
}
