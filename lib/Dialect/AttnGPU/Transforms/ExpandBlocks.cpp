//===- ExpandBlocks.cpp - Loops over blocks on a GPU ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exchanges.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/Domains.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUEXPANDBLOCKSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {
class BlockLoop {
public:
  BlockLoop(ForBlocksOp loop, DomainOp domain, IRRewriter &rewriter)
      : loop(loop), domain(domain), rewriter(rewriter),
        block(domain.getDomain().getType().getBlock()) {
    roles = loop->getParentOfType<RolesOp>();
    if (!roles)
      return;
    unsigned role = roles.getRole(loop);
    warpgroup = roles.getBodies()[role].getArgument(0);
    if (!dependsOnRows(domain))
      return;
    FailureOr<int64_t> most = getMostRows(domain);
    if (failed(most) || !dividesRows(*most))
      return;
    rows = *most;
    ownRows = rows / roles.getWarpgroups()[role];
  }

  void expand();

private:
  AffineExpr dim(unsigned i) { return rewriter.getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return rewriter.getAffineConstantExpr(c); }
  bool dividesRows(int64_t count);
  Columns getOwnColumns(attn::NumberBuilder &b);
  OpFoldResult getLastBlock(attn::NumberBuilder &b, OpFoldResult end);
  Value skip(attn::NumberBuilder &b, const Columns &own, Value start);
  Value isPartial(attn::NumberBuilder &b, const Columns &columns,
                  Value counter);

  ForBlocksOp loop;
  DomainOp domain;
  IRRewriter &rewriter;
  int64_t block;
  /// The attn_gpu.roles op of which the loop is a part, or null in a kernel
  /// without roles.
  RolesOp roles;
  Value warpgroup;
  /// `rows` is the number of rows of the domain, and `ownRows` the number of
  /// these rows that each warpgroup has. Both are 0 if warpgroups do not divide
  /// the rows.
  int64_t rows = 0, ownRows = 0;
  /// `all` is the range of columns that any row of the program needs, and
  /// `lastBlock` the position at which the last block of this range begins.
  Columns all;
  OpFoldResult lastBlock;
};
} // namespace

/// Whether each warp has its own part of the `count` rows of a value of that
/// type. This holds for a tile or a vector along rows with `count` rows whose
/// layout divides the rows among warps, for a softmax state of `count` rows,
/// and for any type that is no tile.
static bool isDivided(Type type, int64_t count) {
  if (auto state = dyn_cast<SoftmaxType>(type))
    return state.getRows() == count;
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return true;
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (auto slice = dyn_cast_or_null<SliceLayoutAttr>(tile.getEncoding());
      slice && slice.getAxis() == 1)
    layout = slice.getParent();
  return layout && layout.dividesRows() && tile.getDimSize(0) == count;
}

/// Whether warpgroups may visit different blocks. The results of the loop, and
/// all values that depend on whether a block is partial, must have the domain's
/// `count` rows, of which each warpgroup has an equal part. No branch without
/// results may depend on whether a block is partial.
bool BlockLoop::dividesRows(int64_t count) {
  auto isOfRows = [&](Type type) { return isDivided(type, count); };
  if (!llvm::all_of(loop.getResultTypes(), isOfRows))
    return false;
  SmallVector<Value> conditions = {loop.getPartial()};
  while (!conditions.empty())
    for (Operation *user : conditions.pop_back_val().getUsers()) {
      // A branch without results that depends on whether a block is partial may
      // store a tile with other rows than the domain's. Warpgroups must then
      // visit the same blocks.
      if ((isa<scf::IfOp>(user) && user->getNumResults() == 0) ||
          !llvm::all_of(user->getResultTypes(), isOfRows))
        return false;
      for (Value result : user->getResults())
        if (result.getType().isInteger(1))
          conditions.push_back(result);
    }
  return true;
}

/// Returns the columns that the rows of this warpgroup need. Emits the domain's
/// region again, for these rows only.
Columns BlockLoop::getOwnColumns(attn::NumberBuilder &b) {
  OpFoldResult last = getAsOpFoldResult(domain.getLast());
  Value offset = b.muli(warpgroup, b.index(ownRows));
  OpFoldResult ownFirst = applyFolded(
      b, dim(0) + dim(1), {getAsOpFoldResult(domain.getFirst()), offset});
  OpFoldResult ownLast = affine::makeComposedFoldedAffineMin(
      b, b.getLoc(), AffineMap::getMultiDimIdentityMap(2, b.getContext()),
      {last, applyFolded(b, dim(0) + constant(ownRows), {ownFirst})});
  return getColumns(b, domain, ownFirst, ownLast);
}

OpFoldResult BlockLoop::getLastBlock(attn::NumberBuilder &b, OpFoldResult end) {
  return applyFolded(
      b, dim(1) + (dim(0) - dim(1) - constant(1)).floorDiv(block) * block,
      {end, all.first});
}

/// Emits a skip of the blocks that lie after the last column that rows of this
/// warpgroup need: their tiles are acquired and released, but not read. Blocks
/// are visited in descending order, so these are the first ones. Returns the
/// loop counter at which this warpgroup begins to compute, which is `start` if
/// nothing can be skipped. Blocks before the first column that the rows need
/// come last and are not skipped: they are partial (isPartial()), and the mask
/// removes all of their pairs.
Value BlockLoop::skip(attn::NumberBuilder &b, const Columns &own, Value start) {
  SmallVector<Value> rings;
  bool isConditional = false;
  loop.getBody().walk([&](AcquireOp op) {
    rings.push_back(op.getRing());
    isConditional |= op->getParentOp() != loop;
  });
  // A loop skips nothing if it has ops that all warpgroups must run for each
  // block. These are exchanges of tiles through shared memory, puts of tiles
  // into rings, and stores without `add`, which must write all rows.
  bool isOfAll = false;
  loop.getBody().walk([&](Operation *op) {
    bool stores = llvm::TypeSwitch<Operation *, bool>(op)
                      .Case<StoreOp, StoreAsyncOp, ScatterOp>(
                          [](auto store) { return !store.getAdd(); })
                      .Default(false);
    isOfAll |= stores || isa<PutOp>(op) || isExchanging(op);
  });
  if (own.hi == all.hi || rows - ownRows < block || rings.empty() ||
      isConditional || isOfAll)
    return start;
  // Each warpgroup computes at least one block, even if its rows need no
  // columns.
  auto identity = AffineMap::getMultiDimIdentityMap(2, b.getContext());
  OpFoldResult ownEnd = affine::makeComposedFoldedAffineMax(
      b, b.getLoc(), identity,
      {own.hi,
       affine::makeComposedFoldedAffineMin(
           b, b.getLoc(), identity,
           {all.hi, applyFolded(b, dim(0) + constant(1), {all.first})})});
  SmallVector<OpFoldResult> ends = {lastBlock, getLastBlock(b, ownEnd)};
  Value count =
      b.asValue(applyFolded(b, (dim(0) - dim(1)).floorDiv(block), ends));
  SkipOp::create(b, rings, count, IntegerAttr());
  ends.push_back(all.first);
  return b.asValue(applyFolded(b, dim(2) + dim(0) - dim(1), ends));
}

/// Emits a condition that is true if the block at `counter` is partial: it
/// begins before the first full block or after the last one. With roles, blocks
/// are visited in descending order. Then the positions of the first and last
/// full block are mirrored, instead of the counter: they do not change in the
/// loop, so that an iteration only compares.
Value BlockLoop::isPartial(attn::NumberBuilder &b, const Columns &columns,
                           Value counter) {
  using arith::CmpIPredicate;
  OpFoldResult fullLo = columns.fullLo;
  OpFoldResult lastFull =
      applyFolded(b, dim(0) - constant(block), {columns.fullHi});
  bool hasBefore = getConstantIntValue(fullLo) != 0;
  CmpIPredicate after = CmpIPredicate::sgt, before = CmpIPredicate::slt;
  if (roles) {
    auto reflect = [&](OpFoldResult bound) {
      return applyFolded(b, dim(0) + dim(1) - dim(2),
                         {all.first, lastBlock, bound});
    };
    lastFull = reflect(lastFull);
    if (hasBefore)
      fullLo = reflect(fullLo);
    std::swap(after, before);
  }
  Value isAfter = b.cmpi(after, counter, b.asValue(lastFull));
  if (!hasBefore)
    return isAfter;
  Value isBefore = b.cmpi(before, counter, b.asValue(fullLo));
  return b.ori(isAfter, isBefore);
}

/// Marks the loop's condition that a block is partial as rare: only few blocks
/// of a domain are partial.
static void markPartial(ForBlocksOp loop) {
  Value partial = loop.getPartial();
  if (partial.use_empty())
    return;
  auto b =
      attn::NumberBuilder::atBlockBegin(loop.getLoc(), &loop.getBody().front());
  auto rare = RareOp::create(b, partial.getType(), partial);
  partial.replaceAllUsesExcept(rare, rare);
}

void BlockLoop::expand() {
  attn::NumberBuilder b(loop.getLoc(), loop);
  all = getColumns(b, domain, getAsOpFoldResult(domain.getFirst()),
                   getAsOpFoldResult(domain.getLast()));
  Columns own = all;
  Value from = b.asValue(all.first), end = b.asValue(all.hi);
  // With roles, blocks are visited in descending order. Under a causal mask,
  // the partial blocks then come first, before them those that a warpgroup
  // skips. With a bias for near keys, the largest scores come first.
  if (roles) {
    lastBlock = getLastBlock(b, all.hi);
    if (ownRows < rows) {
      own = getOwnColumns(b);
      from = skip(b, own, from);
    }
  }
  scf::ForOp expanded = replaceLoop(
      rewriter, loop, from, end, b.index(block),
      [&](attn::NumberBuilder &b, Value counter) {
        Value position = counter;
        if (roles)
          position = b.asValue(applyFolded(b, dim(0) + dim(1) - dim(2),
                                           {all.first, lastBlock, counter}));
        return std::pair(position, isPartial(b, own, counter));
      });
  // Moves loop-invariant code, such as the bounds of full blocks, out of the
  // new loop.
  moveLoopInvariantCode(expanded);
}

namespace {
struct AttnGPUExpandBlocksPass
    : public attn_gpu::impl::AttnGPUExpandBlocksPassBase<
          AttnGPUExpandBlocksPass> {
  void runOnOperation() override {
    if (failed(lowerKernel(getOperation(), expand)))
      signalPassFailure();
  }

private:
  static LogicalResult expand(KernelOp kernel, ScheduleAttr,
                              const attn::Chip &) {
    IRRewriter rewriter(kernel.getContext());
    SmallVector<ForBlocksOp> loops;
    kernel.walk([&](ForBlocksOp loop) { loops.push_back(loop); });
    for (ForBlocksOp loop : loops) {
      markPartial(loop);
      if (auto list = loop.getDomain().getDefiningOp<DomainListOp>()) {
        moveLoopInvariantCode(replaceLoopOverList(rewriter, loop, list));
        continue;
      }
      auto domain = loop.getDomain().getDefiningOp<DomainOp>();
      if (!domain)
        return loop.emitOpError("expected a domain made by attn_tile.domain or "
                                "attn_tile.domain_list in the same program");
      BlockLoop(loop, domain, rewriter).expand();
    }
    eraseUnusedDomains(kernel);
    return success();
  }
};
} // namespace
