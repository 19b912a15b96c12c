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

/// Fails with an error if an op in `root` asks for the size of a dimension that
/// its array does not have, by a constant index. MLIR's analysis of value
/// bounds would otherwise read past the end of the shape.
LogicalResult verifyDimIndices(Operation *root);

/// Clamps the index of each op in `root` that returns the size of a dimension,
/// to the index of the array's last dimension. Constant indices are not
/// clamped. Other indices are clamped since they may later fold to a constant
/// that is out of range.
void boundDimIndices(Operation *root);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_DIMINDICES_H
