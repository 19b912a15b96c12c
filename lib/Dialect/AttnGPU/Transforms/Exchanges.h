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

/// A conversion of a tile from registers to shared memory, or a reduction along
/// columns, in which warps combine their parts through shared memory.
struct Exchange {
  Operation *op;
  /// The last op of its block that reads what it writes.
  Operation *end;
  /// The tile that a conversion writes. A reduction has none, and writes
  /// `bytes`.
  RankedTensorType tile;
  int64_t bytes = 0;
  /// The offsets in shared memory at which it begins and ends.
  int64_t offset = 0, endOffset = 0;
};

/// The ops of a kernel that are exchanges, in their order.
SmallVector<Operation *> getExchangingOps(KernelOp kernel);
/// Returns the exchanges of a kernel, except reductions of tiles without a
/// layout.
SmallVector<Exchange> findExchanges(KernelOp kernel);

/// Whether an op is an exchange, in which all warps of its tile's layout meet.
bool isExchanging(Operation *op);

/// Assigns each exchange an offset from `base` on, such that exchanges whose
/// memory is needed at the same time do not overlap. Returns the end of all.
int64_t placeExchanges(MutableArrayRef<Exchange> exchanges, int64_t base);

/// Whether all threads have met at a barrier since the last read of the memory
/// that an exchange writes; with roles (`inRoles`), whether all warps that vote
/// have. If not, the exchange begins with a barrier.
bool isBehindBarrier(const Exchange &exchange, ArrayRef<Exchange> all,
                     bool inRoles);

/// The largest offset at which the kernel's exchanges can end if they begin at
/// `base`, without those of `inRings`, which pass through rings.
int64_t getEndOfExchanges(KernelOp kernel, ScheduleAttr schedule,
                          const SmallPtrSetImpl<Operation *> &inRings,
                          int64_t base);

/// Returns the bytes of shared memory through which the warpgroups that divide
/// the scores of a row exchange their parts of its maximum and sum, or 0 if
/// none do.
int64_t getBytesOfDividedRows(KernelOp kernel);
/// The alignment of the offsets where these parts begin, in bytes.
constexpr int64_t kRowPartsAlignment = 16;

/// Returns the op of the same block after which the MMA that an op issues has
/// ended.
Operation *getEndOfMma(Operation *op);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_EXCHANGES_H
