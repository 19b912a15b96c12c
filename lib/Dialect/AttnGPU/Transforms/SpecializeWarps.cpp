//===- SpecializeWarps.cpp - One warpgroup copies, the others compute -----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"
#include "Exchanges.h"
#include "RingTiles.h"
#include "RoleSlice.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class WarpSpecializer {
public:
  WarpSpecializer(gpu::LaunchOp launch, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : launch(launch), schedule(schedule), chip(chip),
        consumers(schedule.getNumConsumers()) {}

  LogicalResult run();

private:
  /// The tiles of one load, in the order in which the program comes to it.
  struct Ring {
    Value array, map;
    RingOp op;
  };
  /// A tile that is stored through shared memory.
  struct Output {
    StoreOp store;
    Value array;
    std::optional<int64_t> offset;
  };

  LogicalResult findRings();
  void findOutputs();
  void createRings(const RingPlan &plan, Block *setup);
  void storeAsync(const Output &output, bool waits);
  void initBarriers(ImplicitLocOpBuilder &b);
  RolesOp createRoles(ImplicitLocOpBuilder &b);
  void emitProducer(RoleSlice &slice, Block *role);
  void emitConsumers(Block *program, Block *role);

  gpu::LaunchOp launch;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  int64_t consumers;
  llvm::MapVector<Operation *, Ring> rings;
  SmallVector<RingRequest> requests;
  SmallVector<Output> outputs;
  ForTilesOp tiles;
};

} // namespace

/// Whether each warpgroup reads its own rows of the tile alone: as a left
/// operand, from registers or not.
static bool isLeftOperand(LoadOp load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    if (isa<ConvertLayoutOp>(use.getOwner()))
      return true;
    auto dot = dyn_cast<DotOp>(use.getOwner());
    return dot && use.getOperandNumber() == 0 && !dot.getTransposeLhs();
  });
}

/// Whether a tile program comes to the load more than once.
static bool isStreamed(LoadOp load) {
  return load->getParentOfType<LoopLikeOpInterface>() != nullptr;
}

LogicalResult WarpSpecializer::findRings() {
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  SmallVector<LoadOp> loads;
  launch.walk([&](LoadOp load) {
    if (isa_and_nonnull<SwizzledLayoutAttr>(
            load.getResult().getType().getEncoding()))
      loads.push_back(load);
  });
  for (LoadOp load : loads) {
    RankedTensorType tile = load.getResult().getType();
    FailureOr<Value> array = getLoadedArray(launch, load);
    if (failed(array))
      return failure();
    rings[load] = {*array, encodeMap(outside, *array, tile.getDimSize(0)), {}};
    requests.push_back(
        {tile, isStreamed(load), isLeftOperand(load), isCopied(load)});
  }
  return success();
}

/// Stores go through shared memory where it has room for them.
void WarpSpecializer::findOutputs() {
  launch.walk([&](StoreOp store) {
    Value array = getOuterArray(launch, store.getDestination());
    if (array && !store.getAdd() &&
        canStage(store.getTile().getType(), cast<ShapedType>(array.getType())))
      outputs.push_back({store, array, {}});
  });
}

void WarpSpecializer::createRings(const RingPlan &plan, Block *setup) {
  auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), setup);
  bool isFirst = true;
  for (auto [entry, request, place] : llvm::zip(rings, requests, plan.rings)) {
    auto type = RingType::get(b.getContext(), place.stages, request.tile);
    entry.second.op =
        RingOp::create(b, type, place.offset, place.barrierOffset,
                       isReadByThreads(cast<LoadOp>(entry.first), schedule),
                       /*overlaid=*/isFirst && plan.overlaysOperand);
    isFirst = false;
  }
}

void WarpSpecializer::storeAsync(const Output &output, bool waits) {
  StoreOp store = output.store;
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  int64_t rows = store.getTile().getType().getDimSize(0) / consumers;
  Value map = encodeMap(outside, output.array, rows);
  ImplicitLocOpBuilder b(store.getLoc(), store);
  StoreAsyncOp::create(b, store.getTile(), map,
                       getCoordinates(b, output.array, store.getDestination(),
                                      store.getIndices()),
                       b.getI64IntegerAttr(*output.offset),
                       waits ? b.getUnitAttr() : UnitAttr());
  store.erase();
}

/// By one thread, before all others.
void WarpSpecializer::initBarriers(ImplicitLocOpBuilder &b) {
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value thread =
      arith::IndexCastOp::create(b, b.getI32Type(), launch.getThreadIds().x);
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, thread, zero);
  auto init = scf::IfOp::create(b, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(init.thenBlock());
    for (auto &[load, ring] : rings)
      InitRingOp::create(b, ring.op,
                         ring.op.getEachThread() ? consumers * kWarpgroup
                                                 : consumers);
    if (tiles && tiles.getBroadcast())
      InitSchedulerOp::create(b, *tiles.getBroadcast(), consumers * kWarpgroup);
    NVVM::FenceMbarrierInitOp::create(b);
  }
  gpu::BarrierOp::create(b);
}

RolesOp WarpSpecializer::createRoles(ImplicitLocOpBuilder &b) {
  DenseI64ArrayAttr registers;
  if (chip.hasRegisterSplit()) {
    RegisterSplit split(consumers);
    registers = b.getDenseI64ArrayAttr({split.consumer, split.producer});
  }
  auto roles = RolesOp::create(
      b, b.getDenseI64ArrayAttr({consumers, 1}), registers,
      b.getDenseBoolArrayAttr({false, true}), /*bodiesCount=*/2);
  for (Region &body : roles.getBodies())
    body.emplaceBlock().addArgument(b.getIndexType(), b.getLoc());
  return roles;
}

void WarpSpecializer::emitProducer(RoleSlice &slice, Block *role) {
  auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), role);
  slice.clone(b, [&](ImplicitLocOpBuilder &body, Operation *root,
                     const IRMapping &mapping) {
    auto load = cast<LoadOp>(root);
    Ring &ring = rings[root];
    FillOp::create(body, ring.op.getRing(), /*index=*/Value(), ring.map,
                   getCoordinates(body, ring.array, load.getSource(),
                                  load.getIndices(), mapping));
  });
}

/// The program, with tiles of rings in place of loads.
void WarpSpecializer::emitConsumers(Block *program, Block *role) {
  role->getOperations().splice(role->end(), program->getOperations());
  for (auto &[op, ring] : rings)
    acquireLoaded(cast<LoadOp>(op), ring.op);
  if (llvm::any_of(outputs, [](const Output &o) { return o.offset; })) {
    auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), role);
    FinishStoresOp::create(b);
  }
}

LogicalResult WarpSpecializer::run() {
  if (failed(findRings()))
    return failure();
  if (rings.empty())
    return success();
  findOutputs();
  SmallVector<RankedTensorType> tilesOfOutputs;
  for (Output &output : outputs)
    tilesOfOutputs.push_back(output.store.getTile().getType());
  RingPlan plan = planRings(schedule, chip, requests, tilesOfOutputs,
                            getExchangedBytes(launch, schedule));
  launch.walk([&](ForTilesOp op) { tiles = op; });
  if (tiles && tiles.getCounters())
    tiles.setBroadcast(plan.schedulerOffset);

  Block *setup = &launch.getBody().front();
  Operation *terminator = setup->getTerminator();
  Block *program = setup->splitBlock(setup->begin());
  terminator->remove();
  auto roots = llvm::to_vector(llvm::make_first_range(rings));
  FailureOr<RoleSlice> slice = RoleSlice::get(program, roots);
  if (succeeded(slice)) {
    createRings(plan, setup);
    auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), setup);
    initBarriers(b);
    RolesOp roles = createRoles(b);
    emitProducer(*slice, &roles.getBodies()[1].front());
    for (auto [output, offset] : llvm::zip(outputs, plan.outputs))
      if ((output.offset = offset))
        storeAsync(output, plan.overlaysOperand);
    emitConsumers(program, &roles.getBodies()[0].front());
  }
  setup->getOperations().splice(setup->end(), program->getOperations());
  program->erase();
  setup->push_back(terminator);
  if (failed(slice))
    return failure();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  launch.getBlockSizeXMutable().assign(
      arith::ConstantIndexOp::create(b, (consumers + 1) * kWarpgroup));
  return setSharedBytes(launch, plan.numBytes, chip);
}

namespace {
struct AttnGPUSpecializeWarpsPass
    : public attn_gpu::impl::AttnGPUSpecializeWarpsPassBase<
          AttnGPUSpecializeWarpsPass> {
  void runOnOperation() override {
    auto visit = [](gpu::LaunchOp launch, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      if (!schedule.hasProducer())
        return success();
      return WarpSpecializer(launch, schedule, chip).run();
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
  }
};

} // namespace
