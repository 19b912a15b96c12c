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
#include <vector>

namespace mlir::attn {

/// Returns the strides of a contiguous row-major array.
llvm::SmallVector<int64_t> getContiguousStrides(llvm::ArrayRef<int64_t> sizes);

/// Returns the strides of a contiguous array whose dimensions have the order
/// `order` in memory. `order` is a permutation whose first number is the
/// outermost dimension. For example, {0, 2, 1, 3} lays out a logical (B, H, S,
/// D) as BSHD.
llvm::SmallVector<int64_t> getStridesFor(llvm::ArrayRef<int64_t> order,
                                         llvm::ArrayRef<int64_t> sizes);

/// Returns the number of elements of an array. Fails if a size is negative, or
/// if the product of the nonzero sizes, in bytes, overflows 64 bits. If it
/// succeeds, ArrayView::getNumElements() does not overflow.
llvm::Expected<int64_t> getCheckedNumElements(DType dtype,
                                              llvm::ArrayRef<int64_t> sizes);

/// Copies each element of `source`, bit for bit, to the element of `target`
/// with the same indices. The two arrays may have different strides, and their
/// data need not be aligned. Fails if the arrays differ in their sizes or
/// element types.
llvm::Error copyElements(const ArrayView &source, const ArrayView &target);

/// Iterates over the indices of an array in row-major order. The offset of each
/// element is computed from that of the element before, without divisions. The
/// strides of dimensions of size 1 are ignored.
class IndexWalk {
public:
  IndexWalk(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> strides,
            int64_t start = 0);

  /// Returns the offset of the current index, in elements.
  int64_t getOffset() const { return offset; }

  /// Advances to the next index. After the last index comes the first one
  /// again.
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

/// Returns the elements of an array in row-major order.
std::vector<double> getElements(const ArrayView &array);

/// Sets the elements of an array, which are in row-major order in `elements`.
void setElements(const ArrayView &array, llvm::ArrayRef<double> elements);

/// Iterates over the rows of an array: over the indices of all dimensions but
/// the last. An array of rank 0 counts as one row with one element.
class RowWalk : public IndexWalk {
public:
  explicit RowWalk(const ArrayView &array, int64_t firstRow = 0);

  int64_t getRowSize() const { return rowSize; }
  /// Returns the distance of neighboring elements of a row, in elements. It is
  /// 1 if a row has only one element.
  int64_t getRowStride() const { return rowStride; }

private:
  int64_t rowSize, rowStride;
};

/// The memory of one array, with margins before and after the array. The
/// margins, and gaps between elements that the strides leave, are filled with a
/// pattern that is NaN. A kernel that reads the pattern returns NaN, and
/// checkMargins() detects writes to it.
class Buffer {
public:
  /// The number of elements in the margin before the array. The margin after
  /// the array has at least as many elements.
  static constexpr int64_t marginElements = 256;

  /// Allocates an array that is filled with NaN. Its data begin at a multiple
  /// of 64 bytes. Fails if a size or a stride is negative, if two indices have
  /// the same address, or if memory is exhausted. The view keeps the stride of
  /// a dimension of size 0 or 1, which is otherwise ignored.
  static llvm::Expected<Buffer> allocate(DType dtype,
                                         llvm::ArrayRef<int64_t> sizes,
                                         llvm::ArrayRef<int64_t> strides);

  const ArrayView &view() const { return array; }

  /// Returns all of the allocated memory, including the margins.
  llvm::MutableArrayRef<char> getMemory() const {
    return {static_cast<char *>(memory.get()), static_cast<size_t>(byteSize)};
  }

  /// Fills all of the allocated memory with NaN, as allocate() does: the
  /// elements of the array, the gaps between them that the strides leave, and
  /// the margins before and after the array.
  void poison();

  /// Returns an error if a margin or gap was overwritten after the last call of
  /// poison(). The error names the first overwritten element by its offset from
  /// the start of the array.
  llvm::Error checkMargins() const;

private:
  struct Free {
    void operator()(void *memory) const { std::free(memory); }
  };

  Buffer() = default;

  /// Sets the bit in `occupied` of each offset at which the array has an
  /// element. Returns false if two indices have the same offset.
  bool markElements();

  ArrayView array;
  /// The number of elements from the first to the last element of the array,
  /// including gaps.
  int64_t extent = 0;
  int64_t byteSize = 0;
  std::unique_ptr<void, Free> memory;
  /// One bit for each offset below `extent`, which says whether the array has
  /// an element at that offset. In the last 64-bit word, the bits past `extent`
  /// are set, too.
  std::unique_ptr<uint64_t[], Free> occupied;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_BUFFER_H
