//===- TakeColumns.h - Slices of columns of tiles ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TAKECOLUMNS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TAKECOLUMNS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn_gpu {

/// Replaces a slice of a tile that has a layout by `attn_gpu.columns`. Fails
/// with an error unless the slice has all rows, unit strides and a static first
/// column.
LogicalResult takeColumns(tensor::ExtractSliceOp slice);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TAKECOLUMNS_H
