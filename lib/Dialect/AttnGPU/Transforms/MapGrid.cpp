//===- MapGrid.cpp - Blocks of threads for a grid -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"
#include "TileOrder.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/Transforms/Domains.h"
#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUMAPGRIDPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// Returns a name for the kernel of a grid: the name of the function around the
/// grid, or `kernel` if there is none, followed by the access class, as in
/// main_async16. If that name is taken, a number is appended.
static std::string createKernelName(attn_tile::GridOp grid, CopyKind copy,
                                    ModuleOp module) {
  StringRef function = "kernel";
  if (auto parent = grid->getParentOfType<FunctionOpInterface>())
    function = parent.getName();
  std::string base = (function + "_" + getAccessClass(copy)).str();
  std::string name = base;
  for (unsigned i = 1; SymbolTable::lookupSymbolIn(module, name); ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

/// Changes the order of the grid's dimensions. The given dimensions come
/// directly before the row, which stays the last and innermost dimension.
static void moveInward(GridShape &shape, SmallVectorImpl<Value> &coordinates,
                       ArrayRef<int64_t> dimensions) {
  auto order = [&](SmallVectorImpl<Value> &values) {
    SmallVector<Value> outer, inner;
    for (auto [i, value] : llvm::enumerate(ArrayRef(values).drop_back()))
      (llvm::is_contained(dimensions, int64_t(i)) ? inner : outer)
          .push_back(value);
    inner.push_back(values.back());
    values.assign(outer);
    values.append(inner);
  };
  order(coordinates);
  order(shape.counts);
  order(shape.starts);
  order(shape.steps);
}

namespace {
/// The order of the programs of a grid with a limit for the indices of its last
/// dimension. Programs whose index is below the limit run in descending order
/// of this index or, if `isAtFirst`, in ascending order, and programs of the
/// same index are neighbors. The limit is read when the kernel runs, so only
/// loops over tiles leave programs out.
class LimitedOrder {
public:
  LimitedOrder(Value limit, const GridShape &shape, bool isAtFirst,
               attn::NumberBuilder &b)
      : limit(limit), most(shape.counts.back()), isAtFirst(isAtFirst) {
    GridShape rest = shape;
    rest.counts.pop_back();
    others =
        getDivisor(rest.counts.empty() ? b.index(1) : getGridSize(rest, b), b);
  }

  /// Emits a load of the limit, and returns the number of programs whose index
  /// in the last dimension is below it.
  Value countPrograms(attn::NumberBuilder &b) {
    Value number = memref::LoadOp::create(b, limit, ValueRange(b.index(0)));
    read = b.minui(b.indexCast(b.getIndexType(), number), most);
    return b.muli(read, others.value);
  }
  /// Emits the number, in the grid's own order (last dimension fastest), of the
  /// program that is the `position`-th to run, counted from 0.
  Value getIteration(Value position, attn::NumberBuilder &b) const {
    Value place = divide(position, others, b);
    Value other = b.subi(position, b.muli(place, others.value));
    if (!isAtFirst)
      place = b.subi(b.subi(read, b.index(1)), place);
    return b.addi(b.muli(other, most), place);
  }

private:
  Value limit, most, read;
  Divisor others;
  bool isAtFirst;
};
} // namespace

/// Replaces the grid by the launch of a new kernel, or by nothing if the grid
/// is known to be empty. The kernel is inserted into `module`, after the op
/// that contains the launch and after other kernels that come from that op.
static void launch(attn_tile::GridOp grid, TargetAttr target,
                   ScheduleAttr schedule, ModuleOp module) {
  attn::NumberBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);
  SmallVector<Value> coordinates(grid.getBody().getArguments());
  bool isLoop = schedule.getScheduler() != SchedulerKind::Static;
  ArrayRef<int64_t> sharing;
  if (isLoop && grid.getShared())
    sharing = *grid.getShared();
  moveInward(shape, coordinates, sharing);
  Value tiles = getGridSize(shape, b);
  if (isZeroInteger(tiles)) {
    grid.erase();
    return;
  }
  bool isDynamic = schedule.getScheduler() == SchedulerKind::Dynamic;
  Value workCounters;
  std::optional<Longest> longest = grid.getLongest();
  bool sorts = isDynamic || !sharing.empty() || (!isLoop && longest);
  // The number of CTAs that run at about the same time: one for each SM, if
  // there are so many tiles.
  Value working = tiles;
  if (isLoop || sorts)
    working = b.minui(tiles, attn_nv::SmCountOp::create(b, b.getIndexType()));
  Value blocks = isLoop ? working : tiles;
  SmallVector<Divisor> divisors;
  std::optional<LongestFirst> longestFirst;
  std::optional<LimitedOrder> limited;
  if (isLoop)
    for (Value count : shape.counts)
      divisors.push_back(getDivisor(count, b));
  if (isLoop && grid.getLimit()) {
    limited.emplace(grid.getLimit(), shape, longest == Longest::First, b);
  } else if (sorts) {
    Value bytes = grid.getPositionBytes();
    if (!bytes)
      bytes = b.index(0);
    longestFirst.emplace(shape, working, bytes, longest == Longest::First, b);
  }
  if (isDynamic)
    workCounters = attn_nv::WorkCountersOp::create(b);
  Operation *before = module.getBody()->findAncestorOpInBlock(*grid);
  while (isa_and_nonnull<KernelOp>(before->getNextNode()))
    before = before->getNextNode();
  b.setInsertionPointAfter(before);
  auto kernel = KernelOp::create(
      b, createKernelName(grid, schedule.getCopy(), module), target, schedule,
      32 * schedule.getWarps(), /*shared_bytes=*/0,
      grid->getAttrOfType<ArrayAttr>(attn::kReasonsAttrName));
  b.createBlock(&kernel.getBody());
  BeginOp::create(b);
  auto emitTile = [&](attn::NumberBuilder &b, Value number) {
    IRMapping mapping;
    mapInductionVars(coordinates, shape, number, b, mapping, divisors);
    for (Operation &op : grid.getBody().front().without_terminator())
      b.clone(op, mapping);
  };
  // If the launch has a single CTA, the CTA's number is known to be 0, and the
  // number of CTAs need not be read.
  bool isAlone = isOneInteger(blocks);
  auto countDown = [&](attn::NumberBuilder &b, Value number) {
    Value count = isLoop || isAlone ? tiles : kernel.getNumBlocks(b);
    Value last = b.subi(count, b.index(1));
    return b.subi(last, number);
  };
  if (isLoop) {
    Value count = limited ? limited->countPrograms(b) : tiles;
    auto loop = ForTilesOp::create(b, count, workCounters, IntegerAttr());
    attn::NumberBuilder body(b.getLoc(), loop);
    body.createBlock(&loop.getBody(), {}, {b.getIndexType()}, {b.getLoc()});
    Value position = loop.getPosition();
    emitTile(body, limited        ? limited->getIteration(position, body)
                   : longestFirst ? longestFirst->getIteration(position, body)
                                  : countDown(body, position));
  } else {
    Value number = isAlone ? b.index(0) : kernel.getBlockId(b);
    number = longestFirst ? longestFirst->getIteration(number, b)
                          : countDown(b, number);
    // A launch has fewer than 2^31 CTAs, so 32 bits hold the CTA's number, and
    // its divisions by the sizes of the grid are faster in 32 bits. If all
    // these sizes are constants, the number keeps its type, since divisions
    // become multiplications anyway.
    if (!llvm::all_of(ArrayRef(shape.counts).drop_front(), [](Value count) {
          return getConstantIntValue(count).has_value();
        }))
      number = b.indexCastUI(b.getI32Type(), number);
    emitTile(b, number);
  }
  SmallVector<Value> arguments = isolateKernel(kernel);
  b.setInsertionPoint(grid);
  attn_gpu::LaunchOp::create(b, kernel.getSymName(), blocks, arguments);
  grid.erase();
}

/// Whether `axis` of a tile runs along the columns of the loop's blocks.
/// Follows the tile back to the loads from which ops of the loop's body make
/// it. One of these loads must have, along the axis, an index that is computed
/// from the block's position.
static bool
isOfColumns(Value tile, int64_t axis, attn_tile::ForBlocksOp loop,
            llvm::SmallDenseSet<std::pair<Value, int64_t>> &visited) {
  auto type = dyn_cast<RankedTensorType>(tile.getType());
  Operation *op = tile.getDefiningOp();
  if (!type || !op || !loop->isProperAncestor(op) ||
      !visited.insert({tile, axis}).second)
    return false;
  auto ask = [&](Value operand, int64_t axis) {
    return isOfColumns(operand, axis, loop, visited);
  };
  if (auto load = dyn_cast<attn_tile::LoadOp>(op)) {
    OperandRange indices = load.getIndicesOfPart(0);
    return isComputedFrom(indices[indices.size() - type.getRank() + axis],
                          loop.getPosition()) ||
           (load.isListed() && axis == 0 &&
            isComputedFrom(load.getEntry(), loop.getPosition()));
  }
  if (auto dot = dyn_cast<attn_tile::DotOp>(op))
    return axis == 0 ? ask(dot.getLhs(), dot.getTransposeLhs())
                     : ask(dot.getRhs(), !dot.getTransposeRhs());
  if (auto broadcast = dyn_cast<attn_tile::BroadcastOp>(op))
    return int64_t(broadcast.getAxis()) != axis && ask(broadcast.getInput(), 0);
  if (auto reduce = dyn_cast<attn_tile::ReduceOp>(op))
    return ask(reduce.getInput(), 1 - reduce.getAxis());
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return ask(
        branch.thenYield().getOperand(cast<OpResult>(tile).getResultNumber()),
        axis);
  if (!OpTrait::hasElementwiseMappableTraits(op) &&
      !isa<attn_tile::SoftmaxUpdateOp, attn_tile::UnpackOp>(op))
    return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return ask(operand, axis); });
}

/// Checks the loops whose domain depends on rows, if several consumers divide
/// tiles. They divide them along the first axis, and each visits the columns
/// that its own rows need, so the first axis must not run along the columns of
/// blocks. Fails with an error at a loop if a tile that it yields, or that
/// depends on whether a block is partial, has such an axis.
static LogicalResult checkAxes(attn_tile::GridOp grid, ScheduleAttr schedule) {
  auto check = [&](attn_tile::ForBlocksOp loop) -> WalkResult {
    auto domain = loop.getDomain().getDefiningOp<attn_tile::DomainOp>();
    if (!domain || !dependsOnRows(domain))
      return success();
    SmallVector<Value> tiles(loop.getYieldedValues());
    for (Operation *user : loop.getPartial().getUsers())
      llvm::append_range(tiles, user->getResults());
    llvm::SmallDenseSet<std::pair<Value, int64_t>> visited;
    for (Value tile : tiles)
      if (isOfColumns(tile, /*axis=*/0, loop, visited))
        return loop.emitOpError("expected tiles that have the domain's rows "
                                "along their first axis where ")
               << schedule.getNumConsumers()
               << " warpgroups compute beside a producer, found columns of its "
                  "blocks there; roles = none can compute this";
    return success();
  };
  return failure(grid.walk(check).wasInterrupted());
}

/// Fails with an error if a domain depends on the program's rows but has
/// another number of rows than the schedule's `tile_q`, or if several consumers
/// would divide tiles along columns.
static LogicalResult checkRows(attn_tile::GridOp grid, ScheduleAttr schedule) {
  if (schedule.hasProducer() && schedule.getNumConsumers() > 1 &&
      failed(checkAxes(grid, schedule)))
    return failure();
  auto check = [&](attn_tile::DomainOp domain) -> WalkResult {
    FailureOr<int64_t> rows = getMostRows(domain);
    if (!dependsOnRows(domain) || failed(rows) || *rows == schedule.getTileQ())
      return success();
    InFlightDiagnostic error =
        grid.emitOpError("expected tile_q to be the ")
        << *rows << " rows of the program's domain, found " << schedule;
    error.attachNote(domain.getLoc()) << "the domain is here";
    return error;
  };
  return failure(grid.walk(check).wasInterrupted());
}

namespace {
struct AttnGPUMapGridPass
    : public attn_gpu::impl::AttnGPUMapGridPassBase<AttnGPUMapGridPass> {
  void runOnOperation() override {
    SmallVector<std::tuple<attn_tile::GridOp, TargetAttr, ScheduleAttr>> grids;
    WalkResult result =
        getOperation()->walk([&](attn_tile::GridOp grid) -> WalkResult {
          Attribute given = grid.getScheduleAttr();
          auto schedule = dyn_cast_or_null<ScheduleAttr>(given);
          if (!schedule) {
            if (!given)
              return grid.emitOpError("expected a schedule, found none");
            return WalkResult::advance();
          }
          FailureOr<TargetAttr> target = getTarget(grid);
          if (failed(target))
            return WalkResult::interrupt();
          grids.emplace_back(grid, *target, schedule);
          return checkRows(grid, schedule);
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto [grid, target, schedule] : grids)
      launch(grid, target, schedule, grid->getParentOfType<ModuleOp>());
    getOperation()->walk([](attn_tile::WorkspaceOp op) {
      OpBuilder b(op);
      op.replaceAllUsesWith(
          memref::AllocOp::create(b, op.getLoc(), op.getType(), op.getSizes())
              .getResult());
      op.erase();
    });
    getOperation()->walk([](attn_tile::ProcessorsOp op) {
      OpBuilder b(op);
      Value count = attn_nv::SmCountOp::create(b, op.getLoc(), b.getIndexType())
                        .getCount();
      auto schedule = dyn_cast_or_null<ScheduleAttr>(op.getScheduleAttr());
      if (schedule && schedule.getCtas() > 1)
        count = arith::MulIOp::create(
            b, op.getLoc(), count,
            arith::ConstantIndexOp::create(b, op.getLoc(), schedule.getCtas()));
      op.replaceAllUsesWith(count);
      op.erase();
    });
  }
};
} // namespace
