//===- AssignLayouts.cpp - A layout for each tile -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AheadLoads.h"
#include "AssignSlices.h"
#include "CheckProducts.h"
#include "ConvertedTiles.h"
#include "FlushSums.h"
#include "HelperOps.h"
#include "LeftOperands.h"
#include "ReducedTiles.h"
#include "RightOperands.h"
#include "SpreadVectors.h"
#include "TakeColumns.h"
#include "WidenDots.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUASSIGNLAYOUTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static RankedTensorType withLayout(RankedTensorType type, Attribute layout) {
  return RankedTensorType::get(type.getShape(), type.getElementType(), layout);
}

/// Whether all users of the tile, at least one, unpack its bytes, and a load or
/// a copy from shared memory defines it.
static bool isUnpacked(Value tile) {
  return isa_and_nonnull<LoadOp, ConvertLayoutOp>(tile.getDefiningOp()) &&
         !tile.use_empty() &&
         llvm::all_of(tile.getUsers(), llvm::IsaPred<UnpackOp>);
}

/// Whether MMAs read the results of all users of the tile, which extend it, as
/// right operands only.
static bool isExtendedForRight(Value tile) {
  return llvm::all_of(tile.getUsers(), [](Operation *extension) {
    return llvm::all_of(extension->getUses(), isRightOperand);
  });
}

static MmaLayoutAttr getResultLayout(DotOp dot) {
  return cast<MmaLayoutAttr>(dot.getResult().getType().getEncoding());
}

namespace {
class LayoutAssigner {
public:
  LayoutAssigner(KernelOp kernel, ScheduleAttr schedule, const attn::Chip &chip)
      : kernel(kernel), schedule(schedule), chip(chip),
        context(kernel.getContext()) {
    if (schedule.hasSwizzledTiles())
      shared = SwizzledLayoutAttr::get(context);
    else
      shared = SharedLayoutAttr::get(context, kRowPadding);
  }
  LogicalResult run();

private:
  LogicalResult placeLoads();
  void loadThroughShared(LoadOp load, Attribute layout);
  void placeTransposed();
  void placeWidened();
  void placeInRegisters(LoadOp load, const RightOperands::Operand &operand);
  void placeAhead();
  LogicalResult assign(Value value);
  FailureOr<Value> copyToShared(Value tile, bool isReduced);
  LogicalResult placeOperand(OpOperand &use);
  static bool isInShared(Value tile) {
    return !isa_and_nonnull<LayoutInterface>(
        cast<RankedTensorType>(tile.getType()).getEncoding());
  }

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  MLIRContext *context;
  Attribute shared;
  /// The loads of tiles that are operands of MMAs, which load to shared memory.
  SmallVector<LoadOp> loads;
  /// The tiles of 8 bits that consumers extend for right operands of MMAs, and
  /// the extended tiles, which consumers write to shared memory. In both, a
  /// lane has runs of 8 adjacent elements of a row, if the warps can divide the
  /// tile so.
  llvm::DenseSet<Value> inRuns;
  /// The right operands of MMAs that stay in registers.
  llvm::DenseSet<Value> rightInRegisters;
  /// Whether the consumers compute right operands of MMAs in registers and
  /// write them to shared memory.
  bool writesRight = false;
  /// The ops that roles other than consumers and producer run.
  HelperOps helpers;
  /// The copies in shared memory of tiles that are in registers. A tile has one
  /// copy for MMAs of the reducer (key 1) and one for all other MMAs (key 0).
  llvm::DenseMap<std::pair<Value, unsigned>, Value> inShared;
  std::optional<RightOperands> rights;
  std::optional<TileLayouts> tiles;
};
} // namespace

/// Changes each load whose tile is an operand of MMAs into a load to shared
/// memory, where one tile serves all MMAs. Slices of such a tile become views
/// of its columns. If other ops read the tile, too, they get a second load, to
/// registers.
LogicalResult LayoutAssigner::placeLoads() {
  SmallVector<LoadOp> all;
  kernel.walk([&](LoadOp load) {
    if (load.getResult().getType().getRank() == 2 &&
        llvm::any_of(load->getUses(), isOperand))
      all.push_back(load);
  });
  for (LoadOp load : all) {
    if (failed(checkElement(load, load.getResult().getType(), schedule)) ||
        failed(checkRowBytes(load)))
      return failure();
    if (!llvm::all_of(load->getUses(), isOperand)) {
      OpBuilder b(load);
      auto other = cast<LoadOp>(b.clone(*load));
      load.getResult().replaceUsesWithIf(
          other.getResult(), [](OpOperand &use) { return !isOperand(use); });
    }
    setLayout(load.getResult(), shared);
    loads.push_back(load);
    for (Operation *user : llvm::make_early_inc_range(load->getUsers()))
      if (auto slice = dyn_cast<tensor::ExtractSliceOp>(user);
          slice && failed(takeColumns(slice)))
        return failure();
  }
  return success();
}

/// Changes a load into a load to shared memory, in `layout`, and lets its users
/// read a copy of the tile in registers.
void LayoutAssigner::loadThroughShared(LoadOp load, Attribute layout) {
  RankedTensorType type = load.getResult().getType();
  OpBuilder b(context);
  b.setInsertionPointAfter(load);
  load.getResult().setType(withLayout(type, layout));
  auto convert =
      ConvertLayoutOp::create(b, load.getLoc(), type, load.getResult());
  load.getResult().replaceAllUsesExcept(convert.getResult(), convert);
}

/// In a schedule with a converter, inserts a transpose before each 8-bit MMA
/// whose right operand is not stored in rows along K, as such MMAs read it, if
/// a converter may transpose the operand (mayTranspose()).
void LayoutAssigner::placeTransposed() {
  if (!schedule.hasConverter())
    return;
  auto layout = SwizzledLayoutAttr::get(context, /*interleaved=*/true);
  kernel.walk([&](DotOp dot) {
    if (!mayTranspose(dot))
      return;
    RankedTensorType type = dot.getRhs().getType();
    auto transposed =
        RankedTensorType::get({type.getDimSize(1), type.getDimSize(0)},
                              type.getElementType(), layout);
    OpBuilder b(context);
    b.setInsertionPointAfterValue(dot.getRhs());
    dot.getRhsMutable().assign(TransposeOp::create(b, dot.getRhs().getLoc(),
                                                   transposed, dot.getRhs()));
    dot.setTransposeRhs(true);
  });
}

/// Changes the load of a tile into a load to shared memory, from which the
/// warps read the tile to the registers of the MMAs whose right operand is
/// extended from it. They read it right before these MMAs.
void LayoutAssigner::placeInRegisters(LoadOp load,
                                      const RightOperands::Operand &operand) {
  DotOp dot = operand.dot;
  MmaLayoutAttr result = *tiles->get(dot.getResult());
  Operation *extension = *load->user_begin();
  loadThroughShared(load, shared);
  Value bytes = extension->getOperand(0);
  extension->moveBefore(dot);
  bytes.getDefiningOp()->moveBefore(extension);
  auto [ofBytes, ofRight] = operand.getLayouts(bytes, result);
  setLayout(bytes, ofBytes);
  setLayout(dot.getRhs(), ofRight);
  rightInRegisters.insert(dot.getRhs());
}

/// Changes each load of a tile of 8 bits or fewer, which MMAs read only after
/// it is extended, into a load to shared memory, so that it is copied ahead as
/// other operands are. Converters, if there are some, extend these tiles in
/// turn: of two, one extends keys and the other values.
void LayoutAssigner::placeWidened() {
  auto converters = schedule.getRoles().findAll(RoleKind::Converter);
  size_t turn = 0;
  for (LoadOp load : findWidenedLoads(kernel)) {
    if (const RightOperands::Operand *operand = rights->find(load)) {
      placeInRegisters(load, *operand);
      continue;
    }
    bool isForRight = isExtendedForRight(load.getResult());
    bool isConverted = isForRight && !converters.empty();
    if (!isConverted && failed(tiles->get(load.getResult())))
      continue;
    SmallVector<Operation *> ops(load->getUsers());
    loadThroughShared(load, shared);
    if (!isForRight)
      continue;
    ops.push_back(*load->user_begin());
    for (Operation *op : ops)
      if (isConverted)
        helpers.owners[op] = converters[turn % converters.size()];
      else
        inRuns.insert(op->getResult(0));
    turn += isConverted;
  }
}

/// Changes loads with the attribute `ahead`, of vectors and of tiles of
/// captured arrays, into loads to shared memory and copies from there to
/// registers. Does so only if the schedule's kind of copy can run ahead for
/// them (AheadLoads).
void LayoutAssigner::placeAhead() {
  auto ofVectors = SharedLayoutAttr::get(context, /*padding=*/0);
  AheadLoads loads(kernel);
  for (LoadOp load : loads.vectors)
    loadThroughShared(load, ofVectors);
  if (loads.pairs)
    loadThroughShared(loads.pairs, shared);
}

LogicalResult LayoutAssigner::assign(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || type.getEncoding() || type.getRank() != 2)
    return success();
  Operation *source = value.getDefiningOp();
  RoleAttr helper = source ? helpers.find(source, schedule) : RoleAttr();
  auto getOfHelper = [&](int64_t run) {
    return MmaLayoutAttr::getFor(context, type.getShape(), helper.getWarps(),
                                 schedule.getFirstWarp(helper), run);
  };
  // Numbers of adjacent elements of a row that a lane may have. Most tiles have
  // kPair, as an accumulator has. Tiles of bytes that are unpacked have kWord.
  // Tiles of 8-bit elements that are extended in shared memory have kRun: a
  // lane then reads 8 bytes at a time, and writes 16. A row of tiles that are
  // extended or unpacked for MMAs has as many lanes as its columns are enough
  // for, so that lanes that write at the same time use different banks. In
  // other unpacked tiles four lanes share a row, as in the tiles beside them.
  constexpr int64_t kPair = 2, kWord = 4, kRun = 8;
  FailureOr<MmaLayoutAttr> layout = failure();
  if (helper && helper.getKind() == RoleKind::Converter)
    layout = getOfHelper(kRun);
  else if (inRuns.contains(value))
    layout = schedule.getLayoutFor(type.getShape(), kRun);
  if (succeeded(layout))
    layout = layout->getWithLongRows(type.getShape());
  if (failed(layout))
    layout = helper ? getOfHelper(kPair) : tiles->get(value);
  // Unpacking a byte gives two 4-bit numbers in the same lane, so the layout of
  // an unpacked tile follows from that of its bytes. In the tile of bytes, a
  // lane has four adjacent bytes, one i32, if the tile has enough columns.
  if (auto unpack = value.getDefiningOp<UnpackOp>())
    if (auto ofBytes = dyn_cast_or_null<MmaLayoutAttr>(
            unpack.getBytes().getType().getEncoding()))
      layout = ofBytes.getOfUnpacked();
  if (isUnpacked(value)) {
    auto ofWords = helper ? getOfHelper(kWord)
                          : schedule.getLayoutFor(type.getShape(), kWord);
    if (succeeded(ofWords))
      layout = isExtendedForRight(value)
                   ? ofWords->getWithLongRows(type.getShape())
                   : *ofWords;
  }
  if (failed(layout)) {
    Operation *op = value.getDefiningOp();
    return (op ? op : value.getParentBlock()->getParentOp())
               ->emitOpError("expected tiles of which ")
           << (helper ? helper.getWarps() : schedule.getWarps())
           << " warps have 16 rows and 8 columns each, or a multiple, found "
           << type;
  }
  setLayout(value, *layout);
  return success();
}

/// Returns the copy in shared memory of a tile that is in registers, and
/// creates it if there is none. The copy is for MMAs of the reducer if
/// `isReduced`, otherwise for those of other roles. A multiplier may put the
/// tile where a tile was that is dead. Fails with an error if it cannot.
FailureOr<Value> LayoutAssigner::copyToShared(Value tile, bool isReduced) {
  Value &copy = inShared[{tile, unsigned(isReduced)}];
  if (copy)
    return copy;
  OpBuilder b(context);
  b.setInsertionPointAfterValue(tile);
  auto type = cast<RankedTensorType>(tile.getType());
  copy =
      ConvertLayoutOp::create(b, tile.getLoc(), withLayout(type, shared), tile);
  Value dead = helpers.reused.lookup(tile);
  RoleAttr role = helpers.owners.lookup(tile.getDefiningOp());
  if (!dead || !role)
    return copy;
  if (failed(checkReuse(tile, dead, role, helpers)))
    return failure();
  copy = ReuseOp::create(b, tile.getLoc(), copy, dead);
  return copy;
}

/// Gives an operand of a product the layout that the MMA reads. A tile that is
/// in shared memory stays there. A left operand stays in registers if each warp
/// has the rows of the operand that it has of the result, and if it is not lost
/// in a loop (isLostInLoop()). If only its order of columns differs from what
/// the MMA reads, lanes exchange columns. All other operands are copied to
/// shared memory. Fails with an error for a left operand of 8 bits that would
/// have to be copied although the MMA reads it from registers only.
LogicalResult LayoutAssigner::placeOperand(OpOperand &use) {
  Value tile = use.get();
  auto dot = cast<DotOp>(use.getOwner());
  bool isLeft = use.getOperandNumber() == kLeft;
  if (isInShared(tile) || (!isLeft && rightInRegisters.contains(tile)))
    return success();
  if (auto slice = tile.getDefiningOp<tensor::ExtractSliceOp>()) {
    FailureOr<Value> copy =
        copyToShared(slice.getSource(), helpers.reduced.contains(dot));
    if (failed(copy))
      return failure();
    slice.getSourceMutable().assign(*copy);
    return takeColumns(slice);
  }
  auto type = cast<RankedTensorType>(tile.getType());
  auto layout = cast<MmaLayoutAttr>(type.getEncoding());
  if (isLeft && !dot.getTransposeLhs() &&
      !isLostInLoop(dot, schedule, writesRight) &&
      layout == getResultLayout(dot).getOfLeft(type, dot.getRhs().getType()))
    return success();
  // An 8-bit MMA whose right operand is stored along K reads four adjacent
  // columns of the left operand from each lane. The four lanes of a row
  // exchange pairs of columns to get these.
  if (isLeft && isExchangedInRows(dot, layout)) {
    OpBuilder b(dot);
    RankedTensorType exchanged = withLayout(
        type, getResultLayout(dot).getOfLeft(type, dot.getRhs().getType()));
    b.setInsertionPointAfterValue(tile);
    use.set(ConvertLayoutOp::create(b, tile.getLoc(), exchanged, tile));
    return success();
  }
  auto right = dyn_cast_or_null<SwizzledLayoutAttr>(
      dot.getRhs().getType().getEncoding());
  if (isLeft &&
      ((right && right.getInterleaved()) || hasRunsOfColumns(dot, schedule)))
    return dot.emitOpError("expected a left operand of 8 bits with the rows of "
                           "the result, beside a transposed right one, found ")
           << type;
  FailureOr<Value> copy = copyToShared(tile, helpers.reduced.contains(dot));
  if (succeeded(copy))
    use.set(*copy);
  return copy;
}

LogicalResult LayoutAssigner::run() {
  if (failed(widenDots(kernel, schedule, chip)) ||
      failed(helpers.separate(kernel)) || failed(placeLoads()))
    return failure();
  placeTransposed();
  rights.emplace(kernel, schedule);
  tiles.emplace(kernel, schedule, *rights, helpers);
  if (failed(assignSlices(kernel, schedule, *tiles)))
    return failure();
  placeWidened();
  SmallVector<DotOp> dots;
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (failed(assignToValues(op, [&](Value value) { return assign(value); })))
      return WalkResult::interrupt();
    if (auto dot = dyn_cast<DotOp>(op))
      dots.push_back(dot);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  result = kernel.walk(
      [&](SoftmaxUpdateOp update) -> WalkResult { return checkRows(update); });
  if (result.wasInterrupted())
    return failure();
  writesRight = llvm::any_of(dots, [&](DotOp dot) {
    Operation *source = dot.getRhs().getDefiningOp();
    if (auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(source))
      source = slice.getSource().getDefiningOp();
    return !isInShared(dot.getRhs()) &&
           !rightInRegisters.contains(dot.getRhs()) &&
           !(source && helpers.find(source, schedule));
  });
  for (DotOp dot : dots)
    if (failed(checkDot(dot, schedule)) ||
        failed(placeOperand(dot.getRhsMutable())) ||
        failed(placeOperand(dot.getLhsMutable())))
      return failure();
  result = kernel.walk([](tensor::ExtractSliceOp slice) -> WalkResult {
    return takeColumns(slice);
  });
  if (result.wasInterrupted())
    return failure();
  keepLeftOperands(kernel, schedule, chip, loads, helpers.reduced,
                   helpers.owners);
  warnOfRegisters(kernel, schedule, chip, helpers);
  placeAhead();
  spreadVectors(kernel);
  return flushSums(kernel, schedule);
}

namespace {
struct AttnGPUAssignLayoutsPass
    : public attn_gpu::impl::AttnGPUAssignLayoutsPassBase<
          AttnGPUAssignLayoutsPass> {
  void runOnOperation() override {
    auto assign = [](KernelOp kernel, ScheduleAttr schedule,
                     const attn::Chip &chip) -> LogicalResult {
      int64_t threads = 32 * schedule.getWarps();
      if (int64_t(kernel.getThreads()) != threads)
        return kernel.emitOpError("expected ")
               << threads << " threads for " << schedule << ", found others";
      return LayoutAssigner(kernel, schedule, chip).run();
    };
    if (failed(lowerKernel(getOperation(), assign)))
      signalPassFailure();
  }
};
} // namespace
