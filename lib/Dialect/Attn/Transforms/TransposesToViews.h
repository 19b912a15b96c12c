//===- TransposesToViews.h - Strides in place of copies ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_TRANSFORMS_TRANSPOSESTOVIEWS_H
#define ATTN_LIB_DIALECT_ATTN_TRANSFORMS_TRANSPOSESTOVIEWS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn {

/// Replaces transposed copies around attention in a function on buffers with
/// views, and erases buffers that nothing reads. A transpose must keep the
/// innermost dimension, whose stride is 1, and the function must not write the
/// argument that it transposes.
void replaceTransposes(func::FuncOp func);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_TRANSFORMS_TRANSPOSESTOVIEWS_H
