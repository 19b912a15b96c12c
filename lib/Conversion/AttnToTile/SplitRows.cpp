//===- SplitRows.cpp - Rows of several heads ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Query heads that share keys are rows of one tile. If a head has several rows,
// an array may store the rows of a group one after another at equal distances,
// head by head or token by token; the strides, known at launch, say whether it
// does. Programs then read and write the array in place.
//
// Tiles of packed sequences have the same tokens of several heads, head by
// head. A query is loaded in parts, each of one head, and rows of results are
// scattered, so that arrays may have any strides.
//
//===----------------------------------------------------------------------===//

#include "ForwardProgram.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Tiles of packed sequences
//===----------------------------------------------------------------------===//

/// Whether the score or mask region reads arrays at row and key. Programs load
/// tiles of these arrays only if all rows of a tile are of one head.
static bool readsPairs(AttentionOp op) {
  auto reads = [](Region &region) {
    return llvm::any_of(region.front().getOps<ReadOp>(),
                        [](ReadOp read) { return read.isOfPairs(); });
  };
  return (op.hasScore() && reads(op.getScore())) ||
         (op.hasMaskRegion() && reads(op.getMaskRegion()));
}

/// For packed sequences, sets `headsOfTile` to the largest number of heads of a
/// group of whose rows a tile can have a multiple of 8 for each head (after
/// which the swizzle of shared memory repeats) and in all at least 7/8 of its
/// own, and `tokensOfTile` to that number. Leaves them at one head with
/// dropout, dynamic numbers of heads, and regions that read at row and key.
void ForwardProgram::divideTile() {
  constexpr int64_t kPatternRows = 8, kMaxParts = 32;
  int64_t queryHeads = op.getQueryType().getDimSize(1);
  int64_t kvHeads = op.getKeyType().getDimSize(1);
  if (!isPacked() || op.getDropoutAttr() || readsPairs(op) ||
      ShapedType::isDynamic(queryHeads) || ShapedType::isDynamic(kvHeads) ||
      kvHeads == 0)
    return;
  int64_t group = queryHeads / kvHeads;
  for (int64_t heads = 2; heads <= group; ++heads) {
    int64_t tokens = rows / heads / kPatternRows * kPatternRows;
    if (group % heads != 0 || 8 * heads * tokens < 7 * rows ||
        rows / std::gcd(tokens, rows) > kMaxParts)
      continue;
    headsOfTile = heads;
    tokensOfTile = tokens;
  }
}

Value ForwardProgram::loadQuery(Value query, int64_t width) {
  if (!at.packing.rowsOfHead) {
    Value first =
        at.hasRowsBehind && !isPacked() ? placeForTile(row, at.numRows) : row;
    return loadRows(query, head, first, rows, width);
  }
  SmallVector<Value> sources, indices;
  int64_t rowsOfPart = std::gcd(tokensOfTile, rows);
  for (int64_t first = 0; first < rows; first += rowsOfPart) {
    // Rows past those of the last head may have any query.
    int64_t number = std::min(first / tokensOfTile, headsOfTile - 1);
    Value ofHead = asValue(apply(dim(0) + constant(number), {head}));
    Value token =
        asValue(apply(dim(0) + constant(first % tokensOfTile), {row}));
    sources.push_back(query);
    indices.append({at.arrayBatch, ofHead, token, b.index(0)});
  }
  Type element = cast<MemRefType>(query.getType()).getElementType();
  return attn_tile::LoadOp::create(b, tileType({rows, width}, element), sources,
                                   indices);
}

Value ForwardProgram::emitRowSinks() {
  Value all = op.getSink();
  if (!all || !at.packing.rowsOfHead)
    return emitSink(head, rows, at.isOfNone);
  RankedTensorType type = f32Tile({rows});
  Type element = cast<ShapedType>(all.getType()).getElementType();
  Value sinks = attn_tile::GatherOp::create(b, tileType({rows}, element), all,
                                            placeRows().first);
  if (sinks.getType() != type)
    sinks = b.extf(type, sinks);
  if (!at.isOfNone)
    return sinks;
  return b.select(b.splat(at.isOfNone, tileType({rows}, b.getI1Type())),
                  splat(type, -INFINITY), sinks);
}

void ForwardProgram::scatterResults(Value output, Value lse) {
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value numbers = at.packing.getHeads(b, type);
  Value heads = b.addi(numbers, b.splat(head, type));
  // Rows past those of the last head are not stored.
  if (headsOfTile * tokensOfTile < rows)
    heads = b.select(b.ult(numbers, b.splat(b.index(headsOfTile), type)), heads,
                     b.splat(asValue(getSize(op.getQuery(), 1)), type));
  Value tokens = b.addi(at.packing.getTokens(b, type), b.splat(row, type));
  auto scatter = [&](Value tile, Value array) {
    SmallVector<Value> place = {at.arrayBatch, heads, tokens};
    attn_tile::ScatterOp::create(b, tile, rowsOf(at, array),
                                 completePosition(array, place));
  };
  scatter(output, op.getOutput());
  if (Value destination = op.getLse())
    scatter(lse, destination);
}

//===----------------------------------------------------------------------===//
// Keys that are divided among programs
//===----------------------------------------------------------------------===//

/// Returns an i1: whether the rows of a group's heads lie at equal distances in
/// `array` and so can be viewed as one dimension, in the order of index
/// head * rowsOfHead + token or, with `ofToken`, of token * group + head.
Value SplitProgram::isPacked(Value array, bool ofToken) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value ofHeads = asValue(strides[1]), ofTokens = asValue(strides[2]);
  auto areEqual = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::CmpIOp>(arith::CmpIPredicate::eq, lhs, rhs);
  };
  if (ofToken)
    return areEqual(ofTokens, b.createOrFold<arith::MulIOp>(ofHeads, group));
  Value isInOrder =
      areEqual(ofHeads, asValue(apply(dim(0) * rowsOfHead, {strides[2]})));
  // If the group is one head, its rows always do.
  return b.createOrFold<arith::OrIOp>(isInOrder, areEqual(group, b.index(1)));
}

/// Selects `ofTokens` if rows are ordered token by token, else `ofHeads`.
Value SplitProgram::selectByOrder(Value ofTokens, Value ofHeads) {
  return b.createOrFold<arith::SelectOp>(isByToken, ofTokens, ofHeads);
}

/// Returns a view of the array as B x Hkv x rows of a group, followed by the
/// columns if the array has any. The array's strides must allow that.
Value SplitProgram::collapseHeads(Value array) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value ofHeads = asValue(strides[1]);
  sizes[1] = getSize(op.getKey(), 1);
  sizes[2] = numPacked;
  // Affine maps have no product of variables.
  strides[1] = getAsOpFoldResult(b.createOrFold<arith::MulIOp>(ofHeads, group));
  strides[2] = getAsOpFoldResult(selectByOrder(ofHeads, asValue(strides[2])));
  return memref::ReinterpretCastOp::create(b, metadata.getBaseBuffer(),
                                           metadata.getConstifiedMixedOffset(),
                                           sizes, strides);
}

/// Copies the query to memory in which the rows of a group are in the order of
/// `packing`.
void SplitProgram::copyQuery(Value query, Value memory,
                             const RowPacking &packing) {
  TileSizesAttrInterface rowwise = op.getScheduleAttr().getRowwise();
  OpBuilder::InsertionGuard guard(b);
  auto place =
      enter(createGrid(query, getSize(query, 1), rowwise.getTileQ(), rowwise));
  // The memory has the columns of the programs' tiles.
  int64_t width = cast<MemRefType>(memory.getType()).getDimSize(3);
  Value own = load(query, {rowwise.getTileQ(), width}, place);
  Value inGroup = b.remui(place[1], group);
  SmallVector<OpFoldResult> sizes =
      memref::getMixedSizes(b, b.getLoc(), memory);
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  sizes[2] = b.getIndexAttr(rowsOfHead);
  offsets[2] = OpFoldResult(b.muli(inGroup, packing.headStep));
  strides[2] = getAsOpFoldResult(packing.tokenStep);
  Value destination =
      memref::SubViewOp::create(b, memory, offsets, sizes, strides);
  store(own, destination, {place[0], getKvHead(place[1]), place[2]});
}

/// Sets packedQuery, packedRope and packedOutput (and packedLse if each head
/// has one row) to views or copies with the rows of all heads of a group in one
/// dimension. Returns the order of these rows, which is that of the output
/// array.
RowPacking SplitProgram::packRows() {
  Value query = op.getQuery(), rope = op.getExtra(Extra::QueryRope).value;
  if (rowsOfHead == 1) {
    packedQuery = transpose(query, {0, 2, 1, 3});
    if (rope)
      packedRope = transpose(rope, {0, 2, 1, 3});
    packedOutput = transpose(op.getOutput(), {0, 2, 1, 3});
    if (op.getLse())
      packedLse = transpose(op.getLse(), {0, 2, 1});
    return {rowsOfHead};
  }
  Value never = arith::ConstantOp::create(b, b.getBoolAttr(false));
  Value byHead = isPacked(op.getOutput(), /*ofToken=*/false);
  Value byToken = isPacked(op.getOutput(), /*ofToken=*/true);
  isByToken = b.createOrFold<arith::SelectOp>(byHead, never, byToken);
  hasRowsInPlace = b.createOrFold<arith::OrIOp>(byHead, byToken);
  RowPacking packing = {rowsOfHead,
                        selectByOrder(b.index(1), b.index(rowsOfHead)),
                        selectByOrder(group, b.index(1)), group};
  packedOutput = collapseHeads(op.getOutput());
  packedQuery = packQuery(query, headDim, packing);
  if (rope)
    packedRope = packQuery(rope, ropeDim, packing);
  return packing;
}

/// Returns the query, or its further columns, with the rows of a group in the
/// order of `packing`: a view if the array has this order, which may be known
/// only at run time, and else a copy of `width` columns.
Value SplitProgram::packQuery(Value query, int64_t width,
                              const RowPacking &packing) {
  Value packed = collapseHeads(query);
  Value isView = selectByOrder(isPacked(query, /*ofToken=*/true),
                               isPacked(query, /*ofToken=*/false));
  std::optional<int64_t> isKnown = getConstantIntValue(isView);
  if (isKnown && *isKnown)
    return packed;
  // The copy has the tile's columns, so that rows begin at multiples of 16
  // bytes, as TMA and cp.async need. If the view is used instead, it has a
  // single batch entry.
  Value entries = b.createOrFold<arith::SelectOp>(isView, b.index(1),
                                                  asValue(getSize(query, 0)));
  Value memory = allocate({getAsOpFoldResult(entries), getSize(op.getKey(), 1),
                           numPacked, b.getIndexAttr(width)},
                          op.getQueryType().getElementType());
  workspace.push_back(memory);
  if (isKnown) {
    copyQuery(query, memory, packing);
    return memory;
  }
  auto type = cast<MemRefType>(packed.getType());
  auto branch = scf::IfOp::create(b, type, isView, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b, packed);
  b.setInsertionPointToStart(branch.elseBlock());
  copyQuery(query, memory, packing);
  Value copy = slice(memory, b.getIndexAttr(0),
                     b.getIndexAttr(type.getShape().back()), /*dim=*/3);
  scf::YieldOp::create(b, memref::CastOp::create(b, type, copy).getResult());
  return branch.getResult(0);
}

/// Returns a vector with the sink of each of the program's rows, in f32, or
/// null.
Value SplitProgram::emitSinks() {
  Value all = op.getSink();
  if (!all)
    return Value();
  RankedTensorType rowType = f32Tile({rows});
  if (rowsOfHead != 1)
    return emitRowSinks();
  Value sinks = load(all, {rows}, b.addi(head, at.packing.first));
  return sinks.getType() == rowType ? sinks : b.extf(rowType, sinks);
}

/// Returns which of the program's rows are before the true length (len_q), as a
/// vector and as a tile of the output's shape.
std::pair<Value, Value> SplitProgram::findPackedRealRows() {
  RankedTensorType rowType = tileType({rows}, b.getI1Type());
  RankedTensorType tile = tileType({rows, valueHeadDim}, b.getI1Type());
  if (rowsOfHead == 1) {
    Value isReal = b.sgt(asValue(at.numRows), b.index(0));
    Value ofAll = b.splat(isReal, tile);
    return {b.splat(isReal, rowType), ofAll};
  }
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value isReal =
      b.slt(at.packing.getTokens(b, type), b.splat(asValue(at.numRows), type));
  return {isReal, ofRows(isReal, valueHeadDim)};
}

/// Scatters the lse of the program's rows. The lse array may order rows in
/// another way than the output.
void SplitProgram::scatterLse(Value lse) {
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value heads = b.addi(at.packing.getHeads(b, type), b.splat(head, type));
  // Rows past the group's last one have no head.
  Value isRow = b.slt(countFrom(at.packing.first, type),
                      b.splat(asValue(numPacked), type));
  Value noHead = b.splat(asValue(getSize(op.getLse(), 1)), type);
  attn_tile::ScatterOp::create(b, lse, op.getLse(),
                               ValueRange{at.arrayBatch,
                                          b.select(isRow, heads, noHead),
                                          at.packing.getTokens(b, type)});
}
