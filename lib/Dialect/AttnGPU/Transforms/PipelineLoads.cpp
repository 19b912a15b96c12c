//===- PipelineLoads.cpp - Copies ahead of their use
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
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINELOADSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class LaunchPipeliner {
public:
  LaunchPipeliner(gpu::LaunchOp launch, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : launch(launch), chip(chip), stages(schedule.getStages()),
        aligned(schedule.getCopy() == CopyKind::CpAsync) {}
  LogicalResult run();

private:
  /// Tiles of one load: `slots` of them in shared memory.
  struct Storage {
    LoadOp load;
    Value memory;
  };

  static bool isShared(LoadOp load) {
    return isa_and_nonnull<SharedLayoutAttr>(
        load.getResult().getType().getEncoding());
  }
  Storage allocate(LoadOp load, int64_t slots);
  Value getSlot(ImplicitLocOpBuilder &b, const Storage &storage, Value slot);
  Value readTile(ImplicitLocOpBuilder &b, const Storage &storage, Value slot);
  void copyNow(LoadOp load);
  void pipeline(scf::ForOp loop, ArrayRef<LoadOp> loads);

  gpu::LaunchOp launch;
  const attn::Chip &chip;
  /// Slots of a tile that is loaded in a loop: two.
  int64_t stages;
  bool aligned;
  PaddedMemory sharedMemory;
};

LaunchPipeliner::Storage LaunchPipeliner::allocate(LoadOp load, int64_t slots) {
  RankedTensorType tile = load.getResult().getType();

  auto b = ImplicitLocOpBuilder::atBlockBegin(load.getLoc(),
                                              &launch.getBody().front());
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = gpu::DynamicSharedMemoryOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                         MemRefLayoutAttrInterface(), space));
  Value offset =
      arith::ConstantIndexOp::create(b, sharedMemory.allocate(tile, slots));
  auto type = MemRefType::get(
      {slots, tile.getDimSize(0), PaddedMemory::getRowSize(tile)},
      tile.getElementType(), MemRefLayoutAttrInterface(), space);
  return {load, memref::ViewOp::create(b, type, bytes, offset, ValueRange())};
}

Value LaunchPipeliner::getSlot(ImplicitLocOpBuilder &b, const Storage &storage,
                               Value slot) {
  LoadOp load = storage.load;
  RankedTensorType tile = load.getResult().getType();
  SmallVector<OpFoldResult> offsets = {slot, b.getIndexAttr(0),
                                       b.getIndexAttr(0)};
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(1),
                                     b.getIndexAttr(tile.getDimSize(0)),
                                     b.getIndexAttr(tile.getDimSize(1))};
  SmallVector<OpFoldResult> strides(3, b.getIndexAttr(1));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      tile.getShape(), cast<MemRefType>(storage.memory.getType()), offsets,
      sizes, strides);
  return memref::SubViewOp::create(b, type, storage.memory, offsets, sizes,
                                   strides);
}

Value LaunchPipeliner::readTile(ImplicitLocOpBuilder &b, const Storage &storage,
                                Value slot) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return LoadOp::create(b, LoadOp(storage.load).getResult().getType(),
                        getSlot(b, storage, slot), ValueRange{zero, zero});
}

void waitForCopies(ImplicitLocOpBuilder &b) {
  NVVM::CpAsyncWaitGroupOp::create(b, b.getI32IntegerAttr(0));
  gpu::BarrierOp::create(b);
}

/// A load whose next position is not known: copy, wait, read.
void LaunchPipeliner::copyNow(LoadOp load) {
  Storage storage = allocate(load, 1);
  ImplicitLocOpBuilder b(load.getLoc(), load);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  // In a loop, some warp may still read the tile of the step before.
  if (auto loop = load->getParentOfType<scf::ForOp>();
      loop && launch->isProperAncestor(loop))
    gpu::BarrierOp::create(b);
  CopyAsyncOp::create(b, load.getSource(), load.getIndices(),
                      getSlot(b, storage, zero), aligned);
  NVVM::CpAsyncCommitGroupOp::create(b);
  waitForCopies(b);
  Value tile = readTile(b, storage, zero);
  load.replaceAllUsesWith(tile);
  load.erase();
}

/// Whether a load of a loop's body can be made for another step as well.
bool dependsOnStepAlone(LoadOp load, scf::ForOp loop) {
  return loop.isDefinedOutsideOfLoop(load.getSource()) &&
         llvm::all_of(load.getIndices(), [&](Value index) {
           return index == loop.getInductionVar() ||
                  loop.isDefinedOutsideOfLoop(index);
         });
}

void LaunchPipeliner::pipeline(scf::ForOp loop, ArrayRef<LoadOp> loads) {
  SmallVector<Storage> storages;
  for (LoadOp load : loads)
    storages.push_back(allocate(load, stages));

  auto copyStep = [&](ImplicitLocOpBuilder &b, Value position, Value slot) {
    for (const Storage &storage : storages) {
      LoadOp load = storage.load;
      SmallVector<Value> indices(load.getIndices());
      llvm::replace(indices, loop.getInductionVar(), position);
      CopyAsyncOp::create(b, load.getSource(), indices,
                          getSlot(b, storage, slot), aligned);
    }
    NVVM::CpAsyncCommitGroupOp::create(b);
  };
  // Before the loop: the tiles of its first step, if it has any.
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  auto ifBefore = [&](ImplicitLocOpBuilder &b, Value position, Value slot) {
    Value isStep = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position,
                                         loop.getUpperBound());
    scf::IfOp::create(b, isStep, [&](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder body(loc, inner);
      copyStep(body, position, slot);
      scf::YieldOp::create(body);
    });
  };
  ifBefore(b, loop.getLowerBound(), zero);

  // The number of the step's slot is carried.
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &inner, Location loc, ArrayRef<BlockArgument> carried) {
        Value next = arith::SubIOp::create(inner, loc, one, carried.front());
        return SmallVector<Value>{next};
      }));
  Value slot = carrying.getRegionIterArgs().back();
  loop = carrying;
  ImplicitLocOpBuilder inLoop =
      ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
  waitForCopies(inLoop);
  Value next =
      arith::AddIOp::create(inLoop, loop.getInductionVar(), loop.getStep());
  Value otherSlot = arith::SubIOp::create(inLoop, one, slot);
  ifBefore(inLoop, next, otherSlot);
  for (const Storage &storage : storages) {
    LoadOp load = storage.load;
    ImplicitLocOpBuilder atLoad(load.getLoc(), load);
    Value tile = readTile(atLoad, storage, slot);
    load.replaceAllUsesWith(tile);
    load.erase();
  }
}

LogicalResult LaunchPipeliner::run() {
  SmallVector<LoadOp> single;
  llvm::MapVector<scf::ForOp, SmallVector<LoadOp>> inLoops;
  launch.walk([&](LoadOp load) {
    if (!isShared(load))
      return;
    auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
    if (loop && dependsOnStepAlone(load, loop))
      inLoops[loop].push_back(load);
    else
      single.push_back(load);
  });
  for (LoadOp load : single)
    copyNow(load);
  for (auto &[loop, loads] : inLoops)
    pipeline(loop, loads);
  if (sharedMemory.getBytes() == 0)
    return success();
  return setSharedBytes(launch, sharedMemory.getBytes(), chip);
}

struct AttnGPUPipelineLoadsPass
    : public attn_gpu::impl::AttnGPUPipelineLoadsPassBase<
          AttnGPUPipelineLoadsPass> {
  void runOnOperation() override {
    auto visit = [](gpu::LaunchOp launch, ScheduleAttr schedule,
                    const attn::Chip &chip) {
      return LaunchPipeliner(launch, schedule, chip).run();
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
  }
};

} // namespace
