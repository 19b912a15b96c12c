//===- ArrayView.h - Strided arrays in memory -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one description of an array that the driver, the oracle and the tests
// share. It knows nothing of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_ARRAYVIEW_H
#define ATTN_SUPPORT_ARRAYVIEW_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace mlir::attn {

/// Element types of arrays. Integers have a sign, i1 is a byte that is 0 or 1;
/// programs take them and floats of 8 bits as arguments, attention has the
/// other floats alone.
enum class DType { F16, BF16, F32, F8E4M3FN, F8E5M2, I1, I8, I16, I32, I64 };

inline bool isInteger(DType dtype) { return dtype >= DType::I1; }
/// As MLIR writes it: "bf16".
llvm::StringRef getName(DType dtype);
/// Size of one element in bytes.
int64_t getByteSize(DType dtype);

/// Reads element `index` (in elements, from `data`) exactly, but for an i64
/// beyond 2^53.
double loadElement(const void *data, DType dtype, int64_t index);
/// Writes element `index`, rounded to nearest even; an integer to the nearest
/// that there is, and 0 for NaN. A float of 8 bits beyond the largest becomes
/// the largest.
void storeElement(void *data, DType dtype, int64_t index, double value);
/// `value` rounded to nearest even in `dtype`, with overflow to infinity or, of
/// 8 bits, to the largest.
double roundTo(DType dtype, double value);

/// An array that someone else owns: sizes and strides in elements.
struct ArrayView {
  void *data = nullptr;
  DType dtype = DType::F32;
  llvm::SmallVector<int64_t, 4> sizes;
  llvm::SmallVector<int64_t, 4> strides;

  int64_t getRank() const { return sizes.size(); }
  /// Number of elements; 0 if any size is 0.
  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }
  /// Position of an element from `data`, in elements.
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
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_ARRAYVIEW_H
