//===- Exchanges.cpp - Tiles that warps exchange --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"
#include "RingTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static bool isToShared(ConvertLayoutOp op) {
  return isa_and_nonnull<MmaLayoutAttr>(
             op.getInput().getType().getEncoding()) &&
         isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
             op.getResult().getType().getEncoding());
}

Operation *attn_gpu::getEndOfMma(Operation *op) {
  // An MMA may add to the result of an earlier MMA that has not ended. Only the
  // last MMA of such a chain is waited for.
  while (isa<MmaOp>(op) && op->hasOneUse() && isa<MmaOp>(*op->user_begin()))
    op = *op->user_begin();
  if (!isa<MmaOp>(op) || op->use_empty())
    return op;
  return op->getBlock()->findAncestorOpInBlock(**op->getUsers().begin());
}

bool attn_gpu::isExchanging(Operation *op) {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return isToShared(convert);
  auto reduce = dyn_cast<ReduceOp>(op);
  return reduce && reduce.getAxis() == 0;
}

SmallVector<Operation *> attn_gpu::getExchangingOps(KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    if (isExchanging(op))
      ops.push_back(op);
  });
  return ops;
}

SmallVector<Exchange> attn_gpu::findExchanges(KernelOp kernel) {
  SmallVector<Exchange> exchanges;
  for (Operation *op : getExchangingOps(kernel)) {
    Exchange exchange = {op, op, {}};
    if (auto reduce = dyn_cast<ReduceOp>(op)) {
      RankedTensorType type = reduce.getInput().getType();
      auto layout = dyn_cast_or_null<MmaLayoutAttr>(type.getEncoding());
      if (!layout)
        continue;
      exchange.bytes = layout.getWarpsM() * type.getDimSize(1) * 4;
    } else {
      exchange.tile = cast<ConvertLayoutOp>(op).getResult().getType();
      for (Operation *user : getReaders(op->getResult(0))) {
        Operation *inBlock =
            op->getBlock()->findAncestorOpInBlock(*getEndOfMma(user));
        if (inBlock && exchange.end->isBeforeInBlock(inBlock))
          exchange.end = inBlock;
      }
    }
    exchanges.push_back(exchange);
  }
  return exchanges;
}

/// Whether an op lies between an exchange and the last read of the memory that
/// the exchange writes.
static bool isNeededAt(const Exchange &exchange, Operation *op) {
  Operation *inBlock = exchange.op->getBlock()->findAncestorOpInBlock(*op);
  return inBlock && !inBlock->isBeforeInBlock(exchange.op) &&
         !exchange.end->isBeforeInBlock(inBlock);
}

static bool areNeededTogether(const Exchange &a, const Exchange &b) {
  return isNeededAt(a, b.op) || isNeededAt(b, a.op);
}

/// Returns the offsets in shared memory at which an exchange begins and ends if
/// it is allocated after `base` bytes.
static std::pair<int64_t, int64_t> getRange(const Exchange &exchange,
                                            int64_t base) {
  TileMemory memory(base);
  int64_t begin = exchange.tile ? memory.allocate(exchange.tile, 1)
                                : memory.allocate(exchange.bytes);
  return {begin, memory.getBytes()};
}

int64_t attn_gpu::placeExchanges(MutableArrayRef<Exchange> exchanges,
                                 int64_t base) {
  int64_t all = base;
  for (auto [i, exchange] : llvm::enumerate(exchanges)) {
    SmallVector<std::pair<int64_t, int64_t>> others;
    for (const Exchange &other : exchanges.take_front(i))
      if (areNeededTogether(other, exchange))
        others.emplace_back(other.offset, other.endOffset);
    // Takes the first offset at which the memory of this exchange overlaps that
    // of no other exchange that is needed at the same time. The others are
    // sorted by offset.
    llvm::sort(others);
    auto [begin, end] = getRange(exchange, base);
    for (auto [otherBegin, otherEnd] : others)
      if (begin < otherEnd && otherBegin < end)
        std::tie(begin, end) = getRange(exchange, otherEnd);
    exchange.offset = begin;
    exchange.endOffset = end;
    all = std::max(all, end);
  }
  return all;
}

/// Whether the op is, or is later expanded to, code in which all computing
/// warps wait for each other: a barrier, a vote of warps, or an exchange. A
/// reduction along columns only counts if several warps have different rows.
static bool isBarrier(Operation *op) {
  if (auto reduce = dyn_cast<ReduceOp>(op); reduce && isExchanging(op)) {
    auto layout = dyn_cast_or_null<MmaLayoutAttr>(
        reduce.getInput().getType().getEncoding());
    return layout && layout.getWarpsM() > 1;
  }
  return isa<gpu::BarrierOp, VoteWarpsOp>(op) || isExchanging(op);
}

bool attn_gpu::isBehindBarrier(const Exchange &exchange, ArrayRef<Exchange> all,
                               bool inRoles) {
  // Finds the last barrier before the exchange in the exchange's block. A
  // barrier of the same block runs before each execution of the exchange.
  Operation *barrier = exchange.op->getPrevNode();
  while (barrier && !isBarrier(barrier))
    barrier = barrier->getPrevNode();
  if (!barrier || (inRoles && !isa<VoteWarpsOp>(barrier)))
    return false;
  return llvm::none_of(all, [&](const Exchange &other) {
    Operation *read =
        exchange.op->getBlock()->findAncestorOpInBlock(*other.end);
    return read && !read->isBeforeInBlock(barrier) &&
           read->isBeforeInBlock(exchange.op) &&
           other.offset < exchange.endOffset &&
           exchange.offset < other.endOffset;
  });
}

int64_t attn_gpu::getBytesOfDividedRows(KernelOp kernel) {
  int64_t bytes = 0;
  kernel.walk([&](SoftmaxUpdateOp update) {
    RankedTensorType type = update.getScores().getType();
    if (auto layout = dyn_cast_or_null<MmaLayoutAttr>(type.getEncoding());
        layout && layout.getWarpsN() > 1)
      bytes = 4 * type.getDimSize(0) * layout.getWarpsN();
  });
  return bytes;
}

int64_t attn_gpu::getEndOfExchanges(KernelOp kernel, ScheduleAttr schedule,
                                    const SmallPtrSetImpl<Operation *> &inRings,
                                    int64_t base) {
  SmallVector<Exchange> exchanges = findExchanges(kernel);
  llvm::erase_if(exchanges, [&](const Exchange &exchange) {
    return inRings.contains(exchange.op);
  });
  if (int64_t bytes = getBytesOfDividedRows(kernel))
    base = llvm::alignTo(base, kRowPartsAlignment) + bytes;
  if (!schedule.overlapsMmas())
    return placeExchanges(exchanges, base);
  // With overlap, MMAs of several exchanged tiles may be unfinished at the same
  // time, so each exchange has memory of its own.
  for (const Exchange &exchange : exchanges)
    base = getRange(exchange, base).second;
  return base;
}
