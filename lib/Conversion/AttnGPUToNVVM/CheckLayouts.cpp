//===- CheckLayouts.cpp - Checks of the layouts of ops' tiles -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnTile/IR/RowScatter.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The number of lanes that share a row of an MMA's accumulator. MMAs, and the
/// shuffles that combine the elements of a row, assume this number.
static constexpr int64_t kMmaLanes = 4;

/// Reports an error if more than four lanes share each row of the tile.
static LogicalResult checkLanes(Operation *op, RankedTensorType tile) {
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (!layout || layout.getLanes() == kMmaLanes)
    return success();
  return op->emitOpError("expected a layout with lanes = ")
         << kMmaLanes << ", found " << tile;
}

/// Reports an error unless the vector has the elements of the tile's rows
/// (axis 1) or columns (axis 0) that each thread holds.
static LogicalResult checkSlice(Operation *op, RankedTensorType tile,
                                RankedTensorType vector, int64_t axis) {
  if (failed(checkLanes(op, tile)))
    return failure();
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  auto slice = dyn_cast_or_null<SliceLayoutAttr>(vector.getEncoding());
  if (!layout || !slice || slice == SliceLayoutAttr::getOf(layout, axis))
    return success();
  return op->emitOpError("expected a vector of layout ")
         << SliceLayoutAttr::getOf(layout, axis) << " beside " << tile
         << ", found " << vector;
}

static LogicalResult check(Operation *op) {
  if (auto dot = dyn_cast<DotOp>(op))
    return checkLanes(op, dot.getResult().getType());
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return checkSlice(op, broadcast.getResult().getType(),
                      broadcast.getInput().getType(), broadcast.getAxis());
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return checkSlice(op, reduce.getInput().getType(),
                      reduce.getResult().getType(), reduce.getAxis());
  if (auto reduce = dyn_cast<ReduceThreadOp>(op))
    return checkSlice(op, reduce.getInput().getType(),
                      reduce.getResult().getType(), reduce.getAxis());
  auto scatter = dyn_cast<ScatterOp>(op);
  if (!scatter || !scattersRows(scatter))
    return success();
  for (Value index : scatter.getIndices())
    if (auto vector = dyn_cast<RankedTensorType>(index.getType()))
      if (failed(checkSlice(op, scatter.getTile().getType(), vector, 1)))
        return failure();
  return success();
}

LogicalResult attn::checkLayouts(KernelOp kernel) {
  WalkResult walked = kernel.walk([](Operation *op) {
    return failed(check(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(walked.wasInterrupted());
}
