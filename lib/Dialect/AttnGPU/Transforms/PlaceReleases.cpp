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

/// After the last op of the block that reads the tile, and returns it.
static Operation *setInsertionPointAfterReaders(OpBuilder &b,
                                                AcquireOp acquire) {
  Block *block = acquire->getBlock();
  Operation *last = acquire;
  for (Operation *user : acquire.getTile().getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*getEndOfMma(user));
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  b.setInsertionPointAfter(last);
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
/// has: nothing else waits for the registers. If that is in one of two
/// branches, the other releases the tile as well.
static void releaseCopied(AcquireOp acquire,
                          llvm::function_ref<void(OpBuilder &)> emit) {
  SmallPtrSet<Operation *, 4> mmas;
  for (Operation *copy : acquire.getTile().getUsers())
    mmas.insert_range(copy->getUsers());
  OpBuilder b(acquire.getContext());
  Block *block = acquire->getBlock();
  Operation *first = findFirst(block, mmas);
  if (!first) {
    setInsertionPointToLast(b, block);
    return emit(b);
  }
  Operation *inBlock = block->findAncestorOpInBlock(*first);
  Block *other = nullptr;
  if (auto branch = dyn_cast<scf::IfOp>(inBlock);
      branch && branch.elseBlock() && first->getParentOp() == branch)
    other = branch.thenBlock() == first->getBlock() ? branch.elseBlock()
                                                    : branch.thenBlock();
  if (first != inBlock && (!other || findFirst(other, mmas))) {
    b.setInsertionPointAfter(inBlock);
    return emit(b);
  }
  b.setInsertionPointAfter(getEndOfMma(first));
  emit(b);
  if (other) {
    b.setInsertionPointToStart(other);
    emit(b);
  }
}

static LogicalResult release(AcquireOp acquire) {
  auto ring = acquire.getRing().getDefiningOp<RingOp>();
  if (!ring)
    return acquire.emitOpError("expected a ring made by attn_gpu.ring");
  auto emit = [&](OpBuilder &b) {
    ReleaseOp::create(b, acquire.getLoc(), ring, acquire.getNumber(),
                      ring.getEachThread());
  };
  auto users = acquire.getTile().getUsers();
  bool isCopied = llvm::any_of(users, llvm::IsaPred<ConvertLayoutOp>);
  bool isCopiedOnly = llvm::all_of(users, llvm::IsaPred<ConvertLayoutOp>);
  if (isCopied && isCopiedOnly && !ring.getOverlaid()) {
    releaseCopied(acquire, emit);
    return success();
  }
  OpBuilder b(acquire.getContext());
  // The copy of a tile with other readers has not ended with the copying op.
  if (ring.getOverlaid() || isCopied) {
    setInsertionPointToLast(b, acquire->getBlock());
  } else if (Operation *last = setInsertionPointAfterReaders(b, acquire);
             !ring.getEachThread() && !isa<MmaWaitOp, attn_tile::DotOp>(last)) {
    // A loop may have no iteration: no MMA keeps the warps together then, and
    // one could come to the tile when another has long released it.
    SyncWarpgroupOp::create(b, acquire.getLoc());
  }
  emit(b);
  return success();
}

namespace {
struct AttnGPUPlaceReleasesPass
    : public attn_gpu::impl::AttnGPUPlaceReleasesPassBase<
          AttnGPUPlaceReleasesPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](AcquireOp acquire) {
      // Its own releases are there already.
      if (!acquire.getNumber().use_empty())
        return WalkResult::advance();
      return WalkResult(release(acquire));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
