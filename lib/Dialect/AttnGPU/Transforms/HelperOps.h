//===- HelperOps.h - Ops that helpers run -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_HELPEROPS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_HELPEROPS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// The ops that helpers run, in a kernel whose tiles have no layouts yet.
/// attn-gpu-assign-layouts inserts the ops of converters, and adds them here.
struct HelperOps {
  /// Finds the ops of multipliers and of a reducer. Fails with an error if
  /// these roles cannot run an op that the program gives them, or if a
  /// product's `apart` names no multiplier of the schedule.
  LogicalResult separate(KernelOp kernel);
  /// Returns the helper (multiplier, reducer or converter) that runs the op, or
  /// null if consumers run it.
  RoleAttr find(Operation *op, ScheduleAttr schedule) const;

  llvm::SetVector<Operation *> reduced;
  /// The ops that multipliers and converters run, each with its role.
  llvm::DenseMap<Operation *, RoleAttr> owners;
  /// The tiles that may take the memory of loaded tiles (attn_tile.reuse, which
  /// separate() removes), each with the loaded tile.
  llvm::DenseMap<Value, Value> reused;

private:
  LogicalResult separateApart(KernelOp kernel);
  void passVectors(KernelOp kernel);
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_HELPEROPS_H
