//===- ExpandBlocks.cpp - Loops over blocks on a GPU
//-----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/Transforms/Domains.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUEXPANDBLOCKSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The array that a view is a part of.
static Value getArray(Value view) {
  while (auto slice = view.getDefiningOp<memref::SubViewOp>())
    view = slice.getSource();
  return view;
}

namespace {
class BlockLoop {
public:
  BlockLoop(ForBlocksOp loop, DomainOp domain, ScheduleAttr schedule,
            IRRewriter &rewriter)
      : loop(loop), domain(domain), rewriter(rewriter),
        rows(schedule.getTileQ()),
        block(domain.getDomain().getType().getBlock()),
        hasRoles(schedule.hasProducer()) {}

  void expand();

private:
  AffineExpr dim(unsigned i) { return rewriter.getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return rewriter.getAffineConstantExpr(c); }
  Value asValue(ImplicitLocOpBuilder &b, OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(b, b.getLoc(), ofr);
  }
  SmallVector<LoadOp> getOperandLoads();
  bool skipsBlocks();
  void skip(ImplicitLocOpBuilder &b, Value from, Value to,
            function_ref<Value(ImplicitLocOpBuilder &, Value)> getPosition);

  ForBlocksOp loop;
  DomainOp domain;
  IRRewriter &rewriter;
  int64_t rows, block;
  /// Whether warpgroups share their loads, and each has its own rows.
  bool hasRoles;
};
} // namespace

/// Loads of the body that MMAs read.
SmallVector<LoadOp> BlockLoop::getOperandLoads() {
  SmallVector<LoadOp> loads;
  for (LoadOp load : loop.getBody().getOps<LoadOp>())
    if (llvm::any_of(load->getUsers(), llvm::IsaPred<DotOp>))
      loads.push_back(load);
  return loads;
}

/// Whether a warpgroup leaves out blocks that only other rows need. Arrays that
/// are loaded twice share a ring, in another order than that of blocks.
bool BlockLoop::skipsBlocks() {
  if (rows - kWarpgroupRows < block)
    return false;
  SmallPtrSet<Value, 4> arrays;
  return llvm::all_of(getOperandLoads(), [&](LoadOp load) {
    return arrays.insert(getArray(load.getSource())).second;
  });
}

/// Takes part in the loads of blocks that only other warpgroups' rows need.
void BlockLoop::skip(
    ImplicitLocOpBuilder &b, Value from, Value to,
    function_ref<Value(ImplicitLocOpBuilder &, Value)> getPosition) {
  Block *body = &loop.getBody().front();
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) { return op->getBlock() == body; };
  options.inclusive = true;
  SetVector<Operation *> slice;
  SmallVector<LoadOp> loads = getOperandLoads();
  for (LoadOp load : loads)
    (void)getBackwardSlice(load.getOperation(), &slice, options);
  scf::ForOp::create(
      b, from, to, arith::ConstantIndexOp::create(b, block), ValueRange(),
      [&](OpBuilder &inner, Location loc, Value counter, ValueRange) {
        ImplicitLocOpBuilder body(loc, inner);
        IRMapping mapping;
        mapping.map(loop.getPosition(), getPosition(body, counter));
        for (Operation *op : slice)
          body.clone(*op, mapping);
        for (LoadOp load : loads)
          DiscardOp::create(body, mapping.lookup(load.getResult()));
        scf::YieldOp::create(body);
      });
}

void BlockLoop::expand() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  OpFoldResult first = getAsOpFoldResult(domain.getFirst());
  OpFoldResult last = getAsOpFoldResult(domain.getLast());
  Columns all = getColumns(b, domain, first, last), own = all;
  bool dependsOnRows = llvm::any_of(
      domain.getColumns().getArguments(),
      [](BlockArgument argument) { return !argument.use_empty(); });
  if (hasRoles && dependsOnRows && rows > kWarpgroupRows) {
    Value offset = PartOffsetOp::create(b, b.getIndexType());
    OpFoldResult ownFirst = applyFolded(b, dim(0) + dim(1), {first, offset});
    OpFoldResult ownLast = affine::makeComposedFoldedAffineMin(
        b, b.getLoc(), AffineMap::getMultiDimIdentityMap(2, b.getContext()),
        {last, applyFolded(b, dim(0) + constant(kWarpgroupRows), {ownFirst})});
    own = getColumns(b, domain, ownFirst, ownLast);
  }
  Value start = asValue(b, all.first), end = asValue(b, all.hi), from = start;
  // Last blocks first: so the partial ones come first, which not all warpgroups
  // need, and a bias for near keys gives the maximum early.
  OpFoldResult lastBlock;
  auto getLastBlock = [&](OpFoldResult end) {
    return applyFolded(
        b, dim(1) + (dim(0) - dim(1) - constant(1)).floorDiv(block) * block,
        {end, all.first});
  };
  auto getPosition = [&](ImplicitLocOpBuilder &b, Value counter) -> Value {
    if (!hasRoles)
      return counter;
    return asValue(b, applyFolded(b, dim(0) + dim(1) - dim(2),
                                  {all.first, lastBlock, counter}));
  };
  if (hasRoles)
    lastBlock = getLastBlock(all.hi);
  if (own.hi != all.hi && skipsBlocks()) {
    // A warpgroup's first block is not skipped: it may be another's.
    auto identity = AffineMap::getMultiDimIdentityMap(2, b.getContext());
    OpFoldResult ownEnd = affine::makeComposedFoldedAffineMax(
        b, b.getLoc(), identity,
        {own.hi,
         affine::makeComposedFoldedAffineMin(
             b, b.getLoc(), identity,
             {all.hi, applyFolded(b, dim(0) + constant(1), {all.first})})});
    from =
        asValue(b, applyFolded(b, dim(0) + dim(1) - dim(2),
                               {all.first, lastBlock, getLastBlock(ownEnd)}));
    skip(b, start, from, getPosition);
  }
  scf::ForOp expanded = replaceLoop(
      rewriter, loop, from, end, arith::ConstantIndexOp::create(b, block),
      [&](ImplicitLocOpBuilder &b, Value counter) {
        Value position = getPosition(b, counter);
        return std::pair(position, isPartial(b, own, position, block));
      });
  // Here and not in a pass on the function: that would also leave the launch.
  moveLoopInvariantCode(expanded);
}

namespace {
struct AttnGPUExpandBlocksPass
    : public attn_gpu::impl::AttnGPUExpandBlocksPassBase<
          AttnGPUExpandBlocksPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<std::pair<ForBlocksOp, ScheduleAttr>> loops;
    auto visit = [&](gpu::LaunchOp launch, ScheduleAttr schedule,
                     const attn::Chip &) {
      launch.walk(
          [&](ForBlocksOp loop) { loops.emplace_back(loop, schedule); });
      return success();
    };
    if (failed(walkLaunches(getOperation(), visit)))
      return signalPassFailure();
    for (auto [loop, schedule] : loops) {
      if (auto list = loop.getDomain().getDefiningOp<DomainListOp>()) {
        moveLoopInvariantCode(replaceLoopOverList(rewriter, loop, list));
        continue;
      }
      auto domain = loop.getDomain().getDefiningOp<DomainOp>();
      if (!domain) {
        loop.emitOpError("expected a domain made by attn_tile.domain or "
                         "attn_tile.domain_list in the same program");
        return signalPassFailure();
      }
      BlockLoop(loop, domain, schedule, rewriter).expand();
    }
    eraseUnusedDomains(getOperation());
  }
};
} // namespace
