//===- ReduceOps.cpp - Reductions of tiles and votes ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Combines two elements of a reduction: by a sum, by a maximum, or by "and" or
/// "or" of conditions, which are 0 or 1.
float combine(ReduceKind kind, float a, float b) {
  switch (kind) {
  case ReduceKind::Add:
    return a + b;
  case ReduceKind::MaxNum:
  case ReduceKind::Or:
    return std::fmax(a, b);
  case ReduceKind::And:
    return std::fmin(a, b);
  }
  llvm_unreachable("a kind of reduction");
}

/// Returns the elements of a tile as a reduction needs them: the tile's floats
/// or, for a reduction of conditions, a 0 or 1 for each of its integers. The
/// latter are stored in `storage`. The result is empty if the tile has no
/// elements of the required kind.
const std::vector<float> &getElements(ReduceKind kind,
                                      const Registers &registers,
                                      std::vector<float> &storage) {
  if (!isOfConditions(kind))
    return registers.floats;
  for (int64_t bit : registers.ints)
    storage.push_back(bit != 0);
  return storage;
}

/// A butterfly reduction among the lanes of a warp. For each of `distances`, a
/// power of 2, each lane combines its value with that of the lane whose number
/// differs from its own in this bit.
void combineLanes(ReduceKind kind, std::vector<float> &values,
                  ArrayRef<int64_t> distances) {
  for (int64_t distance : distances) {
    std::vector<float> before = values;
    for (size_t i = 0; i < values.size(); ++i) {
      size_t other = (i / kLanes) * kLanes + ((i % kLanes) ^ distance);
      values[i] = combine(kind, before[i], before[other]);
    }
  }
}

/// Reduces the elements that each lane holds, without combining values of
/// different lanes. Returns, for each lane, one value for each row (axis 1) or
/// column (axis 0) of which the lane holds elements.
FailureOr<std::vector<float>> reduceLanes(Agent &agent, Operation *op,
                                          ReduceKind kind, Value input,
                                          Value result, int64_t axis) {
  const Tile *tile = agent.get<Tile>(op, input);
  const TileLayout *slice = getTileLayout(agent, op, result),
                   *layout = getTileLayout(agent, op, input);
  if (!tile || !slice || !layout)
    return failure();
  std::vector<float> storage;
  const std::vector<float> &elements = getElements(kind, **tile, storage);
  if (elements.empty())
    return agent.refuse(op, "expected floats, or conditions");
  auto parent = dyn_cast<MmaLayoutAttr>(
      cast<RankedTensorType>(input.getType()).getEncoding());
  bool ofWarps = isa<ReduceThreadOp>(op);
  if (!parent || (axis == 1 && !ofWarps && parent.getWarpsN() != 1))
    return agent.refuse(op, "expected rows that a warp has for itself");
  SmallVector<int64_t> rows = layout->getSliceRegisters(*slice, axis);
  float neutral = -0.0f;
  if (kind != ReduceKind::Add)
    neutral = kind == ReduceKind::And ? 1.0f : NAN;
  std::vector<float> values(slice->getSize(), neutral);
  for (auto [r, row] : llvm::enumerate(rows))
    for (int64_t lane = 0; lane < kLanes; ++lane) {
      float &value = values[row * kLanes + lane];
      value = combine(kind, value, elements[r * kLanes + lane]);
    }
  return values;
}

/// Turns the maximum of a row whose elements are all NaN into -inf, and leaves
/// other results as they are.
void finishReduction(ReduceKind kind, std::vector<float> &values) {
  if (kind == ReduceKind::MaxNum)
    for (float &value : values)
      value = std::fmax(value, -INFINITY);
}

void setCombined(Agent &agent, ReduceKind kind, Value result,
                 std::vector<float> combined) {
  if (isOfConditions(kind))
    for (float &value : combined)
      value = value != 0 ? -1 : 0;
  setNumbers(agent, result, combined);
}

/// Reduces the rows (axis 1) or columns (axis 0) of a whole tile, whose
/// elements are given in row-major order, and sets the op's result. Elements of
/// a row or column are combined in that order.
void reduceElements(Agent &agent, ReduceOp op, const TileLayout &result,
                    ArrayRef<float> elements) {
  bool isRow = op.getAxis() == 1;
  int64_t columns = op.getInput().getType().getDimSize(1);
  ReduceKind kind = op.getKind();
  float neutral = kind == ReduceKind::And ? 1.0f : 0.0f;
  if (kind == ReduceKind::MaxNum)
    neutral = -INFINITY;
  std::vector<float> combined(op.getResult().getType().getDimSize(0), neutral);
  for (auto [i, element] : llvm::enumerate(elements)) {
    float &value = combined[isRow ? i / columns : i % columns];
    value = combine(kind, value, element);
  }
  std::vector<float> floats;
  for (int64_t i = 0; i < result.getSize(); ++i)
    floats.push_back(combined[result.get(0, agent.warp, i)]);
  setCombined(agent, kind, op.getResult(), std::move(floats));
}

/// Runs an attn_tile.reduce of a tile without a layout, or of the columns of a
/// tile with one. In the latter case, which passes later replace by
/// attn_gpu.reduce_columns, the warps first exchange their elements, so that
/// each has the whole tile.
LogicalResult runWholeReduce(Agent &agent, ReduceOp op) {
  const Tile *tile = agent.get<Tile>(op, op.getInput());
  const TileLayout *layout = getTileLayout(agent, op, op.getInput()),
                   *result = getTileLayout(agent, op, op.getResult());
  if (!tile || !layout || !result)
    return failure();
  std::vector<float> storage;
  const std::vector<float> &own = getElements(op.getKind(), **tile, storage);
  if (own.empty())
    return agent.refuse(op, "expected floats, or conditions");
  if (layout->isWhole()) {
    reduceElements(agent, op, *result,
                   ArrayRef(own).take_front(layout->getNumElements()));
    return success();
  }
  auto elements = agent.exchange(op, *layout, *tile, op.getInput().getType());
  if (failed(elements))
    return failure();
  reduceElements(agent, op, *result, (*elements)->elements);
  return success();
}

template <typename Reduce> LogicalResult runReduce(Agent &agent, Reduce op) {
  if constexpr (std::is_same_v<Reduce, ReduceOp>)
    if (op.getAxis() == 0 || !op.getInput().getType().getEncoding())
      return runWholeReduce(agent, op);
  if (op.getAxis() != 1)
    return agent.refuse(op, "expected to reduce along 1");
  auto values =
      reduceLanes(agent, op, op.getKind(), op.getInput(), op.getResult(), 1);
  if (failed(values))
    return failure();
  if constexpr (std::is_same_v<Reduce, ReduceOp>) {
    combineLanes(op.getKind(), *values, {1, 2});
    finishReduction(op.getKind(), *values);
  }
  setCombined(agent, op.getKind(), op.getResult(), std::move(*values));
  return success();
}

LogicalResult runCombineQuad(Agent &agent, CombineQuadOp op) {
  const Tile *input = agent.get<Tile>(op, op.getInput());
  if (!input || failed(agent.checkWholeWarp(op)))
    return failure();
  std::vector<float> storage;
  std::vector<float> values = getElements(op.getKind(), **input, storage);
  combineLanes(op.getKind(), values, {1, 2});
  setCombined(agent, op.getKind(), op.getResult(), std::move(values));
  return success();
}

LogicalResult runVote(Agent &agent, VoteAnyOp op) {
  const Tile *condition = agent.get<Tile>(op, op.getCondition());
  if (!condition || failed(agent.checkWholeWarp(op)))
    return failure();
  agent.set(op.getResult(),
            int64_t(llvm::any_of((*condition)->ints,
                                 [](int64_t bit) { return bit != 0; })));
  return success();
}

MmaLayoutAttr getParentLayout(Value slice) {
  auto type = cast<RankedTensorType>(slice.getType());
  return cast<SliceLayoutAttr>(type.getEncoding()).getParent();
}

/// Runs attn_gpu.combine_warps, which combines the partial results of each row
/// of a tile among the warps that hold the row (the copies of the layout). As
/// in the compiled kernel, each copy writes its results to a vector in shared
/// memory for that copy, and after a barrier reads the vectors of the other
/// copies.
LogicalResult runCombineWarps(Agent &agent, CombineWarpsOp op) {
  const Tile *input = agent.get<Tile>(op, op.getInput());
  const TileLayout *slice = getTileLayout(agent, op, op.getInput());
  if (!input || !slice || failed(agent.checkWholeWarp(op)))
    return failure();
  std::vector<float> values = (*input)->floats;
  MmaLayoutAttr layout = getParentLayout(op.getInput());
  int64_t rows = op.getInput().getType().getDimSize(0);
  int64_t warpsM = layout.getWarpsM(), rowsOfWarp = rows / warpsM;
  int64_t own = agent.warp / warpsM % layout.getCopies();
  auto getPlace = [&](int64_t copy, int64_t row) {
    return static_cast<int64_t>(op.getOffset()) + (copy * rows + row) * 4;
  };
  int64_t firstRow = agent.warp % warpsM * rowsOfWarp;
  if (failed(agent.meetWarps(op, layout.getWarps())) ||
      failed(agent.noteWrite(op, getPlace(own, firstRow), rowsOfWarp * 4)))
    return failure();
  sim::SharedMemory &memory = agent.cta->memory;
  for (int64_t i = 0; i < slice->getSize(); i += 4)
    storeElement(memory.at(getPlace(own, slice->get(0, agent.warp, i))),
                 DType::F32, 0, values[i]);
  if (failed(agent.meetWarps(op, layout.getWarps())))
    return failure();
  for (int64_t other = 1; other < layout.getCopies(); ++other) {
    int64_t copy = (own + other) % layout.getCopies();
    if (failed(agent.noteRead(op, getPlace(copy, firstRow), rowsOfWarp * 4)))
      return failure();
    for (auto [i, value] : llvm::enumerate(values)) {
      char *place = memory.at(getPlace(copy, slice->get(0, agent.warp, i)));
      value = combine(op.getKind(), value,
                      static_cast<float>(loadElement(place, DType::F32, 0)));
    }
  }
  setCombined(agent, op.getKind(), op.getResult(), std::move(values));
  return success();
}

/// Runs attn_gpu.vote_warps: the result is true in all warps of the layout if
/// the condition is true in a lane of any of them. Each such warp writes 1 to
/// an element that all warps share, waits at a barrier for the others, and then
/// reads the element.
LogicalResult runVoteWarps(Agent &agent, VoteWarpsOp op) {
  const Tile *condition = agent.get<Tile>(op, op.getCondition());
  if (!condition || failed(agent.checkWholeWarp(op)))
    return failure();
  std::shared_ptr<Exchange> votes = agent.getExchange(op, /*elements=*/1);
  if (llvm::any_of((*condition)->ints, [](int64_t bit) { return bit != 0; }))
    votes->elements.front() = 1;
  // A vote is at the consumers' barrier even if they are all warps of the CTA.
  int64_t warps = getParentLayout(op.getCondition()).getWarps();
  if (failed(agent.meet(op, kConsumersBarrier, warps * kLanes)))
    return failure();
  agent.set(op.getResult(), int64_t(votes->elements.front() != 0));
  return success();
}

/// Runs attn_gpu.reduce_columns: reduces each column of a tile, first within
/// each lane, and then among the lanes of a warp. If several warps hold rows of
/// the tile, they finally combine their results through shared memory.
LogicalResult runReduceColumns(Agent &agent, ReduceColumnsOp op) {
  auto values =
      reduceLanes(agent, op, op.getKind(), op.getInput(), op.getResult(), 0);
  if (failed(values))
    return failure();
  combineLanes(op.getKind(), *values, {4, 8, 16});
  auto layout = cast<MmaLayoutAttr>(op.getInput().getType().getEncoding());
  const TileLayout *slice = getTileLayout(agent, op, op.getResult());
  int64_t warpsM = layout.getWarpsM();
  if (warpsM == 1) {
    finishReduction(op.getKind(), *values);
    setCombined(agent, op.getKind(), op.getResult(), std::move(*values));
    return success();
  }
  int64_t columns = op.getResult().getType().getDimSize(0);
  auto getOffset = [&](int64_t warpM, int64_t column) {
    return static_cast<int64_t>(op.getOffset()) +
           (warpM * columns + column) * 4;
  };
  int64_t own = agent.warp % warpsM;
  int64_t part = columns / layout.getWarpsN();
  int64_t first = agent.warp / warpsM % layout.getWarpsN() * part;
  bool writes = !getTileLayout(agent, op, op.getInput())->isCopy(agent.warp);
  if ((!op.getBehindBarrier() &&
       failed(agent.meetWarps(op, layout.getWarps()))) ||
      (writes && failed(agent.noteWrite(op, getOffset(own, first), part * 4))))
    return failure();
  sim::SharedMemory &memory = agent.cta->memory;
  for (int64_t i = 0; writes && i < slice->getSize(); ++i)
    if (i % kLanes < 4)
      storeElement(memory.at(getOffset(own, slice->get(0, agent.warp, i))),
                   DType::F32, 0, (*values)[i]);
  if (failed(agent.meetWarps(op, layout.getWarps())))
    return failure();
  for (int64_t warpM = 0; warpM < warpsM; ++warpM)
    if (failed(agent.noteRead(op, getOffset(warpM, first), part * 4)))
      return failure();
  for (int64_t i = 0; i < slice->getSize(); ++i) {
    std::optional<float> value;
    for (int64_t warpM = 0; warpM < warpsM; ++warpM) {
      auto next = static_cast<float>(
          loadElement(memory.at(getOffset(warpM, slice->get(0, agent.warp, i))),
                      DType::F32, 0));
      value = value ? combine(op.getKind(), *value, next) : next;
    }
    (*values)[i] = *value;
  }
  finishReduction(op.getKind(), *values);
  setCombined(agent, op.getKind(), op.getResult(), std::move(*values));
  return success();
}

} // namespace

void sim::addReduceOps(Handlers &handlers) {
  handlers.add<ReduceOp>(runReduce<ReduceOp>);
  handlers.add<ReduceThreadOp>(runReduce<ReduceThreadOp>);
  handlers.add<ReduceColumnsOp>(runReduceColumns);
  handlers.add<CombineQuadOp>(runCombineQuad);
  handlers.add<VoteAnyOp>(runVote);
  handlers.add<CombineWarpsOp>(runCombineWarps);
  handlers.add<VoteWarpsOp>(runVoteWarps);
}
