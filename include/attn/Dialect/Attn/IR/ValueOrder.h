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

/// Whether the type is a memref of rank 4 whose elements lie along the keys:
/// dimension 2, the keys, has a static stride of 1, and dimension 3, the
/// columns, does not. A memref with a single column does not count.
bool liesAlongKeys(ShapedType type);

/// Whether the op is a forward op whose value array lies along its keys
/// (liesAlongKeys). Programs then read a transposed view of the array, each row
/// of which is a column of the value.
bool hasValueAlongKeys(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_VALUEORDER_H
