//===- RoleSlice.h - What a role needs of a program -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ROLESLICE_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ROLESLICE_H

#include "attn/Support/NumberBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::attn_gpu {

/// The least part of a program that runs some of its ops, the roots: what they
/// read, the control flow around them, and what that reads. Of values that
/// control flow carries, those alone that are read.
///
/// What is taken is computed again, so it has no tile and no effect, but for
/// reads of memory that the program does not write. Tiles are those of
/// `sources`, which other roles pass on: roots of which no more is needed; and
/// what no role but this one computes, `own`.
class RoleSlice {
public:
  /// Fails with an error at an op that would have to be taken and may not be.
  static FailureOr<RoleSlice> get(Block *program, ArrayRef<Operation *> roots,
                                  ArrayRef<Operation *> sources = {},
                                  const llvm::SetVector<Operation *> &own = {});

  /// Clones the slice, with what `emitRoot` makes in place of a root.
  using EmitRoot =
      llvm::function_ref<void(attn::NumberBuilder &, Operation *, IRMapping &)>;
  void clone(attn::NumberBuilder &builder, EmitRoot emitRoot);

private:
  RoleSlice(Block *program, const llvm::SetVector<Operation *> &own)
      : program(program), own(own) {}

  LogicalResult takeRoot(Operation *root);
  LogicalResult take(Value value, Operation *reader);
  LogicalResult takeOp(Operation *op, Operation *reader);
  LogicalResult takeControl(Operation *op);
  LogicalResult takeParents(Operation *op);
  LogicalResult takeCarried(Operation *op, unsigned number);
  bool mayTakeTile(Value tile);

  void clone(attn::NumberBuilder &builder, Block *block, IRMapping &mapping,
             EmitRoot emitRoot);
  void cloneControl(attn::NumberBuilder &builder, Operation *op,
                    IRMapping &mapping, EmitRoot emitRoot);

  Block *program;
  llvm::SetVector<Operation *> own;
  llvm::SmallDenseSet<Operation *> roots, taken;
  /// The control flow that is taken, with the numbers of the values that it
  /// carries or yields and that are read.
  llvm::DenseMap<Operation *, llvm::SmallBitVector> control;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ROLESLICE_H
