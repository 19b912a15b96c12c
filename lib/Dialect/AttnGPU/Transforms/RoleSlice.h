//===- RoleSlice.h - Ops of a program that a role needs ---------*- C++ -*-===//
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

/// The smallest part of a program that a role must run in order to run some of
/// its ops, the roots. It contains the ops that compute the operands of the
/// roots, the loops and branches around all of these, and the ops that compute
/// the operands of these loops and branches. Loops and branches carry only
/// values that the slice reads.
///
/// Ops of a slice may run in several roles. Therefore they yield no tiles, and
/// have no effects but reads of memory that the program does not write. There
/// are two exceptions: `sources`, roots whose tiles come from other roles, so
/// that their operands are not needed; and `own`, ops that only this role runs.
class RoleSlice {
public:
  /// Returns the smallest slice of `program` that contains what is needed to
  /// run the ops `roots`. Fails with an error at an op that the slice needs but
  /// that several roles may not run.
  static FailureOr<RoleSlice> get(Block *program, ArrayRef<Operation *> roots,
                                  ArrayRef<Operation *> sources = {},
                                  const llvm::SetVector<Operation *> &own = {});

  /// Clones the ops of the slice at the builder. For each root (an op that
  /// get() was asked to run), it calls `emitRoot` instead, which emits other
  /// ops and maps the results of the root to theirs.
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
  /// The loops and branches of the slice. For each of them, the bits of those
  /// carried or yielded values that the slice reads are set.
  llvm::DenseMap<Operation *, llvm::SmallBitVector> control;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_ROLESLICE_H
