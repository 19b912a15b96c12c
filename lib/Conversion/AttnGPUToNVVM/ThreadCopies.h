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

/// Makes a group of threads copy a tile from a view in global memory to shared
/// memory.
struct ThreadCopy {
  /// The view, and the indices of the tile's first element in it.
  Value source;
  ValueRange indices;
  /// The tile in shared memory, and a pointer to its first element.
  RankedTensorType tile;
  Value target;
  /// The first of the tile's rows that are copied, and their number. A vector
  /// is one row.
  int64_t firstRow, numRows;
  /// The number of threads that copy, and the calling thread's number among
  /// them, from 0 on.
  int64_t threads;
  Value thread;
  /// A list in memory that names the rows to copy, and the position in it of
  /// the entry for the tile's first row. Null if the rows follow each other in
  /// the view.
  Value list = {}, entry = {};
  /// The list's entries for the thread's first chunks, if they have been read
  /// already.
  SmallVector<ListedRows::Row> firstRows = {};

  /// Reads the list's entries for at most kEntriesAhead of the thread's chunks,
  /// from chunk `first` on. The loads overlap with each other, and with what
  /// follows until the copy.
  SmallVector<ListedRows::Row> readRows(NumberBuilder &builder,
                                        int64_t first = 0) const;
  /// Copies chunks of 16 bytes by cp.async; rows of the source must begin at
  /// multiples of 16 bytes. Elements outside of the view are not read but
  /// become zeros.
  void copyChunks(NumberBuilder &builder) const;
  /// Copies element by element, from views at any address and with any strides.
  /// Elements outside of the view become zeros.
  void copyElements(NumberBuilder &builder) const;

private:
  int64_t getChunksPerRow() const;
  int64_t getNumChunks() const { return numRows * getChunksPerRow(); }
  /// Moves the builder into a branch that threads take if `chunk` is in the
  /// tile. There is no branch if the `threads` chunks from `first` on are all
  /// in the tile.
  void skipBeyondTile(NumberBuilder &builder, Value chunk, int64_t first) const;
  void copyListedChunks(NumberBuilder &builder) const;
  void copyChunk(NumberBuilder &builder, Value to, Value from,
                 Value readableBytes, Value isInside) const;
  int64_t getChunkElements() const;
  /// The number of columns that the source has from the tile's first column on.
  Value getColumnsOfView(NumberBuilder &builder) const;
  Value getSourceRowBytes(NumberBuilder &builder) const;
  /// Returns how many bytes of a chunk, which begins at `column` of the tile,
  /// lie in a row of the source.
  Value getReadableBytes(NumberBuilder &builder, Value columnsOfView,
                         Value column) const;
  int64_t getNumColumns() const { return tile.getShape().back(); }
  int64_t getElementBytes() const { return tile.getElementTypeBitWidth() / 8; }
  bool isSwizzled() const;
  int64_t getTargetRowBytes() const;
  int64_t getRowDim() const;
  Value getTargetBase(NumberBuilder &builder) const;
  OpFoldResult getChunk(NumberBuilder &builder, int64_t chunksPerRow,
                        Value chunk) const;
  OpFoldResult getElement(NumberBuilder &builder, Value row,
                          Value column) const;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_THREADCOPIES_H
