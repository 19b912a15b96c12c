//===- ListedRows.cpp - Rows that a list in memory names ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedRows.h"

#include "ThreadCopies.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns an i1: whether `index` is in bounds of dimension `dim` of a view.
/// The comparison is unsigned, so a negative index is too large.
static Value isIndexOf(NumberBuilder &b, Value index, Value view, int64_t dim) {
  OpFoldResult size = memref::getMixedSize(b, b.getLoc(), view, dim);
  return b.ult(index, getValueOrCreateConstantIndexOp(b, b.getLoc(), size));
}

/// Loads an i32 from global memory by a predicated instruction: if the
/// condition is false, nothing is loaded, and the result is 0.
static Value loadIf(NumberBuilder &b, Value condition, Value address) {
  Value word = b.extui(b.getI32Type(), condition);
  return createAssembly(b, b.getI32Type(), {address, word},
                        "{\n"
                        ".reg .pred p;\n"
                        "setp.ne.b32 p, $2, 0;\n"
                        "mov.b32 $0, 0;\n"
                        "@p ld.global.b32 $0, [$1];\n"
                        "}",
                        "=&r,l,r");
}

ListedRows::Row ListedRows::read(NumberBuilder &b, Value row) const {
  int64_t rowDim = cast<MemRefType>(source.getType()).getRank() - 2;
  Value position = b.createOrFold<arith::AddIOp>(entry, row);
  Value isListed = isIndexOf(b, position, list, 0);
  Value word = loadIf(b, isListed, getGlobalAddress(b, list, position));
  Value distance = b.indexCast(b.getIndexType(), word);
  Value ofSource = b.createOrFold<arith::AddIOp>(indices[rowDim], distance);
  Value isRow = isIndexOf(b, ofSource, source, rowDim);
  return {distance, b.andi(isListed, isRow)};
}

/// The number of entries of the list of rows that a thread loads before it
/// copies these rows. It is small, since producers have few registers.
static constexpr int64_t kEntriesAhead = 8;

SmallVector<ListedRows::Row> ThreadCopy::readRows(NumberBuilder &b,
                                                  int64_t first) const {
  int64_t chunksPerRow = getChunksPerRow();
  int64_t end = std::min(first + kEntriesAhead * threads, getNumChunks());
  ListedRows rows(source, indices, list, entry);
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<ListedRows::Row> read;
  for (int64_t i = first; i < end; i += threads) {
    // If the number of 16-byte chunks in a row is a multiple of `threads`, a
    // thread copies several chunks of the same row one after another. The
    // list's entry for that row is then read only once.
    if (!read.empty() && chunksPerRow % threads == 0 && i % chunksPerRow != 0) {
      read.push_back(read.back());
      continue;
    }
    AffineExpr row = threads % chunksPerRow == 0
                         ? d0.floorDiv(chunksPerRow) + i / chunksPerRow
                         : (d0 + i).floorDiv(chunksPerRow);
    read.push_back(rows.read(b, applyAffine(b, row, thread)));
  }
  return read;
}

void ThreadCopy::copyListedChunks(NumberBuilder &b) const {
  int64_t perChunk = getChunkElements(), chunksPerRow = getChunksPerRow();
  int64_t numChunks = getNumChunks();
  Value columnsOfView = getColumnsOfView(b);
  Value rowBytes = getSourceRowBytes(b);
  Value zero = b.index(0);
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value sourceBase = getAddress(b, source, global, indices);
  Value targetBase = getTargetBase(b);

  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<ListedRows::Row> rows = firstRows;
  for (int64_t i = 0; i < numChunks; i += threads) {
    int64_t number = i / threads % kEntriesAhead;
    if (number == 0 && (i > 0 || rows.empty()))
      rows = readRows(b, i);
    auto [distance, isInside] = rows[number];
    Value chunk = applyAffine(b, d0 + i, thread);
    OpBuilder::InsertionGuard insertion(b);
    skipBeyondTile(b, chunk, i);
    Value column = applyAffine(b, (d0 % chunksPerRow) * perChunk, chunk);
    // If the list names a row outside of the view, the copy gets the address of
    // the tile's beginning and reads 0 bytes. The chunk in shared memory is
    // then filled with zeros.
    Value ofRow = b.muli(b.select(isInside, distance, zero), rowBytes);
    Value offset =
        b.addi(ofRow, applyAffine(b, d0 * getElementBytes(), column));
    copyChunk(b, addBytes(b, targetBase, getChunk(b, chunksPerRow, chunk)),
              addBytes(b, sourceBase, OpFoldResult(offset)),
              getReadableBytes(b, columnsOfView, column), isInside);
  }
}
