//===- Exchanges.h - Tiles that warps exchange -----------------*- C++ -*--===//
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

/// An op in which the warps of a layout exchange data through shared memory: a
/// conversion of a tile from registers to shared memory, or a reduction along
/// columns.
struct Exchange {
  Operation *op;
  /// The last op, in the block of `op`, at which the memory that `op` writes
  /// may still be read: a reader, or the op at which an MMA that reads the
  /// memory has ended. It is `op` itself for a reduction.
  Operation *end;
  /// The tile that a conversion writes to shared memory; null for a reduction,
  /// which writes `bytes` bytes of partial results.
  RankedTensorType tile;
  int64_t bytes = 0;
  /// The offsets in shared memory, in bytes, at which the memory of the
  /// exchange begins and ends.
  int64_t offset = 0, endOffset = 0;
};

/// Returns the ops of a kernel for which isExchanging() holds, in program
/// order.
SmallVector<Operation *> getExchangingOps(KernelOp kernel);
/// Returns the kernel's exchanges. Reductions along columns whose input has no
/// layout yet are left out.
SmallVector<Exchange> findExchanges(KernelOp kernel);

/// Whether an op exchanges data through shared memory, so that all warps of its
/// tile's layout must run it together.
bool isExchanging(Operation *op);

/// Assigns each exchange an offset in shared memory, in bytes, that is at least
/// `base`. The memory of exchanges that are needed at the same time does not
/// overlap. Returns the largest offset at which an exchange ends.
int64_t placeExchanges(MutableArrayRef<Exchange> exchanges, int64_t base);

/// Whether an exchange need not begin with a barrier, since one precedes it in
/// its block: between the two, nothing reads memory that overlaps the memory of
/// this exchange. `all` are all exchanges of the kernel. With roles
/// (`inRoles`), only a vote of warps counts as a barrier.
bool isBehindBarrier(const Exchange &exchange, ArrayRef<Exchange> all,
                     bool inRoles);

/// Returns the largest offset in bytes at which the kernel's exchanges may end,
/// if their memory begins at `base`. The exchanges `inRings` do not count,
/// since they use slots of rings.
int64_t getEndOfExchanges(KernelOp kernel, ScheduleAttr schedule,
                          const SmallPtrSetImpl<Operation *> &inRings,
                          int64_t base);

/// Returns the number of bytes of shared memory through which warps combine the
/// maximum and the sum of each row, if they divide the scores of a row. Returns
/// 0 if each warp has whole rows.
int64_t getBytesOfDividedRows(KernelOp kernel);
/// The alignment, in bytes, of the shared memory whose size
/// getBytesOfDividedRows() returns.
constexpr int64_t kRowPartsAlignment = 16;

/// Returns the op in the block of `op` at which the MMA that `op` issues has
/// ended. It is the first user of the MMA's result or, if further MMAs add to
/// that result, of the result of the last of these. Returns `op` itself if it
/// is not an MMA.
Operation *getEndOfMma(Operation *op);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H
