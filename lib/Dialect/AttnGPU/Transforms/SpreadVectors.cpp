//===- SpreadVectors.cpp - Vectors that lanes read once -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a slice along columns, eight lanes of a warp hold each element. If each
// lane read its elements from memory, a warp would read each of them eight
// times. Here, one lane reads an element, and shuffles pass it to the others
// where it is used. The vector takes few registers until then, so that it can
// be read much earlier (LoadVectorsAhead.cpp).
//
//===----------------------------------------------------------------------===//

#include "SpreadVectors.h"

#include "AssignSlices.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static RankedTensorType getVector(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 1 ? type : RankedTensorType();
}

/// Returns the layout of the tile of whose columns the vector is a slice, or
/// null if it is no such slice.
static MmaLayoutAttr getTileOfColumns(RankedTensorType vector) {
  auto slice = dyn_cast_or_null<SliceLayoutAttr>(vector.getEncoding());
  return slice && slice.getAxis() == 0 ? slice.getParent() : MmaLayoutAttr();
}

/// Whether a loop over blocks reads the vector, or one from which it is
/// computed, in each iteration for other ops than its products.
static bool isReadInBlocks(Value vector) {
  Operation *op = vector.getDefiningOp();
  if (!op || !getVector(vector))
    return false;
  auto load = dyn_cast<LoadOp>(op);
  auto gather = dyn_cast<GatherOp>(op);
  if ((load && load.getBeside()) || (gather && gather.getBeside()))
    return bool(op->getParentOfType<ForBlocksOp>());
  return llvm::any_of(op->getOperands(), isReadInBlocks);
}

/// Whether a clone of `op` computes the same vector in another layout.
static bool isOfAnyLayout(Operation *op) {
  return op->getNumResults() == 1 && op->getNumRegions() == 0 &&
         (isa<LoadOp, GatherOp, CoordinateOp, tensor::SplatOp,
              arith::ConstantOp>(op) ||
          OpTrait::hasElementwiseMappableTraits(op));
}

/// Whether `vector` and all vectors from which it is computed can be computed
/// in another layout.
static bool canSpread(Value vector) {
  if (!getVector(vector))
    return true;
  Operation *op = vector.getDefiningOp();
  return op && isOfAnyLayout(op) && getTileOfColumns(getVector(vector)) &&
         llvm::all_of(op->getOperands(), canSpread);
}

/// Returns the vector in layout #attn_gpu.spread. Clones the ops that compute
/// it, unless `known` has the result already, and adds the results to `known`.
static Value spread(Value vector, llvm::MapVector<Value, Value> &known) {
  if (!getVector(vector))
    return vector;
  if (Value found = known.lookup(vector))
    return found;
  Operation *op = vector.getDefiningOp();
  IRMapping mapping;
  for (Value operand : op->getOperands())
    mapping.map(operand, spread(operand, known));
  OpBuilder b(op->getContext());
  b.setInsertionPointAfter(op);
  Value result = b.clone(*op, mapping)->getResult(0);
  setLayout(result, SpreadLayoutAttr::get(op->getContext(),
                                          getTileOfColumns(getVector(vector))));
  known.insert({vector, result});
  return result;
}

void attn_gpu::spreadVectors(KernelOp kernel) {
  llvm::MapVector<Value, Value> known;
  llvm::MapVector<Value, SmallVector<BroadcastOp>> readers;
  kernel.walk([&](BroadcastOp op) {
    RankedTensorType vector = op.getInput().getType();
    if (op.getAxis() == 0 && vector.getElementType().isF32() &&
        isReadInBlocks(op.getInput()) && canSpread(op.getInput()))
      readers[op.getInput()].push_back(op);
  });
  for (auto &[vector, broadcasts] : readers) {
    Value own = spread(vector, known);
    OpBuilder b(kernel.getContext());
    b.setInsertionPointAfterValue(own);
    Value slice =
        ConvertLayoutOp::create(b, vector.getLoc(), vector.getType(), own);
    for (BroadcastOp op : broadcasts)
      op.getInputMutable().assign(slice);
  }
  // Each vector was added to `known` after those from which it is computed.
  for (auto &[vector, own] : llvm::reverse(known))
    if (Operation *op = vector.getDefiningOp(); isOpTriviallyDead(op))
      op->erase();
}
