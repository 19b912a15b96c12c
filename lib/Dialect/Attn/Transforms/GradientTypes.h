//===- GradientTypes.h - Types of arrays for gradients ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_TRANSFORMS_GRADIENTTYPES_H
#define ATTN_DIALECT_ATTN_TRANSFORMS_GRADIENTTYPES_H

#include "mlir/IR/BuiltinTypeInterfaces.h"

namespace mlir::attn {

/// Returns the type of an array for the gradient, with elements of type
/// `element`, of an array of type `type`. Unless the gradient could not be
/// written to such an array, it has the same layout. It could not if elements
/// share an address, or if those of a row are not neighbours; with
/// `mayLieAlongKeys`, these may be those of a column. Then it is row-major.
Type getGradientType(ShapedType type, Type element, bool mayLieAlongKeys);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_TRANSFORMS_GRADIENTTYPES_H
