//===- MaskBlocks.h - What is derived of a mask region ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_CONVERSION_MASKBLOCKS_H
#define ATTN_CONVERSION_MASKBLOCKS_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Whether there are blocks that the op's program does not mask. Where nothing
/// can be derived of when a mask region keeps all pairs, each block is masked.
bool mayMaskFillBlocks(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_MASKBLOCKS_H
