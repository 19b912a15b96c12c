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

#include "mlir/Analysis/SliceAnalysis.h"
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
  void findReference();
  /// Begins the product of the step before.
  using StartProduct = llvm::function_ref<Value()>;
  /// Emits a step up to its weights; the mapping has its results. Between the
  /// begin of the scores' product and the wait for it, `startProduct` is
  /// called. Returns that product with what the step does with it, if it is
  /// called.
  Value emitWeights(ImplicitLocOpBuilder &b, IRMapping &mapping,
                    StartProduct startProduct);
  Value emitReference(ImplicitLocOpBuilder &b, IRMapping &mapping,
                      Value started);
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
  /// A branch and the one that rescales the accumulator, of the same condition,
  /// or null.
  scf::IfOp reference, branch;
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
  findReference();
  return true;
}

/// The branch of the same condition before the one that rescales, from which
/// that one takes all that it does not take from before both.
void LoopOverlap::findReference() {
  if (rescale.size() != 1 || !(branch = dyn_cast<scf::IfOp>(rescale[0])))
    return;
  for (Operation *user : branch.getCondition().getUsers())
    if (auto other = dyn_cast<scf::IfOp>(user);
        other && other != branch && other->getBlock() == loop.getBody() &&
        other->isBeforeInBlock(branch))
      reference = other;
  branch.walk([&](Operation *op) {
    for (Value operand : op->getOperands()) {
      Operation *source = operand.getDefiningOp();
      if (reference && source && source->getBlock() == loop.getBody() &&
          source != reference && !source->isBeforeInBlock(reference))
        reference = nullptr;
    }
  });
}

static Value waitFor(ImplicitLocOpBuilder &b, Value started, int64_t newer) {
  return DotWaitOp::create(b, started.getType(), b.getI64IntegerAttr(newer),
                           started);
}

/// Emits both branches as one, which waits for the accumulator if it rescales
/// it. A branch that does nothing but rescale would be done by predicates,
/// which takes the time of the multiplications in each step.
Value LoopOverlap::emitReference(ImplicitLocOpBuilder &b, IRMapping &mapping,
                                 Value started) {
  SmallVector<Type> types(reference.getResultTypes());
  types.push_back(started.getType());
  auto emit = [&](Block *source, Block *rescaling) {
    return [&, source, rescaling](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder body(loc, inner);
      IRMapping own = mapping;
      bool rescales = rescaling == branch.thenBlock();
      own.map(loop.getRegionIterArgs()[accumulator],
              rescales ? waitFor(body, started, 0) : started);
      for (Operation &op : source->without_terminator())
        body.clone(op, own);
      auto results = llvm::map_to_vector(
          source->getTerminator()->getOperands(),
          [&](Value value) { return own.lookupOrDefault(value); });
      own.map(reference.getResults(), results);
      for (Operation &op : rescaling->without_terminator())
        body.clone(op, own);
      results.push_back(
          own.lookupOrDefault(rescaling->getTerminator()->getOperand(0)));
      scf::YieldOp::create(body, results);
    };
  };
  auto both =
      scf::IfOp::create(b, mapping.lookupOrDefault(reference.getCondition()),
                        emit(reference.thenBlock(), branch.thenBlock()),
                        emit(reference.elseBlock(), branch.elseBlock()));
  mapping.map(reference.getResults(),
              both.getResults().take_front(reference.getNumResults()));
  return waitFor(b, both.getResults().back(), 0);
}

Value LoopOverlap::emitWeights(ImplicitLocOpBuilder &b, IRMapping &mapping,
                               StartProduct startProduct) {
  Value productBefore, result;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (&op == product || &op == load || rescale.contains(&op))
      continue;
    if (productBefore && &op == reference) {
      result = emitReference(b, mapping, productBefore);
      continue;
    }
    if (&op != scores || !startProduct) {
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
    productBefore = startProduct();
    if (turns)
      PassTurnOp::create(b, turns, /*initial=*/false);
    mapping.map(scores.getResult(), waitFor(b, started, 1));
  }
  if (productBefore && !result)
    result = emitRescale(b, mapping, waitFor(b, productBefore, 0));
  return result;
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
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody();
  };
  options.inclusive = true;
  SetVector<Operation *> slice;
  [[maybe_unused]] LogicalResult found =
      getBackwardSlice(load.getOperation(), &slice, options);
  for (Operation *op : slice)
    b.clone(*op, mapping);
  return mapping.lookup(load.getResult());
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
        Value scaled = emitWeights(body, mapping, [&]() -> Value {
          Value before = arith::SubIOp::create(body, position, loop.getStep());
          return DotStartOp::create(body, product.getResult().getType(),
                                    carried[numCarried], emitLoad(body, before),
                                    carried[accumulator],
                                    product.getTransposeRhsAttr());
        });
        scf::YieldOp::create(body, getNext(mapping, scaled));
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
    getOperation()->walk([&](gpu::LaunchOp launch) {
      auto schedule =
          launch->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      if (schedule && schedule.getAccess() == attn::Access::Tma &&
          schedule.getOverlap())
        overlap(launch, schedule.getPingPong() ? schedule.getWarps() / 4 : 0);
      return WalkResult::skip();
    });
  }

private:
  static void overlap(gpu::LaunchOp launch, int64_t turns) {
    SmallVector<scf::ForOp> loops;
    launch.walk([&](scf::ForOp loop) { loops.push_back(loop); });
    bool takesTurns = false;
    for (scf::ForOp loop : loops) {
      LoopOverlap candidate(loop, turns);
      if (!candidate.match())
        continue;
      candidate.rewrite();
      takesTurns = turns > 0;
    }
    if (!takesTurns)
      return;
    // Steps that a warpgroup leaves out are turns all the same.
    launch.walk([&](scf::ForOp loop) {
      if (loop.getBody()->getOps<DiscardOp>().empty())
        return;
      auto b =
          ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
      TakeTurnOp::create(b, turns);
      PassTurnOp::create(b, turns, /*initial=*/false);
    });
  }
};

} // namespace
