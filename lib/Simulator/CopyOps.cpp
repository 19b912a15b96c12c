//===- CopyOps.cpp - Copies by all threads of a CTA -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "GlobalMemory.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

/// 16 bytes of the tile, or fewer elements at a row's end.
struct Chunk {
  int64_t row, column, target;
};

/// Of a copy by all of a CTA's threads, what one warp copies.
struct TileCopy {
  ViewRef source, destination;
  SmallVector<int64_t> indices;
  int64_t elementBytes = 1, perChunk = 1;
  SmallVector<Chunk> chunks;

  /// Calls `visit` for each element with its place in the source and where it
  /// goes, until it fails.
  template <typename Visit> LogicalResult forEachElement(Visit visit) const {
    int64_t rank = indices.size();
    for (const Chunk &chunk : chunks)
      for (int64_t i = 0; i < perChunk; ++i) {
        SmallVector<int64_t> place(indices);
        place[rank - 2] += chunk.row;
        place[rank - 1] += chunk.column + i;
        if (failed(visit(place, chunk.target + i * elementBytes)))
          return failure();
      }
    return success();
  }
  void run(Cta &cta) const;
};

void TileCopy::run(Cta &cta) const {
  (void)forEachElement([&](ArrayRef<int64_t> place, int64_t offset) {
    char *target = cta.memory.at(offset);
    if (isInside(*source, place))
      std::memcpy(target,
                  reinterpret_cast<const char *>(source->getAddress(place)),
                  elementBytes);
    else
      std::memset(target, 0, elementBytes);
    return success();
  });
}

LogicalResult checkWritten(Agent &agent, CopyAsyncOp op, const TileCopy &copy) {
  if (!isOwn(*copy.source))
    return success();
  return copy.forEachElement([&](ArrayRef<int64_t> place, int64_t) {
    return isInside(*copy.source, place)
               ? checkWritten(agent, op, *copy.source, place)
               : success();
  });
}

/// Thread t has every so many-th chunk.
void findChunks(TileCopy &copy, const Agent &agent, bool isSwizzled) {
  const View &tile = *copy.destination;
  int64_t perRow = tile.sizes[1] / copy.perChunk;
  int64_t threads = agent.cta->warps * kLanes;
  for (int64_t i = 0; i < tile.sizes[0] * perRow; ++i) {
    int64_t row = i / perRow, column = i % perRow * copy.perChunk;
    if (i % threads / kLanes != agent.warp)
      continue;
    int64_t target = tile.getAddress({row, column});
    if (isSwizzled) {
      int64_t byte = column * copy.elementBytes;
      target = tile.getAddress({0, 0}) + byte / 128 * tile.sizes[0] * 128 +
               row * 128 + ((byte % 128) ^ (row % 8 * 16));
    }
    copy.chunks.push_back({row, column, target});
  }
}

LogicalResult checkSource(Agent &agent, CopyAsyncOp op, const TileCopy &copy) {
  const View &source = *copy.source;
  size_t rank = copy.indices.size();
  // Of no row, nothing is read.
  bool isRead = copy.indices[rank - 2] < source.sizes[rank - 2];
  for (size_t i = 0; isRead && i + 2 < rank; ++i)
    if (copy.indices[i] < 0 || copy.indices[i] >= source.sizes[i])
      return agent.fail(op, agent.getName() + " goes out of bounds of " +
                                source.array->name + " in dimension " +
                                std::to_string(i) + ", at " +
                                std::to_string(copy.indices[i]) + " of " +
                                std::to_string(source.sizes[i]));
  if (copy.indices[rank - 2] < 0 || copy.indices[rank - 1] < 0)
    return agent.fail(op, "expected indices of at least 0");
  if (!op.getAligned() || !isRead)
    return success();
  int64_t rowBytes = source.strides[rank - 2] * copy.elementBytes;
  bool hasRows = source.sizes[rank - 2] > copy.indices[rank - 2] + 1;
  if (source.getAddress(copy.indices) % 16 == 0 &&
      (!hasRows || rowBytes % 16 == 0))
    return success();
  return agent.fail(op, "expected rows at multiples of 16 bytes, as "
                        "'aligned' promises");
}

LogicalResult runCopy(Agent &agent, CopyAsyncOp op) {
  const ViewRef *source = agent.get<ViewRef>(op, op.getSource()),
                *destination = agent.get<ViewRef>(op, op.getDestination());
  TileCopy copy;
  if (!source || !destination ||
      failed(agent.getInts(op, op.getIndices(), copy.indices)) ||
      failed(agent.checkWholeWarp(op)))
    return failure();
  copy.source = *source;
  copy.destination = *destination;
  if (!copy.source->array || copy.destination->array)
    return agent.fail(op, "expected to copy from global to shared memory");
  copy.elementBytes = getByteSize(copy.destination->dtype);
  copy.perChunk = 16 / copy.elementBytes;
  if (failed(checkSource(agent, op, copy)))
    return failure();
  findChunks(copy, agent, op.getSwizzled());
  if (failed(checkWritten(agent, op, copy)))
    return failure();

  unsigned actor = agent.warp;
  Clock clock = agent.clock;
  if (op.getAligned())
    std::tie(actor, clock) = agent.beginEngine();
  for (const Chunk &chunk : copy.chunks)
    if (failed(agent.noteWrite(op, chunk.target,
                               copy.perChunk * copy.elementBytes,
                               {actor, clock})))
      return failure();
  if (!op.getAligned()) {
    copy.run(*agent.cta);
    return success();
  }
  auto transfer = std::make_shared<Transfer>();
  transfer->op = op;
  transfer->clock = clock;
  agent.openCopies.push_back(transfer);
  agent.simulation.scheduler.post([] { return true; },
                                  [cta = agent.cta, copy, transfer] {
                                    copy.run(*cta);
                                    transfer->isDone = true;
                                  });
  return success();
}

LogicalResult runCommit(Agent &agent, NVVM::CpAsyncCommitGroupOp) {
  agent.copyGroups.push_back(std::move(agent.openCopies));
  agent.openCopies.clear();
  return success();
}

/// Waits for all but the last `n` groups.
LogicalResult runWait(Agent &agent, NVVM::CpAsyncWaitGroupOp op) {
  size_t pending = std::min<size_t>(op.getN(), agent.copyGroups.size());
  std::vector<std::shared_ptr<Transfer>> transfers;
  size_t count = agent.copyGroups.size() - pending;
  for (size_t i = 0; i < count; ++i)
    llvm::append_range(transfers, agent.copyGroups[i]);
  agent.copyGroups.erase(agent.copyGroups.begin(),
                         agent.copyGroups.begin() + count);
  if (failed(agent.wait(
          op,
          [transfers] {
            return llvm::all_of(transfers, [](const auto &transfer) {
              return transfer->isDone;
            });
          },
          [] { return "waits for copies"; })))
    return failure();
  for (const std::shared_ptr<Transfer> &transfer : transfers)
    agent.clock.join(transfer->clock);
  return success();
}

} // namespace

void sim::addCopyOps(Handlers &handlers) {
  handlers.add<CopyAsyncOp>(runCopy);
  handlers.add<NVVM::CpAsyncCommitGroupOp>(runCommit);
  handlers.add<NVVM::CpAsyncWaitGroupOp>(runWait);
}
