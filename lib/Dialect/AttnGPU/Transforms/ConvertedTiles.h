//===- ConvertedTiles.h - Tiles that helpers compute ------------*- C++ -*-===//
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

/// The ops that a converter or a multiplier runs. They are recognised by the
/// layouts of their tiles, whose first warp is the role's. For a null role,
/// both lists are empty.
struct ConvertedTiles {
  ConvertedTiles(KernelOp kernel, RoleAttr role);

  RoleAttr role;
  /// The ops whose results are tiles in shared memory that MMAs of other roles
  /// read.
  SmallVector<Operation *> results;
  /// `results` and all ops that make the tiles which they read, in program
  /// order. Does not contain loads and ops of other helpers.
  llvm::SetVector<Operation *> ops;
};

/// Returns the ops that `multiplier` runs: the products whose `apart` names it,
/// and the element-wise ops that read their results, directly or through other
/// such ops, up to products that read these as operands. Also returns the
/// constants that these ops read, as clones that no other op reads. Fails with
/// an error if an op of another kind makes or reads one of the tiles.
FailureOr<llvm::SetVector<Operation *>> separateApart(KernelOp kernel,
                                                      RoleAttr multiplier);

/// Clones the constants, and other ops without tiles as operands except loads,
/// that `ops` read, adds the clones to `ops`, and makes `ops` read them: a
/// constant has one layout, and other roles' warps need another.
void ownConstants(llvm::SetVector<Operation *> &ops);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H
