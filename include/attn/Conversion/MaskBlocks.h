//===- MaskBlocks.h - Full blocks of mask regions ---------------*- C++ -*-===//
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

/// Whether the op's program can find full blocks, of which all pairs are kept,
/// and leave their scores unmasked. This is so for an op without a mask region.
/// For an op with one, it is so if the compiler can derive conditions under
/// which the region is true for all pairs of a block.
bool mayMaskFillBlocks(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_MASKBLOCKS_H
