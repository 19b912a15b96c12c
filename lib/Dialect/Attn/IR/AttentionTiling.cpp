//===- AttentionTiling.cpp - TilingInterface of attn.attention ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration domain is (batch, query head, query row), all parallel. Keys
// are a reduction with a carried state, which is the business of
// convert-attn-to-tile.
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"

#include "attn/Dialect/Attn/IR/Attn.h"

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

static Value createSlice(OpBuilder &b, Location loc, Value source,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  if (isa<MemRefType>(source.getType()))
    return memref::SubViewOp::create(b, loc, source, offsets, sizes, strides);
  return tensor::ExtractSliceOp::create(b, loc, source, offsets, sizes,
                                        strides);
}

/// The key and value heads that serve a range of query heads. Fails where a
/// range would begin or end within a group.
static FailureOr<std::pair<OpFoldResult, OpFoldResult>>
getKvHeadRange(OpBuilder &b, AttentionOp op, OpFoldResult offset,
               OpFoldResult size) {
  Location loc = op.getLoc();
  OpFoldResult queryHeads = getSize(b, loc, op.getQuery(), 1);
  OpFoldResult kvHeads = getSize(b, loc, op.getKey(), 1);
  if (queryHeads == kvHeads)
    return std::pair(offset, size);
  if (isZeroInteger(offset) && size == queryHeads)
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
    // Affine maps have no division by a variable.
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

FailureOr<TilingResult>
AttentionOp::getTiledImplementation(OpBuilder &b,
                                    ArrayRef<OpFoldResult> offsets,
                                    ArrayRef<OpFoldResult> sizes) {
  Location loc = getLoc();
  OpFoldResult zero = b.getIndexAttr(0);
  auto kvHeads = getKvHeadRange(b, *this, offsets[1], sizes[1]);
  if (failed(kvHeads))
    return emitOpError("cannot be tiled to several of its ")
           << "query heads while they share key and value heads";

  if (!getPacked().empty())
    return emitOpError("cannot be tiled while its sequences are packed");

  if (getDropoutAttr() && sizes[1] != getSize(b, loc, getQuery(), 1))
    return emitOpError("cannot be tiled to some of its query heads while its "
                       "dropout counts them");

  SmallVector<OpFoldResult> rowOffsets(offsets), rowSizes(sizes);
  // A table's entries are of all pages.
  SmallVector<OpFoldResult> kvOffsets = {getPages() ? zero : offsets[0],
                                         kvHeads->first, zero, zero};
  OpFoldResult kvLength = getKvLength(b);

  auto withLast = [](ArrayRef<OpFoldResult> range, OpFoldResult last) {
    SmallVector<OpFoldResult> result(range);
    result.push_back(last);
    return result;
  };
  auto slice = [&](Value source, ArrayRef<OpFoldResult> offsets,
                   ArrayRef<OpFoldResult> sizes) {
    return createSlice(b, loc, source, offsets, sizes);
  };
  OpFoldResult headDim = b.getIndexAttr(getHeadDim());
  OpFoldResult valueHeadDim = b.getIndexAttr(getValueHeadDim());
  SmallVector<OpFoldResult> kvRange = {
      getPages() ? getSize(b, loc, getKey(), 0) : sizes[0], kvHeads->second,
      getSize(b, loc, getKey(), 2)};

  // Everything that the original op knew of its place must be computed before
  // the slices hide it.
  AffineExpr d0, d1;
  bindDims(b.getContext(), d0, d1);
  SmallVector<Value> origin;
  for (unsigned i = 0; i < 4; ++i) {
    OpFoldResult coordinate = getOriginOrZero(i);
    if (i < 3)
      coordinate = affine::makeComposedFoldedAffineApply(
          b, loc, d0 + d1, {coordinate, offsets[i]});
    origin.push_back(getValueOrCreateConstantIndexOp(b, loc, coordinate));
  }
  SmallVector<Value> lengths(getLengths());
  if (lengths.empty())
    lengths = {
        getValueOrCreateConstantIndexOp(b, loc, getSize(b, loc, getQuery(), 2)),
        getValueOrCreateConstantIndexOp(b, loc, kvLength)};

  for (auto [i, length] : llvm::enumerate(lengths))
    if (getLengthArray(i))
      length = slice(length, offsets[0], sizes[0]);
  Value pages = getPages();
  if (pages)
    pages =
        slice(pages, {offsets[0], zero}, {sizes[0], getSize(b, loc, pages, 1)});

  Value query = slice(getQuery(), withLast(rowOffsets, zero),
                      withLast(rowSizes, headDim));
  Value key = slice(getKey(), kvOffsets, withLast(kvRange, headDim));
  Value value = slice(getValue(), kvOffsets, withLast(kvRange, valueHeadDim));
  SmallVector<Value> outs = {slice(getOutput(), withLast(rowOffsets, zero),
                                   withLast(rowSizes, valueHeadDim))};
  if (Value lse = getLse())
    outs.push_back(slice(lse, rowOffsets, rowSizes));

  Value sink;
  if (getSink())
    sink = slice(getSink(), offsets[1], sizes[1]);

  SmallVector<Operation *> slices;
  for (Value v : {query, key, value})
    slices.push_back(v.getDefiningOp());
  if (sink)
    slices.push_back(sink.getDefiningOp());
  for (Value v : outs)
    slices.push_back(v.getDefiningOp());

  SmallVector<Type> resultTypes;
  if (getNumResults() != 0)
    llvm::append_range(resultTypes, ValueRange(outs).getTypes());
  auto tiled = AttentionOp::create(
      b, loc, resultTypes, query, key, value, sink, getSeed(), getOffset(),
      getCaptures(), origin, lengths, /*packed=*/ValueRange(), pages, outs,
      getScaleAttr(), getMaskAttr(), getDropoutAttr(), getScheduleAttr(),
      getFallbackAttr());
  IRMapping mapping;
  getScore().cloneInto(&tiled.getScore(), mapping);
  getMaskRegion().cloneInto(&tiled.getMaskRegion(), mapping);
  return TilingResult{{tiled}, SmallVector<Value>(tiled.getResults()), slices};
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

/// A slice of the output needs all of the value head dim, so a consumer that
/// slices it gets a slice of the tiled op's result.
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
