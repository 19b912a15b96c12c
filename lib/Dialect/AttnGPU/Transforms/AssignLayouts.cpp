//===- AssignLayouts.cpp - A layout for each tile
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterSplit.h"
#include "SinkConstants.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
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

/// Bytes after each row in shared memory. Rows of a multiple of 32 bytes then
/// begin in eight different banks of 16 bytes, whatever their number.
static constexpr int64_t kRowPadding = 16;

static RankedTensorType withLayout(RankedTensorType type, Attribute layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// Loads that only products read stay in shared memory.
static bool isSharedOperand(LoadOp load) {
  return load.getResult().getType().getRank() == 2 &&
         llvm::all_of(load->getUsers(), llvm::IsaPred<DotOp, DiscardOp>);
}

/// Registers of a thread that the left operand, the other operands' products
/// and results may take together before some would be spilled.
static constexpr int64_t kRegisterBudget = 176;

/// Whether registers hold the left operand of `dot` beside what the launch's
/// products accumulate. An f32 counts twice, for the two parts that are
/// multiplied.
static bool fitsRegisters(DotOp dot, gpu::LaunchOp launch, int64_t threads,
                          int64_t budget) {
  RankedTensorType lhs = dot.getLhs().getType();
  int64_t words =
      lhs.getNumElements() * (lhs.getElementType().isF32() ? 4 : 1) / 2;
  launch.walk([&](DotOp other) {
    words += other.getResult().getType().getNumElements();
  });
  return words <= budget * threads;
}

static void assignLayouts(gpu::LaunchOp launch, int64_t warps,
                          bool isSwizzled) {
  MLIRContext *context = launch.getContext();
  auto mma = MmaLayoutAttr::get(context, warps);
  auto slice = SliceLayoutAttr::get(context, 1, mma);
  Attribute shared = SharedLayoutAttr::get(context, kRowPadding);
  if (isSwizzled)
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

  // Consumers of rings also hold weights, and little else.
  constexpr int64_t kOtherRegisters = 64;
  int64_t budget = isSwizzled
                       ? RegisterSplit(warps / 4).consumer - kOtherRegisters
                       : kRegisterBudget;
  // The left operand is the same in each step: registers hold it if they can.
  for (LoadOp load : operands) {
    OpBuilder builder(load->getContext());
    builder.setInsertionPointAfter(load);
    Value inRegisters;
    for (OpOperand &use : llvm::make_early_inc_range(load->getUses())) {
      auto dot = dyn_cast<DotOp>(use.getOwner());
      if (!dot || use.getOperandNumber() != 0 ||
          !fitsRegisters(dot, launch, 32 * warps, budget))
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
    WalkResult result = getOperation()->walk([&](gpu::LaunchOp launch) {
      // Their types change with the launch's layout.
      sinkConstants(launch);
      std::optional<int64_t> threads =
          getConstantIntValue(launch.getBlockSizeX());
      if (!threads || *threads % 32 != 0) {
        launch.emitOpError("expected a constant multiple of 32 threads");
        return WalkResult::interrupt();
      }
      auto schedule =
          launch->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      assignLayouts(launch, *threads / 32,
                    schedule && schedule.getAccess() == attn::Access::Tma);
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
