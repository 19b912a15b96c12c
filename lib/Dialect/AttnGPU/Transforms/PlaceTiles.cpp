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

/// Fails with an error unless only MMAs read the tile or its columns. The next
/// iteration overwrites the tile after a barrier, which must come after the
/// last read. Where a read ends is known only of MMAs, since they are waited
/// for.
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

/// Whether `op` is outside of the innermost loop around `other`.
static bool isOutsideLoopOf(Operation *op, Operation *other) {
  auto loop = other->getParentOfType<scf::ForOp>();
  return loop && !loop->isProperAncestor(op);
}

/// Fails with an error if warps of several warpgroups exchange a tile in a loop
/// whose iterations differ among warpgroups (skip) or in which these take turns
/// (ping-pong): all warps of the tile's layout must take part in each exchange.
static LogicalResult checkWarpgroups(Operation *op, Value tile,
                                     KernelOp kernel) {
  auto layout =
      cast<MmaLayoutAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
  if (32 * layout.getWarps() == kWarpgroup)
    return success();
  StringRef found;
  kernel.walk([&](Operation *other) {
    // Blocks are left out of the loops that follow a skip.
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
  // With a producer, no barrier of all threads of the CTA comes between
  // exchanges, only votes of warps.
  bool meetsAll = !schedule.hasProducer();
  int64_t end = placeExchanges(exchanges, kernel.getSharedBytes());
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
  return setSharedBytes(kernel, end, chip);
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
