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

/// Whether the op's program leaves full blocks unmasked, those in which all
/// pairs are kept. It cannot if compile time does not tell for which pairs a
/// mask region is true.
bool mayMaskFillBlocks(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_CONVERSION_MASKBLOCKS_H
