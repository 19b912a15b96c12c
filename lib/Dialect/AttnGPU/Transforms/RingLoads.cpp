//===- RingLoads.cpp - TMA without a producer -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingLoads.h"
#include "ArrayOrigin.h"
#include "RingTiles.h"
#include "StepLoads.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class RingLoader {
public:
  RingLoader(KernelOp kernel, ScheduleAttr schedule, const attn::Chip &chip)
      : kernel(kernel), schedule(schedule), chip(chip), loads(kernel) {}
  LogicalResult run();

private:
  struct Ring {
    LoadOp load;
    SmallVector<OuterArray> arrays;
    LoadMaps maps;
    RingOp op;
    SetVector<Operation *> arithmetic;
  };

  LogicalResult addRing(LoadOp load, int64_t slots);
  void createRings(const RingPlan &plan);
  void fill(ImplicitLocOpBuilder &b, Ring &ring, Value condition,
            scf::ForOp loop = {}, Value position = {});
  void loadInLoop(scf::ForOp loop, MutableArrayRef<Ring> rings);

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  SharedLoads loads;
  SmallVector<Ring> rings;
  SmallVector<std::pair<RankedTensorType, int64_t>> requests;
  Value isFirstThread;
};

LogicalResult RingLoader::addRing(LoadOp load, int64_t slots) {
  FailureOr<SmallVector<OuterArray>> arrays = getLoadedArrays(kernel, load);
  if (failed(arrays))
    return failure();
  ImplicitLocOpBuilder setup = getSetupBuilder(kernel);
  RankedTensorType tile = load.getResult().getType();
  rings.push_back({load,
                   *arrays,
                   encodeMaps(setup, arrays->front(), load.getPartType()),
                   {},
                   {}});
  requests.emplace_back(tile, slots);
  return success();
}

/// One thread prepares their barriers.
void RingLoader::createRings(const RingPlan &plan) {
  kernel.walk([&](ForTilesOp tiles) {
    if (tiles.getCounters())
      tiles.setBroadcast(plan.schedulerOffset);
  });
  ImplicitLocOpBuilder b = getSetupBuilder(kernel);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  isFirstThread = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        kernel.getThreadId(b), zero);
  for (auto [ring, place] : llvm::zip(rings, plan.rings)) {
    auto type = RingType::get(b.getContext(), place.stages,
                              ring.load.getResult().getType());
    ring.op = RingOp::create(b, type, place.offset, place.barrierOffset,
                             isReadByThreads(ring.load, schedule),
                             /*overlaid=*/false);
  }
  scf::IfOp::create(b, isFirstThread, [&](OpBuilder &inner, Location loc) {
    ImplicitLocOpBuilder body(loc, inner);
    for (Ring &ring : rings)
      InitRingOp::create(body, ring.op,
                         ring.op.getEachWarp() ? schedule.getWarps()
                                               : schedule.getNumConsumers(),
                         /*writers=*/IntegerAttr());
    NVVM::FenceMbarrierInitOp::create(body);
    scf::YieldOp::create(body);
  });
  gpu::BarrierOp::create(b);
}

/// The first thread waits until the slot is free; its warp goes on together.
void RingLoader::fill(ImplicitLocOpBuilder &b, Ring &ring, Value condition,
                      scf::ForOp loop, Value position) {
  scf::IfOp::create(b, condition, [&](OpBuilder &inner, Location loc) {
    ImplicitLocOpBuilder body(loc, inner);
    IRMapping mapping;
    if (loop)
      mapping = cloneForStep(body, ring.arithmetic, loop, position);
    fillLoaded(body, ring.load, ring.arrays, ring.maps, ring.op.getRing(),
               mapping);
    scf::YieldOp::create(body);
  });
  NVVM::SyncWarpOp::create(
      b, arith::ConstantOp::create(b, b.getI32IntegerAttr(-1)));
}

/// A step's copies are `stages - 1` steps ahead, as far as there are such.
void RingLoader::loadInLoop(scf::ForOp loop, MutableArrayRef<Ring> ofLoop) {
  for (Ring &ring : ofLoop)
    ring.arithmetic = getIndexArithmetic(ring.load, loop);
  auto fillStep = [&](ImplicitLocOpBuilder &b, Value position) {
    Value isStep = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position,
                                         loop.getUpperBound());
    Value condition = arith::AndIOp::create(b, isStep, isFirstThread);
    for (Ring &ring : ofLoop)
      fill(b, ring, condition, loop, position);
  };
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  int64_t ahead = schedule.getStages() - 1;
  Value position = loop.getLowerBound();
  for (int64_t step = 0; step < ahead; ++step) {
    if (step > 0)
      position = arith::AddIOp::create(b, position, loop.getStep());
    fillStep(b, position);
  }
  Value distance = b.createOrFold<arith::MulIOp>(
      loop.getStep(), arith::ConstantIndexOp::create(b, ahead));
  ImplicitLocOpBuilder inLoop =
      ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
  fillStep(inLoop,
           arith::AddIOp::create(inLoop, loop.getInductionVar(), distance));
  for (Ring &ring : ofLoop)
    acquireLoaded(ring.load, ring.op);
}

LogicalResult RingLoader::run() {
  size_t numSingle = loads.single.size();
  for (LoadOp load : loads.single)
    if (failed(addRing(load, 1)))
      return failure();
  for (auto &[loop, inLoop] : loads.inLoops)
    for (LoadOp load : inLoop)
      if (failed(addRing(load, schedule.getStages())))
        return failure();
  if (rings.empty())
    return success();
  RingPlan plan = planOwnRings(schedule, requests);
  createRings(plan);
  MutableArrayRef<Ring> rest(rings);
  for (Ring &ring : rest.take_front(numSingle)) {
    ImplicitLocOpBuilder b(ring.load.getLoc(), ring.load);
    fill(b, ring, isFirstThread);
    acquireLoaded(ring.load, ring.op);
  }
  rest = rest.drop_front(numSingle);
  for (auto &[loop, inLoop] : loads.inLoops) {
    loadInLoop(loop, rest.take_front(inLoop.size()));
    rest = rest.drop_front(inLoop.size());
  }
  return setSharedBytes(kernel, plan.numBytes, chip);
}

} // namespace

LogicalResult attn_gpu::loadThroughRings(KernelOp kernel, ScheduleAttr schedule,
                                         const attn::Chip &chip) {
  return RingLoader(kernel, schedule, chip).run();
}
