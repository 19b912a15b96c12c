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
    (void)agent.misfit(op, "expected to be run by the first " +
                               std::to_string(layout->getNumWarps()) +
                               " warps, which have the tile, found " +
                               agent.getName());
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
  auto registers = std::make_shared<Registers>();
  for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      int64_t position = layout->get(axis, agent.warp, lane, r);
      if (std::optional<AffineMap> map = op.getMap())
        position = map->compose(ArrayRef(position)).front();
      registers->ints.push_back(position);
    }
  agent.set(op.getResult(), Tile(std::move(registers)));
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
  int64_t seed, offset, plane, row, key;
  for (auto [value, number] : {std::pair<Value, int64_t *>(op.getSeed(), &seed),
                               {op.getOffset(), &offset},
                               {op.getPlane(), &plane},
                               {op.getRow(), &row},
                               {op.getKey(), &key}}) {
    FailureOr<int64_t> found = agent.getInt(op, value);
    if (failed(found))
      return failure();
    *number = *found;
  }
  if (!layout)
    return failure();
  if (op.getAligned() && key % 8 != 0)
    return agent.fail(op, "expected a key that is a multiple of 8, found " +
                              std::to_string(key));
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
  int64_t rowAxis = op.getRowAxis(), first = plane;
  auto registers = std::make_shared<Registers>();
  for (int64_t r = 0; r < layout->getNumRegisters(); ++r)
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      int64_t i = row;
      if (distances.empty()) {
        i += layout->get(rowAxis, agent.warp, lane, r);
      } else {
        plane = first + (*distances[0])->ints[r * kLanes + lane];
        i += (*distances[1])->ints[r * kLanes + lane];
      }
      int64_t j = key + layout->get(1 - rowAxis, agent.warp, lane, r);
      auto words =
          philox({static_cast<uint32_t>(j >> 3), static_cast<uint32_t>(i),
                  static_cast<uint32_t>(plane), static_cast<uint32_t>(offset)},
                 seed);
      uint64_t bits = words[(j & 7) >> 1] >> 16 * (j & 1) & 0xFFFF;
      // Integers of the simulator are sign-extended, so an i1 that is true is
      // -1.
      registers->ints.push_back(bits >= op.getThreshold() ? -1 : 0);
    }
  agent.set(op.getResult(), Tile(std::move(registers)));
  return success();
}

template <typename T>
std::vector<T> pick(const std::vector<T> &input, ArrayRef<int64_t> registers) {
  std::vector<T> result;
  if (input.empty())
    return result;
  result.reserve(registers.size() * kLanes);
  for (int64_t r : registers)
    result.insert(result.end(), input.begin() + r * kLanes,
                  input.begin() + (r + 1) * kLanes);
  return result;
}

LogicalResult runBroadcast(Agent &agent, BroadcastOp op) {
  const Tile *input = agent.get<Tile>(op, op.getInput());
  const TileLayout *slice = getTileLayout(agent, op, op.getInput()),
                   *tile = getTileLayout(agent, op, op.getResult());
  if (!input || !slice || !tile)
    return failure();
  if (tile->isWhole()) {
    SmallVector<int64_t> source;
    auto registers = std::make_shared<Registers>();
    auto spread = [&](const auto &from, auto &to) {
      for (int64_t i = 0; !from.empty() && i < tile->getNumRegisters() * kLanes;
           ++i)
        to.push_back(
            from[tile->get(1 - op.getAxis(), 0, i % kLanes, i / kLanes)]);
    };
    spread((*input)->floats, registers->floats);
    spread((*input)->ints, registers->ints);
    agent.set(op.getResult(), Tile(std::move(registers)));
    return success();
  }
  auto layout =
      dyn_cast<SliceLayoutAttr>(op.getInput().getType().getEncoding());
  if (!layout || layout.getAxis() != static_cast<int64_t>(op.getAxis()))
    return agent.misfit(op, "expected a slice of the result's layout");
  SmallVector<int64_t> source =
      tile->getSliceRegisters(*slice, layout.getAxis());
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
  auto registers = std::make_shared<Registers>();
  registers->floats.resize(2 * from.size());
  for (size_t i = 0; i < from.size(); ++i) {
    size_t lane = i % kLanes, first = 2 * (i / kLanes);
    for (unsigned half : {0, 1})
      registers->floats[kLanes * (first + half) + lane] =
          float(llvm::SignExtend64<4>(uint64_t(from[i]) >> 4 * half));
  }
  agent.set(op.getResult(), Tile(std::move(registers)));
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
  handlers.add<CoordinateOp>(runCoordinate);
  handlers.add<RandomKeepOp>(runRandomKeep);
  handlers.add<BroadcastOp>(runBroadcast);
  handlers.add<StartSumOp>(runStartSum);
  handlers.add<RareOp>(runRare);
}
