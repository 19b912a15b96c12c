//===- ThreadCopies.h - Copies of tiles by threads -------------*- C++ -*--===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_THREADCOPIES_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_THREADCOPIES_H

#include "ListedRows.h"

namespace mlir::attn {

/// A copy of a tile, or of some of its rows, from a view of global memory to
/// shared memory, which a group of threads shares.
struct ThreadCopy {
  /// The view of global memory, and the indices in it of the tile's first
  /// element.
  Value source;
  ValueRange indices;
  /// The type of the tile in shared memory, and a pointer to its first element.
  RankedTensorType tile;
  Value target;
  /// The first of the tile's rows that are copied, and the number of copied
  /// rows. A vector counts as one row.
  int64_t firstRow, numRows;
  /// The number of threads that copy, and the calling thread's number among
  /// them, which is counted from 0.
  int64_t threads;
  Value thread;
  /// A list in memory whose entries name the rows to copy, and the position in
  /// the list of the entry for the tile's first row. Both are null if the rows
  /// follow each other in the view.
  Value list = {}, entry = {};
  /// The entries of the list for the thread's first rows, if they have been
  /// loaded before the copy.
  SmallVector<ListedRows::Row> firstRows = {};

  /// Loads the list's entries for at most kEntriesAhead of the thread's rows,
  /// of which the first is in the rows that the threads copy together from row
  /// `first` on. These loads overlap with each other, and with the code between
  /// them and the copy.
  SmallVector<ListedRows::Row> readRows(NumberBuilder &builder,
                                        int64_t first = 0) const;
  /// Copies the rows by cp.async, in chunks of 16 bytes. Rows of the source
  /// must begin at multiples of 16 bytes. Elements outside of the view are not
  /// read, and become zeros in shared memory.
  void copyChunks(NumberBuilder &builder) const;
  /// Copies the rows element by element, from views at any address and with any
  /// strides. Elements outside of the view become zeros in shared memory.
  void copyElements(NumberBuilder &builder) const;

private:
  int64_t getChunksPerRow() const;
  int64_t getNumChunks() const { return numRows * getChunksPerRow(); }
  /// Moves the builder into a branch that a thread takes only if its chunk
  /// `chunk` is in the tile. No branch is emitted if all `threads` chunks that
  /// begin with chunk `first` are in the tile.
  void skipBeyondTile(NumberBuilder &builder, Value chunk, int64_t first) const;
  int64_t getLanesPerRow() const;
  void copyListedChunks(NumberBuilder &builder) const;
  /// Copies the thread's chunks of one of the rows that the threads copy
  /// together from row `first` on. `source` is the address of the first chunk.
  void copyListedRow(NumberBuilder &builder, int64_t first, ListedRows::Row row,
                     Value source, Value columnsOfView) const;
  void copyChunk(NumberBuilder &builder, Value to, Value from,
                 Value readableBytes, Value isInside) const;
  int64_t getChunkElements() const;
  /// Returns the number of columns of the source from the tile's first column
  /// to the end of the view.
  Value getColumnsOfView(NumberBuilder &builder) const;
  Value getSourceRowBytes(NumberBuilder &builder) const;
  /// Returns how many of the 16 bytes of a chunk, which begins at column
  /// `column` of the tile, lie within the view's columns.
  Value getReadableBytes(NumberBuilder &builder, Value columnsOfView,
                         Value column) const;
  int64_t getNumColumns() const { return tile.getShape().back(); }
  int64_t getElementBytes() const { return tile.getElementTypeBitWidth() / 8; }
  int64_t getTargetRowBytes() const;
  int64_t getRowDim() const;
  Value getTargetBase(NumberBuilder &builder) const;
  /// Returns the distance in bytes, in shared memory, from the beginning of row
  /// `firstRow` to a place in row `row`, which is counted from `firstRow`. The
  /// place is `column` bytes from the beginning of its row. In a swizzled tile,
  /// it is in panel `panel` and, before the swizzle, `columnOfPanel` bytes from
  /// the beginning of the panel's row. All are affine expressions of
  /// `operands`.
  Value getOffset(NumberBuilder &builder, AffineExpr row, AffineExpr column,
                  AffineExpr panel, AffineExpr columnOfPanel,
                  ValueRange operands) const;
  /// Returns the distance in bytes, in shared memory, from the beginning of row
  /// `firstRow` to a chunk of the thread. `lanes` threads share each of the
  /// rows that threads copy together from row `row` on, and the thread's chunk
  /// is one of the `lanes` chunks from chunk `unit` of its row on.
  Value getSharedUnit(NumberBuilder &builder, int64_t lanes, int64_t row,
                      int64_t unit) const;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_THREADCOPIES_H
