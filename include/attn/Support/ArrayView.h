//===- ArrayView.h - Strided arrays in memory -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The description of an array in memory that the driver, the oracle and tests
// use. It does not depend on MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_ARRAYVIEW_H
#define ATTN_SUPPORT_ARRAYVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::attn {

/// The element types of arrays. Integers are signed. An i1 takes a byte, which
/// is 0 or 1. Two i4 share a byte, in which the one with the even index is in
/// the low half.
///
/// Queries and outputs of attention have F16, BF16 or F32, or floats of 8 bits.
/// Keys, values, and arrays of tile programs may also have integers of 8 bits;
/// keys and values integers of 4 bits; and captured arrays integers.
enum class DType {
  F16,
  BF16,
  F32,
  F8E4M3FN,
  F8E5M2,
  I1,
  I4,
  I8,
  I16,
  I32,
  I64
};

inline bool isInteger(DType dtype) { return dtype >= DType::I1; }
/// Returns MLIR's name of the type, such as "bf16".
llvm::StringRef getName(DType dtype);
/// Returns the size of an element in bytes. For i4 it is 1, the size of the
/// byte that holds two elements.
int64_t getByteSize(DType dtype);
/// Returns the number of bytes that `elements` elements take, of which the
/// first begins at a byte. The number of i4 elements must be even.
inline int64_t getNumBytes(DType dtype, int64_t elements) {
  return dtype == DType::I4 ? elements / 2 : elements * getByteSize(dtype);
}

/// Returns the element at `index`, which is counted in elements from `data`.
/// The value is exact, except for an i64 whose magnitude is above 2^53.
double loadElement(const void *data, DType dtype, int64_t index);
/// Writes an element at `index`, which is counted in elements from `data`. The
/// value is rounded to nearest, ties to even. It then saturates for an 8-bit
/// float, becomes infinite in other floats if it is too large, and is clamped
/// to the range of an integer type, for which NaN becomes 0.
void storeElement(void *data, DType dtype, int64_t index, double value);
/// Returns `value` rounded to nearest even in the type `dtype`. A value beyond
/// the type's range becomes infinity or, for an 8-bit float, the type's largest
/// number.
double roundTo(DType dtype, double value);

/// An array in memory that belongs to someone else. Sizes and strides are
/// counted in elements.
struct ArrayView {
  void *data = nullptr;
  DType dtype = DType::F32;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides;

  int64_t getRank() const { return sizes.size(); }
  /// Returns the number of elements, which is 0 if any size is 0.
  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }
  /// Returns the offset of the element at `index` from `data`, in elements.
  int64_t getOffset(llvm::ArrayRef<int64_t> index) const {
    int64_t offset = 0;
    for (auto [i, stride] : llvm::zip(index, strides))
      offset += i * stride;
    return offset;
  }
  double load(llvm::ArrayRef<int64_t> index) const {
    return loadElement(data, dtype, getOffset(index));
  }
  void store(llvm::ArrayRef<int64_t> index, double value) const {
    storeElement(data, dtype, getOffset(index), value);
  }
  /// Moves the beginning of the view by `elements` elements.
  void advance(int64_t elements) {
    data = static_cast<char *>(data) + getNumBytes(dtype, elements);
  }
  /// Returns a view of the bytes of an array of i4, two of whose elements are
  /// in each byte.
  ArrayView getBytes() const;
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_ARRAYVIEW_H
