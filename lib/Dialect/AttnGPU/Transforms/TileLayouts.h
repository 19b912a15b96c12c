//===- TileLayouts.h - Layouts of tiles in registers ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/ADT/DenseSet.h"

namespace mlir::attn_gpu {

/// The layouts of a kernel's tiles in registers. The schedule and a tile's
/// shape say how the warps divide it. Where several warps would share a row of
/// a tile whose rows are combined (the scores of a softmax, the input of a
/// reduction), each of them has a copy of the whole row instead, and so of all
/// tiles that element-wise ops, loops and branches connect with that tile.
/// Products of such a tile are divided by columns again.
class TileLayouts {
public:
  /// Constants that tiles of several layouts share are cloned.
  TileLayouts(KernelOp kernel, ScheduleAttr schedule);

  /// Fails if the warps cannot divide a tile of that shape.
  FailureOr<MmaLayoutAttr> get(Value tile) const;

private:
  ScheduleAttr schedule;
  /// Neighbours of a row that a lane has.
  int64_t columns;
  llvm::DenseSet<Value> withWholeRows;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILELAYOUTS_H
