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

/// Lowers each `attn_tile.bytes` in `root` to a cast of the array's address.
/// The offset, the number of columns and the strides of rows are halved. Fails
/// with an error at any other access to an array of i4. Also fails for an array
/// of i4 that the function allocates, since LLVM stores one i4 in each byte of
/// it, while arrays that callers pass have two.
LogicalResult lowerByteViews(Operation *root);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_LOWERBYTEVIEWS_H
