//===- Exchanges.h - What warps exchange through shared memory --*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// A conversion of a tile from registers to shared memory, or a reduction along
/// columns.
struct Exchange {
  Operation *op;
  /// The op of its block after which nobody reads what it has written.
  Operation *end;
  /// Of a conversion; else what takes `bytes`.
  RankedTensorType tile;
  int64_t bytes = 0;
  /// Where it lies in shared memory, and where that ends.
  int64_t offset = 0, endOffset = 0;
};

/// The ops of a kernel that exchange something, in their order.
SmallVector<Operation *> getExchangingOps(KernelOp kernel);
/// The same with what they need, if their layouts and uses are right.
SmallVector<Exchange> findExchanges(KernelOp kernel);

/// Whether all warps of a layout meet in an op.
bool isExchanging(Operation *op);

/// Gives each an offset from `base` on, those that are needed at the same time
/// different ones. Returns where all end.
int64_t placeExchanges(MutableArrayRef<Exchange> exchanges, int64_t base);

/// Whether all threads have met since the last read of what lies at an
/// exchange's place, or beside roles, `inRoles`, all warps that vote. Others
/// begin with a barrier.
bool isBehindBarrier(const Exchange &exchange, ArrayRef<Exchange> all,
                     bool inRoles);

/// Where the kernel's exchanges will end at most that begin at `base`, without
/// those that pass through rings.
int64_t getEndOfExchanges(KernelOp kernel, ScheduleAttr schedule,
                          const SmallPtrSetImpl<Operation *> &inRings,
                          int64_t base);

/// Bytes by which warpgroups exchange what each has of the rows of a softmax
/// whose scores they divide, or 0.
int64_t getBytesOfDividedRows(KernelOp kernel);
/// Of where those begin.
constexpr int64_t kRowPartsAlignment = 16;

/// The op of its block after which the MMA that an op begins has ended.
Operation *getEndOfMma(Operation *op);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H
