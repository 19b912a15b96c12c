//===- ConvertedTiles.h - What a converter makes ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// What a converter runs, as layouts say.
struct ConvertedTiles {
  explicit ConvertedTiles(KernelOp kernel);

  /// The last ops: their results are tiles of shared memory that MMAs of
  /// others read.
  SmallVector<Operation *> results;
  /// All, down to loaded tiles, which are not among them; in their order.
  llvm::SetVector<Operation *> ops;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H
