//===- SpreadVectors.h - Vectors that lanes read once -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPREADVECTORS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPREADVECTORS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Gives layout #attn_gpu.spread to each vector of f32 that a loop
/// over blocks reads from memory for its columns, such as scales of tokens, and
/// to those from which it is computed. The vector is converted to the slice
/// that its users need after it has been read. Vectors must have layouts.
void spreadVectors(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_SPREADVECTORS_H
