//===- OverlapProducts.cpp - Softmax beside a product
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step of the online softmax makes scores, weights and at last the product of
// the weights with the values. Here each step but the first does the last
// product of the step before it, while its own weights are made:
//
//   scores(0), weights(0)
//   for j from 1: start scores(j); start product(j - 1); wait for the scores;
//                 weights(j); wait for the product; rescale(j)
//   product(last)
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNOVERLAPPRODUCTSPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

namespace {

class LoopOverlap {
public:
  /// `turns` is the number of warpgroups that take turns, or 0.
  LoopOverlap(scf::ForOp loop, int64_t turns) : loop(loop), turns(turns) {}

  /// Finds the parts of a step; false if the loop is not of this form.
  bool match();
  void rewrite();

private:
  /// Emits a step up to its weights; the mapping has its results. Between the
  /// begin of the scores' product and the wait for it, `meanwhile` is called.
  void emitWeights(ImplicitLocOpBuilder &b, IRMapping &mapping,
                   llvm::function_ref<void()> meanwhile);
  /// Emits what a step does with the accumulator before its product.
  Value emitRescale(ImplicitLocOpBuilder &b, IRMapping mapping, Value acc);
  /// Loads the values of the step at `position`.
  Value emitLoad(ImplicitLocOpBuilder &b, Value position);
  SmallVector<Value> emitAll(ImplicitLocOpBuilder &b);
  bool hasSteps();

  scf::ForOp loop;
  int64_t turns;
  /// The product of the scores, and that of the weights with the values.
  DotOp scores, product;
  LoadOp load;
  /// The number of the accumulator among the carried values.
  unsigned accumulator = 0;
  /// Ops that depend on the carried accumulator, but for the product.
  SetVector<Operation *> rescale;
};

bool LoopOverlap::match() {
  SmallVector<DotOp> dots(loop.getBody()->getOps<DotOp>());
  if (dots.size() != 2 || dots[1].getTransposeRhs() ||
      dots[1].getTransposeLhs())
    return false;
  scores = dots[0];
  product = dots[1];
  load = product.getRhs().getDefiningOp<LoadOp>();
  if (!load || load->getBlock() != loop.getBody() || !load->hasOneUse() ||
      !product->hasOneUse())
    return false;

  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  OpOperand &use = *product->getUses().begin();
  if (use.getOwner() != yield)
    return false;
  accumulator = use.getOperandNumber();

  // What depends on the accumulator leads to the product alone.
  SmallVector<Value> worklist = {loop.getRegionIterArgs()[accumulator]};
  while (!worklist.empty()) {
    for (OpOperand &user : worklist.pop_back_val().getUses()) {
      Operation *op = loop.getBody()->findAncestorOpInBlock(*user.getOwner());
      if (op == product && user.get() == product.getAccumulator())
        continue;
      if (!isMemoryEffectFree(op) || op == product || op == scores ||
          op->hasTrait<OpTrait::IsTerminator>())
        return false;
      if (rescale.insert(op))
        llvm::append_range(worklist, op->getResults());
    }
  }
  return true;
}

void LoopOverlap::emitWeights(ImplicitLocOpBuilder &b, IRMapping &mapping,
                              llvm::function_ref<void()> meanwhile) {
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == product || &op == load || rescale.contains(&op))
      continue;
    if (&op != scores || !meanwhile) {
      b.clone(op, mapping);
      continue;
    }
    if (turns)
      TakeTurnOp::create(b, turns);
    Value started =
        DotStartOp::create(b, scores.getResult().getType(),
                           mapping.lookupOrDefault(scores.getLhs()),
                           mapping.lookupOrDefault(scores.getRhs()),
                           mapping.lookupOrDefault(scores.getAccumulator()),
                           scores.getTransposeRhsAttr());
    meanwhile();
    if (turns)
      PassTurnOp::create(b, turns, /*initial=*/false);
    mapping.map(
        scores.getResult(),
        DotWaitOp::create(b, started.getType(), b.getI64IntegerAttr(1), started)
            .getResult());
  }
}

Value LoopOverlap::emitRescale(ImplicitLocOpBuilder &b, IRMapping mapping,
                               Value acc) {
  mapping.map(loop.getRegionIterArgs()[accumulator], acc);
  for (Operation &op : loop.getBody()->without_terminator())
    if (rescale.contains(&op))
      b.clone(op, mapping);
  return mapping.lookupOrDefault(product.getAccumulator());
}

Value LoopOverlap::emitLoad(ImplicitLocOpBuilder &b, Value position) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), position);
  return b.clone(*load, mapping)->getResult(0);
}

SmallVector<Value> LoopOverlap::emitAll(ImplicitLocOpBuilder &b) {
  auto yield = cast<scf::YieldOp>(loop.getBody()->getTerminator());
  unsigned numCarried = loop.getNumRegionIterArgs();
  /// The values that a step passes on: the rescaled accumulator among the
  /// carried ones, and the weights.
  auto getNext = [&](IRMapping &mapping, Value scaled) {
    SmallVector<Value> next;
    for (auto [i, value] : llvm::enumerate(yield.getOperands()))
      next.push_back(i == accumulator ? scaled
                                      : mapping.lookupOrDefault(value));
    next.push_back(mapping.lookupOrDefault(product.getLhs()));
    return next;
  };

  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  emitWeights(b, first, nullptr);
  // Nothing need not be rescaled.
  Value acc = loop.getInitArgs()[accumulator];
  SmallVector<Value> initial = getNext(
      first,
      matchPattern(acc, m_AnyZeroFloat()) ? acc : emitRescale(b, first, acc));

  Value second = arith::AddIOp::create(b, loop.getLowerBound(), loop.getStep());
  auto rotated = scf::ForOp::create(
      b, second, loop.getUpperBound(), loop.getStep(), initial,
      [&](OpBuilder &inner, Location loc, Value position, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, inner);
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), position);
        mapping.map(loop.getRegionIterArgs(), carried.take_front(numCarried));
        Value started;
        emitWeights(body, mapping, [&] {
          Value before = arith::SubIOp::create(body, position, loop.getStep());
          started = DotStartOp::create(
              body, product.getResult().getType(), carried[numCarried],
              emitLoad(body, before), carried[accumulator],
              product.getTransposeRhsAttr());
        });
        Value acc = DotWaitOp::create(body, started.getType(),
                                      body.getI64IntegerAttr(0), started);
        scf::YieldOp::create(body,
                             getNext(mapping, emitRescale(body, mapping, acc)));
      });

  // The last position: the first and a number of steps.
  Value one = arith::ConstantIndexOp::create(b, 1);
  Value length = arith::SubIOp::create(
      b, arith::SubIOp::create(b, loop.getUpperBound(), loop.getLowerBound()),
      one);
  Value last = arith::AddIOp::create(
      b, loop.getLowerBound(),
      arith::MulIOp::create(b,
                            arith::DivUIOp::create(b, length, loop.getStep()),
                            loop.getStep()));
  SmallVector<Value> results(rotated.getResults().take_front(numCarried));
  results[accumulator] = DotOp::create(
      b, product.getResult().getType(), rotated.getResult(numCarried),
      emitLoad(b, last), rotated.getResult(accumulator), UnitAttr(),
      product.getTransposeRhsAttr());
  return results;
}

bool LoopOverlap::hasSteps() {
  return ValueBoundsConstraintSet::compare(
      loop.getLowerBound(), ValueBoundsConstraintSet::ComparisonOperator::LT,
      loop.getUpperBound());
}

void LoopOverlap::rewrite() {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  if (hasSteps()) {
    loop.replaceAllUsesWith(emitAll(b));
    loop.erase();
    return;
  }
  Value isStep = arith::CmpIOp::create(
      b, arith::CmpIPredicate::slt, loop.getLowerBound(), loop.getUpperBound());
  auto guard = scf::IfOp::create(b, loop.getResultTypes(), isStep,
                                 /*withElseRegion=*/true);
  b.setInsertionPointToStart(guard.thenBlock());
  scf::YieldOp::create(b, emitAll(b));
  b.setInsertionPointToStart(guard.elseBlock());
  scf::YieldOp::create(b, loop.getInitArgs());
  loop.replaceAllUsesWith(guard.getResults());
  loop.erase();
}

struct AttnOverlapProductsPass
    : public attn_tile::impl::AttnOverlapProductsPassBase<
          AttnOverlapProductsPass> {
  void runOnOperation() override {
    SmallVector<LoopOverlap> loops;
    getOperation()->walk([&](gpu::LaunchOp launch) {
      auto schedule =
          launch->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      if (schedule && schedule.getAccess() == attn::Access::Tma &&
          schedule.getOverlap())
        launch.walk([&](scf::ForOp loop) {
          loops.emplace_back(
              loop, schedule.getPingPong() ? schedule.getWarps() / 4 : 0);
        });
    });
    for (LoopOverlap &overlap : loops)
      if (overlap.match())
        overlap.rewrite();
  }
};

} // namespace
