//===- AssignSlices.cpp - Layouts of vectors ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors that an element-wise op, a loop or a branch connects form a class,
// which has one layout: the slice of the tile to which one of them is
// broadcast, or from which one of them is reduced. Loads, coordinates, splats
// and constants are sources, which connect nothing: each use gets a clone.
// Vectors that are computed from sources alone are computed again for each
// layout.
//
//===----------------------------------------------------------------------===//

#include "AssignSlices.h"

#include "attn/Dialect/AttnTile/IR/RowScatter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

LogicalResult
attn_gpu::assignToValues(Operation *op,
                         llvm::function_ref<LogicalResult(Value)> assign) {
  for (Value value : op->getResults())
    if (failed(assign(value)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (BlockArgument argument : block.getArguments())
        if (failed(assign(argument)))
          return failure();
  return success();
}

void attn_gpu::setLayout(Value tile, Attribute layout) {
  auto type = cast<RankedTensorType>(tile.getType());
  tile.setType(
      RankedTensorType::get(type.getShape(), type.getElementType(), layout));
  if (auto constant = tile.getDefiningOp<arith::ConstantOp>())
    if (auto elements = dyn_cast<SplatElementsAttr>(constant.getValue()))
      constant.setValueAttr(
          elements.resizeSplat(cast<ShapedType>(tile.getType())));
}

/// The smallest number of columns that can be a warp's part of a tile, if
/// several warps divide the columns.
static constexpr int64_t kColumnsOfWarp = 8;

namespace {

bool isVector(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1;
}

class SliceAssigner {
public:
  SliceAssigner(KernelOp kernel, ScheduleAttr schedule,
                const TileLayouts &tiles)
      : kernel(kernel), schedule(schedule), tiles(tiles) {}
  LogicalResult run();

private:
  /// The layout that the vectors of a class must have, and the op that needs
  /// it. A class contains vectors that must have the same layout.
  struct Need {
    SliceLayoutAttr layout;
    Operation *op;
  };

  void separateVectors();
  void mergeVectors();
  Value find(Value vector);
  LogicalResult connect(Value lhs, Value rhs);
  LogicalResult connectRegions(Operation *op);
  LogicalResult need(Value vector, SliceLayoutAttr layout, Operation *op);
  LogicalResult needSlice(Value vector, int64_t axis, Value tile,
                          Operation *op);
  FailureOr<MmaLayoutAttr> getLayoutOfScores(SoftmaxType state);
  LogicalResult needRows(SoftmaxType state, ValueRange vectors, Operation *op);
  LogicalResult visit(Operation *op);
  LogicalResult assign(Value vector);

  KernelOp kernel;
  ScheduleAttr schedule;
  const TileLayouts &tiles;
  llvm::DenseMap<Value, Value> parents;
  llvm::DenseMap<Value, Need> needs;
  /// For each op that separateVectors() found, that op and its clones.
  SmallVector<SmallVector<Operation *>> copies;
};

/// Whether an op makes a vector without reading other vectors.
bool isSource(Operation *op) {
  return isa<LoadOp, CoordinateOp, tensor::SplatOp, arith::ConstantOp>(op);
}

/// Returns the kernel's ops that make a vector from vectors of such ops alone:
/// sources, and element-wise ops on their results. They are in program order.
SetVector<Operation *> findRepeatable(KernelOp kernel) {
  SetVector<Operation *> repeatable;
  auto isOfRepeatable = [&](Value operand) {
    return !isVector(operand) || (operand.getDefiningOp() &&
                                  repeatable.contains(operand.getDefiningOp()));
  };
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op->getNumResults() != 1 || !isVector(op->getResult(0)))
      return;
    bool isElementwise =
        op->getNumRegions() == 0 && OpTrait::hasElementwiseMappableTraits(op);
    if (isSource(op) ||
        (isElementwise && llvm::all_of(op->getOperands(), isOfRepeatable)))
      repeatable.insert(op);
  });
  return repeatable;
}

/// Clones each op that findRepeatable() returns for those of its uses that may
/// need another layout. CSE may have given one vector to rows of a tile and to
/// columns of another. Broadcasts to tiles of one layout share a clone, and so
/// do all vectors that are computed for one of the other uses.
void SliceAssigner::separateVectors() {
  SetVector<Operation *> repeatable = findRepeatable(kernel);
  // The purpose of an op's result is the layout that broadcasts of it need, or
  // a use by an op that is not repeatable.
  llvm::DenseMap<Operation *, const void *> purposes;
  auto getPurpose = [&](OpOperand &use) -> const void * {
    Operation *owner = use.getOwner();
    if (auto found = purposes.find(owner); found != purposes.end())
      return found->second;
    if (auto broadcast = dyn_cast<BroadcastOp>(owner))
      if (FailureOr<MmaLayoutAttr> tile = tiles.get(broadcast.getResult());
          succeeded(tile))
        return SliceLayoutAttr::getOf(*tile, broadcast.getAxis())
            .getAsOpaquePointer();
    return &use;
  };
  for (Operation *op : llvm::reverse(repeatable)) {
    llvm::MapVector<const void *, SmallVector<OpOperand *>> uses;
    for (OpOperand &use : op->getResult(0).getUses())
      uses[getPurpose(use)].push_back(&use);
    if (uses.empty())
      continue;
    purposes[op] = uses.front().first;
    OpBuilder b(op->getContext());
    b.setInsertionPointAfter(op);
    SmallVector<Operation *> &own = copies.emplace_back(1, op);
    for (auto &[purpose, ofPurpose] : llvm::drop_begin(uses)) {
      own.push_back(b.clone(*op));
      purposes[own.back()] = purpose;
      for (OpOperand *use : ofPurpose)
        use->set(own.back()->getResult(0));
    }
  }
}

/// Merges the clones of an op that got the same layout.
void SliceAssigner::mergeVectors() {
  // The clones of an op were added to `copies` after the clones of the ops that
  // read its result. In reverse order, operands are merged first.
  for (ArrayRef<Operation *> own : llvm::reverse(copies)) {
    SmallVector<Operation *> kept;
    for (Operation *op : own) {
      auto same = llvm::find_if(kept, [&](Operation *other) {
        return other->getResultTypes() == op->getResultTypes() &&
               llvm::equal(other->getOperands(), op->getOperands());
      });
      if (same == kept.end()) {
        kept.push_back(op);
        continue;
      }
      op->replaceAllUsesWith(*same);
      op->erase();
    }
  }
}

Value SliceAssigner::find(Value vector) {
  Value parent = parents.lookup(vector);
  if (!parent)
    return vector;
  Value root = find(parent);
  parents[vector] = root;
  return root;
}

LogicalResult SliceAssigner::need(Value vector, SliceLayoutAttr layout,
                                  Operation *op) {
  auto [entry, isNew] = needs.try_emplace(find(vector), Need{layout, op});
  if (isNew || entry->second.layout == layout)
    return success();
  InFlightDiagnostic error = op->emitOpError("expected a vector of layout ")
                             << entry->second.layout
                             << ", found that this op needs " << layout
                             << "; warps must divide tiles that share a vector "
                                "alike, as fewer may do";
  error.attachNote(entry->second.op->getLoc())
      << "the vector, or one that is computed with it, is needed so here";
  return error;
}

LogicalResult SliceAssigner::needSlice(Value vector, int64_t axis, Value tile,
                                       Operation *op) {
  FailureOr<MmaLayoutAttr> layout = tiles.get(tile);
  // A tile that the warps cannot divide needs no layout of the vector.
  // Assigning the tile's layout fails later, with an error at the tile.
  if (failed(layout))
    return success();
  return need(vector, SliceLayoutAttr::getOf(*layout, axis), op);
}

LogicalResult SliceAssigner::connect(Value lhs, Value rhs) {
  if (!isVector(lhs) || !isVector(rhs))
    return success();
  lhs = find(lhs);
  rhs = find(rhs);
  if (lhs == rhs)
    return success();
  parents[rhs] = lhs;
  auto entry = needs.find(rhs);
  if (entry == needs.end())
    return success();
  Need moved = entry->second;
  needs.erase(entry);
  return need(lhs, moved.layout, moved.op);
}

/// Puts values that must have the same layout into one class. For a loop, these
/// are each result, its initial value, the region argument that carries it, and
/// the yielded value. For any other op with regions, these are each result and
/// the operand for it of each region's terminator.
LogicalResult SliceAssigner::connectRegions(Operation *op) {
  auto connectAll = [&](ValueRange lhs, ValueRange rhs) -> LogicalResult {
    if (lhs.size() == rhs.size())
      for (auto [a, b] : llvm::zip(lhs, rhs))
        if (failed(connect(a, b)))
          return failure();
    return success();
  };
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op)) {
    if (auto results = loop.getLoopResults())
      for (ValueRange values :
           {ValueRange(loop.getInits()), ValueRange(loop.getRegionIterArgs()),
            ValueRange(loop.getYieldedValues())})
        if (failed(connectAll(*results, values)))
          return failure();
    return success();
  }
  for (Region &region : op->getRegions())
    if (!region.empty() && region.back().mightHaveTerminator() &&
        failed(connectAll(op->getResults(),
                          region.back().getTerminator()->getOperands())))
      return failure();
  return success();
}

/// Returns the layout of the scores of a softmax: that of the last update whose
/// state has that type. If all updates were removed, returns the layout that a
/// tile with the softmax's number of rows would have.
FailureOr<MmaLayoutAttr> SliceAssigner::getLayoutOfScores(SoftmaxType state) {
  SoftmaxUpdateOp update;
  kernel.walk([&](SoftmaxUpdateOp op) {
    if (op.getState().getType() == state)
      update = op;
  });
  if (update)
    return tiles.get(update.getScores());
  return schedule.getLayoutFor(
      {state.getRows(), kColumnsOfWarp * schedule.getWarps()});
}

/// Gives vectors of rows of a softmax the layout of its scores' rows.
LogicalResult SliceAssigner::needRows(SoftmaxType state, ValueRange vectors,
                                      Operation *op) {
  FailureOr<MmaLayoutAttr> scores = getLayoutOfScores(state);
  // Scores that the warps cannot divide need no layout of vectors. Assigning
  // the scores' layout fails later, with an error at the scores.
  if (failed(scores))
    return success();
  auto rows = SliceLayoutAttr::getOf(*scores, /*axis=*/1);
  for (Value vector : vectors)
    if (failed(need(vector, rows, op)))
      return failure();
  return success();
}

LogicalResult SliceAssigner::visit(Operation *op) {
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return needSlice(broadcast.getInput(), broadcast.getAxis(),
                     broadcast.getResult(), op);
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return needSlice(reduce.getResult(), reduce.getAxis(), reduce.getInput(),
                     op);
  if (auto update = dyn_cast<SoftmaxUpdateOp>(op)) {
    Value factors = update.getRowFactors();
    return factors ? needSlice(factors, /*axis=*/1, update.getScores(), op)
                   : success();
  }
  if (auto factor = dyn_cast<SoftmaxFactorOp>(op))
    return needRows(factor.getBefore().getType(), factor.getFactor(), op);
  if (auto rescale = dyn_cast<RescaleOp>(op))
    return needSlice(rescale.getFactor(), /*axis=*/1, rescale.getResult(), op);
  if (auto finish = dyn_cast<SoftmaxFinishOp>(op)) {
    SmallVector<Value> vectors(finish->getResults());
    if (Value sink = finish.getSink())
      vectors.push_back(sink);
    return needRows(finish.getState().getType(), vectors, op);
  }
  if (auto scatter = dyn_cast<ScatterOp>(op); scatter && scattersRows(scatter))
    for (Value index : scatter.getIndices())
      if (isVector(index) &&
          failed(needSlice(index, /*axis=*/1, scatter.getTile(), op)))
        return failure();
  if (op->getNumRegions() > 0 && op->getNumResults() > 0)
    return connectRegions(op);
  if (!OpTrait::hasElementwiseMappableTraits(op) &&
      !isa<GatherOp, ScatterOp>(op))
    return success();
  Value first;
  for (Value value :
       llvm::concat<Value>(SmallVector<Value>(op->getOperands()),
                           SmallVector<Value>(op->getResults()))) {
    if (!isVector(value))
      continue;
    if (first && failed(connect(first, value)))
      return failure();
    first = value;
  }
  return success();
}

LogicalResult SliceAssigner::assign(Value vector) {
  auto type = dyn_cast<RankedTensorType>(vector.getType());
  if (!type || type.getRank() != 1 || type.getEncoding())
    return success();
  MLIRContext *context = vector.getContext();
  if (auto entry = needs.find(find(vector)); entry != needs.end()) {
    setLayout(vector, entry->second.layout);
    return success();
  }
  // No op needs a certain layout of this vector, so any layout will do. Takes a
  // slice along the rows of some tile or, if the vector's length does not allow
  // that, along the columns of some tile. Fails with an error if neither is
  // possible.
  int64_t length = type.getDimSize(0), warps = schedule.getWarps();
  if (auto rows = MmaLayoutAttr::getFor(
          context, {length, kColumnsOfWarp * warps}, warps);
      succeeded(rows)) {
    setLayout(vector, SliceLayoutAttr::getOf(*rows, 1));
    return success();
  }
  auto columns = MmaLayoutAttr::getFor(context, {16 * warps, length}, warps);
  if (failed(columns)) {
    Operation *op = vector.getDefiningOp();
    return (op ? op : vector.getParentBlock()->getParentOp())
               ->emitOpError("expected vectors of a multiple of 8 elements, "
                             "found ")
           << type;
  }
  setLayout(vector, SliceLayoutAttr::getOf(*columns, 0));
  return success();
}

LogicalResult SliceAssigner::run() {
  separateVectors();
  WalkResult result =
      kernel.walk([&](Operation *op) -> WalkResult { return visit(op); });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk([&](Operation *op) -> WalkResult {
    return assignToValues(op, [&](Value value) { return assign(value); });
  });
  if (result.wasInterrupted())
    return failure();
  mergeVectors();
  return success();
}

} // namespace

LogicalResult attn_gpu::assignSlices(KernelOp kernel, ScheduleAttr schedule,
                                     const TileLayouts &tiles) {
  return SliceAssigner(kernel, schedule, tiles).run();
}
