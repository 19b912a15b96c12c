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

/// Strides of a row-major array without gaps.
llvm::SmallVector<int64_t> getContiguousStrides(llvm::ArrayRef<int64_t> sizes);

/// Strides of an array without gaps whose dimensions lie in memory in `order`,
/// a permutation that names the outermost dimension first: {0, 2, 1, 3} lays
/// a logical (B, H, S, D) out as BSHD.
llvm::SmallVector<int64_t> getStridesFor(llvm::ArrayRef<int64_t> order,
                                         llvm::ArrayRef<int64_t> sizes);

/// Number of elements of an array, or an error if a size is negative or if
/// the product of the sizes other than 0, in bytes, overflows. Once it
/// succeeds, `ArrayView::getNumElements` is safe.
llvm::Expected<int64_t> getCheckedNumElements(DType dtype,
                                              llvm::ArrayRef<int64_t> sizes);

/// Copies every element to the same index of `target`, bit for bit. The two
/// may differ in strides, and their data need not be aligned.
llvm::Error copyElements(const ArrayView &source, const ArrayView &target);

/// Walks the indices of an array in row-major order, tracking the position in
/// memory without a division per step. Strides of dimensions of size 1 do not
/// matter.
class IndexWalk {
public:
  IndexWalk(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
            int64_t start = 0);

  /// Position of the current index, in elements.
  int64_t getOffset() const { return offset; }

  /// Goes to the next index; after the last one comes the first.
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

/// Walks the rows of an array, that is, the indices of all dimensions but the
/// last. An array of rank 0 is one row of one element.
class RowWalk : public IndexWalk {
public:
  explicit RowWalk(const ArrayView &array, int64_t firstRow = 0);

  int64_t getRowSize() const { return rowSize; }
  /// Stride of the elements in a row; 1 if it has only one.
  int64_t getRowStride() const { return rowStride; }

private:
  int64_t rowSize, rowStride;
};

/// Memory of one array. Margins before and after the array, and the gaps that
/// its strides leave, hold a NaN pattern that nobody else may overwrite; a
/// kernel that reads there returns NaN, one that writes there is caught by
/// `checkMargins`.
class Buffer {
public:
  /// Elements before the array, and at least as many after it.
  static constexpr int64_t marginElements = 256;

  /// Allocates an array, all NaN, whose data begin at a multiple of 64 bytes.
  /// It is an error if a size or a stride is negative, if two indices share an
  /// address, or if the memory cannot be had. The stride of a dimension of
  /// size 0 or 1 is kept in the view but otherwise ignored.
  static llvm::Expected<Buffer> allocate(DType dtype,
                                         llvm::ArrayRef<int64_t> sizes,
                                         llvm::ArrayRef<int64_t> strides);

  const ArrayView &view() const { return array; }

  /// All of the memory, margins included.
  llvm::MutableArrayRef<char> getMemory() const {
    return {static_cast<char *>(memory.get()), static_cast<size_t>(byteSize)};
  }

  /// Makes the array, its gaps and its margins NaN again.
  void poison();

  /// Fails if anything but the array's elements was overwritten since the
  /// last poisoning, and names the first such element by its position from
  /// the array's start.
  llvm::Error checkMargins() const;

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  Buffer() = default;

  /// Fills `occupied`; false if two indices share a position.
  bool markElements();

  ArrayView array;
  /// Elements from the first to the last of the array, gaps included.
  int64_t extent = 0;
  int64_t byteSize = 0;
  std::unique_ptr<void, Free> memory;
  /// One bit for each position of the extent, set where an element is; those
  /// past the extent in the last word are set as well.
  std::unique_ptr<uint64_t[], Free> occupied;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_BUFFER_H
