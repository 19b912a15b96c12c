//===- PlantFault.cpp - Faults in programs of the GPU level ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pass that plants faults in kernels, for tests that check that faults are
// found: a release too early, a wait dropped, a wrong phase, an arrival too
// few, a barrier with a wrong count, shared memory that two rings use.
//
//===----------------------------------------------------------------------===//

#include "PlantFault.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// The type of functions that each plant one kind of fault. A function returns
/// whether the fault can be planted at the op, and plants it there only if
/// `plants` is true.
using Fault = bool (*)(Operation *, bool plants);

template <typename Op> bool drop(Operation *op, bool plants) {
  if (!isa<Op>(op))
    return false;
  if (plants)
    op->erase();
  return true;
}

template <typename Op> bool repeat(Operation *op, bool plants) {
  if (!isa<Op>(op))
    return false;
  if (plants)
    op->getBlock()->getOperations().insertAfter(op->getIterator(), op->clone());
  return true;
}

/// Returns the last op before a release which shows that an MMA has read the
/// released tile: the wait for such a wgmma, or the mma.sync itself. Returns
/// null if there is none.
Operation *findWait(ReleaseOp release) {
  for (Operation *before = release->getPrevNode(); before;
       before = before->getPrevNode()) {
    Operation *mma = before;
    if (auto wait = dyn_cast<MmaWaitOp>(before))
      mma = wait.getMma().getDefiningOp();
    if (!isa_and_nonnull<MmaOp, attn_tile::DotOp>(mma) || (isa<MmaOp>(before)))
      continue;
    for (Value operand : mma->getOperands().take_front(2))
      if (auto acquire = operand.getDefiningOp<AcquireOp>())
        if (acquire.getRing() == release.getRing() &&
            acquire.getIndex() == release.getIndex())
          return before;
  }
  return nullptr;
}

bool releaseEarly(Operation *op, bool plants) {
  auto release = dyn_cast<ReleaseOp>(op);
  Operation *wait = release ? findWait(release) : nullptr;
  if (wait && plants)
    op->moveBefore(wait);
  return wait != nullptr;
}

bool dropMmaWait(Operation *op, bool plants) {
  auto wait = dyn_cast<MmaWaitOp>(op);
  if (wait && plants) {
    wait.getResult().replaceAllUsesWith(wait.getMma());
    wait.erase();
    return true;
  }
  return static_cast<bool>(wait);
}

bool waitForFewer(Operation *op, bool plants) {
  auto wait = dyn_cast<MmaWaitOp>(op);
  if (wait && plants)
    wait.setPending(wait.getPending() + 1);
  return static_cast<bool>(wait);
}

/// Adds the number of a ring's slots to the tile number of an op of the ring.
/// The op then uses the same slot but waits for the other phase. The op must
/// have an explicit tile number.
template <typename Op> bool turnPhase(Operation *op, bool plants) {
  auto user = dyn_cast<Op>(op);
  if (!user || !user.getIndex())
    return false;
  if (!plants)
    return true;
  OpBuilder b(op);
  int64_t stages = user.getRing().getType().getStages();
  Value distance =
      arith::ConstantOp::create(b, op->getLoc(), b.getI32IntegerAttr(stages));
  Value index = user.getIndex();
  op->replaceUsesOfWith(
      index, arith::AddIOp::create(b, op->getLoc(), index, distance));
  return true;
}

template <int kDifference> bool changeReaders(Operation *op, bool plants) {
  auto init = dyn_cast<InitRingOp>(op);
  if (!init || static_cast<int64_t>(init.getReaders()) + kDifference < 1)
    return false;
  if (plants)
    init.setReaders(init.getReaders() + kDifference);
  return true;
}

template <int kDifference>
bool changeSchedulerReaders(Operation *op, bool plants) {
  auto init = dyn_cast<InitSchedulerOp>(op);
  if (init && plants)
    init.setReaders(init.getReaders() + kDifference);
  return static_cast<bool>(init);
}

/// Raises the number of warpgroups of an op that passes the turn of ping-pong
/// by 1. The last warpgroup then arrives at the barrier of one that does not
/// exist, and not at that of the first. Not for the initial arrival.
bool passTurnOn(Operation *op, bool plants) {
  auto arrive = dyn_cast<PingPongArriveOp>(op);
  if (!arrive || arrive.getInitial())
    return false;
  if (plants)
    arrive.setWarpgroups(arrive.getWarpgroups() + 1);
  return true;
}

/// Moves a ring so that its first tile overlaps the second half of the first
/// tile of the previous ring in the IR block. Needs a previous ring.
bool overlapRings(Operation *op, bool plants) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring)
    return false;
  RingOp other;
  for (Operation *before = op->getPrevNode(); before && !other;
       before = before->getPrevNode())
    other = dyn_cast<RingOp>(before);
  if (other && plants)
    ring.setOffset(other.getOffset() +
                   other.getRing().getType().getTileBytes() / 2);
  return static_cast<bool>(other);
}

/// Plants a fault that the simulator must find: gives a ring the offset in
/// shared memory of the ring op directly before it, so that they overlap.
bool overlayRings(Operation *op, bool plants) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring)
    return false;
  auto other = dyn_cast_or_null<RingOp>(op->getPrevNode());
  if (other && plants)
    ring.setOffset(other.getOffset());
  return static_cast<bool>(other);
}

/// Divides a fill's copy among all threads of the CTA, although only the
/// threads of one role run it.
bool copyByAll(Operation *op, bool plants) {
  auto fill = dyn_cast<FillOp>(op);
  if (!fill || !fill.getThreads())
    return false;
  if (plants) {
    fill.removeThreadsAttr();
    fill.removeFirstThreadAttr();
  }
  return true;
}

/// Drops a ring's attribute `unfenced`. Readers of the ring then emit no fence
/// between the writes of the threads that copied a tile and the reads of
/// wgmmas.
bool dropUnfenced(Operation *op, bool plants) {
  auto ring = dyn_cast<RingOp>(op);
  if (!ring || !ring.getUnfenced())
    return false;
  if (plants)
    ring.setUnfenced(false);
  return true;
}

/// Moves a ring past the end of shared memory.
bool moveRingOut(Operation *op, bool plants) {
  auto ring = dyn_cast<RingOp>(op);
  if (ring && plants)
    ring.setOffset(ring.getOffset() + (1 << 20));
  return static_cast<bool>(ring);
}

/// Adds 1000 to the first index of a copy or store in a kernel, such as the
/// number of the batch entry. The op then accesses memory outside of the array.
/// Needs an op with indices.
template <typename Op> bool moveOutOfArray(Operation *op, bool plants) {
  auto user = dyn_cast<Op>(op);
  if (!user || user.getIndices().empty() || !op->getParentOfType<KernelOp>())
    return false;
  if (!plants)
    return true;
  OpBuilder b(op);
  MutableOperandRange indices = user.getIndicesMutable();
  Value many = arith::ConstantIndexOp::create(b, op->getLoc(), 1000);
  indices.slice(0, 1).assign(
      arith::AddIOp::create(b, op->getLoc(), indices[0].get(), many));
  return true;
}

/// Makes an asynchronous store use the memory of the kernel's last ring as its
/// staging memory.
bool storeOverRing(Operation *op, bool plants) {
  auto store = dyn_cast<StoreAsyncOp>(op);
  if (!store)
    return false;
  RingOp last;
  op->getParentOfType<KernelOp>().walk([&](RingOp ring) { last = ring; });
  if (last && plants)
    store.setOffset(last.getOffset());
  return static_cast<bool>(last);
}

const std::pair<StringRef, Fault> kFaults[] = {
    {"release-early", releaseEarly},
    {"drop-release", drop<ReleaseOp>},
    {"release-twice", repeat<ReleaseOp>},
    {"drop-mma-wait", dropMmaWait},
    {"wait-for-fewer", waitForFewer},
    {"acquire-other-phase", turnPhase<AcquireOp>},
    {"fill-other-phase", turnPhase<FillOp>},
    {"release-other-phase", turnPhase<ReleaseOp>},
    {"fewer-readers", changeReaders<-1>},
    {"more-readers", changeReaders<1>},
    {"drop-fill", drop<FillOp>},
    {"fill-twice", repeat<FillOp>},
    {"drop-init", drop<InitRingOp>},
    {"init-twice", repeat<InitRingOp>},
    {"drop-init-fence", drop<NVVM::FenceMbarrierInitOp>},
    {"drop-proxy-fence", drop<NVVM::FenceProxyOp>},
    {"drop-unfenced", dropUnfenced},
    {"drop-store", drop<attn_tile::StoreOp>},
    {"drop-store-async", drop<StoreAsyncOp>},
    {"move-copy-out", moveOutOfArray<FillOp>},
    {"move-store-out", moveOutOfArray<attn_tile::StoreOp>},
    {"move-ring-out", moveRingOut},
    {"overlay-rings", overlayRings},
    {"copy-by-all", copyByAll},
    {"drop-reset", drop<LLVM::StoreOp>},
    {"drop-barrier", drop<gpu::BarrierOp>},
    {"drop-ping-pong-wait", drop<PingPongWaitOp>},
    {"drop-ping-pong-arrive", drop<PingPongArriveOp>},
    {"drop-finish", drop<FinishStoresOp>},
    {"drop-copy-wait", drop<NVVM::CpAsyncWaitGroupOp>},
    {"drop-publish", drop<PublishTileOp>},
    {"fewer-scheduler-readers", changeSchedulerReaders<-1>},
    {"more-scheduler-readers", changeSchedulerReaders<1>},
    {"pass-turn-on", passTurnOn},
    {"overlap-rings", overlapRings},
    {"store-over-ring", storeOverRing}};

struct PlantFaultPass : public PassWrapper<PlantFaultPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(PlantFaultPass)

  PlantFaultPass() = default;
  PlantFaultPass(const PlantFaultPass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "attn-test-plant-fault"; }
  StringRef getDescription() const override {
    return "Plant a fault in a program of the GPU level";
  }

  void runOnOperation() override {
    if (kind == "fail-silently")
      return signalPassFailure();
    const auto *fault = llvm::find_if(
        kFaults, [&](const auto &entry) { return entry.first == kind; });
    if (fault == std::end(kFaults)) {
      getOperation()->emitError("expected a kind of fault, found '")
          << kind << "'";
      return signalPassFailure();
    }
    unsigned seen = 0;
    WalkResult result = getOperation()->walk([&](Operation *op) {
      if (!fault->second(op, /*plants=*/false) || seen++ != number)
        return WalkResult::advance();
      fault->second(op, /*plants=*/true);
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      return;
    getOperation()->emitError("expected more places for '")
        << kind << "', found " << seen;
    signalPassFailure();
  }

  Option<std::string> kind{*this, "kind", llvm::cl::desc("What fault")};
  Option<unsigned> number{*this, "number", llvm::cl::init(0),
                          llvm::cl::desc("At which of its places")};
};

} // namespace

void mlir::attn::registerPlantFaultPass() {
  PassRegistration<PlantFaultPass>();
}
