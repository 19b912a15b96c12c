//===- MapGrid.cpp - Blocks of threads for a grid
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNMAPGRIDPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

static void launch(scf::ForallOp grid, int64_t warps) {
  ImplicitLocOpBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);
  Value blocks = getGridSize(shape, b);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value threads = arith::ConstantIndexOp::create(b, 32 * warps);
  auto launch = gpu::LaunchOp::create(b, blocks, one, one, threads, one, one);
  b.setInsertionPointToStart(&launch.getBody().front());
  IRMapping mapping;
  mapInductionVars(grid, shape, launch.getBlockIds().x, b, mapping);
  for (Operation &op : grid.getBody()->without_terminator())
    b.clone(op, mapping);
  gpu::TerminatorOp::create(b);
  grid.erase();
}

namespace {
struct AttnMapGridPass
    : public attn_tile::impl::AttnMapGridPassBase<AttnMapGridPass> {
  void runOnOperation() override {
    SmallVector<std::pair<scf::ForallOp, int64_t>> grids;
    getOperation()->walk([&](scf::ForallOp grid) {
      auto schedule = grid->getAttrOfType<attn::ScheduleAttr>("attn.schedule");
      if (schedule && schedule.getWarps() > 0)
        grids.emplace_back(grid, schedule.getWarps());
    });
    for (auto [grid, warps] : grids)
      launch(grid, warps);
  }
};
} // namespace
