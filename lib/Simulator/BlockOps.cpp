//===- BlockOps.cpp - Grids and loops over blocks and tiles ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "GlobalMemory.h"
#include "RingSlots.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Runs the body of an attn_tile.grid once for each point of the grid, in
/// row-major order. The body's arguments are the point's coordinates: along
/// each dimension, the multiples of the dimension's step from 0 to below its
/// size.
LogicalResult runGrid(Agent &agent, GridOp op) {
  SmallVector<int64_t> sizes;
  if (failed(agent.getInts(op, op.getSizes(), sizes)))
    return failure();
  ArrayRef<int64_t> steps = op.getSteps();
  SmallVector<int64_t> point(sizes.size(), 0);
  if (llvm::any_of(sizes, [](int64_t size) { return size <= 0; }))
    return success();
  while (true) {
    for (auto [argument, position] :
         llvm::zip(op.getBody().getArguments(), point))
      agent.set(argument, position);
    if (failed(agent.run(op.getBody().front())))
      return failure();
    size_t dim = point.size();
    while (dim > 0 && (point[dim - 1] += steps[dim - 1]) >= sizes[dim - 1])
      point[--dim] = 0;
    if (dim == 0)
      return success();
  }
}

void setDomain(Agent &agent, Value result, Domain domain) {
  agent.set(result, std::make_shared<const Domain>(std::move(domain)));
}

LogicalResult runDomain(Agent &agent, DomainOp op) {
  agent.set(op.getColumns().getArgument(0), agent.get(op.getFirst()));
  agent.set(op.getColumns().getArgument(1), agent.get(op.getLast()));
  SmallVector<RuntimeValue> ignored;
  Block &body = op.getColumns().front();
  if (failed(agent.run(body, ignored)))
    return failure();
  SmallVector<int64_t> bounds;
  if (failed(agent.getInts(op, body.getTerminator()->getOperands(), bounds)))
    return failure();
  int64_t lo = bounds[0], hi = bounds[1];
  int64_t block = op.getDomain().getType().getBlock();
  Domain domain;
  for (int64_t j = llvm::divideFloorSigned(lo, block) * block;
       lo < hi && j < hi; j += block)
    domain.blocks.emplace_back(j, j < bounds[2] || j + block > bounds[3]);
  setDomain(agent, op.getDomain(), std::move(domain));
  return success();
}

LogicalResult runDomainList(Agent &agent, DomainListOp op) {
  const ViewRef *blocks = agent.get<ViewRef>(op, op.getBlocks()),
                *partial = agent.get<ViewRef>(op, op.getPartial());
  FailureOr<int64_t> count = agent.getInt(op, op.getCount());
  if (!blocks || !partial || failed(count))
    return failure();
  Domain domain;
  for (int64_t i = 0; i < *count; ++i) {
    FailureOr<double> number = loadGlobal(agent, op, **blocks, {i}),
                      isPartial = loadGlobal(agent, op, **partial, {i});
    if (failed(number) || failed(isPartial))
      return failure();
    domain.blocks.emplace_back(static_cast<int64_t>(*number) *
                                   op.getDomain().getType().getBlock(),
                               *isPartial != 0);
  }
  setDomain(agent, op.getDomain(), std::move(domain));
  return success();
}

/// Runs the body of an attn_tile.for_blocks for each block of its domain. The
/// body's arguments are the block's first column, whether the block is partial,
/// and the values that the body has yielded for the block before. Blocks come
/// in the order in which the domain lists them, which is the same for all roles
/// of a CTA.
LogicalResult runForBlocks(Agent &agent, ForBlocksOp op) {
  auto *found = agent.get<std::shared_ptr<const Domain>>(op, op.getDomain());
  if (!found)
    return failure();
  std::shared_ptr<const Domain> domain = *found;
  SmallVector<RuntimeValue> carried;
  for (Value init : op.getInits())
    carried.push_back(agent.get(init));
  for (auto [position, isPartial] : domain->blocks) {
    agent.set(op.getPosition(), position);
    agent.set(op.getPartial(), int64_t(isPartial));
    agent.set(op.getBody().getArguments().drop_front(2), carried);
    carried.clear();
    if (failed(agent.run(op.getBody().front(), carried)))
      return failure();
  }
  agent.set(op.getResults(), carried);
  return success();
}

/// Returns which tile the CTA processes in iteration `turn` of a loop with a
/// dynamic scheduler, whose counters are at address `counters`. Iteration 0 has
/// the tile with the CTA's own number. A later iteration has the next tile that
/// no CTA has taken; the first agent of the CTA that asks for the iteration
/// takes it, and the others get the same one.
int64_t takeTile(Agent &agent, int64_t counters, size_t turn) {
  Cta &cta = *agent.cta;
  std::vector<int64_t> &taken = cta.tiles[counters];
  if (taken.empty())
    taken.push_back(cta.number);
  auto next = agent.simulation.nextTiles.try_emplace(counters, cta.count).first;
  while (taken.size() <= turn)
    taken.push_back(next->second++);
  return taken[turn];
}

LogicalResult runForTiles(Agent &agent, ForTilesOp op) {
  FailureOr<int64_t> count = agent.getInt(op, op.getCount());
  if (failed(count))
    return failure();
  if (!agent.cta)
    return agent.fail(op, "expected a launch around it");
  std::optional<int64_t> counters;
  if (op.getCounters()) {
    FailureOr<int64_t> address = agent.getInt(op, op.getCounters());
    if (failed(address))
      return failure();
    counters = *address;
  }
  for (int64_t turn = 0;; ++turn) {
    int64_t tile = counters ? takeTile(agent, *counters, turn)
                            : agent.cta->number + turn * agent.cta->count;
    if (tile >= *count)
      return success();
    agent.set(op.getPosition(), tile);
    if (failed(agent.run(op.getBody().front())))
      return failure();
  }
}

} // namespace

void sim::addBlockOps(Handlers &handlers) {
  handlers.add<ProcessorsOp>([](Agent &agent, ProcessorsOp op) {
    agent.set(op.getCount(), agent.simulation.options.numSms);
    return success();
  });
  handlers.add<GridOp>(runGrid);
  handlers.add<DomainOp>(runDomain);
  handlers.add<DomainListOp>(runDomainList);
  handlers.add<ForBlocksOp>(runForBlocks);
  handlers.add<ForTilesOp>(runForTiles);
}

//===----------------------------------------------------------------------===//
// Tile schedulers
//===----------------------------------------------------------------------===//

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
    if (failed(prepareBarrier(agent, op, getFull(offset, slot), 1)) ||
        failed(
            prepareBarrier(agent, op, getFree(offset, slot), op.getReaders())))
      return failure();
  return success();
}

TileBroadcast *findBroadcast(Agent &agent, Operation *op, int64_t offset) {
  auto found = agent.cta->broadcasts.find(offset);
  if (found != agent.cta->broadcasts.end())
    return &found->second;
  (void)agent.fail(
      op, "expected slots for tile numbers that were prepared at byte " +
              Twine(offset) + " of shared memory");
  return nullptr;
}

LogicalResult runPublish(Agent &agent, PublishTileOp op) {
  FailureOr<int64_t> tile = agent.getInt(op, op.getTile());
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  TileBroadcast *broadcast = findBroadcast(agent, op, op.getOffset());
  if (failed(tile) || failed(number) || !broadcast)
    return failure();
  SlotPlace place(kSchedulerSlots, *number);
  if (failed(agent.waitFor(op, getFree(op.getOffset(), place.slot),
                           !place.parity, [=] {
                             return "waits until number " +
                                    std::to_string(*number) + " has a slot";
                           })))
    return failure();
  TileBroadcast::Slot &slot = broadcast->slots[place.slot];
  if (slot.index && slot.read < broadcast->readers)
    return agent.fail(op, "puts number " + Twine(*number) +
                              " in the place of number " + Twine(*slot.index) +
                              ", which " + Twine(slot.read) + " of " +
                              Twine(broadcast->readers) + " threads have read");
  slot = {*number, static_cast<int32_t>(*tile), /*read=*/0};
  return agent.arrive(op, getFull(op.getOffset(), place.slot));
}

LogicalResult runNext(Agent &agent, NextTileOp op) {
  FailureOr<uint32_t> number = getNumber(agent, op, op.getIndex());
  TileBroadcast *broadcast = findBroadcast(agent, op, op.getOffset());
  if (failed(number) || !broadcast)
    return failure();
  SlotPlace place(kSchedulerSlots, *number);
  if (failed(agent.waitFor(op, getFull(op.getOffset(), place.slot),
                           place.parity, [=] {
                             return "waits for number " +
                                    std::to_string(*number) + " of the tiles";
                           })))
    return failure();
  TileBroadcast::Slot &slot = broadcast->slots[place.slot];
  if (slot.index != *number)
    return agent.fail(
        op,
        agent.getName() + " waits for number " + std::to_string(*number) +
            " of the tiles, found " +
            (slot.index ? std::to_string(*slot.index) : std::string("none")));
  agent.set(op.getTile(), int64_t(slot.tile));
  slot.read += agent.getNumThreads();
  return agent.arrive(op, getFree(op.getOffset(), place.slot),
                      agent.getNumThreads());
}

/// Gives other agents a chance to run before the agent runs `op`, so that
/// atomic ops of different CTAs interleave.
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
