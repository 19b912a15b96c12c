//===- DimIndices.h - Indices of dimensions ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Fails at a size below `root` of a dimension that does not exist, where its
/// index is constant. Value bounds read past the shape's end there.
LogicalResult verifyDimIndices(Operation *root);

/// Makes each other index, which may fold to a constant, at most that of the
/// last dimension.
void boundDimIndices(Operation *root);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H
