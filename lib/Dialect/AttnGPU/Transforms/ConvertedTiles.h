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

/// The ops that a converter or a multiplier runs, in a kernel whose tiles have
/// layouts. They are recognised by the layouts of their tiles, whose first warp
/// is the role's first warp. If the role is null, there are no such ops.
struct ConvertedTiles {
  ConvertedTiles(KernelOp kernel, RoleAttr role);

  RoleAttr role;
  /// The ops whose results are written to shared memory, where MMAs of other
  /// roles read them.
  SmallVector<Operation *> results;
  /// The ops of `results` and all ops that compute the tiles which they read,
  /// each after those whose results it reads. Loads and ops of other helpers
  /// are not among them.
  llvm::SetVector<Operation *> ops;
};

/// A value that a loop over blocks carries from one iteration to the next.
struct CarriedValue {
  attn_tile::ForBlocksOp loop;
  unsigned number;
};

/// If a loop over blocks carries the value, that is, if it is an argument of
/// its body or one of its results, returns which one. Otherwise returns
/// nullopt.
std::optional<CarriedValue> getCarried(Value value);

/// Returns the ops that `multiplier` runs: the products whose `apart` names it;
/// the element-wise ops, softmax ops and branches that read the results of
/// these products, directly or through other such ops; and the ops that make
/// tiles from constants for all of these, such as masks. The latter are clones
/// that no other op reads. Products that read results of these ops as operands
/// belong to other roles, and so do ops that read vectors. Fails with an error
/// if an op of any other kind makes or reads one of the tiles.
FailureOr<llvm::SetVector<Operation *>> separateApart(KernelOp kernel,
                                                      RoleAttr multiplier);

/// Makes `ops` read clones of the constants that they read, and of other ops,
/// except loads, that compute tiles from constants. Adds the clones to `ops`.
/// A constant has one layout, and tiles of other roles' warps need another.
void ownConstants(llvm::SetVector<Operation *> &ops);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CONVERTEDTILES_H
