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
//                 mask(j); wait for the product; weights(j); rescale(j)
//   product(last)
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUOVERLAPPRODUCTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
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
  /// Begins the product of the step before.
  using StartProduct = llvm::function_ref<Value()>;
  /// Emits a step up to its product; the mapping has its results. Between the
  /// begin of the scores' product and the wait for it, `startProduct` is
  /// called, and its result is the step's accumulator.
  void emitStep(ImplicitLocOpBuilder &b, IRMapping &mapping,
                StartProduct startProduct);
  /// Loads the values of the step at `position`.
  Value emitLoad(ImplicitLocOpBuilder &b, Value position);
  SmallVector<Value> emitAll(ImplicitLocOpBuilder &b);
  bool hasSteps();
  /// Whether `op` asks if a step is the first.
  bool isFirstStep(Operation &op) {
    auto compare = dyn_cast<arith::CmpIOp>(op);
    return compare && compare.getPredicate() == arith::CmpIPredicate::eq &&
           compare.getLhs() == loop.getInductionVar() &&
           compare.getRhs() == loop.getLowerBound();
  }

  scf::ForOp loop;
  int64_t turns;
  /// The product of the scores, and that of the weights with the values.
  DotOp scores, product;
  LoadOp load;
  /// The number of the accumulator among the carried values.
  unsigned accumulator = 0;
  /// The first op that needs the step before: it waits for its product.
  Operation *firstOfWeights = nullptr;
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

  // What comes before the recurrence, the score region and the mask, needs
  // nothing of the step before. The weights may not be written before the wait:
  // the product reads registers, which the assembler would keep apart by doing
  // one product after the other.
  auto usesCarried = [&](Operation &op) {
    return llvm::any_of(loop.getRegionIterArgs(), [&](Value carried) {
      return llvm::any_of(carried.getUsers(),
                          [&](Operation *user) { return op.isAncestor(user); });
    });
  };
  auto body = llvm::make_range(loop.getBody()->begin(), product->getIterator());
  auto first = llvm::find_if(body, usesCarried);
  firstOfWeights = first == body.end() ? product : &*first;
  return scores->isBeforeInBlock(firstOfWeights);
}

static Value waitFor(ImplicitLocOpBuilder &b, Value started, int64_t newer) {
  return MmaWaitOp::create(b, started.getType(), b.getI64IntegerAttr(newer),
                           started);
}

void LoopOverlap::emitStep(ImplicitLocOpBuilder &b, IRMapping &mapping,
                           StartProduct startProduct) {
  Value productBefore;
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (startProduct && &op == firstOfWeights)
      mapping.map(loop.getRegionIterArgs()[accumulator],
                  waitFor(b, productBefore, 0));
    if (&op == product || &op == load)
      continue;
    if (startProduct && isFirstStep(op)) {
      mapping.map(op.getResult(0),
                  arith::ConstantIntOp::create(b, b.getI1Type(), 0));
      continue;
    }
    if (&op != scores || !startProduct) {
      b.clone(op, mapping);
      continue;
    }
    if (turns)
      PingPongWaitOp::create(b, turns);
    Value started =
        MmaOp::create(b, scores.getResult().getType(),
                      mapping.lookupOrDefault(scores.getLhs()),
                      mapping.lookupOrDefault(scores.getRhs()),
                      mapping.lookupOrDefault(scores.getAccumulator()),
                      scores.getTransposeRhsAttr());
    productBefore = startProduct();
    if (turns)
      PingPongArriveOp::create(b, turns, /*initial=*/false);
    mapping.map(scores.getResult(), waitFor(b, started, 1));
  }
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
  auto getNext = [&](IRMapping &mapping) {
    SmallVector<Value> next;
    for (auto [i, value] : llvm::enumerate(yield.getOperands()))
      next.push_back(mapping.lookupOrDefault(
          i == accumulator ? product.getAccumulator() : value));
    next.push_back(mapping.lookupOrDefault(product.getLhs()));
    return next;
  };

  IRMapping first;
  first.map(loop.getInductionVar(), loop.getLowerBound());
  first.map(loop.getRegionIterArgs(), loop.getInitArgs());
  emitStep(b, first, nullptr);
  SmallVector<Value> initial = getNext(first);
  Value second = arith::AddIOp::create(b, loop.getLowerBound(), loop.getStep());
  auto rotated = scf::ForOp::create(
      b, second, loop.getUpperBound(), loop.getStep(), initial,
      [&](OpBuilder &inner, Location loc, Value position, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, inner);
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), position);
        mapping.map(loop.getRegionIterArgs(), carried.take_front(numCarried));
        emitStep(body, mapping, [&]() -> Value {
          Value before = arith::SubIOp::create(body, position, loop.getStep());
          return MmaOp::create(body, product.getResult().getType(),
                               carried[numCarried], emitLoad(body, before),
                               carried[accumulator],
                               product.getTransposeRhsAttr());
        });
        scf::YieldOp::create(body, getNext(mapping));
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

struct AttnGPUOverlapProductsPass
    : public attn_gpu::impl::AttnGPUOverlapProductsPassBase<
          AttnGPUOverlapProductsPass> {
  void runOnOperation() override {
    auto visit = [](gpu::LaunchOp launch, ScheduleAttr schedule,
                    const attn::Chip &) {
      if (schedule.getOverlap())
        overlap(launch,
                schedule.getPingPong() ? schedule.getNumConsumers() : 0);
      return success();
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
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
      PingPongWaitOp::create(b, turns);
      PingPongArriveOp::create(b, turns, /*initial=*/false);
    });
  }
};

} // namespace
