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

/// Sets the builder's insertion point after the last op of the tile's block
/// that reads the tile, and not before the end of `start`, an op of this block
/// or null. An MMA reads the tile until the op at which the MMA has ended.
/// Returns the op after which the insertion point is. If there is no such op,
/// takes the start of the block and returns null.
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

/// If only one chain of element-wise ops reads what `copy` has copied from
/// shared memory to registers, and the result is written to shared memory in
/// the same block, returns the op that writes it. Otherwise returns null. The
/// write depends on all values that the copy has read.
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

/// If each op that reads the tile copies it to registers, and the copied values
/// are written to shared memory in the same block (getDependentWrite()),
/// returns the last of these writes. Otherwise returns null.
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
/// A value that holds a tile of a ring, and the tile's number in the ring. The
/// value is the result of an acquire, or an argument or result of a loop that
/// carries the tile.
struct HeldTile {
  Value tile, number;
  RingOp ring;

  void emitRelease(OpBuilder &b, bool isOrdered = false) {
    ReleaseOp::create(b, tile.getLoc(), ring, number, ring.getEachWarp(),
                      isOrdered);
  }
  /// Whether a loop carries the tile on, since it is an operand of an scf.yield
  /// or an scf.for. The tile is then released after the last reader of the
  /// loop's argument or result.
  bool isCarriedOn() {
    return llvm::any_of(tile.getUsers(),
                        llvm::IsaPred<scf::YieldOp, scf::ForOp>);
  }
};
} // namespace

static void release(HeldTile held) {
  RingOp ring = held.ring;
  OpBuilder b(ring.getContext());
  // If each warp releases the tile, the release can follow an op that depends
  // on all of the warp's loads from the tile, and then needs no fence. If there
  // is no such op, the release directly follows the loads and includes a fence.
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
    // A store through the memory of an `overlaid` ring synchronises the warps
    // of a warpgroup. If the tile's block has no such store, since the store is
    // in a branch, a barrier of the warpgroup synchronises them before one
    // thread releases the tile.
    if (!ring.getEachWarp() &&
        llvm::none_of(*block, llvm::IsaPred<StoreAsyncOp>))
      SyncWarpgroupOp::create(b, held.tile.getLoc());
  } else if (Operation *last = setInsertionPointAfterReaders(
                 b, held.tile, held.tile.getDefiningOp());
             !ring.getEachWarp() &&
             !isa_and_nonnull<MmaWaitOp, attn_tile::DotOp>(last)) {
    // A wait for an MMA synchronises the warps of a warpgroup. If none comes
    // before the release, for example since a loop that reads the tile may have
    // no iteration, a barrier does. Otherwise one warp could release the tile
    // before another warp has acquired it.
    SyncWarpgroupOp::create(b, held.tile.getLoc());
  }
  held.emitRelease(b);
}

/// If a loop carries tiles of rings to its next iteration, makes it carry their
/// numbers, too. Adds the loop's arguments and results that hold these tiles to
/// `held`. Fails with an error if an argument would hold tiles of two rings.
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

/// Whether an iteration of the loop contains another loop. It may then fill
/// more slots than a ring has. Such a fill would wait for slots that become
/// free only after a copy that is to be delayed until after the iteration.
static bool hasInnerLoop(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Moves the first iteration of a loop before the loop, into a branch that is
/// taken if the loop has an iteration. The loop then begins with the second
/// iteration.
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

/// Returns the first op of the block that fills rings, if it is a fill itself.
/// Returns null if it is a loop or a branch that contains fills, or if there is
/// no such op.
static FillOp getFirstFill(Block *block) {
  for (Operation &op : *block)
    if (hasFills(&op))
      return dyn_cast<FillOp>(op);
  return FillOp();
}

/// Moves the fill after the next fill of its block. If the next op that fills
/// rings is a branch, moves the fill into it, after the first fill of the
/// then-block, and copies it to the start of the else-block. If it is a loop
/// without inner loops, moves the fill after the loop's first iteration. In all
/// other cases, the fill stays. With `prefetches`, emits a prefetch to L2
/// before a moved fill by TMA.
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
  // While the fill waits for a free slot, the prefetch brings the tile to the
  // L2 cache. The prefetch is emitted only with a persistent scheduler. Dynamic
  // schedulers are used for tiles of different lengths, and short tiles need
  // the bandwidth for their keys.
  if (prefetches && !fill.isByThreads()) {
    OpBuilder b(fill);
    PrefetchOp::create(b, fill.getLoc(), fill.getRing(), fill.getMaps(),
                       fill.getCoordinates(), fill.getParts());
  }
}

/// Delays the fills of each ring that shares its memory with an output. Such a
/// ring can be filled again only after the output has been stored. Its fill
/// moves after the fills for the first block of the next tile, which need not
/// wait for the output, so that they are not held up.
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
      // An acquire whose tile number is used already has its releases.
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
