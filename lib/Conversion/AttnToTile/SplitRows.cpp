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
// Other tiles have the same tokens of several heads (HeadRows.cpp).
//
//===----------------------------------------------------------------------===//

#include "ForwardProgram.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

//===----------------------------------------------------------------------===//
// Tiles with the same tokens of several heads
//===----------------------------------------------------------------------===//

Value ForwardProgram::loadQuery(Value query, Columns own) {
  Value start = at.hasRowsBehind && !isPacked(op)
                    ? placeForTile(b, row, at.numRows)
                    : row;
  if (!at.packing)
    return loadRows(query, head, start, rows, own);
  // Rows of the tile past those of the last head are never stored, so any query
  // may be loaded for them; the last head's is.
  return loadHeads(b, query, division, {rows, own.count}, at.arrayBatch, head,
                   start, /*clears=*/false, own.first);
}

Value ForwardProgram::emitRowSinks() {
  Value all = op.getSink();
  if (!all || !at.packing)
    return emitSink(op, b, head, rows, at.isOfNone);
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

void ForwardProgram::scatterResults(ArrayRef<Value> outputs, Value lse) {
  // Rows of the tile past those of the last head get a head index past the last
  // one, at which a scatter stores nothing.
  std::pair<Value, Value> place =
      placeHeads(op, b, at, division, head, row, rows);
  auto scatter = [&](Value tile, Value array, int64_t firstColumn) {
    SmallVector<Value> indices = {at.arrayBatch, place.first, place.second};
    if (cast<RankedTensorType>(tile.getType()).getRank() == 2)
      indices.push_back(b.index(firstColumn));
    attn_tile::ScatterOp::create(b, tile, rowsOf(op, b, at, array), indices);
  };
  for (auto [output, own] : llvm::zip_equal(outputs, valueGroups))
    scatter(output, op.getOutput(), own.first);
  if (Value destination = op.getLse())
    scatter(lse, destination, /*firstColumn=*/0);
}

//===----------------------------------------------------------------------===//
// Keys that are divided among programs
//===----------------------------------------------------------------------===//

/// Returns `number` multiplied by the number of rows of each head.
OpFoldResult SplitProgram::multiplyRows(OpFoldResult number) {
  if (std::optional<int64_t> known = getConstantIntValue(rowsOfHead))
    return apply(dim(0) * *known, {number});
  // Affine maps cannot multiply two variables.
  return getAsOpFoldResult(b.muliOrFold(asValue(number), asValue(rowsOfHead)));
}

/// Returns an i1: whether each head has a single row. The distance of its
/// tokens then does not matter, so that the order token by token serves any
/// array.
Value SplitProgram::hasOneToken() {
  return b.eqOrFold(asValue(rowsOfHead), b.index(1));
}

/// Returns an i1: whether the rows of all heads of a group lie at equal
/// distances in `array`, so that they can be viewed as one dimension. The order
/// is that of the index head * rowsOfHead + token or, with `ofToken`, token *
/// group + head.
Value SplitProgram::isPacked(Value array, bool ofToken) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value ofHeads = asValue(strides[1]), ofTokens = asValue(strides[2]);
  if (ofToken)
    return b.oriOrFold(b.eqOrFold(ofTokens, b.muliOrFold(ofHeads, group)),
                       hasOneToken());
  Value isInOrder = b.eqOrFold(ofHeads, asValue(multiplyRows(strides[2])));
  // If a group is a single head, its rows always lie at equal distances, so
  // they count as ordered head by head.
  return b.oriOrFold(isInOrder, b.eqOrFold(group, b.index(1)));
}

/// Selects `ofTokens` if the rows of a group are ordered token by token, and
/// `ofHeads` if head by head.
Value SplitProgram::selectByOrder(Value ofTokens, Value ofHeads) {
  return b.selectOrFold(isByToken, ofTokens, ofHeads);
}

/// Returns a view of the array with the shape B x Hkv x rows of a group,
/// followed by the columns if the array has columns. The strides of the array
/// must allow this view.
Value SplitProgram::collapseHeads(Value array) {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, array);
  SmallVector<OpFoldResult> sizes = metadata.getConstifiedMixedSizes();
  SmallVector<OpFoldResult> strides = metadata.getConstifiedMixedStrides();
  Value ofHeads = asValue(strides[1]);
  sizes[1] = getSize(op.getKey(), 1);
  sizes[2] = numPacked;
  // Affine maps cannot multiply two variables, so arith.muli computes the
  // stride from one key head to the next.
  strides[1] = getAsOpFoldResult(b.muliOrFold(ofHeads, group));
  strides[2] = getAsOpFoldResult(selectByOrder(ofHeads, asValue(strides[2])));
  return memref::ReinterpretCastOp::create(b, metadata.getBaseBuffer(),
                                           metadata.getConstifiedMixedOffset(),
                                           sizes, strides);
}

/// Emits a grid that copies the query to `memory`, in which the rows of each
/// group are in the order that `packing` describes.
void SplitProgram::copyQuery(Value query, Value memory,
                             const RowPacking &packing) {
  TileSizesAttrInterface rowwise = op.getScheduleAttr().getRowwise();
  OpBuilder::InsertionGuard guard(b);
  auto place = enter(
      createGrid(op, b, query, getSize(query, 1), rowwise.getTileQ(), rowwise));
  // The copy of the query is padded to the number of columns of the programs'
  // tiles; the load fills the padding with zeros.
  int64_t width = cast<MemRefType>(memory.getType()).getDimSize(3);
  Value own = load(query, {rowwise.getTileQ(), width}, place);
  Value inGroup = b.remui(place[1], group);
  SmallVector<OpFoldResult> sizes = b.getMixedSizes(memory);
  SmallVector<OpFoldResult> offsets(4, b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(4, b.getIndexAttr(1));
  sizes[2] = rowsOfHead;
  offsets[2] = OpFoldResult(b.muli(inGroup, packing.headStep));
  strides[2] = getAsOpFoldResult(packing.tokenStep);
  Value destination =
      memref::SubViewOp::create(b, memory, offsets, sizes, strides);
  store(own, destination, {place[0], getKvHead(op, b, place[1]), place[2]});
}

/// Sets packedQuery, packedRope and packedOutput, and also packedLse if each
/// head has one row, to views or copies that have the rows of all heads of a
/// group in one dimension. Returns the order of these rows, which is the order
/// in the output array.
RowPacking SplitProgram::packRows() {
  Value query = op.getQuery(), rope = op.getExtra(Extra::QueryRope).value;
  if (hasSingleRows) {
    packedQuery = transpose(query, {0, 2, 1, 3});
    if (rope)
      packedRope = transpose(rope, {0, 2, 1, 3});
    packedOutput = transpose(op.getOutput(), {0, 2, 1, 3});
    if (op.getLse())
      packedLse = transpose(op.getLse(), {0, 2, 1});
    return {rowsOfHead};
  }
  Value never = b.boolean(false);
  Value byHead = isPacked(op.getOutput(), /*ofToken=*/false);
  Value byToken = isPacked(op.getOutput(), /*ofToken=*/true);
  isByToken =
      b.oriOrFold(b.selectOrFold(byHead, never, byToken), hasOneToken());
  hasRowsInPlace = b.oriOrFold(byHead, byToken);
  RowPacking packing = {rowsOfHead,
                        selectByOrder(b.index(1), asValue(rowsOfHead)),
                        selectByOrder(group, b.index(1)), group};
  packedOutput = collapseHeads(op.getOutput());
  packedQuery = packQuery(query, headDim, packing);
  if (rope)
    packedRope = packQuery(rope, ropeDim, packing);
  return packing;
}

/// Returns the type `view`, with dynamic strides and a dynamic offset where
/// those of `other` differ, so that a value with the strides of either type can
/// have the result.
static MemRefType joinStrides(MemRefType view, MemRefType other) {
  auto [strides, offset] = view.getStridesAndOffset();
  auto [otherStrides, otherOffset] = other.getStridesAndOffset();
  for (auto [stride, otherStride] : llvm::zip(strides, otherStrides))
    if (stride != otherStride)
      stride = ShapedType::kDynamic;
  if (offset != otherOffset)
    offset = ShapedType::kDynamic;
  return MemRefType::get(
      view.getShape(), view.getElementType(),
      StridedLayoutAttr::get(view.getContext(), offset, strides),
      view.getMemorySpace());
}

/// Returns an array of queries (query or query_rope) with the rows of each
/// group in the order that `packing` describes. The result is a view if the
/// array has this order, which may be known only at run time; else it is a copy
/// with `width` columns.
Value SplitProgram::packQuery(Value query, int64_t width,
                              const RowPacking &packing) {
  Value packed = collapseHeads(query);
  Value isView = selectByOrder(isPacked(query, /*ofToken=*/true),
                               isPacked(query, /*ofToken=*/false));
  std::optional<int64_t> isKnown = getConstantIntValue(isView);
  if (isKnown && *isKnown)
    return packed;
  // The copy of the query has as many columns as the programs' tiles, so that
  // its rows begin at multiples of 16 bytes, as TMA and cp.async require. If
  // the view is used at run time, the copy is not needed, and its memory has
  // only one batch entry.
  Value entries =
      b.selectOrFold(isView, b.index(1), asValue(getSize(query, 0)));
  Value memory = allocate({getAsOpFoldResult(entries), getSize(op.getKey(), 1),
                           numPacked, b.getIndexAttr(width)},
                          op.getQueryType().getElementType());
  if (isKnown) {
    copyQuery(query, memory, packing);
    return memory;
  }
  MemRefType type = joinStrides(cast<MemRefType>(packed.getType()),
                                cast<MemRefType>(memory.getType()));
  auto branch = scf::IfOp::create(b, type, isView, /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  if (packed.getType() != type)
    packed = memref::CastOp::create(b, type, packed);
  scf::YieldOp::create(b, packed);
  b.setInsertionPointToStart(branch.elseBlock());
  copyQuery(query, memory, packing);
  Value copy = slice(memory, b.getIndexAttr(0),
                     b.getIndexAttr(type.getShape().back()), /*dim=*/3);
  scf::YieldOp::create(b, memref::CastOp::create(b, type, copy).getResult());
  return branch.getResult(0);
}

/// Returns a vector of f32 with the sink of each of the program's rows, or null
/// if the op has no sinks.
Value SplitProgram::emitSinks() {
  Value all = op.getSink();
  if (!all)
    return Value();
  RankedTensorType rowType = f32Tile({rows});
  if (!hasSingleRows)
    return emitRowSinks();
  Value sinks = load(all, {rows}, b.addi(head, at.packing.first));
  return sinks.getType() == rowType ? sinks : b.extf(rowType, sinks);
}

/// Returns which of the program's rows are before the true length (`len_q`), as
/// a vector of i1 and as a tile of i1 with `width` columns.
std::pair<Value, Value> SplitProgram::findPackedRealRows(int64_t width) {
  RankedTensorType rowType = tileType({rows}, b.getI1Type());
  RankedTensorType tile = tileType({rows, width}, b.getI1Type());
  if (hasSingleRows) {
    Value isReal = b.sgt(asValue(at.numRows), b.index(0));
    Value ofAll = b.splat(isReal, tile);
    return {b.splat(isReal, rowType), ofAll};
  }
  Value isReal = findStoredRows(b, at, getSize(op.getQuery(), 2), row, rows);
  return {isReal, ofRows(isReal, width)};
}

/// Scatters the lse of the program's rows, since the array of lse may have
/// another order of rows than the output.
void SplitProgram::scatterLse(Value lse) {
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value heads = b.addi(at.packing.getHeads(b, type), b.splat(head, type));
  // Rows of the tile past the group's last row get a head index past the last
  // one, at which a scatter stores nothing.
  Value isRow = b.slt(countFrom(at.packing.first, type),
                      b.splat(asValue(numPacked), type));
  Value noHead = b.splat(asValue(getSize(op.getLse(), 1)), type);
  attn_tile::ScatterOp::create(b, lse, op.getLse(),
                               ValueRange{at.arrayBatch,
                                          b.select(isRow, heads, noHead),
                                          at.packing.getTokens(b, type)});
}
