//===- MapGrid.cpp - Blocks of threads for a grid
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
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

/// Rows whose keys and values the second-level cache holds: 32 MiB at head dim
/// 128.
static constexpr int64_t kCachedRows = 65536;

/// The grid's iteration that comes `position`-th if the last rows of all heads
/// come first, since they see the most keys. So it is within sections of heads
/// whose keys and values stay in the cache.
static Value getLongestFirst(ImplicitLocOpBuilder &b, const GridShape &shape,
                             Value section, Value position) {
  auto multiply = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(lhs, rhs);
  };
  auto subtract = [&](Value lhs, Value rhs) {
    return b.createOrFold<arith::SubIOp>(lhs, rhs);
  };
  Value heads = multiply(shape.counts[0], shape.counts[1]);
  Value rows = shape.counts[2];
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value perSection = multiply(section, rows);
  Value number = arith::DivUIOp::create(b, position, perSection);
  Value rest = subtract(position, multiply(number, perSection));
  Value firstHead = multiply(number, section);
  Value width = arith::MinUIOp::create(b, section, subtract(heads, firstHead));
  Value row = arith::DivUIOp::create(b, rest, width);
  Value head =
      arith::AddIOp::create(b, firstHead, subtract(rest, multiply(row, width)));
  return arith::AddIOp::create(b, multiply(head, rows),
                               subtract(subtract(rows, one), row));
}

void GridMapper::launch(scf::ForallOp grid, attn::ScheduleAttr schedule) {
  ImplicitLocOpBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);
  Value tiles = getGridSize(shape, b);
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value threads = arith::ConstantIndexOp::create(b, 32 * schedule.getWarps());
  bool isLoop = schedule.getBlocks() != attn::Blocks::Single;
  bool isQueue = schedule.getBlocks() == attn::Blocks::Queue;
  Value blocks = tiles, section;
  if (isLoop)
    blocks = arith::MinUIOp::create(
        b, tiles, attn_nv::MultiprocessorsOp::create(b, b.getIndexType()));
  if (isQueue) {
    Value rows = arith::MulIOp::create(b, shape.counts[2], shape.steps[2]);
    section = arith::MaxUIOp::create(
        b, one,
        arith::DivUIOp::create(
            b, arith::ConstantIndexOp::create(b, kCachedRows), rows));
  }
  auto launch = gpu::LaunchOp::create(b, blocks, one, one, threads, one, one);
  launch.setModuleAttr(FlatSymbolRefAttr::get(b.getContext(), kModuleName));
  launch.setFunctionAttr(createKernelName(grid, schedule.getAccess()));
  launch->setAttr(attn::kScheduleAttrName, schedule);
  b.setInsertionPointToStart(&launch.getBody().front());
  auto emitTile = [&](ImplicitLocOpBuilder &b, Value number) {
    IRMapping mapping;
    mapInductionVars(grid, shape, number, b, mapping);
    for (Operation &op : grid.getBody()->without_terminator())
      b.clone(op, mapping);
  };
  auto countDown = [&](ImplicitLocOpBuilder &b, Value number) {
    Value last =
        arith::SubIOp::create(b, isLoop ? tiles : launch.getGridSize().x,
                              arith::ConstantIndexOp::create(b, 1));
    return arith::SubIOp::create(b, last, number);
  };
  if (isLoop)
    scf::ForOp::create(
        b, launch.getBlockIds().x, tiles, launch.getGridSize().x, ValueRange(),
        [&](OpBuilder &inner, Location loc, Value position, ValueRange) {
          ImplicitLocOpBuilder body(loc, inner);
          emitTile(body, isQueue
                             ? getLongestFirst(body, shape, section, position)
                             : countDown(body, position));
          scf::YieldOp::create(body);
        });
  else
    emitTile(b, countDown(b, launch.getBlockIds().x));
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
