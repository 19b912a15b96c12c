//===- CheckOuts.h - Checks of the arrays that ops write --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_CHECKOUTS_H
#define ATTN_LIB_CONVERSION_CHECKOUTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::attn {

/// Fails with an error at an op of attn in `func` that has one memref twice
/// among its outs, also by a memref.cast or a memref.transpose.
LogicalResult checkOuts(func::FuncOp func);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_CHECKOUTS_H
