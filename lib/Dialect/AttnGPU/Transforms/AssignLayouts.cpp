//===- AssignLayouts.cpp - A layout for each tile
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SinkConstants.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUASSIGNLAYOUTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static RankedTensorType withLayout(RankedTensorType type, Attribute layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// Loads that only products read stay in shared memory.
static bool isSharedOperand(LoadOp load) {
  return load.getResult().getType().getRank() == 2 &&
         llvm::all_of(load->getUsers(), llvm::IsaPred<DotOp>);
}

/// Whether registers hold the left operand of `dot` beside what the launch's
/// products accumulate.
static bool fitsRegisters(DotOp dot, gpu::LaunchOp launch,
                          ScheduleAttr schedule) {
  int64_t accumulators = 0;
  launch.walk([&](DotOp other) {
    accumulators += other.getResult().getType().getNumElements();
  });
  return attn_gpu::fitsRegisters(schedule, dot.getLhs().getType(),
                                 accumulators);
}

static void assignLayouts(gpu::LaunchOp launch, ScheduleAttr schedule) {
  MLIRContext *context = launch.getContext();
  auto mma = MmaLayoutAttr::get(context, schedule.getWarps());
  auto slice = SliceLayoutAttr::get(context, 1, mma);
  Attribute shared = SharedLayoutAttr::get(context, kRowPadding);
  if (schedule.hasSwizzledTiles())
    shared = SwizzledLayoutAttr::get(context);
  auto assign = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (type && !type.getEncoding())
      value.setType(withLayout(type, type.getRank() == 2 ? Attribute(mma)
                                                         : Attribute(slice)));
  };

  SmallVector<LoadOp> operands;
  launch.walk([&](Operation *op) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSharedOperand(load)) {
      load.getResult().setType(withLayout(load.getResult().getType(), shared));
      operands.push_back(load);
      return;
    }
    for (Value result : op->getResults())
      assign(result);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        for (BlockArgument argument : block.getArguments())
          assign(argument);
    // A constant's value has the type of its result.
    if (auto constant = dyn_cast<arith::ConstantOp>(op))
      if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue()))
        constant.setValueAttr(
            elements.resizeSplat(cast<ShapedType>(constant.getType())));
  });

  // The left operand is the same in each step: registers hold it if they can.
  for (LoadOp load : operands) {
    OpBuilder builder(load->getContext());
    builder.setInsertionPointAfter(load);
    Value inRegisters;
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
      auto dot = dyn_cast<DotOp>(use.getOwner());
      if (!dot || use.getOperandNumber() != 0 ||
          !fitsRegisters(dot, launch, schedule))
        continue;
      if (!inRegisters)
        inRegisters = ConvertLayoutOp::create(
            builder, load.getLoc(), withLayout(load.getResult().getType(), mma),
            load.getResult());
      use.set(inRegisters);
    }
  }
}

namespace {
struct AttnGPUAssignLayoutsPass
    : public attn_gpu::impl::AttnGPUAssignLayoutsPassBase<
          AttnGPUAssignLayoutsPass> {
  void runOnOperation() override {
    auto assign = [](gpu::LaunchOp launch, ScheduleAttr schedule,
                     const attn::Chip &) -> LogicalResult {
      int64_t threads = 32 * schedule.getWarps();
      if (getConstantIntValue(launch.getBlockSizeX()) != threads)
        return launch.emitOpError("expected ")
               << threads << " threads for " << schedule << ", found others";
      // Their types change with the launch's layout.
      sinkConstants(launch);
      assignLayouts(launch, schedule);
      return success();
    };
    if (failed(walkLaunches(getOperation(), assign)))
      signalPassFailure();
  }
};
} // namespace
