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

/// Fails if an op in `root` asks for the size of a dimension, by a constant
/// index, that its array does not have: value bounds would read past the end of
/// the shape.
LogicalResult verifyDimIndices(Operation *root);

/// Limits each index that is not constant, and may fold to a constant later, to
/// that of the last dimension.
void boundDimIndices(Operation *root);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H
