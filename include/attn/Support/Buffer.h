//===- Buffer.h - Guarded memory of arrays -------------------- -*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_BUFFER_H
#define ATTN_SUPPORT_BUFFER_H

#include "attn/Support/ArrayView.h"

#include "llvm/Support/Error.h"

#include <cstdlib>
#include <memory>

namespace mlir::attn {

/// Returns the strides of a contiguous row-major array.
llvm::SmallVector<int64_t> getContiguousStrides(llvm::ArrayRef<int64_t> sizes);

/// Returns the strides of a contiguous array with its dimensions in the memory
/// order `order`, a permutation that names the outermost dimension first: {0,
/// 2, 1, 3} lays out a logical (B, H, S, D) as BSHD.
llvm::SmallVector<int64_t> getStridesFor(llvm::ArrayRef<int64_t> order,
                                         llvm::ArrayRef<int64_t> sizes);

/// Returns the number of elements of an array. Fails if a size is negative, or
/// if the product of the nonzero sizes, in bytes, overflows 64 bits. After
/// success, `ArrayView::getNumElements` cannot overflow.
llvm::Expected<int64_t> getCheckedNumElements(DType dtype,
                                              llvm::ArrayRef<int64_t> sizes);

/// Copies each element to the same index of `target`, bit for bit. Strides may
/// differ, and the data need not be aligned. Fails if the arrays differ in
/// their sizes or element types.
llvm::Error copyElements(const ArrayView &source, const ArrayView &target);

/// Iterates over the indices of an array in row-major order, and computes the
/// offset of each index from that of the one before, without divisions. Ignores
/// the strides of dimensions of size 1.
class IndexWalk {
public:
  IndexWalk(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
            int64_t start = 0);

  /// Returns the offset of the current index, in elements.
  int64_t getOffset() const { return offset; }

  /// Advances to the next index; after the last one comes the first.
  void advance() {
    for (size_t dim = sizes.size(); dim-- > 0;) {
      if (++index[dim] < sizes[dim]) {
        offset += strides[dim];
        return;
      }
      offset -= (index[dim] - 1) * strides[dim];
      index[dim] = 0;
    }
  }

private:
  llvm::SmallVector<int64_t, 4> sizes, strides, index;
  int64_t offset = 0;
};

/// Iterates over the rows of an array: the index tuples of all dimensions but
/// the last. An array of rank 0 is one row with one element.
class RowWalk : public IndexWalk {
public:
  explicit RowWalk(const ArrayView &array, int64_t firstRow = 0);

  int64_t getRowSize() const { return rowSize; }
  /// Returns the stride of the elements of a row; 1 if a row has only one
  /// element.
  int64_t getRowStride() const { return rowStride; }

private:
  int64_t rowSize, rowStride;
};

/// The memory of one array. Margins before and after the array, and the gaps
/// that its strides leave, are filled with a NaN pattern: a kernel that reads
/// them returns NaN, and checkMargins() finds writes to them.
class Buffer {
public:
  /// The number of elements of the margin before the array. The margin after
  /// the array has at least as many.
  static constexpr int64_t marginElements = 256;

  /// Allocates an array filled with NaN, whose data begin at a multiple of 64
  /// bytes. Fails if a size or a stride is negative, two indices share an
  /// address, or memory is exhausted. The stride of a dimension of size 0 or 1
  /// is kept in the view but otherwise ignored.
  static llvm::Expected<Buffer> allocate(DType dtype,
                                         llvm::ArrayRef<int64_t> sizes,
                                         llvm::ArrayRef<int64_t> strides);

  const ArrayView &view() const { return array; }

  /// Returns all of the memory, including margins.
  llvm::MutableArrayRef<char> getMemory() const {
    return {static_cast<char *>(memory.get()), static_cast<size_t>(byteSize)};
  }

  /// Fills the array, its gaps and its margins with NaN again.
  void poison();

  /// Fails if a margin or gap was overwritten since the last poisoning. Names
  /// the first such element by its offset from the start of the array.
  llvm::Error checkMargins() const;

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  Buffer() = default;

  /// Sets the bits of `occupied`. Returns false if two indices of the array
  /// have the same offset.
  bool markElements();

  ArrayView array;
  /// The number of elements from the array's first to its last one, including
  /// gaps.
  int64_t extent = 0;
  int64_t byteSize = 0;
  std::unique_ptr<void, Free> memory;
  /// A bit for each offset below `extent` that says whether the array has an
  /// element there. The bits past `extent` in the last 64-bit word are set,
  /// too.
  std::unique_ptr<uint64_t[], Free> occupied;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_BUFFER_H
