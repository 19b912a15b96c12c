//===- PipelineLoads.cpp - Copies ahead of their use ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes rings in kernels without roles. With TMA, the CTA's first thread
// copies, and two barriers of each slot say when its tile has arrived and when
// it is free. With cp.async or element by element, all threads copy, and all
// warps run the program together: in each iteration one wait for a group of
// copies, and one barrier of the CTA, serve all rings.
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"
#include "LoadVectorsAhead.h"
#include "RingTiles.h"
#include "StepLoads.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINELOADSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class LoadPipeliner {
public:
  LoadPipeliner(KernelOp kernel, ScheduleAttr schedule, const attn::Chip &chip)
      : kernel(kernel), schedule(schedule), chip(chip), loads(kernel),
        isByTma(schedule.getCopy() == CopyKind::Tma) {}
  LogicalResult run();

private:
  struct Ring {
    LoadOp load;
    /// The arrays from which TMA copies the tile, and their tensor maps. Not
    /// used for copies by threads.
    SmallVector<OuterArray> arrays = {};
    LoadMaps maps = {};
    RingOp op = {};
    /// The ops of the loop's body that compute the indices of the load. Empty
    /// for a load that is not copied ahead.
    SetVector<Operation *> arithmetic = {};
  };

  LogicalResult addRing(LoadOp load);
  void createRings(const RingPlan &plan);
  void copy(attn::NumberBuilder &b, Value condition,
            MutableArrayRef<Ring> rings, Value number, scf::ForOp loop = {},
            Value position = {});
  void waitForCopies(attn::NumberBuilder &b, int64_t pending);
  void waitForReaders(attn::NumberBuilder &b, Operation *op);
  void endCopies(LoadOp load);
  bool isReadInSteps(LoadOp load);
  void copyNow(Ring &ring);
  void copyAhead(scf::ForOp loop, MutableArrayRef<Ring> rings);
  void waitBetweenTiles();

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  SharedLoads loads;
  bool isByTma;
  SmallVector<Ring> rings;
  /// An i1: whether the thread that runs the kernel is the CTA's first one,
  /// which issues copies by TMA. Null if threads copy.
  Value isFirstThread;
};

LogicalResult LoadPipeliner::addRing(LoadOp load) {
  Ring &ring = rings.emplace_back(Ring{load});
  if (!isByTma)
    return checkCopiedByThreads(kernel, load);
  FailureOr<SmallVector<OuterArray>> arrays = getLoadedArrays(kernel, load);
  if (failed(arrays))
    return failure();
  attn::NumberBuilder setup = getSetupBuilder(kernel);
  ring.arrays = *arrays;
  ring.maps = encodeMaps(setup, arrays->front(), load.getPartType());
  return success();
}

void LoadPipeliner::createRings(const RingPlan &plan) {
  attn::NumberBuilder b(kernel.getLoc(), kernel.getBegin());
  b.setInsertionPointAfter(kernel.getBegin());
  SmallVector<FilledRing> filled;
  for (auto [ring, place] : llvm::zip(rings, plan.rings))
    filled.push_back({ring.load, place.stages});
  for (auto [ring, place] : llvm::zip(rings, plan.rings)) {
    auto type = RingType::get(b.getContext(), place.stages,
                              ring.load.getResult().getType());
    IntegerAttr barriers;
    if (isByTma)
      barriers = b.getI64IntegerAttr(place.barrierOffset);
    ring.op = RingOp::create(
        b, type, place.offset, barriers, isReadByThreads(ring.load, schedule),
        /*overlaid=*/false, /*unfenced=*/false,
        isByTma && followsTile({ring.load, place.stages}, filled));
    ring.op->setLoc(ring.load->getLoc());
  }
  if (!isByTma)
    return;
  isFirstThread = initBarriers(b, kernel, chip, [&] {
    for (Ring &ring : rings)
      InitRingOp::create(b, ring.op,
                         ring.op.getEachWarp() ? schedule.getWarps()
                                               : schedule.getNumConsumers(),
                         /*writers=*/IntegerAttr());
  });
}

/// Emits copies of a tile to each of the rings `copied`, which run if
/// `condition` is true or null. If `loop` is given, the tiles are those that
/// its iteration with the induction variable `position` loads. TMA copies to
/// the ring's next slot; threads copy the tile with number `number`.
///
/// The copies of a thread form one cp.async group. The group also exists, but
/// is empty, if the condition is false, since waits count groups.
void LoadPipeliner::copy(attn::NumberBuilder &b, Value condition,
                         MutableArrayRef<Ring> copied, Value number,
                         scf::ForOp loop, Value position) {
  auto emit = [&](attn::NumberBuilder &body) {
    for (Ring &ring : copied) {
      IRMapping mapping;
      if (loop)
        mapping = cloneForStep(body, ring.arithmetic, loop, position);
      if (isByTma)
        fillLoaded(body, ring.load, ring.arrays, ring.maps, ring.op.getRing(),
                   mapping);
      else
        fillByThreads(body, ring.load, ring.op, number, schedule, mapping);
    }
  };
  if (isByTma && condition)
    condition = b.andi(condition, isFirstThread);
  else if (isByTma)
    condition = isFirstThread;
  if (condition)
    scf::IfOp::create(b, condition, [&](OpBuilder &inner, Location loc) {
      attn::NumberBuilder body(loc, inner);
      emit(body);
      scf::YieldOp::create(body);
    });
  else
    emit(b);
  // After copies by TMA, the other threads of the warp wait for the CTA's first
  // thread, which may have waited for a free slot. Copies by threads are closed
  // as a cp.async group.
  if (isByTma)
    NVVM::SyncWarpOp::create(b, b.word(-1));
  else
    NVVM::CpAsyncCommitGroupOp::create(b);
}

/// Emits a wait of each thread until at most `pending` of its cp.async groups
/// are unfinished, and then a barrier of the CTA.
void LoadPipeliner::waitForCopies(attn::NumberBuilder &b, int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(b, b.getI32IntegerAttr(pending));
  // wgmma reads shared memory through the async proxy. A fence must make the
  // copies of threads, which use the generic proxy, visible to it.
  if (schedule.getMma() == MmaKind::Wgmma)
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  gpu::BarrierOp::create(b);
}

/// Emits a barrier before copies that `op` makes to slots, if `op` is in a
/// loop: the previous iteration may still read the tiles in these slots.
/// Outside of loops, emits nothing.
void LoadPipeliner::waitForReaders(attn::NumberBuilder &b, Operation *op) {
  if (auto loop = op->getParentOfType<scf::ForOp>();
      loop && kernel->isProperAncestor(loop))
    gpu::BarrierOp::create(b);
}

/// Makes sure that all cp.async copies have ended when the tile of `load` is
/// not read any more: emits a wait for them after the tile's last reader,
/// unless there is one already. The readers are in loops that wait for copies
/// in each iteration, but such a loop waits for nothing if it has no iteration.
void LoadPipeliner::endCopies(LoadOp load) {
  Operation *last = load;
  for (Operation *user : getReaders(load.getResult())) {
    Operation *inBlock = load->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  // There may be no op after the last reader of the tile, since the body of
  // attn_gpu.for_tiles has no terminator.
  if (isa_and_nonnull<NVVM::CpAsyncWaitGroupOp>(last->getNextNode()))
    return;
  OpBuilder b(load.getContext());
  b.setInsertionPointAfter(last);
  NVVM::CpAsyncWaitGroupOp::create(b, load.getLoc(), b.getI32IntegerAttr(0));
}

/// Whether all readers of the load's tile are in later loops, each iteration of
/// which begins with a wait for copies. Copies end in the order in which they
/// were issued, so these waits also cover the copy for this load.
bool LoadPipeliner::isReadInSteps(LoadOp load) {
  return llvm::all_of(getReaders(load.getResult()), [&](Operation *user) {
    for (auto loop = user->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (loads.inLoops.contains(loop))
        return !loop->isAncestor(load);
    return false;
  });
}

/// Copies a tile where the program loads it, since its position is not known
/// earlier, and waits for the copy. No wait is needed if the tile is read only
/// in later loops that wait for copies themselves.
void LoadPipeliner::copyNow(Ring &ring) {
  attn::NumberBuilder b(ring.load.getLoc(), ring.load);
  if (!isByTma)
    waitForReaders(b, ring.load);
  Value zero = isByTma ? Value() : b.word(0);
  copy(b, /*condition=*/Value(), ring, zero);
  if (!isByTma && isReadInSteps(ring.load))
    endCopies(ring.load);
  else if (!isByTma)
    waitForCopies(b, /*pending=*/0);
  acquireLoaded(ring.load, ring.op, zero);
}

/// Makes each iteration copy the tiles of the iteration that comes `stages - 1`
/// later, if there is one. For copies by threads, the loop carries the number
/// of its iteration, from 0 on, which is the number of the tile in its rings.
void LoadPipeliner::copyAhead(scf::ForOp loop, MutableArrayRef<Ring> ofLoop) {
  for (Ring &ring : ofLoop)
    ring.arithmetic = getIndexArithmetic(ring.load, loop);
  auto copyStep = [&](attn::NumberBuilder &b, Value position, Value number) {
    Value isStep = b.slt(position, loop.getUpperBound());
    copy(b, isStep, ofLoop, number, loop, position);
  };
  attn::NumberBuilder b(loop.getLoc(), loop);
  if (!isByTma)
    waitForReaders(b, loop);
  int64_t ahead = schedule.getStages() - 1;
  Value position = loop.getLowerBound();
  for (int64_t step = 0; step < ahead; ++step) {
    if (step > 0)
      position = b.addi(position, loop.getStep());
    copyStep(b, position, isByTma ? Value() : b.word(step));
  }
  Value distance = b.muliOrFold(loop.getStep(), b.index(ahead));
  Value number, next;
  if (!isByTma) {
    IRRewriter rewriter(loop.getContext());
    rewriter.setInsertionPoint(loop);
    loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
        rewriter, b.word(0), /*replaceInitOperandUsesInLoop=*/false,
        [&](OpBuilder &inner, Location loc, ArrayRef<BlockArgument> carried) {
          attn::NumberBuilder body(loc, inner);
          return SmallVector<Value>{body.addi(carried.front(), body.word(1))};
        }));
    number = loop.getRegionIterArgs().back();
  }
  attn::NumberBuilder inLoop =
      attn::NumberBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
  if (!isByTma) {
    waitForCopies(inLoop, ahead - 1);
    next = inLoop.addi(number, inLoop.word(ahead));
  }
  copyStep(inLoop, inLoop.addi(loop.getInductionVar(), distance), next);
  for (Ring &ring : ofLoop)
    acquireLoaded(ring.load, ring.op, number);
}

/// Emits a barrier of the CTA at the beginning of each iteration of for_tiles.
/// Copies of this work tile overwrite slots of rings that other warps may still
/// read for the previous work tile.
void LoadPipeliner::waitBetweenTiles() {
  kernel.walk([&](ForTilesOp tiles) {
    auto b = attn::NumberBuilder::atBlockBegin(tiles.getLoc(),
                                               &tiles.getBody().front());
    gpu::BarrierOp::create(b);
  });
}

LogicalResult LoadPipeliner::run() {
  for (LoadOp load : loads.single)
    if (failed(addRing(load)))
      return failure();
  for (auto &[loop, inLoop] : loads.inLoops)
    for (LoadOp load : inLoop)
      if (failed(addRing(load)))
        return failure();
  RingPlan plan = loads.plan(schedule);
  kernel.walk([&](ForTilesOp tiles) {
    if (tiles.getCounters())
      tiles.setBroadcast(plan.schedulerOffset);
  });
  if (plan.numBytes > 0 &&
      failed(extendSharedBytes(kernel, /*begin=*/0, plan.numBytes, chip)))
    return failure();
  if (rings.empty())
    return success();
  createRings(plan);
  MutableArrayRef<Ring> rest(rings);
  for (Ring &ring : rest.take_front(loads.single.size()))
    copyNow(ring);
  rest = rest.drop_front(loads.single.size());
  for (auto &[loop, inLoop] : loads.inLoops) {
    copyAhead(cast<scf::ForOp>(loop), rest.take_front(inLoop.size()));
    rest = rest.drop_front(inLoop.size());
  }
  if (!isByTma)
    waitBetweenTiles();
  return success();
}

struct AttnGPUPipelineLoadsPass
    : public attn_gpu::impl::AttnGPUPipelineLoadsPassBase<
          AttnGPUPipelineLoadsPass> {
  void runOnOperation() override {
    auto lower = [](KernelOp kernel, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      // In a kernel with a producer, attn-gpu-specialize-warps has already
      // replaced loads of tiles by rings.
      if (schedule.hasProducer())
        return success();
      return LoadPipeliner(kernel, schedule, chip).run();
    };
    if (failed(lowerKernel(getOperation(), lower)))
      return signalPassFailure();
    loadVectorsAhead(getOperation());
  }
};

} // namespace
