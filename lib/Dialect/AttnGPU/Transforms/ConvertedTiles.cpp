//===- ConvertedTiles.cpp - What a converter makes ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvertedTiles.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Whether the op puts into shared memory what warps behind those that compute
/// have, or what any may have.
static bool isResult(Operation *op, int64_t computing) {
  if (isa<TransposeOp>(op))
    return true;
  auto convert = dyn_cast<ConvertLayoutOp>(op);
  if (!convert)
    return false;
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(
      convert.getInput().getType().getEncoding());
  return layout && layout.getFirstWarp() >= computing &&
         !isa_and_nonnull<MmaLayoutAttr>(
             convert.getResult().getType().getEncoding());
}

/// Takes the ops that make a tile, each after those before it.
static void take(Operation *op, llvm::SetVector<Operation *> &ops) {
  for (Value operand : op->getOperands())
    if (Operation *source = operand.getDefiningOp();
        source && isa<TensorType>(operand.getType()) && !isa<LoadOp>(source))
      take(source, ops);
  ops.insert(op);
}

ConvertedTiles::ConvertedTiles(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  if (!schedule.hasConverter())
    return;
  kernel.walk([&](Operation *op) {
    if (isResult(op, schedule.getWarps()))
      results.push_back(op);
  });
  for (Operation *op : results)
    take(op, ops);
}
