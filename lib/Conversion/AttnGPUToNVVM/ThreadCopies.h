//===- ThreadCopies.h - Tiles that threads copy -----------------*- C++ -*-===//
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

/// Copies a tile of a view to shared memory by a group of threads.
struct ThreadCopy {
  /// The view, and where the tile begins in it.
  Value source;
  ValueRange indices;
  /// The tile in shared memory, and a pointer to its first element.
  RankedTensorType tile;
  Value target;
  /// The rows of it that are copied. A vector is one row.
  int64_t firstRow, numRows;
  /// How many threads copy, and the calling thread's number among them.
  int64_t threads;
  Value thread;
  /// A list in memory that names the rows, and the position in it of the tile's
  /// first one; null without such.
  Value list = {}, entry = {};
  /// Of a list, the rows of the thread's first chunks, if they were read
  /// before.
  SmallVector<ListedRows::Row> firstRows = {};

  /// The rows of a thread's chunks that its list is read for at once, from
  /// chunk `first` on. The loads overlap each other and what comes before the
  /// copy.
  SmallVector<ListedRows::Row> readRows(NumberBuilder &builder,
                                        int64_t first = 0) const;
  /// By cp.async of 16 bytes, where rows begin at multiples of as many. What
  /// lies outside of the view is not read but filled with zeros.
  void copyChunks(NumberBuilder &builder) const;
  /// Element by element, of any strides and addresses.
  void copyElements(NumberBuilder &builder) const;

private:
  int64_t getChunksPerRow() const;
  int64_t getNumChunks() const { return numRows * getChunksPerRow(); }
  /// Where the chunks of all threads from chunk `first` on are not all in the
  /// tile, moves the builder into a branch for threads whose chunk is.
  void skipBeyondTile(NumberBuilder &builder, Value chunk, int64_t first) const;
  void copyListedChunks(NumberBuilder &builder) const;
  void copyChunk(NumberBuilder &builder, Value to, Value from,
                 Value readableBytes, Value isInside) const;
  int64_t getChunkElements() const;
  /// Columns of the source from the tile's first one on.
  Value getColumnsOfView(NumberBuilder &builder) const;
  Value getSourceRowBytes(NumberBuilder &builder) const;
  /// Bytes of a chunk that lie in a row of the source, from a column of the
  /// tile on.
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
