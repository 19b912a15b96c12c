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

int64_t ThreadCopy::getTargetRowBytes() const {
  return isSwizzled(tile) ? kPanelRowBytes
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
  return addBytes(b, target, firstRow * getTargetRowBytes());
}

Value ThreadCopy::getOffset(NumberBuilder &b, AffineExpr row, AffineExpr column,
                            AffineExpr panel, AffineExpr columnOfPanel,
                            ValueRange operands) const {
  int64_t rowBytes = getTargetRowBytes();
  auto apply = [&](AffineExpr expr) { return applyAffine(b, expr, operands); };
  if (!isSwizzled(tile))
    return apply(row * rowBytes + column);
  Value inRow = b.xori(apply(columnOfPanel), apply(row % 8 * kCopyBytes));
  int64_t panelBytes = tile.getDimSize(0) * rowBytes;
  return b.addi(apply(panel * panelBytes + row * rowBytes), inRow);
}

Value ThreadCopy::getSharedUnit(NumberBuilder &b, int64_t lanes, int64_t row,
                                int64_t unit) const {
  AffineExpr d0 = b.getAffineDimExpr(0), lane = d0 % lanes;
  // A panel's row has 8 chunks. `lanes` is a power of two and `unit` a multiple
  // of it, so the panel and the chunk in it are sums of both's.
  return getOffset(b, d0.floorDiv(lanes) + row, (lane + unit) * kCopyBytes,
                   lane.floorDiv(8) + unit / 8,
                   (lane % 8 + unit % 8) * kCopyBytes, thread);
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
  return b.muliOrFold(
      b.asValue(metadata.getConstifiedMixedStrides()[getRowDim()]),
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
      threads % chunksPerRow == 0 && (!isSwizzled(tile) || rowStep % 8 == 0);
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
      from = addBytes(b, sourceBase, offset);
      // A row of a panel has eight chunks, in the order of the swizzle.
      AffineExpr unit = d0 % chunksPerRow;
      to = addBytes(b, targetBase,
                    getOffset(b, d0.floorDiv(chunksPerRow), unit * kCopyBytes,
                              unit.floorDiv(8), unit % 8 * kCopyBytes, chunk));
    } else {
      if (!stepBytes)
        stepBytes = b.muli(rowBytes, b.index(rowStep));
      from = addBytes(b, from, stepBytes);
      to = addBytes(b, to, rowStep * getTargetRowBytes());
      row = applyAffine(b, d0.floorDiv(chunksPerRow) + (i / threads) * rowStep,
                        thread);
    }
    Value readable = getReadableBytes(b, columnsOfView, column);
    copyChunk(b, to, from, readable, isLess(b, row, rowsOfView));
  }
}

void ThreadCopy::copyElements(NumberBuilder &b) const {
  int64_t rowDim = getRowDim();
  Value rowsOfView = getRemaining(b, source, rowDim, indices[rowDim]);
  Value columnsOfView = getColumnsOfView(b);
  ListedRows rows(source, indices, list, entry);
  Value count = b.index(numRows * getNumColumns());
  Value step = b.index(threads);
  Value width = b.index(getNumColumns());
  Value zero = b.zero(tile.getElementType());
  Value targetBase = getTargetBase(b);
  AffineExpr d0 = b.getAffineDimExpr(0), d1 = b.getAffineDimExpr(1);
  int64_t bytes = getElementBytes();
  int64_t panelColumns = getPanelColumns(tile.getElementType());
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
            addBytes(body, targetBase,
                     getOffset(body, d0, d1 * bytes, d1.floorDiv(panelColumns),
                               d1 % panelColumns * bytes, {row, column})),
            bytes);
        scf::YieldOp::create(body);
      });
}
