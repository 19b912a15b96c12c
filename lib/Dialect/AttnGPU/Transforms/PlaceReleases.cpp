//===- PlaceReleases.cpp - Releases of slots of rings ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"
#include "RingTiles.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPLACERELEASESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// Sets the insertion point to the end of a block, before its terminator.
static void setInsertionPointToLast(OpBuilder &b, Block *block) {
  if (block->mightHaveTerminator())
    b.setInsertionPoint(block->getTerminator());
  else
    b.setInsertionPointToEnd(block);
}

/// Sets the insertion point after the last op of the tile's block that reads
/// the tile (for an MMA, after its end), or after `start` if that is later, and
/// returns this op. If there is neither, sets it to the start of the block and
/// returns null.
static Operation *setInsertionPointAfterReaders(OpBuilder &b, Value tile,
                                                Operation *start) {
  Operation *last = start;
  for (Operation *reader : getReaders(tile)) {
    Operation *inBlock =
        tile.getParentBlock()->findAncestorOpInBlock(*getEndOfMma(reader));
    if (!last || last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  if (last)
    b.setInsertionPointAfter(last);
  else
    b.setInsertionPointToStart(tile.getParentBlock());
  return last;
}

/// Returns the op that writes what `copy` has read, elementwise ops applied, to
/// shared memory, if it is in the copy's block and nothing else reads what was
/// copied, and null otherwise. The write depends on all that is used of what
/// was read.
static Operation *getDependentWrite(ConvertLayoutOp copy) {
  Value value = copy.getResult();
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (user->getBlock() != copy->getBlock())
      return nullptr;
    if (isa<PutOp, LocalStoreOp>(user))
      return user;
    if (user->getNumOperands() != 1 || user->getNumResults() != 1 ||
        !isMemoryEffectFree(user))
      return nullptr;
    value = user->getResult(0);
  }
  return nullptr;
}

/// If every op that reads the tile copies it to registers whose contents are
/// then written to shared memory in the same block, returns the last of these
/// writes, and null otherwise.
static Operation *getLastDependentWrite(Value tile) {
  Operation *last = nullptr;
  for (Operation *reader : getReaders(tile)) {
    auto copy = dyn_cast<ConvertLayoutOp>(reader);
    Operation *write = copy && copy->getBlock() == tile.getParentBlock()
                           ? getDependentWrite(copy)
                           : nullptr;
    if (!write)
      return nullptr;
    if (!last || last->isBeforeInBlock(write))
      last = write;
  }
  return last;
}

namespace {
/// A value that holds a tile of a ring, the result of an acquire or the
/// argument or result of a loop that carries the tile, with the tile's number.
struct HeldTile {
  Value tile, number;
  RingOp ring;

  void emitRelease(OpBuilder &b, bool isOrdered = false) {
    ReleaseOp::create(b, tile.getLoc(), ring, number, ring.getEachWarp(),
                      isOrdered);
  }
  /// Whether a loop carries the tile on: an scf.yield or an scf.for has it as
  /// operand. The tile is then released where the loop's value is last read.
  bool isCarriedOn() {
    return llvm::any_of(tile.getUsers(),
                        llvm::IsaPred<scf::YieldOp, scf::ForOp>);
  }
};
} // namespace

static void release(HeldTile held) {
  RingOp ring = held.ring;
  OpBuilder b(ring.getContext());
  // Where each warp arrives for its own loads from shared memory, the release
  // follows an op that depends on all of them. If there is none, the release
  // directly follows the loads and includes a fence.
  if (ring.getEachWarp() && !ring.getOverlaid()) {
    if (Operation *write = getLastDependentWrite(held.tile)) {
      b.setInsertionPointAfter(write);
      held.emitRelease(b, /*isOrdered=*/true);
      return;
    }
  }
  if (ring.getOverlaid()) {
    Block *block = held.tile.getParentBlock();
    setInsertionPointToLast(b, block);
    // Stores through the ring's memory (`overlaid`) synchronise the warps of a
    // warpgroup. If the block has no such store, because it is in a branch, a
    // barrier of the warpgroup does.
    if (!ring.getEachWarp() &&
        llvm::none_of(*block, llvm::IsaPred<StoreAsyncOp>))
      SyncWarpgroupOp::create(b, held.tile.getLoc());
  } else if (Operation *last = setInsertionPointAfterReaders(
                 b, held.tile, held.tile.getDefiningOp());
             !ring.getEachWarp() &&
             !isa_and_nonnull<MmaWaitOp, attn_tile::DotOp>(last)) {
    // The loop that reads the tile may have no iteration. Then no wait for an
    // MMA synchronises the warps, and one warp could release the tile before
    // another has acquired it.
    SyncWarpgroupOp::create(b, held.tile.getLoc());
  }
  held.emitRelease(b);
}

/// Makes a loop that carries tiles of rings to its next iteration carry their
/// numbers, too, and adds the carried tiles to `held`.
static LogicalResult carryNumbers(scf::ForOp loop,
                                  SmallVectorImpl<HeldTile> &held) {
  auto find = [&](Value tile) -> const HeldTile * {
    auto found = llvm::find_if(
        held, [&](const HeldTile &other) { return other.tile == tile; });
    return found == held.end() ? nullptr : found;
  };
  SmallVector<unsigned> carried;
  SmallVector<Value> numbers, nextNumbers;
  SmallVector<RingOp> rings;
  for (unsigned i = 0, e = loop.getNumRegionIterArgs(); i < e; ++i) {
    const HeldTile *first = find(loop.getInitArgs()[i]);
    const HeldTile *next = find(loop.getYieldedValues()[i]);
    if (!first || !next)
      continue;
    if (first->ring != next->ring)
      return loop.emitOpError("expected a loop that carries tiles of one ring, "
                              "found two");
    carried.push_back(i);
    numbers.push_back(first->number);
    nextNumbers.push_back(next->number);
    rings.push_back(next->ring);
  }
  if (carried.empty())
    return success();
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, numbers, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument>) {
        return nextNumbers;
      }));
  unsigned number = carrying.getNumRegionIterArgs() - carried.size();
  for (auto [i, ring] : llvm::zip(carried, rings)) {
    held.push_back({carrying.getRegionIterArgs()[i],
                    carrying.getRegionIterArgs()[number], ring});
    held.push_back({carrying.getResult(i), carrying.getResult(number), ring});
    ++number;
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Fills that wait for an output
//===----------------------------------------------------------------------===//

static bool hasFills(Operation *op) {
  return op->walk([](FillOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether an iteration of the loop contains loops. It may then fill more slots
/// than a ring has, and those slots become free only after the delayed copy.
static bool hasInnerLoop(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Runs the first iteration of a loop before it, in a branch that is taken if
/// there is an iteration, and makes the loop begin with the second one.
static void peelFirst(scf::ForOp loop) {
  attn::NumberBuilder b(loop.getLoc(), loop);
  Value lower = loop.getLowerBound();
  Value isStep = b.slt(lower, loop.getUpperBound());
  auto first = scf::IfOp::create(
      b, isStep,
      [&](OpBuilder &inner, Location loc) {
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), lower);
        mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
        for (Operation &op : *loop.getBody())
          inner.clone(op, mapping);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, loop.getInitArgs());
      });
  loop.setLowerBound(b.addi(lower, loop.getStep()));
  loop.getInitArgsMutable().assign(first.getResults());
}

/// Returns the first op of a block that fills rings if it is a fill, or null if
/// it is a loop or a branch, or if there is none.
static FillOp getFirstFill(Block *block) {
  for (Operation &op : *block)
    if (hasFills(&op))
      return dyn_cast<FillOp>(op);
  return FillOp();
}

/// Moves the fill after the next op of its block that fills rings. If that op
/// is a branch, moves it into the branch, after the first fill of the
/// then-block, and copies it to the start of the else-block; if it is a loop
/// without inner loops, moves it after the loop's first iteration. In other
/// cases, the fill stays. With `prefetches`, emits a prefetch to L2 before a
/// moved fill by TMA.
static void delay(FillOp fill, bool prefetches) {
  Operation *next = fill->getNextNode();
  while (next && !hasFills(next))
    next = next->getNextNode();
  if (!next)
    return;
  auto first = dyn_cast<FillOp>(next);
  if (auto branch = dyn_cast<scf::IfOp>(next)) {
    first = getFirstFill(branch.thenBlock());
    if (!first || !branch.elseBlock())
      return;
    OpBuilder::atBlockBegin(branch.elseBlock()).clone(*fill);
  }
  if (first) {
    fill->moveAfter(first);
  } else if (auto loop = dyn_cast<scf::ForOp>(next);
             loop && !hasInnerLoop(loop)) {
    peelFirst(loop);
    fill->moveBefore(loop);
  } else {
    return;
  }
  // The tile is prefetched to L2 while the fill waits until its slot is free.
  // Schedulers of short tiles do not prefetch, since these tiles need the
  // bandwidth for their keys.
  if (prefetches && !fill.isByThreads()) {
    OpBuilder b(fill);
    PrefetchOp::create(b, fill.getLoc(), fill.getRing(), fill.getMaps(),
                       fill.getCoordinates(), fill.getParts());
  }
}

/// A ring that shares its memory with an output can be filled again only after
/// the output has been stored. Moves its fill after the fills for the first
/// block of the next tile, which need not wait, so that these are not delayed.
static void delayFills(KernelOp kernel) {
  SmallVector<FillOp> fills;
  kernel.walk([&](FillOp fill) {
    if (auto ring = fill.getRing().getDefiningOp<RingOp>();
        ring && ring.getOverlaid())
      fills.push_back(fill);
  });
  bool prefetches =
      kernel.getSchedule().getScheduler() == SchedulerKind::Persistent;
  for (FillOp fill : fills)
    delay(fill, prefetches);
}

namespace {
struct AttnGPUPlaceReleasesPass
    : public attn_gpu::impl::AttnGPUPlaceReleasesPassBase<
          AttnGPUPlaceReleasesPass> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    SmallVector<HeldTile> held;
    WalkResult result = kernel.walk([&](AcquireOp acquire) {
      // The acquire has its releases already.
      if (!acquire.getNumber().use_empty())
        return WalkResult::advance();
      auto ring = acquire.getRing().getDefiningOp<RingOp>();
      if (!ring) {
        acquire.emitOpError("expected a ring made by attn_gpu.ring");
        return WalkResult::interrupt();
      }
      // Tiles of a ring without barriers are not released: warps wait for each
      // other at barriers of the CTA.
      if (!ring.getBarriers())
        return WalkResult::advance();
      held.push_back({acquire.getTile(), acquire.getNumber(), ring});
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    kernel.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (failed(carryNumbers(loop, held)))
        return signalPassFailure();
    for (HeldTile &tile : held)
      if (!tile.isCarriedOn())
        release(tile);
    kernel.walk(delayFills);
  }
};
} // namespace
