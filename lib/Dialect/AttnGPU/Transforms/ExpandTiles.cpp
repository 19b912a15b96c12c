//===- ExpandTiles.cpp - Which tiles a CTA takes --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUEXPANDTILESPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
class TileLoop {
public:
  TileLoop(ForTilesOp op, gpu::LaunchOp launch, IRRewriter &rewriter)
      : op(op), launch(launch), rewriter(rewriter), b(op.getLoc(), rewriter) {}

  void expandPersistent();
  void expandDynamic(RolesOp roles);

private:
  Value word(int32_t value) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  }
  Value asWord(Value index) {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  }
  void inlineBody(Block *block, Value position) {
    rewriter.inlineBlockBefore(&op.getBody().front(), block, block->end(),
                               position);
    b.setInsertionPointToEnd(block);
  }
  void leaveCounters(Value counters, Value blocks);

  ForTilesOp op;
  gpu::LaunchOp launch;
  IRRewriter &rewriter;
  ImplicitLocOpBuilder b;
};
} // namespace

/// Every so many-th tile.
void TileLoop::expandPersistent() {
  b.setInsertionPoint(op);
  auto loop = scf::ForOp::create(
      b, launch.getBlockIds().x, op.getCount(), launch.getGridSize().x,
      ValueRange(), [](OpBuilder &, Location, Value, ValueRange) {});
  inlineBody(loop.getBody(), loop.getInductionVar());
  scf::YieldOp::create(b);
  rewriter.eraseOp(op);
}

/// Each CTA begins with the tile of its number. The next ones are in the order
/// in which CTAs ask for them, and the other roles learn them from the CTA's
/// queue. The last CTA to finish leaves the counters as they were.
void TileLoop::expandDynamic(RolesOp roles) {
  bool asks = roles.getElected()[roles.getRole(op)];
  int64_t queue = *op.getQueue();
  b.setInsertionPoint(op);
  Type i32 = b.getI32Type();
  Value one = word(1), counters = op.getCounters(), blocks;
  if (asks)
    blocks = asWord(launch.getGridSize().x);
  Value count = asWord(op.getCount()), first = asWord(launch.getBlockIds().x);
  auto loop = scf::WhileOp::create(
      b, TypeRange{i32, i32}, ValueRange{first, word(0)},
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value isTile = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, carried[0], count);
        scf::ConditionOp::create(inner, loc, isTile, carried);
      },
      [](OpBuilder &, Location, ValueRange) {});
  Block *body = loop.getAfterBody();
  Value tile = body->getArgument(0), turn = body->getArgument(1);
  b.setInsertionPointToStart(body);
  Value next;
  // Early: the answer takes its time.
  if (asks)
    next = arith::AddIOp::create(
        b,
        LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, counters, one,
                                  LLVM::AtomicOrdering::monotonic, "device"),
        blocks);
  inlineBody(body, arith::IndexCastOp::create(b, b.getIndexType(), tile));
  if (asks)
    PublishTileOp::create(b, next, turn, queue);
  else
    next = NextTileOp::create(b, i32, turn, queue);
  scf::YieldOp::create(b,
                       ValueRange{next, arith::AddIOp::create(b, turn, one)});
  b.setInsertionPointAfter(loop);
  if (asks)
    leaveCounters(counters, blocks);
  rewriter.eraseOp(op);
}

void TileLoop::leaveCounters(Value counters, Value blocks) {
  Type i32 = b.getI32Type();
  Value one = word(1), zero = word(0);
  Value finished = LLVM::GEPOp::create(b, counters.getType(), i32, counters,
                                       ArrayRef<LLVM::GEPArg>{1});
  Value before =
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, finished, one,
                                LLVM::AtomicOrdering::acq_rel, "device");
  Value isLast = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before,
                                       arith::SubIOp::create(b, blocks, one));
  scf::IfOp::create(b, isLast, [&](OpBuilder &inner, Location loc) {
    for (Value counter : {counters, finished})
      LLVM::StoreOp::create(inner, loc, zero, counter, /*alignment=*/4,
                            /*isVolatile=*/true);
    scf::YieldOp::create(inner, loc);
  });
}

namespace {
struct AttnGPUExpandTilesPass
    : public attn_gpu::impl::AttnGPUExpandTilesPassBase<
          AttnGPUExpandTilesPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ForTilesOp> loops;
    getOperation()->walk([&](ForTilesOp op) { loops.push_back(op); });
    for (ForTilesOp op : loops) {
      auto launch = op->getParentOfType<gpu::LaunchOp>();
      if (!launch) {
        op.emitOpError("expected a gpu.launch around it, found none");
        return signalPassFailure();
      }
      auto roles = op->getParentOfType<RolesOp>();
      TileLoop loop(op, launch, rewriter);
      // Without roles, nobody could ask for the others.
      if (op.getCounters() && op.getQueue() && roles)
        loop.expandDynamic(roles);
      else
        loop.expandPersistent();
    }
  }
};
} // namespace
