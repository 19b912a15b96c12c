//===- Overlap.h - Arrays that share memory ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CAPI_OVERLAP_H
#define ATTN_LIB_CAPI_OVERLAP_H

#include "llvm/ADT/ArrayRef.h"

#include <cstdint>

namespace mlir::attn {

/// The bytes of an array's elements.
struct StridedBytes {
  /// Of the element whose indices are all 0.
  int64_t address = 0;
  /// Of an element.
  int64_t size = 0;
  /// Strides in elements, as many as sizes. 0 where the size is 1.
  llvm::ArrayRef<int64_t> sizes, strides;
};

/// Whether two arrays have a byte in common. Arrays that lie between each
/// other's elements, as parts of one packed array do, have none. Where strides
/// are so odd that it takes long to tell, the answer is no.
bool haveCommonBytes(const StridedBytes &a, const StridedBytes &b);

} // namespace mlir::attn

#endif // ATTN_LIB_CAPI_OVERLAP_H
