//===- AttentionBackwardTiling.cpp - TilingInterface of gradients ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tiles of the backward op are ranges of batch entries and of key and value
// heads, both parallel: gradients of keys and values are sums over the rows of
// all query heads that share a head, that of the query is a sum over keys. A
// sink's gradient is a sum over batch entries, those of captures are sums over
// entries and heads; such an op has only tiles with all of these.
//
//===----------------------------------------------------------------------===//

#include "Tiling.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

SmallVector<utils::IteratorType> AttentionBackwardOp::getLoopIteratorTypes() {
  return SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel);
}

SmallVector<Range> AttentionBackwardOp::getIterationDomain(OpBuilder &b) {
  SmallVector<Range> domain;
  for (int64_t dim = 0; dim < 2; ++dim)
    domain.push_back(Range{b.getIndexAttr(0),
                           getSize(b, getLoc(), getKey(), dim),
                           b.getIndexAttr(1)});
  return domain;
}

/// Returns the range of query heads that read the key heads `kvHeads`. That is
/// `kvHeads` itself if there are as many query heads as key heads, and all
/// query heads if `kvHeads` is all key heads. Otherwise the offset and the size
/// of `kvHeads` are multiplied by Hq / Hkv.
static TileRange getQueryHeads(OpBuilder &b, AttentionBackwardOp op,
                               TileRange kvHeads) {
  Location loc = op.getLoc();
  OpFoldResult queryCount = getSize(b, loc, op.getQuery(), 1);
  OpFoldResult kvCount = getSize(b, loc, op.getKey(), 1);
  if (queryCount == kvCount || op.getQuery() == op.getKey())
    return kvHeads;
  if (isWhole(kvHeads, op.getKey(), 1))
    return {kvHeads.offset, queryCount};
  std::optional<int64_t> hq = getConstantIntValue(queryCount);
  std::optional<int64_t> hkv = getConstantIntValue(kvCount);
  AffineExpr d0, s0;
  bindDims(b.getContext(), d0);
  bindSymbols(b.getContext(), s0);
  auto scale = [&](OpFoldResult heads) -> OpFoldResult {
    if (hq && hkv && *hkv != 0)
      return affine::makeComposedFoldedAffineApply(b, loc, d0 * (*hq / *hkv),
                                                   {heads});
    // Affine maps cannot divide by a variable, so ops of arith compute Hq / Hkv
    // and multiply by it.
    auto value = [&](OpFoldResult ofr) {
      return getValueOrCreateConstantIndexOp(b, loc, ofr);
    };
    Value group =
        b.createOrFold<arith::DivUIOp>(loc, value(queryCount), value(kvCount));
    return getAsOpFoldResult(
        b.createOrFold<arith::MulIOp>(loc, value(heads), group));
  };
  return {scale(kvHeads.offset), scale(kvHeads.size)};
}

/// Whether the op has a key_rope that all heads share, that is, one without a
/// dimension of heads.
static bool sharesRope(AttentionBackwardOp op) {
  ExtraOperand rope = op.getExtra(Extra::KeyRope);
  return rope && !rope.findDim('h');
}

/// Returns, for each out of the backward op in their order, the ranges of its
/// first dimensions that a tile computes. These are ranges of batch entries and
/// of query heads or key heads. The gradient of the sink has only a range of
/// heads, and that of a key_rope which all heads share only one of batch
/// entries.
static SmallVector<SmallVector<TileRange>> getOutRanges(AttentionBackwardOp op,
                                                        TileRange batch,
                                                        TileRange heads,
                                                        TileRange kvHeads) {
  SmallVector<SmallVector<TileRange>> ranges;
  auto append = [&](Gradients of, SmallVector<TileRange> its) {
    if (op.getGradient(of))
      ranges.push_back(std::move(its));
  };
  append(Gradients::Query, {batch, heads});
  append(Gradients::Key, {batch, kvHeads});
  append(Gradients::Value, {batch, kvHeads});
  append(Gradients::Sink, {heads});
  append(Gradients::QueryRope, {batch, heads});
  if (sharesRope(op))
    append(Gradients::KeyRope, {batch});
  else
    append(Gradients::KeyRope, {batch, kvHeads});
  // Gradients of captures, the last outs, are not divided among tiles, so they
  // get no ranges.
  ranges.resize(op.getOuts().size());
  return ranges;
}

FailureOr<TilingResult>
AttentionBackwardOp::getTiledImplementation(OpBuilder &b,
                                            ArrayRef<OpFoldResult> offsets,
                                            ArrayRef<OpFoldResult> sizes) {
  TileRange batch = {offsets[0], sizes[0]}, kvHeads = {offsets[1], sizes[1]};
  TileRange heads = getQueryHeads(b, *this, kvHeads);
  if (failed(checkTile(*this, heads)))
    return failure();
  bool hasAllEntries = isWhole(batch, getKey(), 0),
       hasAllHeads = isWhole(kvHeads, getKey(), 1);
  if (getGradient(Gradients::Sink) && !hasAllEntries)
    return emitOpError("cannot be tiled to some of its batch entries, over "
                       "which the gradient of its sink is a sum");
  if (getGradient(Gradients::KeyRope) && sharesRope(*this) && !hasAllHeads)
    return emitOpError("cannot be tiled to some of its heads, over which the "
                       "gradient of the key_rope that they share is a sum");
  if (!getCaptureWrt().empty() && !(hasAllEntries && hasAllHeads))
    return emitOpError("cannot be tiled to some of its batch entries or heads "
                       "with gradients of captures, which are sums over both");

  // The tiled op gets an explicit origin and explicit lengths, computed from
  // the original op: slices show neither their offsets in the whole arrays nor
  // the sizes of these. An op with gradients of captures gets no origin, since
  // it must not have one.
  SmallVector<Value> origin;
  if (getCaptureWrt().empty()) {
    OpFoldResult zero = b.getIndexAttr(0);
    for (auto [i, offset] : llvm::enumerate(
             SmallVector<OpFoldResult>{batch.offset, heads.offset, zero, zero}))
      origin.push_back(getOriginOfTile(b, *this, i, offset));
  }
  SmallVector<Value> lengths = getLengthsOfTile(b, *this, batch);

  FailureOr<SmallVector<Value>> extras =
      sliceExtras(b, *this, {batch, heads}, {batch, kvHeads});
  if (failed(extras))
    return failure();
  TiledOp<AttentionBackwardOp> tiled(b, *this);
  tiled.slice(tiled->getQueryMutable(), {batch, heads});
  tiled.slice(tiled->getKeyMutable(), {batch, kvHeads});
  tiled.slice(tiled->getValueMutable(), {batch, kvHeads});
  tiled.slice(tiled->getOutputMutable(), {batch, heads});
  tiled.slice(tiled->getLseMutable(), {batch, heads});
  tiled.slice(tiled->getDOutputMutable(), {batch, heads});
  tiled.slice(tiled->getDLseMutable(), {batch, heads});
  tiled.slice(tiled->getSinkMutable(), heads);
  for (auto [i, ranges] :
       llvm::enumerate(getOutRanges(*this, batch, heads, kvHeads)))
    tiled.slice(tiled->getOutsMutable().slice(i, 1), ranges);
  tiled->getOriginMutable().assign(origin);
  return tiled.finish(lengths, *extras);
}

LogicalResult AttentionBackwardOp::getResultTilePosition(
    OpBuilder &b, unsigned resultNumber, ArrayRef<OpFoldResult> offsets,
    ArrayRef<OpFoldResult> sizes, SmallVector<OpFoldResult> &resultOffsets,
    SmallVector<OpFoldResult> &resultSizes) {
  TileRange batch = {offsets[0], sizes[0]}, kvHeads = {offsets[1], sizes[1]};
  SmallVector<TileRange> ranges = getOutRanges(
      *this, batch, getQueryHeads(b, *this, kvHeads), kvHeads)[resultNumber];
  Value out = getOuts()[resultNumber];
  int64_t rank = cast<ShapedType>(out.getType()).getRank();
  for (int64_t dim = ranges.size(); dim < rank; ++dim)
    ranges.push_back({b.getIndexAttr(0), getSize(b, getLoc(), out, dim)});
  for (const TileRange &range : ranges) {
    resultOffsets.push_back(range.offset);
    resultSizes.push_back(range.size);
  }
  return success();
}
