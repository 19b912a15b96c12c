//===- RowwiseVerify.h - What ops on rows have in common --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_ROWWISEVERIFY_H
#define ATTN_LIB_DIALECT_ATTN_IR_ROWWISEVERIFY_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// f16, bf16 and f32.
SmallVector<Type, 3> getFloats(MLIRContext *context);

/// The sizes of `dim` of the first array and of each other one.
void requireEqual(SmallVectorImpl<EqualSizes> &sizes, StringRef what,
                  const EqualSizes::Dim &first,
                  ArrayRef<EqualSizes::Dim> others);

/// Forms, ranks, element types, head dims, sizes and results.
LogicalResult verifyRowwise(RowwiseInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_ROWWISEVERIFY_H
