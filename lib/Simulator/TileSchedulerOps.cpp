//===- TileSchedulerOps.cpp - The tile scheduler --------------------------===//
//------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

int64_t getFull(int64_t broadcast, int64_t slot) {
  return broadcast + kBarrierBytes * slot;
}
int64_t getFree(int64_t broadcast, int64_t slot) {
  return broadcast + kBarrierBytes * (kSchedulerSlots + slot);
}

LogicalResult runInitScheduler(Agent &agent, InitSchedulerOp op) {
  int64_t offset = op.getOffset();
  agent.cta->broadcasts[offset].readers = op.getReaders();
  for (int64_t slot = 0; slot < kSchedulerSlots; ++slot)
    for (auto [place, count] :
         {std::pair<int64_t, int64_t>(getFull(offset, slot), 1),
          {getFree(offset, slot), op.getReaders()}}) {
      if (failed(agent.noteWrite(op, place, kBarrierBytes)))
        return failure();
      if (!agent.cta->barriers.try_emplace(place, count, agent.warp).second)
        return agent.fail(op, "expected to prepare each barrier once");
    }
  return success();
}

TileBroadcast *findBroadcast(Agent &agent, Operation *op, int64_t offset) {
  auto found = agent.cta->broadcasts.find(offset);
  if (found != agent.cta->broadcasts.end())
    return &found->second;
  (void)agent.fail(
      op, "expected slots for tile numbers that were prepared at byte " +
              std::to_string(offset) + " of shared memory");
  return nullptr;
}

LogicalResult runPublish(Agent &agent, PublishTileOp op) {
  FailureOr<int64_t> tile = agent.getInt(op, op.getTile()),
                     index = agent.getInt(op, op.getIndex());
  TileBroadcast *broadcast = findBroadcast(agent, op, op.getOffset());
  if (failed(tile) || failed(index) || !broadcast)
    return failure();
  auto number = static_cast<uint32_t>(*index);
  int64_t slot = number % kSchedulerSlots;
  bool parity = number / kSchedulerSlots % 2;
  if (failed(agent.waitFor(op, getFree(op.getOffset(), slot), !parity, [=] {
        return "waits until number " + std::to_string(number) + " has a slot";
      })))
    return failure();
  TileBroadcast::Slot &place = broadcast->slots[slot];
  if (place.index && place.read < broadcast->readers)
    return agent.fail(
        op, "puts number " + std::to_string(number) +
                " in the place of number " + std::to_string(*place.index) +
                ", which " + std::to_string(place.read) + " of " +
                std::to_string(broadcast->readers) + " threads have read");
  place.index = number;
  place.tile = static_cast<int32_t>(*tile);
  place.read = 0;
  MemoryBarrier *full = agent.findBarrier(op, getFull(op.getOffset(), slot));
  if (!full)
    return failure();
  if (!full->arrive(agent.release()))
    return agent.fail(op, "expected a barrier that lacks an arrival");
  return success();
}

LogicalResult runNext(Agent &agent, NextTileOp op) {
  FailureOr<int64_t> index = agent.getInt(op, op.getIndex());
  TileBroadcast *broadcast = findBroadcast(agent, op, op.getOffset());
  if (failed(index) || !broadcast)
    return failure();
  auto number = static_cast<uint32_t>(*index);
  int64_t slot = number % kSchedulerSlots;
  bool parity = number / kSchedulerSlots % 2;
  if (failed(agent.waitFor(op, getFull(op.getOffset(), slot), parity, [=] {
        return "waits for number " + std::to_string(number) + " of the tiles";
      })))
    return failure();
  TileBroadcast::Slot &place = broadcast->slots[slot];
  if (place.index != number)
    return agent.fail(op, agent.getName() + " waits for number " +
                              std::to_string(number) + " of the tiles, found " +
                              (place.index ? std::to_string(*place.index)
                                           : std::string("none")));
  agent.set(op.getTile(), int64_t(place.tile));
  place.read += agent.getNumThreads();
  MemoryBarrier *free = agent.findBarrier(op, getFree(op.getOffset(), slot));
  if (!free)
    return failure();
  if (!free->arrive(agent.release(), agent.getNumThreads()))
    return agent.fail(op, "expected a barrier that lacks as many arrivals");
  return success();
}

/// Others may come between any two of them.
LogicalResult letOthersRun(Agent &agent, Operation *op) {
  return agent.wait(op, [] { return true; }, [] { return "runs"; });
}

LogicalResult runAtomic(Agent &agent, LLVM::AtomicRMWOp op) {
  if (failed(letOthersRun(agent, op)))
    return failure();
  FailureOr<int64_t> address = agent.getInt(op, op.getPtr()),
                     value = agent.getInt(op, op.getVal());
  if (failed(address) || failed(value))
    return failure();
  if (op.getBinOp() != LLVM::AtomicBinOp::add || !op.getType().isInteger(32))
    return agent.refuse(op, "expected an addition of i32");
  auto *word = reinterpret_cast<int32_t *>(*address);
  agent.set(op.getRes(), int64_t(*word));
  *word += static_cast<int32_t>(*value);
  return success();
}

LogicalResult runElementPointer(Agent &agent, LLVM::GEPOp op) {
  FailureOr<int64_t> base = agent.getInt(op, op.getBase());
  if (failed(base))
    return failure();
  ArrayRef<int32_t> indices = op.getRawConstantIndices();
  if (!op.getElemType().isInteger(32) || indices.size() != 1 ||
      indices[0] == LLVM::GEPOp::kDynamicIndex)
    return agent.refuse(op, "expected a constant number of i32");
  agent.set(op.getRes(), *base + 4 * indices[0]);
  return success();
}

LogicalResult runElementStore(Agent &agent, LLVM::StoreOp op) {
  FailureOr<int64_t> address = agent.getInt(op, op.getAddr()),
                     value = agent.getInt(op, op.getValue());
  if (failed(address) || failed(value))
    return failure();
  *reinterpret_cast<int32_t *>(*address) = static_cast<int32_t>(*value);
  return success();
}

} // namespace

void sim::addTileSchedulerOps(Handlers &handlers) {
  handlers.add<InitSchedulerOp>(runInitScheduler);
  handlers.add<PublishTileOp>(runPublish);
  handlers.add<NextTileOp>(runNext);
  handlers.add<LLVM::AtomicRMWOp>(runAtomic);
  handlers.add<LLVM::GEPOp>(runElementPointer);
  handlers.add<LLVM::StoreOp>(runElementStore);
}
