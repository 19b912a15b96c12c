//===- PlaceTiles.cpp - Places of tiles in shared memory ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"
#include "RingTiles.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPLACETILESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Fails with an error unless only MMAs read the converted tile or columns of
/// it. The next iteration overwrites the tile after a barrier, which must come
/// after the last read. The end of a read is known only for MMAs, since the
/// program waits for them.
static LogicalResult checkUses(ConvertLayoutOp op) {
  for (Operation *user : getReaders(op.getResult()))
    if (!isa<DotOp, MmaOp>(user)) {
      InFlightDiagnostic error = op.emitOpError(
          "expected a tile in shared memory that MMAs of the same "
          "iteration read, found another use");
      error.attachNote(user->getLoc()) << "used here";
      return error;
    }
  return success();
}

/// Whether `other` is in a loop, and `op` is outside of the innermost loop
/// around `other`.
static bool isOutsideLoopOf(Operation *op, Operation *other) {
  auto loop = other->getParentOfType<scf::ForOp>();
  return loop && !loop->isProperAncestor(op);
}

/// Fails with an error if warpgroups exchange a tile in a loop that they do not
/// run together. All warps of the tile's layout must take part in each
/// exchange, but some warpgroups may skip blocks of the loop, or warpgroups may
/// take turns in it (ping-pong). Layouts of one warpgroup always pass.
static LogicalResult checkWarpgroups(Operation *op, Value tile,
                                     KernelOp kernel) {
  auto layout =
      cast<MmaLayoutAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
  if (32 * layout.getWarps() == kWarpgroup)
    return success();
  StringRef found;
  kernel.walk([&](Operation *other) {
    // An attn_gpu.skip comes before the loop in which a warpgroup leaves out
    // the blocks. So a skip outside of the loop of `op` may be about that loop.
    if (isa<SkipOp>(other) && isOutsideLoopOf(other, op))
      found = "some that leave out blocks which only others' rows need";
    else if (isa<PingPongWaitOp>(other) && !isOutsideLoopOf(op, other))
      found = "some with ping-pong";
    return found.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (found.empty())
    return success();
  return op->emitOpError("expected warpgroups that go through a loop together, "
                         "since they exchange a tile, found ")
         << found << "; one warpgroup can compute this";
}

static LogicalResult check(Operation *op, KernelOp kernel) {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return failure(failed(checkUses(convert)) ||
                   failed(checkWarpgroups(op, convert.getInput(), kernel)));
  auto reduce = cast<ReduceOp>(op);
  RankedTensorType type = reduce.getInput().getType();
  if (!isa_and_nonnull<MmaLayoutAttr>(type.getEncoding()) ||
      !type.getElementType().isF32())
    return op->emitOpError("expected a tile of f32 and layout mma to reduce "
                           "along 0, found ")
           << type;
  return checkWarpgroups(op, reduce.getInput(), kernel);
}

static LogicalResult placeTiles(KernelOp kernel, ScheduleAttr schedule,
                                const attn::Chip &chip) {
  for (Operation *op : getExchangingOps(kernel))
    if (failed(check(op, kernel)))
      return failure();
  SmallVector<Exchange> exchanges = findExchanges(kernel);
  if (exchanges.empty())
    return success();
  // With a producer, the computing warps have no barrier of the whole CTA
  // between exchanges. Only a vote of warps can then replace the barrier with
  // which an exchange begins.
  bool meetsAll = !schedule.hasProducer();
  int64_t begin = kernel.getSharedBytes();
  int64_t end = placeExchanges(exchanges, begin);
  auto isOrdered =
      llvm::map_to_vector(exchanges, [&](const Exchange &exchange) {
        return isBehindBarrier(exchange, exchanges, /*inRoles=*/!meetsAll);
      });
  IRRewriter rewriter(kernel.getContext());
  for (auto [exchange, behindBarrier] : llvm::zip(exchanges, isOrdered)) {
    rewriter.setInsertionPoint(exchange.op);
    if (auto convert = dyn_cast<ConvertLayoutOp>(exchange.op)) {
      rewriter.replaceOpWithNewOp<LocalStoreOp>(
          convert, convert.getResult().getType(), convert.getInput(),
          exchange.offset, behindBarrier);
      continue;
    }
    auto reduce = cast<ReduceOp>(exchange.op);
    rewriter.replaceOpWithNewOp<ReduceColumnsOp>(
        reduce, reduce.getResult().getType(), reduce.getKind(),
        reduce.getInput(), exchange.offset, behindBarrier);
  }
  return extendSharedBytes(kernel, begin, end, chip);
}

namespace {
struct AttnGPUPlaceTilesPass
    : public attn_gpu::impl::AttnGPUPlaceTilesPassBase<AttnGPUPlaceTilesPass> {
  void runOnOperation() override {
    if (failed(lowerKernel(getOperation(), placeTiles)))
      signalPassFailure();
  }
};
} // namespace
