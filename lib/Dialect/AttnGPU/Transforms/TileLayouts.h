//===- TileLayouts.h - Layouts of tiles in registers ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H

#include "HelperOps.h"
#include "RightOperands.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::attn_gpu {

/// The layouts of a kernel's tiles in registers, derived from the schedule and
/// a tile's shape. If several warps would share a row of a tile whose rows are
/// reduced (the scores of a softmax, the input of a reduction), each of them
/// has a copy of the whole row instead. The same holds for all tiles that
/// element-wise ops, loops and branches connect with that tile. The results of
/// MMAs on such tiles are divided by columns again.
class TileLayouts {
public:
  /// Derives the layouts of the kernel's tiles. Clones constants that tiles
  /// with different layouts use. Tiles that multipliers compute, by `helpers`,
  /// have the layouts of these roles.
  TileLayouts(KernelOp kernel, ScheduleAttr schedule,
              const RightOperands &rights, const HelperOps &helpers);

  /// Returns the layout of a tile. Fails if the warps cannot divide its shape.
  FailureOr<MmaLayoutAttr> get(Value tile) const;

private:
  ScheduleAttr schedule;
  const HelperOps &helpers;
  /// The number of neighboring elements of a row that a lane has in all tiles
  /// but those in `withRuns`.
  int64_t columns;
  llvm::DenseSet<Value> withWholeRows;
  /// The numbers of neighboring elements of a row that a lane has of tiles that
  /// are connected with results of products by mma.sync whose right operands
  /// require such a number: kColumnsOfRuns (4) for some products of 8 bits, or
  /// that of RightOperands.
  llvm::DenseMap<Value, int64_t> withRuns;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H
