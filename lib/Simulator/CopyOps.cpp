//===- CopyOps.cpp - Copies by threads ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "GlobalMemory.h"
#include "RingSlots.h"
#include "RowLists.h"
#include "SharedTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

namespace {

/// Where a fill by threads reads one part of a tile: rows of the array `view`.
/// These are consecutive rows from `indices` on or, if the fill has a list of
/// rows, the rows whose numbers are in `listed`.
struct Source {
  ViewRef view;
  SmallVector<int64_t> indices;
  std::optional<SmallVector<int64_t>> listed;

  /// Returns the indices in `view` of the element at row `row` and column
  /// `column` of this part of the tile.
  SmallVector<int64_t> getPlace(int64_t row, int64_t column) const {
    SmallVector<int64_t> place(indices);
    int64_t &ofRow = place[place.size() - 2];
    ofRow = listed ? (*listed)[row] : ofRow + row;
    place.back() += column;
    return place;
  }
};

/// A chunk: 16 bytes of a tile, which one thread copies to shared memory.
/// `source` is the number of the part of the tile that has the chunk, `row` and
/// `column` are the position of the chunk's first element in that part, and
/// `target` is the chunk's byte offset in shared memory.
struct Chunk {
  int64_t source, row, column, target;
};

/// The share of one warp in a fill of a ring's slot by several warps. `sources`
/// says where each part of the tile is read, and `chunks` are the chunks of 16
/// bytes that this warp copies.
struct TileCopy {
  SmallVector<Source> sources;
  int64_t elementBytes = 1, perChunk = 1;
  SmallVector<Chunk> chunks;

  /// Calls `visit` for each element that the warp copies, until a call fails.
  /// The arguments are the array that the element is read from, the element's
  /// indices in it, and the element's byte offset in shared memory.
  template <typename Visit> LogicalResult forEachElement(Visit visit) const {
    for (const Chunk &chunk : chunks) {
      const Source &source = sources[chunk.source];
      for (int64_t i = 0; i < perChunk; ++i)
        if (failed(visit(*source.view,
                         source.getPlace(chunk.row, chunk.column + i),
                         chunk.target + i * elementBytes)))
          return failure();
    }
    return success();
  }
  void run(Cta &cta) const;
};

void TileCopy::run(Cta &cta) const {
  (void)forEachElement(
      [&](const View &view, ArrayRef<int64_t> place, int64_t offset) {
        copyElement(view, place, cta.memory.at(offset));
        return success();
      });
}

LogicalResult checkWritten(Agent &agent, FillOp op, const TileCopy &copy) {
  return copy.forEachElement(
      [&](const View &view, ArrayRef<int64_t> place, int64_t) {
        return sim::checkWritten(agent, op, view, place);
      });
}

/// Returns which warps of the CTA run the fill: the number of the first one,
/// and how many there are. If the op does not name its threads, all warps of
/// the CTA run it.
std::pair<int64_t, int64_t> getWarps(Agent &agent, FillOp op) {
  int64_t threads = op.getThreads().value_or(agent.cta->warps * kLanes);
  return {op.getFirstThread().value_or(0) / kLanes, threads / kLanes};
}

/// Appends to `copy` the chunks of 16 bytes that the agent's warp copies to a
/// slot at byte `offset` of shared memory. The chunks of a part of the tile are
/// numbered in row-major order. If n threads run the fill, thread t copies
/// chunks t, t + n, t + 2n and so on of each part.
void findChunks(TileCopy &copy, Agent &agent, FillOp op, int64_t offset) {
  RankedTensorType tile = op.getRing().getType().getTile();
  const SharedLayout &layout = agent.simulation.getSharedLayout(tile);
  auto parts = static_cast<int64_t>(op.getParts());
  int64_t perRow = layout.getColumns() / copy.perChunk;
  int64_t rows = layout.getRows() / parts;
  auto [firstWarp, numWarps] = getWarps(agent, op);
  for (int64_t part = 0; part < parts; ++part)
    for (int64_t i = 0; i < rows * perRow; ++i) {
      if (i % (numWarps * kLanes) / kLanes != agent.warp - firstWarp)
        continue;
      int64_t row = i / perRow, column = i % perRow * copy.perChunk;
      copy.chunks.push_back(
          {part, row, column,
           offset + layout.getOffset(part * rows + row, column)});
    }
}

LogicalResult checkSource(Agent &agent, FillOp op, const Source &from,
                          int64_t numRows) {
  const View &source = *from.view;
  ArrayRef<int64_t> indices = from.indices;
  size_t rank = indices.size();
  // A fill reads only those rows of a tile that are inside the view, so only
  // these must begin at multiples of 16 bytes. If no row or no column is
  // inside, the indices in the view's other dimensions are not checked.
  bool isRead = false, isAligned = true;
  for (int64_t row = 0; row < numRows; ++row) {
    SmallVector<int64_t> place = from.getPlace(row, 0);
    if (place[rank - 2] < 0 || place[rank - 2] >= source.sizes[rank - 2] ||
        place[rank - 1] >= source.sizes[rank - 1])
      continue;
    isRead = true;
    isAligned &= source.getAddress(place) % 16 == 0;
  }
  for (size_t i = 0; isRead && i + 2 < rank; ++i)
    if (indices[i] < 0 || indices[i] >= source.sizes[i])
      return agent.fail(op, agent.getName() + " goes out of bounds of " +
                                source.array->name + " in dimension " +
                                Twine(i) + ", at " + Twine(indices[i]) +
                                " of " + Twine(source.sizes[i]));
  if ((!from.listed && indices[rank - 2] < 0) || indices[rank - 1] < 0)
    return agent.fail(op, "expected indices of at least 0");
  if (!op.getAligned() || !isRead || isAligned)
    return success();
  return agent.fail(op, "expected rows at multiples of 16 bytes, as "
                        "'aligned' promises");
}

/// Runs a fill by threads that has no tile number, since no pass has numbered
/// slots in the program yet. The first warp of the fill reads the whole tile,
/// with zeros for elements outside of the arrays, and appends it to the ring's
/// queue. Other warps do nothing.
LogicalResult fillNext(Agent &agent, FillOp op, Ring &ring,
                       const TileCopy &copy) {
  ring.isQueue = true;
  if (agent.warp != getWarps(agent, op).first)
    return success();
  RankedTensorType tile = ring.type.getTile();
  int64_t columns = tile.getShape().back();
  int64_t rows = tile.getNumElements() / columns / copy.sources.size();
  std::vector<float> elements;
  for (const Source &source : copy.sources)
    for (int64_t i = 0; i < rows * columns; ++i) {
      SmallVector<int64_t> place = source.getPlace(i / columns, i % columns);
      FailureOr<double> element = loadOrZero(agent, op, *source.view, place);
      if (failed(element))
        return failure();
      elements.push_back(static_cast<float>(*element));
    }
  ring.queue.push_back(
      std::make_shared<const std::vector<float>>(std::move(elements)));
  return success();
}

/// Counts 32 arrivals at `full`, the full barrier of slot `number` of the ring,
/// for a warp whose threads have copied their chunks. Marks the slot as full if
/// all writers have arrived. Returns false if the barrier lacked fewer
/// arrivals.
bool arrive(Ring &ring, int64_t number, MemoryBarrier &full,
            const Clock &clock) {
  Ring::Slot &slot = ring.slots[number];
  slot.written += kLanes;
  if (slot.written == ring.writers)
    slot.state = Ring::Slot::State::Full;
  return full.arrive(clock, kLanes);
}

LogicalResult runCommit(Agent &agent, NVVM::CpAsyncCommitGroupOp) {
  agent.copyGroups.push_back(std::move(agent.openCopies));
  agent.openCopies.clear();
  return success();
}

/// Waits until all committed groups of the warp's cp.async copies have ended,
/// except the `n` newest ones.
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

LogicalResult sim::fillByThreads(Agent &agent, FillOp op, Ring &ring) {
  if (failed(agent.checkWholeWarp(op)))
    return failure();
  auto [firstWarp, numWarps] = getWarps(agent, op);
  if (agent.warp < firstWarp || agent.warp >= firstWarp + numWarps)
    return agent.fail(op, agent.getName() + " copies, expected warps from " +
                              Twine(firstWarp) + " to " +
                              Twine(firstWarp + numWarps - 1));
  TileCopy copy;
  RankedTensorType tile = ring.type.getTile();
  auto parts = static_cast<int64_t>(op.getParts());
  int64_t numRows = tile.getRank() == 1 ? 1 : tile.getDimSize(0) / parts;
  copy.elementBytes = tile.getElementTypeBitWidth() / 8;
  copy.perChunk = kCopyBytes / copy.elementBytes;
  for (int64_t part = 0; part < parts; ++part) {
    const ViewRef *view = agent.get<ViewRef>(op, op.getSources()[part]);
    Source source;
    if (!view ||
        failed(agent.getInts(op, op.getIndicesOfPart(part), source.indices)))
      return failure();
    source.view = *view;
    if (!source.view->array)
      return agent.fail(op, "expected to copy from global to shared memory");
    // Each warp reads the list of rows for the whole part of the tile and
    // checks all of these rows, though its threads copy only some of them.
    auto list = getRowList(agent, op, source.indices);
    if (failed(list) ||
        (*list && failed((*list)->getRows(agent, op, numRows,
                                          source.listed.emplace()))) ||
        failed(checkSource(agent, op, source, numRows)))
      return failure();
    copy.sources.push_back(source);
  }
  if (!op.getIndex())
    return fillNext(agent, op, ring, copy);
  FailureOr<int64_t> index = agent.getInt(op, op.getIndex());
  if (failed(index))
    return failure();
  auto number = static_cast<uint32_t>(*index);
  int64_t slot = SlotPlace(ring, number).slot;
  MemoryBarrier *full = nullptr;
  if (ring.barriers) {
    if (failed(occupySlot(agent, op, ring, number, /*isShared=*/true)))
      return failure();
    full = agent.findBarrier(op, ring.getFull(slot));
    if (!full)
      return failure();
  }
  findChunks(copy, agent, op, ring.offset + slot * ring.slotBytes);
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
    if (full && !arrive(ring, slot, *full, agent.release()))
      return agent.fail(op, "found a barrier that expects fewer arrivals");
    return success();
  }
  auto transfer = std::make_shared<Transfer>();
  transfer->op = op;
  transfer->clock = clock;
  if (!full)
    agent.openCopies.push_back(transfer);
  agent.simulation.scheduler.post(
      [] { return true; },
      [&ring, slot, full, cta = agent.cta, copy, transfer] {
        copy.run(*cta);
        transfer->isDone = true;
        if (full)
          arrive(ring, slot, *full, transfer->clock);
      });
  return success();
}

void sim::addCopyOps(Handlers &handlers) {
  handlers.add<NVVM::CpAsyncCommitGroupOp>(runCommit);
  handlers.add<NVVM::CpAsyncWaitGroupOp>(runWait);
}
