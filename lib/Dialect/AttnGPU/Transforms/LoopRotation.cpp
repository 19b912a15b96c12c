//===- LoopRotation.cpp - Loops with ops of several iterations ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopRotation.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn_gpu;

void attn_gpu::separateIndices(RewriterBase &rewriter, scf::ForOp loop,
                               ArrayRef<Operation *> ops) {
  for (Operation *root : ops) {
    BackwardSliceOptions options;
    options.filter = [&](Operation *op) {
      return op->getBlock() == loop.getBody() &&
             (op == root || isa<memref::LoadOp>(op) || isMemoryEffectFree(op));
    };
    SetVector<Operation *> slice;
    (void)getBackwardSlice(root, &slice, options);
    IRMapping mapping;
    rewriter.setInsertionPoint(root);
    for (Operation *op : slice)
      rewriter.clone(*op, mapping);
    rewriter.modifyOpInPlace(root, [&] {
      for (OpOperand &operand : root->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
  }
}

namespace {
class LoopRotation {
public:
  LoopRotation(RewriterBase &rewriter, scf::ForOp loop)
      : rewriter(rewriter), loop(loop) {}

  FailureOr<scf::ForOp> run(const StagedOps &schedule);

private:
  void guard(unsigned maxStage);
  bool hasSteps(Value first);
  FailureOr<scf::ForOp> rotate(const StagedOps &schedule);
  void shiftInductionVar(scf::ForOp kernel, unsigned maxStage);

  RewriterBase &rewriter;
  scf::ForOp loop;
};
} // namespace

bool LoopRotation::hasSteps(Value first) {
  return ValueBoundsConstraintSet::compare(
      first, ValueBoundsConstraintSet::ComparisonOperator::LT,
      loop.getUpperBound());
}

/// Puts the loop into a branch that is taken if there are at least `maxStage`
/// iterations, the number that the prologue begins. The other branch runs a
/// copy of the loop or, if `maxStage` is 1, nothing. Emits no branch if the
/// loop is known to have so many iterations.
void LoopRotation::guard(unsigned maxStage) {
  rewriter.setInsertionPoint(loop);
  Location loc = loop.getLoc();
  Value last = loop.getLowerBound();
  for (unsigned i = 1; i < maxStage; ++i)
    last = arith::AddIOp::create(rewriter, loc, last, loop.getStep());
  if (hasSteps(last))
    return;
  Value isEnough = arith::CmpIOp::create(
      rewriter, loc, arith::CmpIPredicate::slt, last, loop.getUpperBound());
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(),
                                  isEnough, /*withElseRegion=*/true);
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  if (loop.getNumResults() == 0)
    for (Block *block : {branch.thenBlock(), branch.elseBlock()})
      rewriter.eraseOp(block->getTerminator());
  rewriter.setInsertionPointToStart(branch.elseBlock());
  // With `maxStage` 1, the other branch is taken if the loop has no iteration,
  // so it only yields the loop's initial values.
  ValueRange few = loop.getInitArgs();
  if (maxStage > 1)
    few = rewriter.clone(*loop)->getResults();
  scf::YieldOp::create(rewriter, loc, few);
  rewriter.moveOpBefore(loop, branch.thenBlock(), branch.thenBlock()->begin());
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, loop.getResults());
}

/// Runs the pipeliner of MLIR's scf dialect. Inside the guard (guard()), all of
/// its predicates are true, so they are replaced by constants. Otherwise
/// results would pass through selects, and the registers of an MMA that has not
/// ended cannot be operands of a select.
FailureOr<scf::ForOp> LoopRotation::rotate(const StagedOps &schedule) {
  SetVector<Value> predicates;
  scf::PipeliningOption options;
  options.supportDynamicLoops = true;
  options.peelEpilogue = true;
  options.predicateFn = [&](RewriterBase &, Operation *op, Value predicate) {
    predicates.insert(predicate);
    return op;
  };
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &result) {
        result = schedule;
      };
  rewriter.setInsertionPoint(loop);
  FailureOr<scf::ForOp> kernel = scf::pipelineForLoop(rewriter, loop, options);
  if (failed(kernel))
    return failure();
  for (Value predicate : predicates)
    if (Operation *definition = predicate.getDefiningOp()) {
      rewriter.setInsertionPointAfter(definition);
      rewriter.replaceAllUsesWith(
          predicate, arith::ConstantOp::create(rewriter, definition->getLoc(),
                                               rewriter.getBoolAttr(true)));
    }
  return kernel;
}

/// Changes which iteration the induction variable of the pipelined loop (the
/// kernel) belongs to. scf's pipeliner lets it be the iteration of the last
/// stage. Most ops belong to the first stage, so the variable becomes the
/// iteration of the first stage, and needs no further register.
void LoopRotation::shiftInductionVar(scf::ForOp kernel, unsigned maxStage) {
  Location loc = kernel.getLoc();
  auto advance = [&](Value from) {
    for (unsigned i = 0; i < maxStage; ++i)
      from = rewriter.createOrFold<arith::AddIOp>(loc, from, kernel.getStep());
    return from;
  };
  rewriter.setInsertionPoint(kernel);
  kernel.setLowerBound(advance(kernel.getLowerBound()));
  kernel.setUpperBound(advance(kernel.getUpperBound()));
  rewriter.setInsertionPointToStart(kernel.getBody());
  Value variable = kernel.getInductionVar(), before = variable;
  Operation *last = nullptr;
  for (unsigned i = 0; i < maxStage; ++i) {
    auto difference =
        arith::SubIOp::create(rewriter, loc, before, kernel.getStep());
    before = difference;
    last = difference;
  }
  SmallPtrSet<Operation *, 2> own;
  for (Operation *op = last; op; op = op->getOperand(0).getDefiningOp())
    own.insert(op);
  rewriter.replaceUsesWithIf(variable, before, [&](OpOperand &use) {
    return !own.contains(use.getOwner());
  });
}

FailureOr<scf::ForOp> LoopRotation::run(const StagedOps &schedule) {
  unsigned maxStage = 0;
  for (auto [op, stage] : schedule)
    maxStage = std::max(maxStage, stage);
  guard(maxStage);
  FailureOr<scf::ForOp> kernel = rotate(schedule);
  if (failed(kernel))
    return loop.emitOpError("could not be pipelined: it yields a value from "
                            "outside or its own argument");
  shiftInductionVar(*kernel, maxStage);
  return kernel;
}

FailureOr<scf::ForOp> attn_gpu::rotateLoop(RewriterBase &rewriter,
                                           scf::ForOp loop,
                                           const StagedOps &schedule) {
  return LoopRotation(rewriter, loop).run(schedule);
}
