//===- NumberSlots.cpp - Which tile of its ring an op means ---------------===//
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
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUNUMBERSLOTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {

/// Turns a skip into a loop of its own.
void expandSkip(SkipOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value one = arith::ConstantIndexOp::create(b, 1);
  scf::ForOp::create(
      b, zero, op.getCount(), one, ValueRange(),
      [&](OpBuilder &inner, Location loc, Value, ValueRange) {
        ImplicitLocOpBuilder body(loc, inner);
        if (auto warpgroups = op.getPingPong()) {
          PingPongWaitOp::create(body, *warpgroups);
          PingPongArriveOp::create(body, *warpgroups, /*initial=*/false);
        }
        SmallVector<AcquireOp> acquired;
        for (Value ring : op.getRings())
          acquired.push_back(
              AcquireOp::create(body, cast<RingType>(ring.getType()).getTile(),
                                body.getI32Type(), ring, Value()));
        // Without an MMA, nothing else keeps the warps together that wait for
        // tiles of which one thread says that they are free.
        SyncWarpgroupOp::create(body);
        for (AcquireOp acquire : acquired) {
          auto ring = acquire.getRing().getDefiningOp<RingOp>();
          ReleaseOp::create(body, acquire.getRing(), acquire.getNumber(),
                            ring && ring.getEachWarp());
        }
        scf::YieldOp::create(body);
      });
  op.erase();
}

/// Numbers the tiles of rings in the order in which a role comes to them.
class SlotNumbering {
public:
  explicit SlotNumbering(IRRewriter &rewriter) : rewriter(rewriter) {}

  /// What fills a ring and what acquires its tiles, in one program or in two.
  enum Kind : unsigned { kFills, kAcquires };
  using Sequence = std::pair<Value, unsigned>;
  /// For each, the number of its next tile.
  using Counts = llvm::MapVector<Sequence, Value>;
  void number(Block *block, Counts &counts);

  static llvm::SetVector<Sequence> getSequences(Operation *op);

private:
  static SmallVector<Value> get(Counts &counts, ArrayRef<Sequence> rings) {
    return llvm::map_to_vector(rings,
                               [&](Sequence ring) { return counts[ring]; });
  }
  static void set(Counts &counts, ArrayRef<Sequence> rings, ValueRange values) {
    for (auto [ring, value] : llvm::zip(rings, values))
      counts[ring] = value;
  }
  Value advance(Operation *op, Sequence ring, Counts &counts);
  void numberFor(scf::ForOp loop, ArrayRef<Sequence> rings, Counts &counts);
  void numberIf(scf::IfOp branch, ArrayRef<Sequence> rings, Counts &counts);
  void numberWhile(scf::WhileOp loop, ArrayRef<Sequence> rings, Counts &counts);

  IRRewriter &rewriter;
};

llvm::SetVector<SlotNumbering::Sequence>
SlotNumbering::getSequences(Operation *op) {
  llvm::SetVector<Sequence> rings;
  op->walk([&](Operation *nested) {
    if (auto fill = dyn_cast<FillOp>(nested); fill && !fill.getIndex())
      rings.insert({fill.getRing(), kFills});
    if (auto put = dyn_cast<PutOp>(nested); put && !put.getIndex())
      rings.insert({put.getRing(), kFills});
    if (auto acquire = dyn_cast<AcquireOp>(nested);
        acquire && !acquire.getIndex())
      rings.insert({acquire.getRing(), kAcquires});
  });
  return rings;
}

/// The number for `op`, and the next one from there on.
Value SlotNumbering::advance(Operation *op, Sequence ring, Counts &counts) {
  Value number = counts[ring];
  ImplicitLocOpBuilder b(op->getLoc(), op->getBlock(), ++op->getIterator());
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  counts[ring] = arith::AddIOp::create(b, number, one);
  return number;
}

void SlotNumbering::number(Block *block, Counts &counts) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto fill = dyn_cast<FillOp>(op)) {
      if (!fill.getIndex())
        fill.getIndexMutable().assign(
            advance(fill, {fill.getRing(), kFills}, counts));
    } else if (auto put = dyn_cast<PutOp>(op)) {
      if (!put.getIndex())
        put.getIndexMutable().assign(
            advance(put, {put.getRing(), kFills}, counts));
    } else if (auto acquire = dyn_cast<AcquireOp>(op)) {
      if (acquire.getIndex())
        continue;
      Value number = advance(acquire, {acquire.getRing(), kAcquires}, counts);
      acquire.getIndexMutable().assign(number);
      acquire.getNumber().replaceAllUsesWith(number);
    } else if (llvm::SetVector<Sequence> rings = getSequences(&op);
               !rings.empty()) {
      if (auto loop = dyn_cast<scf::ForOp>(op))
        numberFor(loop, rings.getArrayRef(), counts);
      else if (auto branch = dyn_cast<scf::IfOp>(op))
        numberIf(branch, rings.getArrayRef(), counts);
      else if (auto loop = dyn_cast<scf::WhileOp>(op))
        numberWhile(loop, rings.getArrayRef(), counts);
    }
  }
}

void SlotNumbering::numberFor(scf::ForOp loop, ArrayRef<Sequence> rings,
                              Counts &counts) {
  unsigned numCarried = loop.getNumRegionIterArgs();
  rewriter.setInsertionPoint(loop);
  loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, get(counts, rings), /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
        return SmallVector<Value>(carried.begin(), carried.end());
      }));
  set(counts, rings, loop.getRegionIterArgs().drop_front(numCarried));
  number(loop.getBody(), counts);
  loop.getBody()->getTerminator()->setOperands(numCarried, rings.size(),
                                               get(counts, rings));
  set(counts, rings, loop.getResults().drop_front(numCarried));
}

void SlotNumbering::numberIf(scf::IfOp branch, ArrayRef<Sequence> rings,
                             Counts &counts) {
  unsigned numResults = branch.getNumResults();
  SmallVector<Type> types(branch.getResultTypes());
  types.append(rings.size(), rewriter.getI32Type());
  rewriter.setInsertionPoint(branch);
  auto wider = scf::IfOp::create(rewriter, branch.getLoc(), types,
                                 branch.getCondition(), true);
  for (auto [from, to] : llvm::zip(branch->getRegions(), wider->getRegions())) {
    to.takeBody(from);
    Counts own = counts;
    if (to.empty()) {
      rewriter.createBlock(&to);
      scf::YieldOp::create(rewriter, branch.getLoc());
    }
    number(&to.front(), own);
    to.front().getTerminator()->insertOperands(numResults, get(own, rings));
  }
  set(counts, rings, wider.getResults().drop_front(numResults));
  rewriter.replaceOp(branch, wider.getResults().take_front(numResults));
}

/// Of a loop whose condition acquires nothing: that of tiles.
void SlotNumbering::numberWhile(scf::WhileOp loop, ArrayRef<Sequence> rings,
                                Counts &counts) {
  unsigned numResults = loop.getNumResults();
  SmallVector<Value> inits(loop.getInits());
  llvm::append_range(inits, get(counts, rings));
  SmallVector<Type> types(loop.getResultTypes());
  types.append(rings.size(), rewriter.getI32Type());
  rewriter.setInsertionPoint(loop);
  auto wider = scf::WhileOp::create(rewriter, loop.getLoc(), types, inits,
                                    nullptr, nullptr);
  wider.getBefore().takeBody(loop.getBefore());
  wider.getAfter().takeBody(loop.getAfter());
  Block *before = wider.getBeforeBody(), *after = wider.getAfterBody();
  SmallVector<Value> tested, carried;
  for (size_t i = 0; i < rings.size(); ++i) {
    tested.push_back(before->addArgument(rewriter.getI32Type(), loop.getLoc()));
    carried.push_back(after->addArgument(rewriter.getI32Type(), loop.getLoc()));
  }
  scf::ConditionOp condition = wider.getConditionOp();
  condition.getArgsMutable().append(tested);
  set(counts, rings, carried);
  number(after, counts);
  Operation *yield = after->getTerminator();
  yield->insertOperands(yield->getNumOperands(), get(counts, rings));
  set(counts, rings, wider.getResults().drop_front(numResults));
  rewriter.replaceOp(loop, wider.getResults().take_front(numResults));
}

struct AttnGPUNumberSlotsPass
    : public attn_gpu::impl::AttnGPUNumberSlotsPassBase<
          AttnGPUNumberSlotsPass> {
  void runOnOperation() override {
    getOperation()->walk(expandSkip);
    IRRewriter rewriter(&getContext());
    // Each role counts for itself; without roles, all warps do the same.
    SmallVector<Block *> programs;
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (auto roles = dyn_cast<RolesOp>(op)) {
        for (Region &body : roles.getBodies())
          programs.push_back(&body.front());
        return WalkResult::skip();
      }
      auto launch = dyn_cast<gpu::LaunchOp>(op);
      if (launch &&
          !launch.walk([](RolesOp) { return WalkResult::interrupt(); })
               .wasInterrupted())
        programs.push_back(&launch.getBody().front());
      return WalkResult::advance();
    });
    for (Block *program : programs) {
      SlotNumbering::Counts counts;
      for (SlotNumbering::Sequence ring :
           SlotNumbering::getSequences(program->getParentOp()))
        counts[ring] = Value();
      if (counts.empty())
        continue;
      if (auto roles = dyn_cast<RolesOp>(program->getParentOp()))
        rewriter.setInsertionPoint(roles);
      else
        rewriter.setInsertionPointToStart(program);
      Value zero =
          arith::ConstantOp::create(rewriter, program->getParentOp()->getLoc(),
                                    rewriter.getI32IntegerAttr(0));
      for (auto &[ring, number] : counts)
        number = zero;
      SlotNumbering(rewriter).number(program, counts);
    }
  }
};
} // namespace
