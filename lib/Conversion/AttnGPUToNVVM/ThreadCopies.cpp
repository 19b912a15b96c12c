//===- ThreadCopies.cpp - Copies of tiles by threads ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ThreadCopies.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

bool ThreadCopy::isSwizzled() const {
  return isa<SwizzledLayoutAttr>(tile.getEncoding());
}

int64_t ThreadCopy::getTargetRowBytes() const {
  return isSwizzled() ? kPanelRowBytes
                      : TileMemory::getRowSize(tile) * getElementBytes();
}

int64_t ThreadCopy::getRowDim() const {
  return cast<MemRefType>(source.getType()).getRank() - 2;
}

/// Returns the address in shared memory of row `firstRow` of the tile. Row
/// `firstRow` is swizzled as row 0 is, since it is a multiple of 8 and the
/// swizzle repeats after 8 rows.
Value ThreadCopy::getTargetBase(NumberBuilder &b) const {
  if (firstRow == 0)
    return target;
  return addBytes(b, target,
                  OpFoldResult(b.getIndexAttr(firstRow * getTargetRowBytes())));
}

/// Returns the distance in bytes, in shared memory, from the beginning of row
/// `firstRow` to chunk `chunk`. A chunk has 16 bytes, and a row of the tile has
/// `chunksPerRow` of them. In a swizzled tile, eight chunks fill a row of a
/// panel, in the order of the swizzle.
OpFoldResult ThreadCopy::getChunk(NumberBuilder &b, int64_t chunksPerRow,
                                  Value chunk) const {
  AffineExpr d0 = b.getAffineDimExpr(0);
  AffineExpr row = d0.floorDiv(chunksPerRow), unit = d0 % chunksPerRow;
  if (!isSwizzled())
    return OpFoldResult(
        applyAffine(b, row * getTargetRowBytes() + unit * 16, chunk));
  Value inRow = b.xori(applyAffine(b, unit % 8 * 16, chunk),
                       applyAffine(b, row % 8 * 16, chunk));
  int64_t panelBytes = tile.getDimSize(0) * kPanelRowBytes;
  Value panelRow = applyAffine(
      b, unit.floorDiv(8) * panelBytes + row * kPanelRowBytes, chunk);
  return OpFoldResult(b.addi(panelRow, inRow));
}

OpFoldResult ThreadCopy::getSharedUnit(NumberBuilder &b, int64_t lanes,
                                       int64_t row, int64_t unit) const {
  AffineExpr d0 = b.getAffineDimExpr(0), lane = d0 % lanes;
  AffineExpr ofThread = d0.floorDiv(lanes) + row;
  int64_t rowBytes = getTargetRowBytes();
  if (!isSwizzled())
    return OpFoldResult(applyAffine(
        b, ofThread * rowBytes + (lane + unit) * kCopyBytes, thread));
  // A panel's row has 8 chunks. `lanes` is a power of two and `unit` a multiple
  // of it, so the panel and the chunk in it are sums of both's.
  AffineExpr panel = lane.floorDiv(8) + unit / 8;
  Value inRow =
      b.xori(applyAffine(b, (lane % 8 + unit % 8) * kCopyBytes, thread),
             applyAffine(b, ofThread % 8 * kCopyBytes, thread));
  int64_t panelBytes = tile.getDimSize(0) * rowBytes;
  return OpFoldResult(b.addi(
      applyAffine(b, panel * panelBytes + ofThread * rowBytes, thread), inRow));
}

int64_t ThreadCopy::getChunkElements() const {
  return kCopyBytes / getElementBytes();
}

Value ThreadCopy::getColumnsOfView(NumberBuilder &b) const {
  int64_t dim = getRowDim() + 1;
  return getRemaining(b, source, dim, indices[dim]);
}

Value ThreadCopy::getSourceRowBytes(NumberBuilder &b) const {
  auto metadata = memref::ExtractStridedMetadataOp::create(b, source);
  Value bytesPerElement = b.index(getElementBytes());
  return b.createOrFold<arith::MulIOp>(
      getValueOrCreateConstantIndexOp(
          b, b.getLoc(), metadata.getConstifiedMixedStrides()[getRowDim()]),
      bytesPerElement);
}

Value ThreadCopy::getReadableBytes(NumberBuilder &b, Value columnsOfView,
                                   Value column) const {
  Value sixteen = b.index(kCopyBytes);
  if (getConstantIntValue(columnsOfView) >= getNumColumns())
    return sixteen;
  Value left =
      b.muli(b.subi(columnsOfView, column), b.index(getElementBytes()));
  Value zero = b.index(0);
  return b.minsi(b.maxsi(left, zero), sixteen);
}

void ThreadCopy::copyChunk(NumberBuilder &b, Value to, Value from,
                           Value readableBytes, Value isInside) const {
  Value bytes = b.select(isInside, readableBytes, b.index(0));
  NVVM::CpAsyncOp::create(b, to, from, b.getI32IntegerAttr(kCopyBytes),
                          NVVM::LoadCacheModifierKindAttr::get(
                              b.getContext(), NVVM::LoadCacheModifierKind::CG),
                          b.indexCast(b.getI32Type(), bytes));
}

int64_t ThreadCopy::getChunksPerRow() const {
  return getNumColumns() / getChunkElements();
}

void ThreadCopy::skipBeyondTile(NumberBuilder &b, Value chunk,
                                int64_t first) const {
  if (first + threads <= getNumChunks())
    return;
  Value count = b.index(getNumChunks());
  auto guard = scf::IfOp::create(b, isLess(b, chunk, count));
  b.setInsertionPoint(guard.thenYield());
}

void ThreadCopy::copyChunks(NumberBuilder &b) const {
  if (list)
    return copyListedChunks(b);
  int64_t perChunk = getChunkElements(), chunksPerRow = getChunksPerRow();
  int64_t numChunks = getNumChunks();
  int64_t rowDim = getRowDim();

  Value rowsOfView = getRemaining(b, source, rowDim, indices[rowDim]);
  Value columnsOfView = getColumnsOfView(b);
  Value rowBytes = getSourceRowBytes(b);
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value sourceBase = getAddress(b, source, global, indices);
  Value targetBase = getTargetBase(b);

  AffineExpr d0 = b.getAffineDimExpr(0);
  // If the next chunk of a thread is a whole number of rows further, its
  // addresses in source and target advance by a fixed distance. The source
  // address is then computed from that of the chunk before. If it were computed
  // from the tile's beginning, LLVM would hoist the offsets out of the loop,
  // and each takes two registers.
  int64_t rowStep = threads / chunksPerRow;
  // The swizzle repeats after 8 rows. In a swizzled tile, the target's address
  // therefore advances by a fixed distance only if the step is a multiple of 8
  // rows.
  bool stepsRows =
      threads % chunksPerRow == 0 && (!isSwizzled() || rowStep % 8 == 0);
  Value stepBytes, from, to;
  for (int64_t i = 0; i < numChunks; i += threads) {
    Value chunk = applyAffine(b, d0 + i, thread);
    OpBuilder::InsertionGuard insertion(b);
    skipBeyondTile(b, chunk, i);
    Value row = applyAffine(b, d0.floorDiv(chunksPerRow), chunk);
    Value column = applyAffine(b, (d0 % chunksPerRow) * perChunk, chunk);
    if (i == 0 || !stepsRows) {
      Value offset = b.addi(b.muli(row, rowBytes),
                            applyAffine(b, d0 * getElementBytes(), column));
      from = addBytes(b, sourceBase, OpFoldResult(offset));
      to = addBytes(b, targetBase, getChunk(b, chunksPerRow, chunk));
    } else {
      if (!stepBytes)
        stepBytes = b.muli(rowBytes, b.index(rowStep));
      from = addBytes(b, from, OpFoldResult(stepBytes));
      to = addBytes(
          b, to, OpFoldResult(b.getIndexAttr(rowStep * getTargetRowBytes())));
      row = applyAffine(b, d0.floorDiv(chunksPerRow) + (i / threads) * rowStep,
                        thread);
    }
    Value readable = getReadableBytes(b, columnsOfView, column);
    copyChunk(b, to, from, readable, isLess(b, row, rowsOfView));
  }
}

/// Returns the distance in bytes, in shared memory, from the first element of
/// row `firstRow` of the tile to the element at `row` and `column`. `row` is
/// counted from `firstRow`.
OpFoldResult ThreadCopy::getElement(NumberBuilder &b, Value row,
                                    Value column) const {
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  auto apply = [&](AffineExpr expr) {
    return applyAffine(b, expr, {row, column});
  };
  if (!isSwizzled())
    return OpFoldResult(
        apply(d0 * getTargetRowBytes() + d1 * getElementBytes()));
  int64_t panelBytes = tile.getDimSize(0) * kPanelRowBytes;
  int64_t panelColumns = getPanelColumns(tile.getElementType());
  Value inRow =
      b.xori(apply(d1 % panelColumns * getElementBytes()), apply(d0 % 8 * 16));
  return OpFoldResult(b.addi(
      inRow,
      apply(d1.floorDiv(panelColumns) * panelBytes + d0 * kPanelRowBytes)));
}

void ThreadCopy::copyElements(NumberBuilder &b) const {
  int64_t rowDim = getRowDim();
  Value rowsOfView = getRemaining(b, source, rowDim, indices[rowDim]);
  Value columnsOfView = getColumnsOfView(b);
  ListedRows rows(source, indices, list, entry);
  Value count = b.index(numRows * getNumColumns());
  Value step = b.index(threads);
  Value width = b.index(getNumColumns());
  Value zero =
      arith::ConstantOp::create(b, b.getZeroAttr(tile.getElementType()));
  Value targetBase = getTargetBase(b);
  scf::ForOp::create(
      b, thread, count, step, ValueRange(),
      [&](OpBuilder &inner, Location loc, Value position, ValueRange) {
        NumberBuilder body(loc, inner);
        Value row = body.divui(position, width);
        Value column = body.remui(position, width);
        Value ofSource = row, isRow;
        if (list) {
          ListedRows::Row listed = rows.read(body, row);
          ofSource = listed.distance;
          isRow = listed.isInside;
        } else {
          isRow = isLess(body, row, rowsOfView);
        }
        Value isInside = body.andi(isRow, isLess(body, column, columnsOfView));
        auto read = scf::IfOp::create(
            body, isInside,
            [&](OpBuilder &thenBuilder, Location) {
              SmallVector<Value> ofElement(indices);
              ofElement[rowDim] = arith::AddIOp::create(
                  thenBuilder, loc, ofElement[rowDim], ofSource);
              ofElement.back() = arith::AddIOp::create(
                  thenBuilder, loc, ofElement.back(), column);
              Value element =
                  memref::LoadOp::create(thenBuilder, loc, source, ofElement);
              scf::YieldOp::create(thenBuilder, loc, element);
            },
            [&](OpBuilder &elseBuilder, Location) {
              scf::YieldOp::create(elseBuilder, loc, zero);
            });
        LLVM::StoreOp::create(
            body, getStorable(body, read.getResult(0)),
            addBytes(body, targetBase, getElement(body, row, column)),
            getElementBytes());
        scf::YieldOp::create(body);
      });
}
