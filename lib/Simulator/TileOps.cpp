//===- TileOps.cpp - Tiles in registers -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"
#include "Elementwise.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

const TileLayout *sim::getTileLayout(Agent &agent, Operation *op, Value tile) {
  const TileLayout *layout = agent.simulation.getLayout(tile.getType());
  if (!layout || (layout->isWhole() && agent.cta && agent.cta->warps != 1)) {
    (void)agent.refuse(op, "expected a tile with a layout in registers");
    return nullptr;
  }
  if (layout->isWhole())
    return layout;
  if (!agent.cta || !layout->hasWarp(agent.warp)) {
    (void)agent.misfit(
        op, "expected to be run by the first " + Twine(layout->getNumWarps()) +
                " warps, which have the tile, found " + agent.getName());
    return nullptr;
  }
  return layout;
}

namespace {

LogicalResult runCoordinate(Agent &agent, CoordinateOp op) {
  const TileLayout *layout = getTileLayout(agent, op, op.getResult());
  if (!layout)
    return failure();
  RankedTensorType type = op.getResult().getType();
  int64_t axis = type.getRank() == 1 ? 0 : static_cast<int64_t>(op.getAxis());
  std::vector<int64_t> positions;
  for (int64_t i = 0; i < layout->getSize(); ++i) {
    int64_t position = layout->get(axis, agent.warp, i);
    if (std::optional<AffineMap> map = op.getMap())
      position = map->compose(ArrayRef(position)).front();
    positions.push_back(position);
  }
  setNumbers(agent, op.getResult(), positions);
  return success();
}

/// Returns the four random integers of 32 bits of Philox 4x32-10 (Salmon et
/// al., "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011) for the counter
/// `words` and the key `seed`.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> words, uint64_t seed) {
  uint32_t key0 = seed, key1 = seed >> 32;
  for (int round = 0; round < 10; ++round) {
    uint64_t even = 0xD2511F53ull * words[0], odd = 0xCD9E8D57ull * words[2];
    words = {static_cast<uint32_t>((odd >> 32) ^ words[1] ^ key0),
             static_cast<uint32_t>(odd),
             static_cast<uint32_t>((even >> 32) ^ words[3] ^ key1),
             static_cast<uint32_t>(even)};
    key0 += 0x9E3779B9;
    key1 += 0xBB67AE85;
  }
  return words;
}

LogicalResult runRandomKeep(Agent &agent, RandomKeepOp op) {
  const TileLayout *layout = getTileLayout(agent, op, op.getResult());
  SmallVector<int64_t> given;
  if (failed(agent.getInts(op,
                           {op.getSeed(), op.getOffset(), op.getPlane(),
                            op.getRow(), op.getKey()},
                           given)))
    return failure();
  int64_t seed = given[0], offset = given[1], key = given[4];
  if (!layout)
    return failure();
  if (op.getAligned() && key % 8 != 0)
    return agent.fail(op, "expected a key that is a multiple of 8, found " +
                              Twine(key));
  SmallVector<const Tile *> distances;
  for (Value value : op.getDistances()) {
    distances.push_back(agent.get<Tile>(op, value));
    if (!distances.back())
      return failure();
    if (cast<RankedTensorType>(value.getType()).getEncoding() !=
        op.getResult().getType().getEncoding())
      return agent.misfit(op, "expected planes and rows in the result's "
                              "layout");
  }
  int64_t rowAxis = op.getRowAxis();
  std::vector<int64_t> kept;
  for (int64_t i = 0; i < layout->getSize(); ++i) {
    int64_t plane = given[2], row = given[3];
    if (distances.empty()) {
      row += layout->get(rowAxis, agent.warp, i);
    } else {
      plane += (*distances[0])->ints[i];
      row += (*distances[1])->ints[i];
    }
    int64_t j = key + layout->get(1 - rowAxis, agent.warp, i);
    auto words =
        philox({static_cast<uint32_t>(j >> 3), static_cast<uint32_t>(row),
                static_cast<uint32_t>(plane), static_cast<uint32_t>(offset)},
               seed);
    uint64_t bits = words[(j & 7) >> 1] >> 16 * (j & 1) & 0xFFFF;
    // Integers of the simulator are sign-extended, so an i1 that is true is -1.
    kept.push_back(bits >= op.getThreshold() ? -1 : 0);
  }
  setNumbers(agent, op.getResult(), kept);
  return success();
}

/// Returns the elements of `from` at the indices `source`, or none if it is
/// empty.
template <typename T>
std::vector<T> pick(const std::vector<T> &from, ArrayRef<int64_t> source) {
  std::vector<T> picked;
  if (!from.empty())
    for (int64_t i : source)
      picked.push_back(from[i]);
  return picked;
}

LogicalResult runBroadcast(Agent &agent, BroadcastOp op) {
  const Tile *input = agent.get<Tile>(op, op.getInput());
  const TileLayout *slice = getTileLayout(agent, op, op.getInput()),
                   *tile = getTileLayout(agent, op, op.getResult());
  if (!input || !slice || !tile)
    return failure();
  // For each element of the result, the index of the input's element.
  SmallVector<int64_t> source;
  if (tile->isWhole()) {
    for (int64_t i = 0; i < tile->getSize(); ++i)
      source.push_back(tile->get(1 - op.getAxis(), 0, i));
  } else {
    auto layout =
        dyn_cast<SliceLayoutAttr>(op.getInput().getType().getEncoding());
    if (!layout || layout.getAxis() != static_cast<int64_t>(op.getAxis()))
      return agent.misfit(op, "expected a slice of the result's layout");
    for (int64_t r : tile->getSliceRegisters(*slice, layout.getAxis()))
      llvm::append_range(source, llvm::seq(r * kLanes, (r + 1) * kLanes));
  }
  auto registers = std::make_shared<Registers>();
  registers->floats = pick((*input)->floats, source);
  registers->ints = pick((*input)->ints, source);
  agent.set(op.getResult(), Tile(std::move(registers)));
  return success();
}

} // namespace

/// Runs attn_gpu.unpack, which turns each byte into two floats: the signed
/// integers of 4 bits in its low and its high half. Byte i of a lane gives
/// registers 2i and 2i + 1 of the same lane.
static LogicalResult runUnpack(Agent &agent, UnpackOp op) {
  const Tile *bytes = agent.get<Tile>(op, op.getBytes());
  if (!bytes)
    return failure();
  if ((*bytes)->ints.empty() || !op.getBytes().getType().getEncoding())
    return agent.misfit(op, "expected bytes in registers");
  const std::vector<int64_t> &from = (*bytes)->ints;
  std::vector<int64_t> halves(2 * from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    size_t lane = i % kLanes, first = 2 * (i / kLanes);
    for (unsigned half : {0, 1})
      halves[kLanes * (first + half) + lane] =
          llvm::SignExtend64<4>(uint64_t(from[i]) >> 4 * half);
  }
  setNumbers(agent, op.getResult(), halves);
  return success();
}

static LogicalResult runRare(Agent &agent, RareOp op) {
  auto condition = getElements<int64_t>(agent, op, op.getCondition());
  if (failed(condition))
    return failure();
  agent.set(op.getResult(), (*condition)[0]);
  return success();
}

static LogicalResult runStartSum(Agent &agent, StartSumOp op) {
  auto continues = getElements<int64_t>(agent, op, op.getContinues());
  auto part = getElements<float>(agent, op, op.getPart());
  if (failed(continues) || failed(part))
    return failure();
  return fillResult<float>(agent, op.getResult(), part->count, [&](size_t i) {
    return (*continues)[0] ? (*part)[i] : 0.0f;
  });
}

void sim::addTileOps(Handlers &handlers) {
  handlers.add<UnpackOp>(runUnpack);
  handlers.add<ReuseOp>([](Agent &agent, ReuseOp op) {
    agent.set(op.getResult(), agent.get(op.getTile()));
    return success();
  });
  handlers.add<CoordinateOp>(runCoordinate);
  handlers.add<RandomKeepOp>(runRandomKeep);
  handlers.add<BroadcastOp>(runBroadcast);
  handlers.add<StartSumOp>(runStartSum);
  handlers.add<RareOp>(runRare);
}
