//===- ListedRows.cpp - Rows that a list in memory names ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ListedRows.h"

#include "ThreadCopies.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

/// Returns an i1: whether `index` is in bounds of dimension `dim` of a view.
/// The comparison is unsigned, so a negative index is too large.
static Value isIndexOf(NumberBuilder &b, Value index, Value view, int64_t dim) {
  OpFoldResult size = memref::getMixedSize(b, b.getLoc(), view, dim);
  return b.ult(index, b.asValue(size));
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
  Value position = b.addiOrFold(entry, row);
  Value isListed = isIndexOf(b, position, list, 0);
  Value word = loadIf(b, isListed, getGlobalAddress(b, list, position));
  Value distance = b.indexCast(b.getIndexType(), word);
  Value ofSource = b.addiOrFold(indices[rowDim], distance);
  Value isRow = isIndexOf(b, ofSource, source, rowDim);
  return {distance, b.andi(isListed, isRow)};
}

/// The number of entries of the list of rows that a thread loads before it
/// copies these rows. It is small, since producers have few registers.
static constexpr int64_t kEntriesAhead = 8;

/// Returns how many lanes share a listed row: the largest power of two that
/// divides the number of 16-byte chunks of the row, at most a warp. A lane
/// copies every chunk of the row that is a multiple of this number after its
/// first one, so it reads the list's entry once for the row, and its chunks are
/// a fixed distance apart in the source.
int64_t ThreadCopy::getLanesPerRow() const {
  constexpr int kLog2OfWarp = 5;
  uint64_t chunks = getChunksPerRow();
  return int64_t(1) << std::min(llvm::countr_zero(chunks), kLog2OfWarp);
}

SmallVector<ListedRows::Row> ThreadCopy::readRows(NumberBuilder &b,
                                                  int64_t first) const {
  int64_t lanes = getLanesPerRow(), rowsPerPass = threads / lanes;
  int64_t end = std::min(first + kEntriesAhead * rowsPerPass, numRows);
  ListedRows rows(source, indices, list, entry);
  AffineExpr d0 = b.getAffineDimExpr(0);
  SmallVector<ListedRows::Row> read;
  for (int64_t row = first; row < end; row += rowsPerPass)
    read.push_back(
        rows.read(b, applyAffine(b, d0.floorDiv(lanes) + row, thread)));
  return read;
}

void ThreadCopy::copyListedRow(NumberBuilder &b, int64_t first,
                               ListedRows::Row row, Value source,
                               Value columnsOfView) const {
  int64_t lanes = getLanesPerRow();
  AffineExpr lane = b.getAffineDimExpr(0) % lanes;
  Value targetBase = getTargetBase(b);
  for (int64_t unit = 0; unit < getChunksPerRow(); unit += lanes) {
    Value column = applyAffine(b, (lane + unit) * getChunkElements(), thread);
    Value from = addBytes(b, source, unit * kCopyBytes);
    copyChunk(b, addBytes(b, targetBase, getSharedUnit(b, lanes, first, unit)),
              from, getReadableBytes(b, columnsOfView, column), row.isInside);
  }
}

void ThreadCopy::copyListedChunks(NumberBuilder &b) const {
  int64_t lanes = getLanesPerRow(), rowsPerPass = threads / lanes;
  Value columnsOfView = getColumnsOfView(b);
  Value rowBytes = getSourceRowBytes(b);
  Value zero = b.index(0);
  auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
  AffineExpr d0 = b.getAffineDimExpr(0);
  Value sourceBase = addBytes(b, getAddress(b, source, global, indices),
                              applyAffine(b, d0 % lanes * kCopyBytes, thread));
  SmallVector<ListedRows::Row> rows = firstRows;
  for (int64_t first = 0; first < numRows; first += rowsPerPass) {
    int64_t number = first / rowsPerPass % kEntriesAhead;
    if (number == 0 && (first > 0 || rows.empty()))
      rows = readRows(b, first);
    OpBuilder::InsertionGuard insertion(b);
    if (first + rowsPerPass > numRows) {
      Value row = applyAffine(b, d0.floorDiv(lanes) + first, thread);
      auto guard = scf::IfOp::create(b, isLess(b, row, b.index(numRows)));
      b.setInsertionPoint(guard.thenYield());
    }
    // If the list names a row outside of the view, the copy gets the address of
    // the tile's beginning and reads 0 bytes. The chunk in shared memory is
    // then filled with zeros.
    const ListedRows::Row &row = rows[number];
    Value distance = b.select(row.isInside, row.distance, zero);
    Value ofRow = addBytes(b, sourceBase, b.muli(distance, rowBytes));
    copyListedRow(b, first, row, ofRow, columnsOfView);
  }
}
