//===- MemRefTypes.h - Types of the arrays that callers pass --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_MEMREFTYPES_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_MEMREFTYPES_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::attn {

/// A memref for a tensor: dynamic strides and offset, but elements of a row
/// side by side.
MemRefType getTypeWithUnitInnerStride(RankedTensorType tensor,
                                      Attribute memorySpace = {});

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_MEMREFTYPES_H
