//===- LowerByteViews.h - Bytes of arrays of i4 -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_LOWERBYTEVIEWS_H
#define ATTN_LIB_CONVERSION_LOWERBYTEVIEWS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Lowers each `attn_tile.bytes` in `root` to a cast of the array's address,
/// with half the offset, columns and strides of rows. Fails with an error at
/// another access to an array of i4, and at an array that the function
/// allocates: the caller passes two elements in a byte, while memory that LLVM
/// allocates has an i4 in each byte.
LogicalResult lowerByteViews(Operation *root);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LOWERBYTEVIEWS_H
