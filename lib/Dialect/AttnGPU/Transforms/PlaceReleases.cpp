//===- PlaceReleases.cpp - When slots of rings are free again -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPLACERELEASESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

/// After all others of its block, but its terminator.
static void setInsertionPointToLast(OpBuilder &b, Block *block) {
  if (block->mightHaveTerminator())
    b.setInsertionPoint(block->getTerminator());
  else
    b.setInsertionPointToEnd(block);
}

/// What reads the tile, or some of its columns.
static SmallVector<Operation *> getReaders(Value tile) {
  SmallVector<Operation *> readers;
  for (Operation *user : tile.getUsers())
    if (auto columns = dyn_cast<ColumnsOp>(user))
      llvm::append_range(readers, getReaders(columns.getResult()));
    else
      readers.push_back(user);
  return readers;
}

/// After the last op of the block that reads the tile, or after `start`, and
/// returns it.
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

/// The first of some ops in a block, or in what its ops hold.
static Operation *findFirst(Block *block,
                            const SmallPtrSetImpl<Operation *> &ops) {
  for (Operation &op : *block) {
    Operation *first = nullptr;
    op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
      if (!ops.contains(nested))
        return WalkResult::advance();
      first = nested;
      return WalkResult::interrupt();
    });
    if (first)
      return first;
  }
  return nullptr;
}

/// A copy of a tile to registers has ended when the first MMA that uses it
/// has: nothing else waits for the registers. The last of such MMAs counts
/// where there are several copies.
static void releaseCopied(AcquireOp acquire,
                          llvm::function_ref<void(OpBuilder &)> emit) {
  OpBuilder b(acquire.getContext());
  Block *block = acquire->getBlock();
  SmallPtrSet<Operation *, 4> all;
  Operation *last = nullptr, *lastInBlock = nullptr;
  for (Operation *copy : acquire.getTile().getUsers()) {
    SmallPtrSet<Operation *, 4> mmas(copy->user_begin(), copy->user_end());
    all.insert_range(mmas);
    Operation *first = findFirst(block, mmas);
    if (!first) {
      setInsertionPointToLast(b, block);
      return emit(b);
    }
    Operation *inBlock = block->findAncestorOpInBlock(*first);
    if (lastInBlock && !lastInBlock->isBeforeInBlock(inBlock))
      continue;
    last = first;
    lastInBlock = inBlock;
  }
  // If that is in one of two branches, the other releases the tile as well.
  Block *other = nullptr;
  if (auto branch = dyn_cast<scf::IfOp>(lastInBlock);
      branch && branch.elseBlock() && last->getParentOp() == branch)
    other = branch.thenBlock() == last->getBlock() ? branch.elseBlock()
                                                   : branch.thenBlock();
  if (last != lastInBlock && (!other || findFirst(other, all))) {
    b.setInsertionPointAfter(lastInBlock);
    return emit(b);
  }
  b.setInsertionPointAfter(getEndOfMma(last));
  emit(b);
  if (other) {
    b.setInsertionPointToStart(other);
    emit(b);
  }
}

namespace {
/// A tile of a ring, by the value that it is known by in some block: what an
/// acquire gives, or what a loop carries of that to its next iteration.
struct HeldTile {
  Value tile, number;
  RingOp ring;

  void emitRelease(OpBuilder &b) {
    ReleaseOp::create(b, tile.getLoc(), ring, number, ring.getEachWarp());
  }
  /// Whether a loop goes on with it, which then releases it.
  bool isCarriedOn() {
    return llvm::any_of(tile.getUsers(),
                        llvm::IsaPred<scf::YieldOp, scf::ForOp>);
  }
};
} // namespace

static void release(HeldTile held) {
  RingOp ring = held.ring;
  auto acquire = held.tile.getDefiningOp<AcquireOp>();
  auto users = held.tile.getUsers();
  bool isCopied = llvm::any_of(users, llvm::IsaPred<ConvertLayoutOp>);
  bool isCopiedOnly = llvm::all_of(users, llvm::IsaPred<ConvertLayoutOp>);
  if (acquire && isCopied && isCopiedOnly && !ring.getOverlaid())
    return releaseCopied(acquire, [&](OpBuilder &b) { held.emitRelease(b); });
  OpBuilder b(ring.getContext());
  // The copy of a tile with other readers has not ended with the copying op.
  if (ring.getOverlaid() || isCopied) {
    setInsertionPointToLast(b, held.tile.getParentBlock());
  } else if (Operation *last = setInsertionPointAfterReaders(
                 b, held.tile, held.tile.getDefiningOp());
             !ring.getEachWarp() &&
             !isa_and_nonnull<MmaWaitOp, attn_tile::DotOp>(last)) {
    // A loop may have no iteration: no MMA keeps the warps together then, and
    // one could come to the tile when another has long released it.
    SyncWarpgroupOp::create(b, held.tile.getLoc());
  }
  held.emitRelease(b);
}

/// Loops that carry tiles to their next iteration carry their numbers as well.
/// Adds what they carry to `held`.
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

namespace {
struct AttnGPUPlaceReleasesPass
    : public attn_gpu::impl::AttnGPUPlaceReleasesPassBase<
          AttnGPUPlaceReleasesPass> {
  void runOnOperation() override {
    SmallVector<HeldTile> held;
    WalkResult result = getOperation()->walk([&](AcquireOp acquire) {
      // Its own releases are there already.
      if (!acquire.getNumber().use_empty())
        return WalkResult::advance();
      auto ring = acquire.getRing().getDefiningOp<RingOp>();
      if (!ring) {
        acquire.emitOpError("expected a ring made by attn_gpu.ring");
        return WalkResult::interrupt();
      }
      held.push_back({acquire.getTile(), acquire.getNumber(), ring});
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](scf::ForOp loop) { loops.push_back(loop); });
    for (scf::ForOp loop : loops)
      if (failed(carryNumbers(loop, held)))
        return signalPassFailure();
    for (HeldTile &tile : held)
      if (!tile.isCarriedOn())
        release(tile);
  }
};
} // namespace
