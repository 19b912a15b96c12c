//===- EmptyTensors.h - Results where they are stored -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_EMPTYTENSORS_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_EMPTYTENSORS_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

/// Replaces each tensor.empty that is the destination of a tensor by the slice
/// or memref to which the tensor is written, where that is right.
LogicalResult eliminateEmptyTensors(ModuleOp module);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_EMPTYTENSORS_H
