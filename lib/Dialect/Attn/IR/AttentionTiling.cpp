//===- AttentionTiling.cpp - TilingInterface of attn.attention ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of the forward op are ranges of batch entries, query heads and query
// rows, all parallel. Keys are not among the dimensions, since a sum over them
// carries the state of the softmax: convert-attn-to-tile divides them.
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<utils::IteratorType> AttentionOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(3, utils::IteratorType::parallel);
}

SmallVector<Range> AttentionOp::getIterationDomain(OpBuilder &b) {
  SmallVector<Range> domain;
  for (int64_t dim = 0; dim < 3; ++dim)
    domain.push_back(Range{b.getIndexAttr(0),
                           getSize(b, getLoc(), getQuery(), dim),
                           b.getIndexAttr(1)});
  return domain;
}

bool mlir::attn::isWhole(TileRange range, Value array, int64_t dim) {
  if (!isZeroInteger(range.offset))
    return false;
  auto type = cast<ShapedType>(array.getType());
  if (!type.isDynamicDim(dim))
    return getConstantIntValue(range.size) == type.getDimSize(dim);
  auto size = dyn_cast<Value>(range.size);
  auto known = size ? size.getDefiningOp<ShapedDimOpInterface>()
                    : ShapedDimOpInterface();
  return known && known.getShapedValue() == array &&
         getConstantIntValue(known.getDimension()) == dim;
}

Value mlir::attn::createSlice(OpBuilder &b, Location loc, Value source,
                              ArrayRef<TileRange> ranges) {
  SmallVector<OpFoldResult> offsets, sizes;
  for (const TileRange &range : ranges) {
    offsets.push_back(range.offset);
    sizes.push_back(range.size);
  }
  int64_t rank = cast<ShapedType>(source.getType()).getRank();
  for (int64_t dim = ranges.size(); dim < rank; ++dim) {
    offsets.push_back(b.getIndexAttr(0));
    sizes.push_back(getSize(b, loc, source, dim));
  }
  SmallVector<OpFoldResult> strides(rank, b.getIndexAttr(1));
  if (isa<MemRefType>(source.getType()))
    return memref::SubViewOp::create(b, loc, source, offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(b, loc, source, offsets, sizes,
                                        strides);
}

Value mlir::attn::getOriginOfTile(OpBuilder &b, AttentionInterface op,
                                  unsigned position, OpFoldResult offset) {
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  return getValueOrCreateConstantIndexOp(
      b, op.getLoc(),
      affine::makeComposedFoldedAffineApply(
          b, op.getLoc(), d0 + d1, {op.getOriginOrZero(position), offset}));
}

SmallVector<Value> mlir::attn::getLengthsOfTile(OpBuilder &b,
                                                AttentionInterface op,
                                                TileRange batch) {
  Location loc = op.getLoc();
  SmallVector<Value> lengths(op.getLengths());
  if (lengths.empty())
    return {getValueOrCreateConstantIndexOp(b, loc,
                                            getSize(b, loc, op.getQuery(), 2)),
            getValueOrCreateConstantIndexOp(b, loc, op.getKvLength(b))};
  for (auto [i, length] : llvm::enumerate(lengths))
    if (op.getLengthArray(i))
      length = createSlice(b, loc, length, batch);
  return lengths;
}

LogicalResult mlir::attn::checkTile(AttentionInterface op, TileRange heads) {
  if (!op.getPacked().empty())
    return op.emitOpError("cannot be tiled while its sequences are packed");
  if (op.getDropoutAttr() && !isWhole(heads, op.getQuery(), 1))
    return op.emitOpError("cannot be tiled to some of its query heads while "
                          "its dropout counts them");
  return success();
}

/// Returns the offset and size of the key heads that a range of query heads
/// reads. That is the same range if there are as many query heads as key heads.
/// If the range is all query heads, it is all key heads, and if it is one query
/// head, it is one key head. Fails for any other range.
static FailureOr<std::pair<OpFoldResult, OpFoldResult>>
getKvHeadRange(OpBuilder &b, AttentionOp op, OpFoldResult offset,
               OpFoldResult size) {
  Location loc = op.getLoc();
  OpFoldResult queryHeads = getSize(b, loc, op.getQuery(), 1);
  OpFoldResult kvHeads = getSize(b, loc, op.getKey(), 1);
  if (queryHeads == kvHeads || op.getQuery() == op.getKey())
    return std::pair(offset, size);
  if (isWhole({offset, size}, op.getQuery(), 1))
    return std::pair(offset, kvHeads);
  if (!isOneInteger(size))
    return failure();
  std::optional<int64_t> hq = getConstantIntValue(queryHeads);
  std::optional<int64_t> hkv = getConstantIntValue(kvHeads);
  OpFoldResult head;
  if (hq && hkv && *hkv != 0) {
    AffineExpr h;
    bindDims(b.getContext(), h);
    head = affine::makeComposedFoldedAffineApply(b, loc, h.floorDiv(*hq / *hkv),
                                                 {offset});
  } else {
    // Affine maps cannot divide by a variable, so ops of arith compute Hq / Hkv
    // and divide by it.
    auto value = [&](OpFoldResult ofr) {
      return getValueOrCreateConstantIndexOp(b, loc, ofr);
    };
    Value group =
        b.createOrFold<arith::DivUIOp>(loc, value(queryHeads), value(kvHeads));
    head = getAsOpFoldResult(
        b.createOrFold<arith::DivUIOp>(loc, value(offset), group));
  }
  return std::pair(head, OpFoldResult(b.getIndexAttr(1)));
}

FailureOr<SmallVector<Value>>
mlir::attn::sliceExtras(OpBuilder &b, AttentionInterface op,
                        ArrayRef<TileRange> ofQuery,
                        ArrayRef<TileRange> ofKey) {
  SmallVector<Value> slices;
  for (Extra which : kExtras) {
    ExtraOperand operand = op.getExtra(which);
    if (!operand)
      continue;
    SmallVector<TileRange> ranges;
    for (auto [dim, letter] : llvm::enumerate(operand.form)) {
      ArrayRef<TileRange> all =
          getDeclaration(which).isOfKeys() ? ofKey : ofQuery;
      const TileRange *own = nullptr;
      if (operand.findDim(letter) &&
          *findArrayDim(letter) < static_cast<int64_t>(all.size()))
        own = &all[*findArrayDim(letter)];
      if (letter == 's' && own && operand.block != 1 &&
          !isWhole(*own, op.getQuery(), 2))
        return op->emitOpError("cannot be tiled to some of its rows while an "
                               "element of ")
               << getDeclaration(which).name << " is for " << operand.block
               << " of them";
      if (!own || (letter == 's' && operand.block != 1))
        ranges.push_back(
            {b.getIndexAttr(0), getSize(b, op.getLoc(), operand.value, dim)});
      else
        ranges.push_back(*own);
    }
    slices.push_back(createSlice(b, op.getLoc(), operand.value, ranges));
  }
  return slices;
}

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  OpFoldResult zero = b.getIndexAttr(0);
  auto kvHeads = getKvHeadRange(b, *this, offsets[1], sizes[1]);
  if (failed(kvHeads))
    return emitOpError("cannot be tiled to several of its ")
           << "query heads while they "
           << (getQueryType().isDynamicDim(1) || getKeyType().isDynamicDim(1)
                   ? "may share"
                   : "share")
           << " key and value heads";

  TileRange batch = {offsets[0], sizes[0]}, heads = {offsets[1], sizes[1]},
            rows = {offsets[2], sizes[2]},
            keyHeads = {kvHeads->first, kvHeads->second};
  if (failed(checkTile(*this, heads)))
    return failure();
  // An op clamps the lengths in an array to its own number of rows. A tile has
  // fewer rows, so it would clamp the lengths of its entries too far.
  if (getLengthArray(0) && !isWhole(rows, getQuery(), 2))
    return emitOpError("cannot be tiled to some of its rows while the lengths "
                       "of its query are an array");

  // The tiled op gets an explicit origin and lengths, computed from the
  // original op, since slices show neither their offsets in the whole arrays
  // nor the sizes of these.
  SmallVector<Value> origin;
  for (unsigned i = 0; i < 4; ++i)
    origin.push_back(
        getOriginOfTile(b, *this, i, i < 3 ? offsets[i] : OpFoldResult(zero)));
  SmallVector<Value> lengths = getLengthsOfTile(b, *this, batch);
  // The entries of a table of pages are numbers of pages in the whole cache. So
  // a tile gets its batch entries' slice of the table, but all pages of key and
  // value.
  TileRange keyBatch = batch;
  if (getPages())
    keyBatch = {zero, getSize(b, loc, getKey(), 0)};
  FailureOr<SmallVector<Value>> extras =
      sliceExtras(b, *this, {batch, heads, rows}, {keyBatch, keyHeads});
  if (failed(extras))
    return failure();

  TiledOp<AttentionOp> tiled(b, *this);
  tiled.slice(tiled->getQueryMutable(), {batch, heads, rows});
  tiled.slice(tiled->getKeyMutable(), {keyBatch, keyHeads});
  tiled.slice(tiled->getValueMutable(), {keyBatch, keyHeads});
  tiled.slice(tiled->getPagesMutable(), batch);
  tiled.slice(tiled->getSinkMutable(), heads);
  tiled.slice(tiled->getOutsMutable(), {batch, heads, rows});
  tiled->getOriginMutable().assign(origin);
  return tiled.finish(lengths, *extras);
}

LogicalResult AttentionOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  resultOffsets.assign(offsets.begin(), offsets.end());
  resultSizes.assign(sizes.begin(), sizes.end());
  if (resultNumber == 0) {
    resultOffsets.push_back(b.getIndexAttr(0));
    resultSizes.push_back(b.getIndexAttr(getValueHeadDim()));
  }
  return success();
}

/// Fuses the op into a tiled consumer that reads a tile of its result
/// `resultNumber` (0: output, 1: lse): tiles the op for that tile, and returns
/// that result of the tiled op. Fails for a tile of the output that has only
/// some of its columns, since the tiled op computes all columns.
FailureOr<TilingResult>
AttentionOp::generateResultTileValue(OpBuilder &b, unsigned resultNumber,
                                     ArrayRef<OpFoldResult> offsets,
                                     ArrayRef<OpFoldResult> sizes) {
  if (resultNumber == 0 && (!isZeroInteger(offsets[3]) ||
                            getConstantIntValue(sizes[3]) != getValueHeadDim()))
    return failure();
  FailureOr<TilingResult> tiled =
      getTiledImplementation(b, offsets.take_front(3), sizes.take_front(3));
  if (failed(tiled))
    return failure();
  tiled->tiledValues = {tiled->tiledValues[resultNumber]};
  return tiled;
}
