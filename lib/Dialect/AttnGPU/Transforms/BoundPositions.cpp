//===- BoundPositions.cpp - Positions below 2^31 --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUBOUNDPOSITIONSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The rows at which tiles begin that MMAs read, and TMA copies for them.
static llvm::SetVector<Value> findRows(GridOp grid) {
  llvm::SetVector<Value> rows;
  grid.walk([&](DotOp dot) {
    for (Value operand : {dot.getLhs(), dot.getRhs()})
      if (auto load = operand.getDefiningOp<LoadOp>();
          load && load.getSources().size() == 1)
        rows.insert(load.getIndices().drop_back().back());
  });
  return rows;
}

static void bound(Value row, int64_t most, GridOp grid) {
  for (OpOperand &use : llvm::make_early_inc_range(row.getUses())) {
    Operation *splat = use.getOwner();
    if (!isa<tensor::SplatOp>(splat) || !grid->isProperAncestor(splat))
      continue;
    OpBuilder b(splat);
    Location loc = splat->getLoc();
    use.set(b.createOrFold<arith::MinUIOp>(
        loc, row, arith::ConstantIndexOp::create(b, loc, most)));
  }
}

namespace {
struct AttnGPUBoundPositionsPass
    : public attn_gpu::impl::AttnGPUBoundPositionsPassBase<
          AttnGPUBoundPositionsPass> {
  void runOnOperation() override {
    getOperation()->walk([](GridOp grid) {
      auto schedule = dyn_cast_or_null<ScheduleAttr>(grid.getScheduleAttr());
      if (!schedule || !schedule.getMostRows())
        return;
      for (Value row : findRows(grid))
        bound(row, schedule.getMostRows(), grid);
    });
  }
};
} // namespace
