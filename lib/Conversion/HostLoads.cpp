//===- HostLoads.cpp - Tiles that the host reads from memory --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLoads.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

Value attn::createRead(OpBuilder &b, Location loc, Value source,
                       ValueRange indices) {
  auto type = cast<MemRefType>(source.getType());
  Value zero = arith::ConstantIndexOp::create(b, loc, 0);
  Value one = arith::ConstantIndexOp::create(b, loc, 1);
  Value hasElements;
  SmallVector<Value> nearest;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Value size = getValueOrCreateConstantIndexOp(
        b, loc, memref::getMixedSize(b, loc, source, dim));
    Value last = b.createOrFold<arith::SubIOp>(loc, size, one);
    nearest.push_back(arith::MaxSIOp::create(
        b, loc, zero, arith::MinSIOp::create(b, loc, index, last)));
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) != 0)
      continue;
    Value isSome =
        arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, size, zero);
    hasElements =
        hasElements
            ? arith::AndIOp::create(b, loc, hasElements, isSome).getResult()
            : isSome;
  }
  if (!hasElements)
    return memref::LoadOp::create(b, loc, source, nearest);
  auto read = scf::IfOp::create(
      b, loc, hasElements,
      [&](OpBuilder &inner, Location loc) {
        Value element = memref::LoadOp::create(inner, loc, source, nearest);
        scf::YieldOp::create(inner, loc, element);
      },
      [&](OpBuilder &inner, Location loc) {
        Value nothing = arith::ConstantOp::create(
            inner, loc, inner.getZeroAttr(type.getElementType()));
        scf::YieldOp::create(inner, loc, nothing);
      });
  return read.getResult(0);
}

CoveredPart attn::getCoveredPart(RewriterBase &rewriter, Location loc,
                                 Value view, ValueRange indices,
                                 RankedTensorType tile) {
  auto viewType = cast<MemRefType>(view.getType());
  int64_t numLeading = viewType.getRank() - tile.getRank();
  SmallVector<OpFoldResult> offsets = getAsOpFoldResult(indices);
  SmallVector<OpFoldResult> sizes(numLeading, rewriter.getIndexAttr(1));
  AffineExpr size, index;
  bindDims(rewriter.getContext(), size, index);
  AffineExpr zero = rewriter.getAffineConstantExpr(0);
  bool isWholeTile = true;
  SmallVector<int64_t> shape;
  for (auto [i, tileSize] : llvm::enumerate(tile.getShape())) {
    int64_t dim = numLeading + i;
    OpFoldResult inBounds = affine::makeComposedFoldedAffineMin(
        rewriter, loc,
        AffineMap::get(2, 0,
                       {size - index, rewriter.getAffineConstantExpr(tileSize)},
                       rewriter.getContext()),
        {memref::getMixedSize(rewriter, loc, view, dim), offsets[dim]});
    inBounds = affine::makeComposedFoldedAffineMax(
        rewriter, loc,
        AffineMap::get(1, 0, {rewriter.getAffineDimExpr(0), zero},
                       rewriter.getContext()),
        {inBounds});
    isWholeTile &= getConstantIntValue(inBounds) == tileSize;
    shape.push_back(
        getConstantIntValue(inBounds).value_or(ShapedType::kDynamic));
    sizes.push_back(inBounds);
  }
  SmallVector<OpFoldResult> strides(offsets.size(), rewriter.getIndexAttr(1));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape, viewType, offsets, sizes, strides);
  Value subview = memref::SubViewOp::create(rewriter, loc, type, view, offsets,
                                            sizes, strides);
  return {subview, llvm::to_vector(ArrayRef(sizes).drop_front(numLeading)),
          isWholeTile};
}

Value attn::createEmpty(RewriterBase &rewriter, Location loc,
                        RankedTensorType type) {
  return tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                 type.getElementType());
}

Value attn::createFilled(RewriterBase &rewriter, Location loc,
                         RankedTensorType type, TypedAttr value) {
  Value scalar = arith::ConstantOp::create(rewriter, loc, value);
  return linalg::FillOp::create(rewriter, loc, scalar,
                                createEmpty(rewriter, loc, type))
      .getResult(0);
}

/// Whether all elements of a tile that begins at `indices` are known to lie
/// past the end of the view.
static bool isKnownPastEnd(Value view, ValueRange indices) {
  for (auto [size, index] :
       llvm::zip(cast<MemRefType>(view.getType()).getShape(), indices))
    if (std::optional<int64_t> known = getConstantIntValue(index);
        known && ShapedType::isStatic(size) && *known >= size)
      return true;
  return false;
}

/// Reads a tile, or one of the parts into which a tile's rows are divided, from
/// a single view. Elements outside of the view become zeros.
static Value readPart(RewriterBase &rewriter, Location loc, Value source,
                      ValueRange indices, RankedTensorType type) {
  auto createZeros = [&] {
    return createFilled(rewriter, loc, type,
                        rewriter.getZeroAttr(type.getElementType()));
  };
  // A subview that is known to be out of bounds would be an error.
  if (isKnownPastEnd(source, indices))
    return createZeros();
  CoveredPart part = getCoveredPart(rewriter, loc, source, indices, type);
  auto partType = cast<MemRefType>(part.subview.getType());
  Value tensor = bufferization::ToTensorOp::create(
      rewriter, loc,
      RankedTensorType::get(partType.getShape(), partType.getElementType()),
      part.subview, /*restrict=*/true, /*writable=*/false);
  if (!part.isWholeTile) {
    Value zeros = createZeros();
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    tensor = tensor::InsertSliceOp::create(rewriter, loc, tensor, zeros,
                                           offsets, part.sizes, strides);
  }
  return tensor;
}

/// Returns the index of the source's row that entry `position` of the list
/// names: the entry plus the row index of the load. If there is no such entry,
/// or no such row in the source, returns the source's number of rows, which is
/// an index out of bounds.
static Value readEntry(RewriterBase &rewriter, Location loc, LoadOp op,
                       Value position) {
  Value list = op.getList(), source = op.getSource();
  int64_t rowDim = op.getSource().getType().getRank() - 2;
  auto getSize = [&](Value view, int64_t dim) {
    return getValueOrCreateConstantIndexOp(
        rewriter, loc, memref::getMixedSize(rewriter, loc, view, dim));
  };
  // The comparison of an index with a size is unsigned, so that it also fails
  // for negative indices.
  auto isInside = [&](OpBuilder &b, Value index, Value size) -> Value {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, index,
                                 size);
  };
  Value size = getSize(source, rowDim);
  auto row = scf::IfOp::create(
      rewriter, loc, isInside(rewriter, position, getSize(list, 0)),
      [&](OpBuilder &b, Location) {
        Value entry = memref::LoadOp::create(b, loc, list, position);
        Value row = arith::AddIOp::create(
            b, loc, op.getIndices()[rowDim],
            arith::IndexCastOp::create(b, loc, b.getIndexType(), entry));
        Value found =
            arith::SelectOp::create(b, loc, isInside(b, row, size), row, size);
        scf::YieldOp::create(b, loc, found);
      },
      [&](OpBuilder &b, Location) { scf::YieldOp::create(b, loc, size); });
  return row.getResult(0);
}

/// Reads a tile whose rows a list names, row by row, into a tile that is filled
/// with zeros. Rows outside of the source, and elements beyond its columns,
/// stay zero.
static Value readListed(RewriterBase &rewriter, LoadOp op) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  auto rowType =
      RankedTensorType::get({1, type.getDimSize(1)}, type.getElementType());
  Value zeros = createFilled(rewriter, loc, type,
                             rewriter.getZeroAttr(type.getElementType()));
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  Value end = arith::ConstantIndexOp::create(rewriter, loc, type.getDimSize(0));
  auto loop = scf::ForOp::create(rewriter, loc, zero, end, one, zeros);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(loop.getBody());
  SmallVector<Value> indices(op.getIndices());
  indices[indices.size() - 2] =
      readEntry(rewriter, loc, op,
                arith::AddIOp::create(rewriter, loc, op.getEntry(),
                                      loop.getInductionVar()));
  CoveredPart row =
      getCoveredPart(rewriter, loc, op.getSource(), indices, rowType);
  auto partType = cast<MemRefType>(row.subview.getType());
  Value part = bufferization::ToTensorOp::create(
      rewriter, loc,
      RankedTensorType::get(partType.getShape(), partType.getElementType()),
      row.subview, /*restrict=*/true, /*writable=*/false);
  Value tile = tensor::InsertSliceOp::create(
      rewriter, loc, part, loop.getRegionIterArg(0),
      {loop.getInductionVar(), rewriter.getIndexAttr(0)}, row.sizes,
      SmallVector<OpFoldResult>(2, rewriter.getIndexAttr(1)));
  scf::YieldOp::create(rewriter, loc, tile);
  return loop.getResult(0);
}

Value attn::readTile(RewriterBase &rewriter, LoadOp op) {
  if (op.isListed())
    return readListed(rewriter, op);
  Location loc = op.getLoc();
  RankedTensorType partType = op.getPartType();
  SmallVector<Value> parts;
  for (auto [part, source] : llvm::enumerate(op.getSources()))
    parts.push_back(
        readPart(rewriter, loc, source, op.getIndicesOfPart(part), partType));
  if (parts.size() == 1)
    return parts.front();
  Value tile = createEmpty(rewriter, loc, op.getResult().getType());
  SmallVector<OpFoldResult> offsets(2, rewriter.getIndexAttr(0)), sizes,
      strides(2, rewriter.getIndexAttr(1));
  for (int64_t size : partType.getShape())
    sizes.push_back(rewriter.getIndexAttr(size));
  for (auto [number, part] : llvm::enumerate(parts)) {
    offsets.front() = rewriter.getIndexAttr(number * partType.getDimSize(0));
    tile = tensor::InsertSliceOp::create(rewriter, loc, part, tile, offsets,
                                         sizes, strides);
  }
  return tile;
}
