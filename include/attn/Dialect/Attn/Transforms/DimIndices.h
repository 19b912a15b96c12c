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

/// Fails with an error if an op in `root` asks, by a constant index, for the
/// size of a dimension that its array does not have: MLIR's value bounds would
/// read past the end of the shape.
LogicalResult verifyDimIndices(Operation *root);

/// Clamps the index of each op in `root` that returns the size of a dimension,
/// if the index is no constant (but may fold to one later), to that of the
/// array's last dimension.
void boundDimIndices(Operation *root);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H
