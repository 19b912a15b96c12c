//===- TileLayouts.cpp - Layouts of tiles in registers --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileLayouts.h"
#include "AssignSlices.h"
#include "WidenDots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/IntEqClasses.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static bool isTile(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2;
}

/// Whether warpgroups that share rows each compute only a part of the columns
/// of the scores, instead of all scores. This needs wgmma and a lazy softmax,
/// which rarely combines whole rows, so that warpgroups exchange little. All
/// warpgroups must share all rows and not use ping-pong, so that they run loops
/// together. Each must have at least 32 columns: an MMA of fewer columns saves
/// no time, since reading the query bounds its speed.
static bool dividesScores(ScheduleAttr schedule, RankedTensorType scores,
                          MmaLayoutAttr layout) {
  constexpr int64_t kLeastColumns = 32;
  return schedule.getMma() == MmaKind::Wgmma &&
         schedule.getSoftmax() == SoftmaxKind::Lazy &&
         !schedule.getPingPong() && layout.getWarpsM() == 4 &&
         scores.getDimSize(1) / layout.getWarpsN() >= kLeastColumns;
}

/// Returns the tiles whose elements some op combines along rows: the scores of
/// softmax updates and the inputs of reductions along axis 1.
static SmallVector<Value> getTilesOfCombinedRows(KernelOp kernel) {
  SmallVector<Value> tiles;
  kernel.walk([&](Operation *op) {
    if (auto update = dyn_cast<SoftmaxUpdateOp>(op))
      tiles.push_back(update.getScores());
    else if (auto reduce = dyn_cast<ReduceOp>(op);
             reduce && reduce.getAxis() == 1)
      tiles.push_back(reduce.getInput());
  });
  return tiles;
}

/// Clones a constant tile for each use but the first, so that tiles which use
/// the same constant may have different layouts.
static void separateConstants(KernelOp kernel) {
  SmallVector<arith::ConstantOp> constants;
  kernel.walk([&](arith::ConstantOp constant) {
    if (isTile(constant))
      constants.push_back(constant);
  });
  for (arith::ConstantOp constant : constants)
    for (OpOperand &use :
         llvm::make_early_inc_range(llvm::drop_begin(constant->getUses()))) {
      OpBuilder b(constant);
      use.set(b.clone(*constant)->getResult(0));
    }
}

namespace {
/// Classes of tiles. All tiles of a class must have the same layout.
class TileClasses {
public:
  explicit TileClasses(KernelOp kernel) {
    kernel.walk([&](Operation *op) { connect(op); });
  }
  /// Returns all tiles that must have the same layout as one of `tiles`.
  llvm::DenseSet<Value> getConnected(ArrayRef<Value> tiles) {
    llvm::DenseSet<Value> connected;
    for (Value tile : tiles)
      for (Value other : values)
        if (classes.findLeader(number(tile)) ==
            classes.findLeader(number(other)))
          connected.insert(other);
    return connected;
  }

private:
  unsigned number(Value value) {
    auto [entry, isNew] = numbers.try_emplace(value, values.size());
    if (isNew) {
      values.push_back(value);
      classes.grow(values.size());
    }
    return entry->second;
  }
  void connect(Value lhs, Value rhs) {
    if (isTile(lhs) && isTile(rhs))
      classes.join(number(lhs), number(rhs));
  }
  void connect(ValueRange lhs, ValueRange rhs) {
    if (lhs.size() == rhs.size())
      for (auto [a, b] : llvm::zip(lhs, rhs))
        connect(a, b);
  }
  void connect(Operation *op);

  llvm::DenseMap<Value, unsigned> numbers;
  SmallVector<Value> values;
  llvm::IntEqClasses classes;
};
} // namespace

void TileClasses::connect(Operation *op) {
  if (auto dot = dyn_cast<DotOp>(op))
    return connect(dot.getAccumulator(), dot.getResult());
  if (auto update = dyn_cast<SoftmaxUpdateOp>(op)) {
    connect(update.getScores(), update.getProbabilities());
    return connect(update.getAccumulators(), update.getRescaled());
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    if (auto results = loop.getLoopResults()) {
      connect(*results, loop.getInits());
      connect(*results, loop.getRegionIterArgs());
      connect(*results, loop.getYieldedValues());
    }
    return;
  }
  for (Region &region : op->getRegions())
    if (!region.empty() && region.back().mightHaveTerminator())
      connect(op->getResults(), region.back().getTerminator()->getOperands());
  // If an op has no regions (element-wise ops, gathers, scatters and others),
  // its operands and results of the same shape have the same layout.
  if (op->getNumRegions() > 0)
    return;
  llvm::SmallDenseMap<ArrayRef<int64_t>, Value> ofShape;
  for (Value value : llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                                         SmallVector<Value>(op->getResults())))
    if (isTile(value))
      connect(ofShape
                  .try_emplace(
                      cast<RankedTensorType>(value.getType()).getShape(), value)
                  .first->second,
              value);
}

/// Returns the number of neighboring elements of a row that a lane has. If the
/// kernel has MMAs or a softmax, this is 2. Otherwise it is the largest of 8, 4
/// and 2 such that the warps can divide all tiles, and such that the elements
/// take at most 16 bytes in each tile that is loaded or stored.
static int64_t chooseColumns(KernelOp kernel, ScheduleAttr schedule) {
  int64_t chosen = 8;
  auto allow = [&](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type || type.getRank() != 2)
      return success();
    auto fits = [&](int64_t columns) {
      return succeeded(schedule.getLayoutFor(type.getShape(), columns));
    };
    while (chosen > 2 && !fits(chosen))
      chosen /= 2;
    return success();
  };
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (isa<DotOp, SoftmaxInitOp, SoftmaxUpdateOp, SoftmaxFinishOp>(op))
      return WalkResult::interrupt();
    RankedTensorType inMemory;
    if (auto load = dyn_cast<LoadOp>(op))
      inMemory = load.getResult().getType();
    else if (auto store = dyn_cast<StoreOp>(op))
      inMemory = store.getTile().getType();
    if (inMemory && inMemory.getRank() == 2)
      while (chosen > 2 && chosen * inMemory.getElementTypeBitWidth() > 128)
        chosen /= 2;
    return assignToValues(op, allow);
  });
  return result.wasInterrupted() ? 2 : chosen;
}

TileLayouts::TileLayouts(KernelOp kernel, ScheduleAttr schedule,
                         const RightOperands &rights, const HelperOps &helpers)
    : schedule(schedule), helpers(helpers),
      columns(chooseColumns(kernel, schedule)) {
  SmallVector<std::pair<Value, int64_t>> ofRuns;
  kernel.walk([&](DotOp dot) {
    if (hasRunsOfColumns(dot, schedule))
      ofRuns.emplace_back(dot.getResult(), kColumnsOfRuns);
    else if (auto run = rights.getResultColumns(dot))
      ofRuns.emplace_back(dot.getResult(), *run);
    else if (auto run = rights.getLeftColumns(dot))
      ofRuns.emplace_back(dot.getLhs(), *run);
  });
  if (!ofRuns.empty()) {
    separateConstants(kernel);
    TileClasses classes(kernel);
    for (auto [result, run] : ofRuns)
      for (Value tile : classes.getConnected(result))
        withRuns[tile] = run;
  }
  SmallVector<Value> combined = getTilesOfCombinedRows(kernel);
  llvm::erase_if(combined, [&](Value tile) {
    FailureOr<MmaLayoutAttr> layout = get(tile);
    if (failed(layout) || layout->getWarpsN() == 1)
      return true;
    auto type = cast<RankedTensorType>(tile.getType());
    return dividesScores(schedule, type, *layout) &&
           llvm::none_of(tile.getUsers(), llvm::IsaPred<ReduceOp>);
  });
  if (combined.empty())
    return;
  separateConstants(kernel);
  withWholeRows = TileClasses(kernel).getConnected(combined);
}

FailureOr<MmaLayoutAttr> TileLayouts::get(Value tile) const {
  if (RoleAttr role = helpers.owners.lookup(tile.getDefiningOp()))
    return MmaLayoutAttr::getFor(
        tile.getContext(), cast<RankedTensorType>(tile.getType()).getShape(),
        role.getWarps(), schedule.getFirstWarp(role));
  auto runs = withRuns.find(tile);
  FailureOr<MmaLayoutAttr> layout =
      schedule.getLayoutFor(cast<RankedTensorType>(tile.getType()).getShape(),
                            runs == withRuns.end() ? columns : runs->second);
  if (succeeded(layout) && withWholeRows.contains(tile))
    return layout->getWithWholeRows();
  return layout;
}
