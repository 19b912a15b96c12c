//===- SoftmaxOps.cpp - The online softmax, a step at a time --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include <cmath>
#include <map>
#include <optional>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Returns the layout of a tile if each row of the tile lies within one warp.
/// Otherwise refuses the op and returns null.
const TileLayout *getRows(Agent &agent, Operation *op, Value tile) {
  const TileLayout *layout = agent.simulation.getLayout(tile.getType());
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  Attribute encoding = type ? type.getEncoding() : Attribute();
  if (auto slice = dyn_cast_or_null<SliceLayoutAttr>(encoding))
    encoding = slice.getParent();
  auto mma = dyn_cast_or_null<MmaLayoutAttr>(encoding);
  bool hasRows =
      layout && (layout->isWhole() ? !agent.cta || agent.cta->warps == 1
                                   : mma && mma.getWarpsN() == 1 && agent.cta &&
                                         layout->hasWarp(agent.warp));
  if (hasRows)
    return layout;
  (void)agent.refuse(op, "expected rows that a warp has for itself");
  return nullptr;
}

/// Calls `visit` for each element of a tile that the agent's warp holds. The
/// arguments are the element's row and its index in the warp's array of
/// elements (see Registers).
void forEachElement(const Agent &agent, const TileLayout &layout,
                    llvm::function_ref<void(int64_t, size_t)> visit) {
  for (int64_t i = 0; i < layout.getSize(); ++i)
    if (!layout.isRepeated(i))
      visit(layout.get(0, agent.warp, i), i);
}

LogicalResult runSoftmaxInit(Agent &agent, SoftmaxInitOp op) {
  Softmax state;
  int64_t rows = op.getState().getType().getRows();
  state.max.assign(rows, -INFINITY);
  state.sum.assign(rows, 0);
  agent.set(op.getState(), std::make_shared<const Softmax>(std::move(state)));
  return success();
}

double getFactor(SoftmaxType type) {
  return type.getFactor().getValueAsDouble();
}

/// Returns exp(c * (old m - new m)) for a row, or 0 if the row had no score
/// under the old maximum.
float getAlpha(double c, float before, float after) {
  return before == -INFINITY
             ? 0
             : static_cast<float>(std::exp(c * before - c * double(after)));
}

/// Returns the scores of an update, multiplied by its row factors if it has
/// any. A score of -inf stays -inf. Refuses the op and returns nothing if the
/// agent does not hold whole rows.
std::optional<std::vector<float>> getScaledScores(Agent &agent,
                                                  SoftmaxUpdateOp op) {
  const Tile *scores = agent.get<Tile>(op, op.getScores());
  const TileLayout *layout = getRows(agent, op, op.getScores());
  if (!scores || !layout)
    return std::nullopt;
  std::vector<float> scaled = (*scores)->floats;
  Value factors = op.getRowFactors();
  if (!factors)
    return scaled;
  const Tile *vector = agent.get<Tile>(op, factors);
  const TileLayout *ofRows = getRows(agent, op, factors);
  if (!vector || !ofRows)
    return std::nullopt;
  std::vector<float> factorOfRow(op.getState().getType().getRows());
  forEachElement(agent, *ofRows, [&](int64_t row, size_t i) {
    factorOfRow[row] = (*vector)->floats[i];
  });
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    if (scaled[i] != -INFINITY)
      scaled[i] *= factorOfRow[row];
  });
  return scaled;
}

/// Runs one step of the online softmax on a tile of scores s, with the
/// softmax's factor c. Updates the maximum m of each row, which is of scores
/// without the factor, and the row's sum of p = exp(c * (s - m)). Returns each
/// p, rounded to the type of probabilities, and multiplies the accumulators by
/// exp(c * (old m - new m)).
LogicalResult runUpdate(Agent &agent, SoftmaxUpdateOp op) {
  std::optional<std::vector<float>> scores = getScaledScores(agent, op);
  auto *before = agent.get<std::shared_ptr<const Softmax>>(op, op.getState());
  if (!scores || !before)
    return failure();
  const TileLayout *layout = getRows(agent, op, op.getScores());
  const std::vector<float> &s = *scores;
  Softmax state = **before;
  double c = getFactor(op.getState().getType());
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    state.max[row] = std::fmax(state.max[row], s[i]);
  });
  std::vector<float> alpha(state.max.size());
  for (size_t row = 0; row < alpha.size(); ++row) {
    alpha[row] = getAlpha(c, (*before)->max[row], state.max[row]);
    state.sum[row] *= alpha[row];
  }
  Type element = op.getProbabilities().getType().getElementType();
  std::vector<float> probabilities(s.size());
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    float p = s[i] == -INFINITY ? 0
                                : static_cast<float>(std::exp(
                                      c * s[i] - c * double(state.max[row])));
    state.sum[row] += p;
    probabilities[i] = roundFloat(element, p);
  });
  setNumbers(agent, op.getProbabilities(), probabilities);
  agent.set(op.getNewState(),
            std::make_shared<const Softmax>(std::move(state)));
  for (auto [accumulator, result] :
       llvm::zip(op.getAccumulators(), op.getRescaled())) {
    const Tile *tile = agent.get<Tile>(op, accumulator);
    const TileLayout *own = getRows(agent, op, accumulator);
    if (!tile || !own)
      return failure();
    std::vector<float> floats = (*tile)->floats;
    forEachElement(agent, *own, [&](int64_t row, size_t i) {
      // The factor exp(c * (old m - new m)) is 0 for a row without scores so
      // far. It makes elements of the accumulator 0, even those that are
      // infinite or NaN.
      floats[i] = alpha[row] == 0 ? 0 : floats[i] * alpha[row];
    });
    setNumbers(agent, result, floats);
  }
  return success();
}

LogicalResult runFactor(Agent &agent, SoftmaxFactorOp op) {
  auto *before = agent.get<std::shared_ptr<const Softmax>>(op, op.getBefore());
  auto *after = agent.get<std::shared_ptr<const Softmax>>(op, op.getAfter());
  const TileLayout *layout = getRows(agent, op, op.getFactor());
  if (!before || !after || !layout)
    return failure();
  double c = getFactor(op.getBefore().getType());
  std::vector<float> factor(layout->getSize());
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    factor[i] = getAlpha(c, (*before)->max[row], (*after)->max[row]);
  });
  setNumbers(agent, op.getFactor(), factor);
  return success();
}

/// Multiplies rows of an accumulator by their factors. A factor of 0 makes the
/// elements of its row 0, even those that are infinite or NaN.
LogicalResult runRescale(Agent &agent, RescaleOp op) {
  const Tile *tile = agent.get<Tile>(op, op.getAccumulator());
  const Tile *factor = agent.get<Tile>(op, op.getFactor());
  const TileLayout *layout = getTileLayout(agent, op, op.getResult());
  const TileLayout *ofRows = getTileLayout(agent, op, op.getFactor());
  if (!tile || !factor || !layout || !ofRows)
    return failure();
  std::map<int64_t, float> factorOfRow;
  forEachElement(agent, *ofRows, [&](int64_t row, size_t i) {
    factorOfRow[row] = (*factor)->floats[i];
  });
  std::vector<float> floats = (*tile)->floats;
  LogicalResult result = success();
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    auto found = factorOfRow.find(row);
    if (found == factorOfRow.end())
      result = failure();
    else
      floats[i] = found->second == 0 ? 0 : floats[i] * found->second;
  });
  if (failed(result))
    return agent.misfit(op, "expected factors of the rows that the warp has");
  setNumbers(agent, op.getResult(), floats);
  return success();
}

LogicalResult runFinish(Agent &agent, SoftmaxFinishOp op) {
  auto *state = agent.get<std::shared_ptr<const Softmax>>(op, op.getState());
  const TileLayout *layout = getRows(agent, op, op.getInverse());
  if (!state || !layout)
    return failure();
  double c = getFactor(op.getState().getType());
  size_t size = layout->getSize();
  std::vector<float> inverse(size), lse(size), sink;
  if (Value given = op.getSink()) {
    const Tile *tile = agent.get<Tile>(op, given);
    if (!tile)
      return failure();
    sink = (*tile)->floats;
  }
  forEachElement(agent, *layout, [&](int64_t row, size_t i) {
    float max = (*state)->max[row], sum = (*state)->sum[row];
    inverse[i] = sum == 0 ? 0 : 1 / sum;
    lse[i] = sum == 0 ? -INFINITY
                      : static_cast<float>(c * max + std::log(double(sum)));
    if (sink.empty())
      return;
    double own = sum == 0 ? -INFINITY : c * max + std::log(double(sum));
    double other = sum == 0 && !std::isfinite(sink[i]) ? -INFINITY : sink[i];
    double top = std::fmax(own, other);
    double all = std::exp(own - top) + std::exp(other - top);
    // If the row's sum is 0 and its sink is -inf, +inf or NaN, the row attends
    // to nothing. The inverse of the sum then stays 0, and the lse -inf.
    if (top == -INFINITY)
      return;
    inverse[i] *= static_cast<float>(std::exp(own - top) / all);
    lse[i] = static_cast<float>(top + std::log(all));
  });
  setNumbers(agent, op.getInverse(), inverse);
  setNumbers(agent, op.getLse(), lse);
  return success();
}

} // namespace

void sim::addSoftmaxOps(Handlers &handlers) {
  handlers.add<SoftmaxInitOp>(runSoftmaxInit);
  handlers.add<SoftmaxUpdateOp>(runUpdate);
  handlers.add<SoftmaxFactorOp>(runFactor);
  handlers.add<RescaleOp>(runRescale);
  handlers.add<SoftmaxFinishOp>(runFinish);
}
