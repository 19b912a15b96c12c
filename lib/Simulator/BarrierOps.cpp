//===- BarrierOps.cpp - Named barriers and waits --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

/// The number of threads that must arrive at a named barrier for ping-pong:
/// those of two warpgroups, the one that waits for its turn and the one that
/// passes the turn.
constexpr int64_t kPingPongThreads = 2 * kWarpgroup;

LogicalResult Agent::meet(Operation *op, int64_t number, int64_t threads,
                          bool waits) {
  if (failed(checkWholeWarp(op)))
    return failure();
  std::shared_ptr<NamedBarrier::Phase> &current = cta->named[number].phase;
  if (!current) {
    current = std::make_shared<NamedBarrier::Phase>();
    current->threads = threads;
  }
  std::shared_ptr<NamedBarrier::Phase> phase = current;
  std::string name = "barrier " + std::to_string(number);
  if (phase->threads != threads)
    return fail(op, getName() + " expects " + Twine(threads) + " threads at " +
                        name + ", others there expect " +
                        Twine(phase->threads));
  auto describe = [phase] {
    return std::to_string(phase->arrived) + " of " +
           std::to_string(phase->threads) + " threads are";
  };
  // The hardware's named barrier only counts arrivals, so in one phase a warp
  // may first arrive without waiting, and then arrive again and wait. The
  // simulator rejects two arrivals of a warp in one phase if both wait or
  // neither does.
  if (llvm::is_contained(phase->warps, std::pair(warp, waits)))
    return fail(op, getName() + " arrives twice at " + name + ", where " +
                        describe());
  phase->warps.push_back({warp, waits});
  phase->arrived += kLanes;
  phase->clock.join(release());
  if (phase->arrived > threads)
    return fail(op, "expected at most " + Twine(threads) + " threads at " +
                        name + ", found " + Twine(phase->arrived));
  if (phase->arrived == threads) {
    phase->isOver = true;
    current = nullptr;
  }
  if (!waits)
    return success();
  if (failed(wait(
          op, [phase] { return phase->isOver; },
          [describe, name] {
            return "waits at " + name + ", where " + describe();
          })))
    return failure();
  clock.join(phase->clock);
  return success();
}

LogicalResult Agent::waitForTurn(Operation *op) {
  return meet(op, kFirstPingPongBarrier + getWarpgroup(), kPingPongThreads);
}

LogicalResult Agent::passTurn(Operation *op, int64_t warpgroups) {
  return meet(op, kFirstPingPongBarrier + (getWarpgroup() + 1) % warpgroups,
              kPingPongThreads, /*waits=*/false);
}

LogicalResult Agent::meetWarps(Operation *op, int64_t layoutWarps) {
  return meet(op, layoutWarps == cta->warps ? 0 : kConsumersBarrier,
              layoutWarps * kLanes);
}

MemoryBarrier *Agent::findBarrier(Operation *op, int64_t offset) {
  auto found = cta->barriers.find(offset);
  if (found == cta->barriers.end() ||
      failed(noteRead(op, offset, kBarrierBytes))) {
    (void)fail(op, "expected a barrier that was prepared at byte " +
                       Twine(offset) + " of shared memory");
    return nullptr;
  }
  return &found->second;
}

LogicalResult Agent::waitFor(Operation *op, int64_t offset, bool parity,
                             std::function<std::string()> what) {
  MemoryBarrier *barrier = findBarrier(op, offset);
  if (!barrier)
    return failure();
  if (failed(wait(
          op, [barrier, parity] { return barrier->isComplete(parity); },
          [barrier, what] {
            std::string text = what();
            text += ": its barrier lacks " +
                    std::to_string(barrier->getPending()) + " of " +
                    std::to_string(barrier->getCount()) + " arrivals";
            if (barrier->getBytes())
              text += " and " + std::to_string(barrier->getBytes()) + " bytes";
            return text;
          })))
    return failure();
  clock.join(barrier->getClock());
  return success();
}

LogicalResult Agent::arrive(Operation *op, int64_t offset, int64_t arrivals) {
  MemoryBarrier *barrier = findBarrier(op, offset);
  if (!barrier)
    return failure();
  if (!barrier->arrive(release(), arrivals))
    return fail(op, getName() + " arrives at byte " + Twine(offset) +
                        " of shared memory, found a barrier that expects "
                        "fewer arrivals");
  return success();
}

/// Runs a shfl.sync.idx of an integer: in all lanes, the result is the integer
/// of the one lane whose number is the op's offset operand, the same in all
/// lanes. Refuses other kinds of shuffles.
static LogicalResult runShuffle(Agent &agent, NVVM::ShflOp op) {
  FailureOr<int64_t> source = agent.getInt(op, op.getOffset());
  if (failed(source) || failed(agent.checkWholeWarp(op)))
    return failure();
  if (op.getKind() != NVVM::ShflKind::idx || op->getNumResults() != 1 ||
      op.getReturnValueAndIsValid() || *source < 0 || *source >= kLanes ||
      !op.getVal().getType().isSignlessInteger())
    return agent.refuse(op, "expected an integer of one lane, for all");
  RuntimeValue value = agent.get(op.getVal());
  if (const Tile *tile = std::get_if<Tile>(&value))
    value = (*tile)->ints[*source];
  agent.set(op->getResult(0), std::move(value));
  return success();
}

void sim::addBarrierOps(Handlers &handlers) {
  handlers.add<gpu::BarrierOp>([](Agent &agent, gpu::BarrierOp op) {
    return agent.meet(op, 0, agent.cta->warps * kLanes);
  });
  handlers.add<SyncWarpgroupOp>([](Agent &agent, SyncWarpgroupOp op) {
    return agent.meet(op, kFirstWarpgroupBarrier + agent.getWarpgroup(),
                      kWarpgroup);
  });
  handlers.add<PingPongWaitOp>(
      [](Agent &agent, PingPongWaitOp op) { return agent.waitForTurn(op); });
  handlers.add<PingPongArriveOp>([](Agent &agent, PingPongArriveOp op) {
    int64_t count = op.getWarpgroups();
    if (op.getInitial() && agent.getWarpgroup() != count - 1)
      return success();
    return agent.passTurn(op, count);
  });
  handlers.add<NVVM::ShflOp>(runShuffle);
  // A bar.warp.sync needs no action, since the lanes of a simulated warp always
  // run in step.
  handlers.add<NVVM::SyncWarpOp>(
      [](Agent &, NVVM::SyncWarpOp) { return success(); });
  handlers.add<NVVM::FenceMbarrierInitOp>(
      [](Agent &agent, NVVM::FenceMbarrierInitOp) {
        agent.fenceBarriers();
        return success();
      });
  handlers.add<NVVM::FenceProxyOp>([](Agent &agent, NVVM::FenceProxyOp op) {
    if (!llvm::is_contained(
            {NVVM::ProxyKind::async, NVVM::ProxyKind::async_shared},
            op.getKind()))
      return success();
    agent.clock.fence();
    agent.fenceBarriers();
    return success();
  });
}
