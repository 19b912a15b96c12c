//===- MapGrid.cpp - Blocks of threads for a grid -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelArguments.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/Transforms/Domains.h"
#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUMAPGRIDPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// NAME_async16, or with a number where a function has several such kernels.
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

/// Of the second-level cache, for what the heads in work read again and again.
static constexpr int64_t kCachedBytes = 32 << 20;
/// Rows of the same head that blocks work on at a time: a read of keys and
/// values serves so many, and memory is fast enough.
static constexpr int64_t kRowsPerHead = 768;

/// Whether one of the values in a grid's body changes with a coordinate. What
/// domains say of blocks changes with the row.
static bool dependOn(ValueRange values, Value coordinate,
                     attn_tile::GridOp grid) {
  llvm::SmallSetVector<Value, 16> sources(values.begin(), values.end());
  for (unsigned i = 0; i < sources.size(); ++i) {
    Value source = sources[i];
    auto argument = dyn_cast<BlockArgument>(source);
    if (source == coordinate ||
        (argument &&
         isa<attn_tile::DomainOp>(argument.getOwner()->getParentOp()) &&
         coordinate == grid.getBody().getArguments().back()))
      return true;
    if (Operation *op = source.getDefiningOp();
        op && grid->isProperAncestor(op))
      sources.insert_range(op->getOperands());
  }
  return false;
}

namespace {
/// How the lengths of a head's programs go with their rows.
struct RowLengths {
  explicit RowLengths(attn_tile::GridOp grid) {
    Value row = grid.getBody().getArguments().back();
    grid.walk([&](attn_tile::DomainYieldOp yield) {
      bool begins = dependOn(yield.getLo(), row, grid);
      bool ends = dependOn(yield.getHi(), row, grid);
      differ |= begins || ends;
      isFirstLongest |= begins && !ends;
    });
  }
  /// Whether rows see different numbers of blocks.
  bool differ = false;
  /// Whether the first rows see the most: what they see has one end for all
  /// rows, and begins later for later ones. So keys see rows under a diagonal.
  bool isFirstLongest = false;
};
} // namespace

/// Dimensions along which a row's programs read the same tiles of some array,
/// as batch entries do of a bias.
static llvm::SmallSetVector<unsigned, 4> findSharing(attn_tile::GridOp grid) {
  ValueRange coordinates = grid.getBody().getArguments();
  llvm::SmallSetVector<unsigned, 4> found;
  grid.walk([&](attn_tile::LoadOp load) {
    auto hangsOn = [&](Value coordinate) {
      return dependOn(load.getIndices(), coordinate, grid);
    };
    if (load.getResult().getType().getRank() != 2 ||
        !hangsOn(coordinates.back()))
      return;
    for (auto [i, coordinate] : llvm::enumerate(coordinates.drop_back()))
      if (!hangsOn(coordinate))
        found.insert(i);
  });
  return found;
}

/// Of the arrays that all rows of a head read, or add tiles to, in their
/// blocks: bytes for each of their rows, for all heads that a loop around goes
/// through.
static Value getSharedBytes(attn_tile::GridOp grid, ImplicitLocOpBuilder &b) {
  Value row = grid.getBody().getArguments().back();
  Value bytes = arith::ConstantIndexOp::create(b, 0);
  grid.walk([&](attn_tile::ForBlocksOp loop) {
    int64_t ofBlock = 0;
    auto add = [&](RankedTensorType tile, ValueRange indices) {
      if (dependOn(indices, loop.getPosition(), grid) &&
          !dependOn(indices, row, grid))
        ofBlock += tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
    };
    loop.getBody().walk([&](Operation *op) {
      if (auto load = dyn_cast<attn_tile::LoadOp>(op))
        add(load.getResult().getType(), load.getIndices());
      else if (auto store = dyn_cast<attn_tile::StoreOp>(op);
               store && store.getAdd())
        add(store.getTile().getType(), store.getIndices());
    });
    Value ofRow = arith::ConstantIndexOp::create(
        b, llvm::divideCeil(ofBlock, loop.getDomain().getType().getBlock()));
    for (auto around = loop->getParentOfType<scf::ForOp>();
         around && grid->isProperAncestor(around);
         around = around->getParentOfType<scf::ForOp>()) {
      Value times = around.getUpperBound();
      if (isZeroInteger(around.getLowerBound()) &&
          isOneInteger(around.getStep()) &&
          times.getParentRegion()->isProperAncestor(&grid.getBody()))
        ofRow = b.createOrFold<arith::MulIOp>(ofRow, times);
    }
    bytes = b.createOrFold<arith::MaxUIOp>(bytes, ofRow);
  });
  return bytes;
}

namespace {
/// The order of a dynamic scheduler, of programs that read the same tiles, and
/// of CTAs of different length, which an SM takes in the order of their
/// numbers: the last rows of all heads first, since they see the most keys, or
/// the first where they do. So it is within sections of heads for which the
/// cache holds what their programs read again and again, and each of which
/// several of the CTAs work on. Rows are a grid's last dimension, heads the
/// others. Programs of the same rows are neighbors: what they read alike is
/// read once.
class LongestFirst {
public:
  LongestFirst(const GridShape &shape, Value blocks, Value bytesOfRow,
               bool isAtFirst, ImplicitLocOpBuilder &b)
      : rows(shape.counts.back()), isAtFirst(isAtFirst) {
    Value heads;
    for (Value count : ArrayRef(shape.counts).drop_back())
      heads = heads ? b.createOrFold<arith::MulIOp>(heads, count) : count;
    Value one = arith::ConstantIndexOp::create(b, 1);
    // Not the 0 of an empty grid, which it is divided by.
    Value bytesOfHead = b.createOrFold<arith::MaxUIOp>(
        one, b.createOrFold<arith::MulIOp>(
                 b.createOrFold<arith::MulIOp>(rows, shape.steps.back()),
                 bytesOfRow));
    if (!heads)
      heads = one;
    Value perHead = arith::ConstantIndexOp::create(b, kRowsPerHead);
    Value rowsAtATime =
        b.createOrFold<arith::MulIOp>(blocks, shape.steps.back());
    // CTAs that work at the same time read no less, however small sections are.
    Value cached = b.createOrFold<arith::MaxUIOp>(
        b.createOrFold<arith::DivUIOp>(
            arith::ConstantIndexOp::create(b, kCachedBytes), bytesOfHead),
        b.createOrFold<arith::DivUIOp>(
            blocks, b.createOrFold<arith::MaxUIOp>(one, rows)));
    Value size = b.createOrFold<arith::MinUIOp>(
        cached, b.createOrFold<arith::DivUIOp>(rowsAtATime, perHead));
    size = b.createOrFold<arith::MaxUIOp>(one, size);
    // The last one is no smaller, or it would have no tiles for all CTAs.
    Value sections = b.createOrFold<arith::MaxUIOp>(
        one, b.createOrFold<arith::DivUIOp>(heads, size));
    size = b.createOrFold<arith::MaxUIOp>(
        one, b.createOrFold<arith::DivUIOp>(heads, sections));
    numWhole = b.createOrFold<arith::SubIOp>(sections, one);
    section = getDivisor(size, b);
    // Not 0, which it would divide by if it were used then.
    lastSection = getDivisor(
        b.createOrFold<arith::MaxUIOp>(
            one, b.createOrFold<arith::SubIOp>(
                     heads, b.createOrFold<arith::MulIOp>(numWhole, size))),
        b);
    tilesOfSection = getDivisor(b.createOrFold<arith::MulIOp>(size, rows), b);
  }

  /// The iteration that comes `position`-th.
  Value getIteration(Value position, ImplicitLocOpBuilder &b) const {
    auto multiply = [&](Value lhs, Value rhs) -> Value {
      return arith::MulIOp::create(b, lhs, rhs);
    };
    auto subtract = [&](Value lhs, Value rhs) -> Value {
      return arith::SubIOp::create(b, lhs, rhs);
    };
    Value number = arith::MinUIOp::create(
        b, divide(position, tilesOfSection, b), numWhole);
    Value inSection =
        subtract(position, multiply(number, tilesOfSection.value));
    Value isWhole =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, number, numWhole);
    auto choose = [&](Value whole, Value last) -> Value {
      return arith::SelectOp::create(b, isWhole, whole, last);
    };
    Divisor width = {choose(section.value, lastSection.value),
                     choose(section.inverse, lastSection.inverse)};
    Value row = divide(inSection, width, b);
    Value head =
        arith::AddIOp::create(b, multiply(number, section.value),
                              subtract(inSection, multiply(row, width.value)));
    if (!isAtFirst)
      row = subtract(subtract(rows, arith::ConstantIndexOp::create(b, 1)), row);
    return arith::AddIOp::create(b, multiply(head, rows), row);
  }

private:
  Value rows, numWhole;
  Divisor section, lastSection, tilesOfSection;
  bool isAtFirst;
};
} // namespace

/// Puts dimensions behind the others but the row.
static void moveInward(GridShape &shape, SmallVectorImpl<Value> &coordinates,
                       const llvm::SmallSetVector<unsigned, 4> &dimensions) {
  auto order = [&](SmallVectorImpl<Value> &values) {
    SmallVector<Value> outer, inner;
    for (auto [i, value] : llvm::enumerate(ArrayRef(values).drop_back()))
      (dimensions.contains(i) ? inner : outer).push_back(value);
    inner.push_back(values.back());
    values.assign(outer);
    values.append(inner);
  };
  order(coordinates);
  order(shape.counts);
  order(shape.starts);
  order(shape.steps);
}

/// Replaces the grid with a launch of a kernel, which comes after what holds
/// the launch in `module`.
static void launch(attn_tile::GridOp grid, ScheduleAttr schedule,
                   ModuleOp module) {
  ImplicitLocOpBuilder b(grid.getLoc(), grid);
  GridShape shape = getGridShape(grid, b);
  SmallVector<Value> coordinates(grid.getBody().getArguments());
  bool isLoop = schedule.getScheduler() != SchedulerKind::Static;
  llvm::SmallSetVector<unsigned, 4> sharing;
  if (isLoop)
    sharing = findSharing(grid);
  moveInward(shape, coordinates, sharing);
  Value tiles = getGridSize(shape, b);
  // No launch has a grid that is known to be empty.
  if (isZeroInteger(tiles)) {
    grid.erase();
    return;
  }
  bool isDynamic = schedule.getScheduler() == SchedulerKind::Dynamic;
  Value workCounters;
  RowLengths lengths(grid);
  bool sorts = isDynamic || !sharing.empty() || (!isLoop && lengths.differ);
  // CTAs that work at the same time, about.
  Value working = tiles;
  if (isLoop || sorts)
    working = arith::MinUIOp::create(
        b, tiles, attn_nv::SmCountOp::create(b, b.getIndexType()));
  Value blocks = isLoop ? working : tiles;
  SmallVector<Divisor> divisors;
  std::optional<LongestFirst> longestFirst;
  if (isLoop)
    for (Value count : shape.counts)
      divisors.push_back(getDivisor(count, b));
  // Only the coordinates are known to be small.
  SmallVector<std::pair<arith::DivUIOp, Divisor>> divisions;
  if (isLoop)
    grid.getBody().walk([&](arith::DivUIOp op) {
      auto coordinate = dyn_cast<BlockArgument>(op.getLhs());
      if (coordinate && coordinate.getOwner() == &grid.getBody().front() &&
          grid.getSteps()[coordinate.getArgNumber()] == 1 &&
          !getConstantIntValue(op.getRhs()) &&
          op.getRhs().getParentRegion()->isProperAncestor(&grid.getBody()))
        divisions.emplace_back(op, getDivisor(op.getRhs(), b));
    });
  for (auto [op, divisor] : divisions) {
    ImplicitLocOpBuilder body(op.getLoc(), op);
    op.replaceAllUsesWith(divide(op.getLhs(), divisor, body));
    op.erase();
  }
  if (sorts)
    longestFirst.emplace(shape, working, getSharedBytes(grid, b),
                         lengths.isFirstLongest, b);
  if (isDynamic)
    workCounters = attn_nv::WorkCountersOp::create(b);
  Operation *before = grid;
  while (before->getParentOp() != module)
    before = before->getParentOp();
  while (isa_and_nonnull<KernelOp>(before->getNextNode()))
    before = before->getNextNode();
  b.setInsertionPointAfter(before);
  auto kernel =
      KernelOp::create(b, createKernelName(grid, schedule.getCopy(), module),
                       schedule, 32 * schedule.getWarps(), /*shared_bytes=*/0,
                       grid->getAttrOfType<ArrayAttr>(attn::kReasonsAttrName));
  b.createBlock(&kernel.getBody());
  auto emitTile = [&](ImplicitLocOpBuilder &b, Value number) {
    IRMapping mapping;
    mapInductionVars(coordinates, shape, number, b, mapping, divisors);
    for (Operation &op : grid.getBody().front().without_terminator())
      b.clone(op, mapping);
  };
  // A CTA that is alone has a number that is known.
  bool isAlone = isOneInteger(blocks);
  auto countDown = [&](ImplicitLocOpBuilder &b, Value number) {
    Value count = isLoop || isAlone ? tiles : kernel.getNumBlocks(b);
    Value last =
        arith::SubIOp::create(b, count, arith::ConstantIndexOp::create(b, 1));
    return arith::SubIOp::create(b, last, number);
  };
  if (isLoop) {
    auto loop = ForTilesOp::create(b, tiles, workCounters, IntegerAttr());
    ImplicitLocOpBuilder body(b.getLoc(), loop);
    body.createBlock(&loop.getBody(), {}, {b.getIndexType()}, {b.getLoc()});
    emitTile(body, longestFirst
                       ? longestFirst->getIteration(loop.getPosition(), body)
                       : countDown(body, loop.getPosition()));
  } else {
    Value number =
        isAlone ? arith::ConstantIndexOp::create(b, 0) : kernel.getBlockId(b);
    number = longestFirst ? longestFirst->getIteration(number, b)
                          : countDown(b, number);
    // A launch has fewer than 2^31 CTAs. What is divided by a constant is
    // multiplied anyway.
    if (!llvm::all_of(ArrayRef(shape.counts).drop_front(), [](Value count) {
          return getConstantIntValue(count).has_value();
        }))
      number = arith::IndexCastUIOp::create(b, b.getI32Type(), number);
    emitTile(b, number);
  }
  SmallVector<Value> arguments = isolateKernel(kernel);
  b.setInsertionPoint(grid);
  attn_gpu::LaunchOp::create(b, kernel.getSymName(), blocks, arguments);
  grid.erase();
}

/// Whether an axis of a tile goes over the columns of the loop's blocks, as its
/// loads tell.
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
    return dependOn(indices[indices.size() - type.getRank() + axis],
                    loop.getPosition(),
                    loop->getParentOfType<attn_tile::GridOp>());
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
      !isa<attn_tile::SoftmaxUpdateOp>(op))
    return false;
  return llvm::any_of(op->getOperands(),
                      [&](Value operand) { return ask(operand, axis); });
}

/// Warpgroups that share a producer's tiles go over the columns of their own
/// rows, which are those of a tile's first axis.
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

/// An error where a domain that asks which rows a program has finds others than
/// the schedule's.
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
    SmallVector<std::pair<attn_tile::GridOp, ScheduleAttr>> grids;
    WalkResult result =
        getOperation()->walk([&](attn_tile::GridOp grid) -> WalkResult {
          Attribute given = grid.getScheduleAttr();
          auto schedule = dyn_cast_or_null<ScheduleAttr>(given);
          if (!schedule) {
            if (!given)
              return grid.emitOpError("expected a schedule, found none");
            return WalkResult::advance();
          }
          grids.emplace_back(grid, schedule);
          return checkRows(grid, schedule);
        });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (auto [grid, schedule] : grids)
      launch(grid, schedule, grid->getParentOfType<ModuleOp>());
    getOperation()->walk([](attn_tile::ProcessorsOp op) {
      OpBuilder b(op);
      op.replaceAllUsesWith(
          attn_nv::SmCountOp::create(b, op.getLoc(), b.getIndexType())
              .getCount());
      op.erase();
    });
  }
};
} // namespace
