//===- ValueOrder.h - The dimension along which values lie ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_VALUEORDER_H
#define ATTN_DIALECT_ATTN_IR_VALUEORDER_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Whether the type is a memref of rank 4, with more than one column, that is
/// known to have a stride of 1 along its keys, dimension 2, and not along its
/// columns.
bool liesAlongKeys(ShapedType type);

/// Whether the op is a forward op whose value lies along its keys. Programs
/// then read the transposed array, of which each row is a column of the value.
bool hasValueAlongKeys(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_VALUEORDER_H
