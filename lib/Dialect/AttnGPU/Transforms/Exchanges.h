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
  /// The last op of the block of `op` by which what `op` writes is read: a
  /// reader, or the op at which an MMA that reads it has ended. `op` itself if
  /// it is a reduction.
  Operation *end;
  /// The tile that a conversion writes; null for a reduction, which writes
  /// `bytes` bytes.
  RankedTensorType tile;
  int64_t bytes = 0;
  /// The offsets in shared memory, in bytes, at which the memory of the
  /// exchange begins and ends.
  int64_t offset = 0, endOffset = 0;
};

/// The ops of a kernel that are exchanges, in their order.
SmallVector<Operation *> getExchangingOps(KernelOp kernel);
/// Returns the kernel's exchanges, without reductions whose input has no
/// layout.
SmallVector<Exchange> findExchanges(KernelOp kernel);

/// Whether an op exchanges data through shared memory, so that all warps of its
/// tile's layout must run it together.
bool isExchanging(Operation *op);

/// Assigns each exchange an offset in bytes from `base` on, such that exchanges
/// whose memory is needed at the same time do not overlap. Returns the largest
/// offset at which one of them ends.
int64_t placeExchanges(MutableArrayRef<Exchange> exchanges, int64_t base);

/// Whether a barrier of all threads precedes the exchange in its block and,
/// between the two, no exchange of `all` is read whose memory overlaps that of
/// this one. With roles (`inRoles`), the barrier must be a vote of warps. If
/// the result is false, the exchange must begin with a barrier.
bool isBehindBarrier(const Exchange &exchange, ArrayRef<Exchange> all,
                     bool inRoles);

/// Returns the largest offset at which the kernel's exchanges can end if their
/// memory begins at `base`. Does not count those in `inRings`, which use the
/// slots of rings.
int64_t getEndOfExchanges(KernelOp kernel, ScheduleAttr schedule,
                          const SmallPtrSetImpl<Operation *> &inRings,
                          int64_t base);

/// The number of bytes of shared memory through which warps that divide the
/// scores of a row combine the row's maximum and sum; 0 if each warp has whole
/// rows.
int64_t getBytesOfDividedRows(KernelOp kernel);
/// The alignment in bytes of the memory that getBytesOfDividedRows() counts.
constexpr int64_t kRowPartsAlignment = 16;

/// Returns the op of the same block after which the MMA that `op` issues has
/// ended: the first user of its result, or of the result of the last MMA that
/// adds to it. Returns `op` itself if it is no MMA.
Operation *getEndOfMma(Operation *op);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H
