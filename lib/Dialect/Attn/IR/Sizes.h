//===- Sizes.h - Sizes of tensors and memrefs alike -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTN_IR_SIZES_H
#define ATTN_LIB_DIALECT_ATTN_IR_SIZES_H

#include "mlir/IR/Builders.h"

namespace mlir::attn {

/// A size of a tensor or memref, as an attribute where it is static.
OpFoldResult getSize(OpBuilder &builder, Location loc, Value shaped,
                     int64_t dim);

} // namespace mlir::attn

#endif // ATTN_LIB_DIALECT_ATTN_IR_SIZES_H
