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
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNMAPGRIDPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

static constexpr StringLiteral kModuleName = "attn_kernels";

namespace {
class GridMapper {
public:
  GridMapper(Operation *root) : root(root) {}
  void launch(scf::ForallOp grid, attn::ScheduleAttr schedule);

private:
  FlatSymbolRefAttr createKernelName(scf::ForallOp grid, attn::Access access);

  Operation *root;
  llvm::StringSet<> names;
};
} // namespace

/// NAME_async16, or with a number where a function has several such launches.
FlatSymbolRefAttr GridMapper::createKernelName(scf::ForallOp grid,
                                               attn::Access access) {
  StringRef function = "kernel";
  if (auto parent = grid->getParentOfType<FunctionOpInterface>())
    function = parent.getName();
  std::string base = (function + "_" + attn::stringifyAccess(access)).str();
  std::string name = base;
  for (unsigned i = 1; !names.insert(name).second; ++i)
    name = base + "_" + std::to_string(i);
  return FlatSymbolRefAttr::get(root->getContext(), name);
}

void GridMapper::launch(scf::ForallOp grid, attn::ScheduleAttr schedule) {
  ImplicitLocOpBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);
  Value blocks = getGridSize(shape, b);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value threads = arith::ConstantIndexOp::create(b, 32 * schedule.getWarps());
  auto launch = gpu::LaunchOp::create(b, blocks, one, one, threads, one, one);
  launch.setModuleAttr(FlatSymbolRefAttr::get(b.getContext(), kModuleName));
  launch.setFunctionAttr(createKernelName(grid, schedule.getAccess()));
  launch->setAttr(attn::kScheduleAttrName, schedule);
  b.setInsertionPointToStart(&launch.getBody().front());
  IRMapping mapping;
  Value last = arith::SubIOp::create(b, launch.getGridSize().x,
                                     arith::ConstantIndexOp::create(b, 1));
  Value index = arith::SubIOp::create(b, last, launch.getBlockIds().x);
  mapInductionVars(grid, shape, index, b, mapping);
  for (Operation &op : grid.getBody()->without_terminator())
    b.clone(op, mapping);
  gpu::TerminatorOp::create(b);
  grid.erase();
}

namespace {
struct AttnMapGridPass
    : public attn_tile::impl::AttnMapGridPassBase<AttnMapGridPass> {
  void runOnOperation() override {
    SmallVector<std::pair<scf::ForallOp, attn::ScheduleAttr>> grids;
    getOperation()->walk([&](scf::ForallOp grid) {
      auto schedule =
          grid->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      if (schedule && schedule.getWarps() > 0)
        grids.emplace_back(grid, schedule);
    });
    GridMapper mapper(getOperation());
    for (auto [grid, schedule] : grids)
      mapper.launch(grid, schedule);
  }
};
} // namespace
