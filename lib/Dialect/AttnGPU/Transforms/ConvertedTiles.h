//===- ConvertedTiles.h - What helpers make for consumers -------*- C++ -*-===//
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

/// What a converter or a multiplier runs, as layouts say. A null role runs
/// nothing.
struct ConvertedTiles {
  ConvertedTiles(KernelOp kernel, RoleAttr role);

  RoleAttr role;
  /// The last ops: their results are tiles of shared memory that MMAs of
  /// others read.
  SmallVector<Operation *> results;
  /// `results` and all ops that make the tiles which they read, in program
  /// order. Does not contain loads and ops of other helpers.
  llvm::SetVector<Operation *> ops;
};

/// Products that are apart for the multiplier, and what is made of them element
/// by element up to the products that read it, with constants that these ops
/// read, each for them alone. Fails with an error if an op of another kind
/// makes or reads one of the tiles.
FailureOr<llvm::SetVector<Operation *>> separateApart(KernelOp kernel,
                                                      RoleAttr multiplier);

/// Clones the constants that `ops` read, adds the clones to `ops`, and makes
/// `ops` read them: a constant has one layout, and other roles' warps need
/// another.
void ownConstants(llvm::SetVector<Operation *> &ops);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H
