//===- PlaceTiles.cpp - What passes through shared memory -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPLACETILESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static bool isToShared(ConvertLayoutOp op) {
  return isa_and_nonnull<MmaLayoutAttr>(
             op.getInput().getType().getEncoding()) &&
         isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
             op.getResult().getType().getEncoding());
}

/// The next iteration writes to the same place.
static LogicalResult checkUses(ConvertLayoutOp op) {
  for (Operation *user : op->getUsers())
    if (!isa<DotOp, MmaOp>(user)) {
      InFlightDiagnostic error = op.emitOpError(
          "expected a tile in shared memory that products of the same "
          "iteration read, found another use");
      error.attachNote(user->getLoc()) << "used here";
      return error;
    }
  return success();
}

/// All warps of a layout take part in an exchange, each time.
static LogicalResult checkWarpgroups(Operation *op, Value tile,
                                     gpu::LaunchOp launch) {
  auto layout =
      cast<MmaLayoutAttr>(cast<RankedTensorType>(tile.getType()).getEncoding());
  if (32 * layout.getWarps() == kWarpgroup)
    return success();
  StringRef found;
  launch.walk([&](Operation *other) {
    if (isa<SkipOp>(other))
      found = "some that leave out blocks which only others' rows need";
    else if (isa<PingPongWaitOp>(other))
      found = "some that wait for others' turns";
    return found.empty() ? WalkResult::advance() : WalkResult::interrupt();
  });
  if (found.empty())
    return success();
  return op->emitOpError("expected warpgroups that go through a loop together, "
                         "since they exchange a tile, found ")
         << found << "; one warpgroup can compute this";
}

static LogicalResult placeTiles(gpu::LaunchOp launch, const attn::Chip &chip) {
  SmallVector<ConvertLayoutOp> tiles;
  SmallVector<ReduceOp> reductions;
  launch.walk([&](Operation *op) {
    if (auto convert = dyn_cast<ConvertLayoutOp>(op);
        convert && isToShared(convert))
      tiles.push_back(convert);
    else if (auto reduce = dyn_cast<ReduceOp>(op);
             reduce && reduce.getAxis() == 0)
      reductions.push_back(reduce);
  });
  if (tiles.empty() && reductions.empty())
    return success();

  Value taken = launch.getDynamicSharedMemorySize();
  std::optional<int64_t> bytes = taken ? getConstantIntValue(taken) : 0;
  if (!bytes)
    return launch.emitOpError("expected a constant number of bytes of dynamic "
                              "shared memory, found another");
  TileMemory memory(*bytes);
  IRRewriter rewriter(launch.getContext());
  for (ConvertLayoutOp op : tiles) {
    if (failed(checkUses(op)) ||
        failed(checkWarpgroups(op, op.getInput(), launch)))
      return failure();
    rewriter.setInsertionPoint(op);
    RankedTensorType type = op.getResult().getType();
    rewriter.replaceOpWithNewOp<LocalStoreOp>(op, type, op.getInput(),
                                              memory.allocate(type, 1));
  }
  for (ReduceOp op : reductions) {
    RankedTensorType type = op.getInput().getType();
    auto layout = dyn_cast_or_null<MmaLayoutAttr>(type.getEncoding());
    if (!layout || !type.getElementType().isF32())
      return op.emitOpError("expected a tile of f32 and layout mma to reduce "
                            "along 0, found ")
             << type;
    if (failed(checkWarpgroups(op, op.getInput(), launch)))
      return failure();
    rewriter.setInsertionPoint(op);
    int64_t exchanged = layout.getWarpsM() * type.getDimSize(1) * 4;
    rewriter.replaceOpWithNewOp<ReduceColumnsOp>(op, op.getResult().getType(),
                                                 op.getKind(), op.getInput(),
                                                 memory.allocate(exchanged));
  }
  return setSharedBytes(launch, memory.getBytes(), chip);
}

namespace {
struct AttnGPUPlaceTilesPass
    : public attn_gpu::impl::AttnGPUPlaceTilesPassBase<AttnGPUPlaceTilesPass> {
  void runOnOperation() override {
    auto visit = [](gpu::LaunchOp launch, ScheduleAttr,
                    const attn::Chip &chip) {
      return placeTiles(launch, chip);
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
  }
};
} // namespace
