//===- Pipeline.cpp - MMAs of one iteration beside the softmax of the next
//-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINEPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class LoopPipeliner {
public:
  /// `warpgroups` is the number of those that ping-pong, or 0.
  LoopPipeliner(scf::ForOp loop, int64_t warpgroups, IRRewriter &rewriter)
      : loop(loop), warpgroups(warpgroups), rewriter(rewriter) {}

  /// Null if there is nothing to overlap, which a remark explains.
  FailureOr<scf::ForOp> run();

private:
  void separateLoads();
  LogicalResult splitDots();
  void guard(unsigned maxStage);
  bool hasSteps(Value first);
  FailureOr<scf::ForOp>
  rotate(std::vector<std::pair<Operation *, unsigned>> schedule);
  static void shiftInductionVar(RewriterBase &rewriter, scf::ForOp kernel,
                                unsigned maxStage);
  static void setPending(Block *block);
  void addPingPong(scf::ForOp kernel);

  scf::ForOp loop;
  int64_t warpgroups;
  IRRewriter &rewriter;
};

/// Gives each load its own index arithmetic, reads of positions included, which
/// kernels do not write: it moves to the load's stage.
void LoopPipeliner::separateLoads() {
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) {
    return op->getBlock() == loop.getBody() &&
           (isa<LoadOp, memref::LoadOp>(op) || isMemoryEffectFree(op));
  };
  for (LoadOp load : llvm::to_vector(loop.getBody()->getOps<LoadOp>())) {
    SetVector<Operation *> slice;
    (void)getBackwardSlice(load.getOperation(), &slice, options);
    IRMapping mapping;
    rewriter.setInsertionPoint(load);
    for (Operation *op : slice)
      rewriter.clone(*op, mapping);
    rewriter.modifyOpInPlace(load, [&] {
      for (OpOperand &operand : load->getOpOperands())
        operand.set(mapping.lookupOrDefault(operand.get()));
    });
  }
}

LogicalResult LoopPipeliner::splitDots() {
  for (DotOp dot : llvm::to_vector(loop.getBody()->getOps<DotOp>())) {
    rewriter.setInsertionPoint(dot);
    Type type = dot.getResult().getType();
    Value issued =
        MmaOp::create(rewriter, dot.getLoc(), type, dot.getLhs(), dot.getRhs(),
                      dot.getAccumulator(), dot.getTransposeRhsAttr());
    rewriter.replaceOpWithNewOp<MmaWaitOp>(
        dot, type, rewriter.getI64IntegerAttr(0), issued);
  }
  return success();
}

bool LoopPipeliner::hasSteps(Value first) {
  return ValueBoundsConstraintSet::compare(
      first, ValueBoundsConstraintSet::ComparisonOperator::LT,
      loop.getUpperBound());
}

/// Puts the loop into a branch that is taken where there are as many iterations
/// as stages that run before the kernel.
void LoopPipeliner::guard(unsigned maxStage) {
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
  // With fewer iterations than one there is nothing to do.
  ValueRange few = loop.getInitArgs();
  if (maxStage > 1)
    few = rewriter.clone(*loop)->getResults();
  scf::YieldOp::create(rewriter, loc, few);
  rewriter.moveOpBefore(loop, branch.thenBlock(), branch.thenBlock()->begin());
  rewriter.setInsertionPointToEnd(branch.thenBlock());
  scf::YieldOp::create(rewriter, loc, loop.getResults());
}

/// Runs upstream's pipeliner, whose predicates all hold behind the guard: an
/// MMA's registers could not pass through a select.
FailureOr<scf::ForOp>
LoopPipeliner::rotate(std::vector<std::pair<Operation *, unsigned>> schedule) {
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

/// Upstream's kernel counts the iterations of the last stage. That of the first
/// is what most of the kernel is of, and needs no further register.
void LoopPipeliner::shiftInductionVar(RewriterBase &rewriter, scf::ForOp kernel,
                                      unsigned maxStage) {
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

/// A wait leaves as many MMAs unfinished as were issued after its own.
void LoopPipeliner::setPending(Block *block) {
  for (MmaWaitOp wait : block->getOps<MmaWaitOp>()) {
    auto mma = wait.getProduct().getDefiningOp<MmaOp>();
    if (!mma || mma->getBlock() != block)
      continue;
    int64_t pending = 0;
    for (Operation *op = mma->getNextNode(); op != wait; op = op->getNextNode())
      pending += isa<MmaOp>(op);
    wait.setPending(pending);
  }
}

/// One warpgroup at a time issues the MMAs of its kernel.
void LoopPipeliner::addPingPong(scf::ForOp kernel) {
  MmaOp first, last;
  for (MmaOp mma : kernel.getBody()->getOps<MmaOp>()) {
    if (!first)
      first = mma;
    last = mma;
  }
  rewriter.setInsertionPoint(first);
  PingPongWaitOp::create(rewriter, first.getLoc(), warpgroups);
  rewriter.setInsertionPointAfter(last);
  PingPongArriveOp::create(rewriter, last.getLoc(), warpgroups,
                           /*initial=*/false);
}

FailureOr<scf::ForOp> LoopPipeliner::run() {
  if (llvm::any_of(loop.getBody()->getOps<DotOp>(),
                   [](DotOp dot) { return dot.getTransposeLhs(); })) {
    loop.emitRemark("no overlap: an MMA's left operand is transposed");
    return scf::ForOp();
  }
  separateLoads();
  if (failed(splitDots()))
    return failure();
  SmallVector<MmaStage> mmas = getOverlap(loop);
  if (mmas.empty()) {
    loop.emitRemark(
        "no overlap: no MMA of the loop can run beside what another "
        "needs");
    return scf::ForOp();
  }
  auto schedule = getStages(loop, mmas);
  if (failed(schedule))
    return failure();
  unsigned maxStage = 0;
  for (auto [op, stage] : *schedule)
    maxStage = std::max(maxStage, stage);
  guard(maxStage);
  Block *around = loop->getBlock();
  FailureOr<scf::ForOp> kernel = rotate(std::move(*schedule));
  if (failed(kernel)) {
    loop.emitOpError(
        "could not be pipelined: it yields a value from outside or "
        "its own argument");
    return failure();
  }
  shiftInductionVar(rewriter, *kernel, maxStage);
  setPending(around);
  setPending(kernel->getBody());
  if (warpgroups)
    addPingPong(*kernel);
  return kernel;
}

struct AttnGPUPipelinePass
    : public attn_gpu::impl::AttnGPUPipelinePassBase<AttnGPUPipelinePass> {
  void runOnOperation() override {
    auto visit = [&](gpu::LaunchOp launch, ScheduleAttr schedule,
                     const attn::Chip &) {
      if (!schedule.getOverlap())
        return success();
      return pipeline(launch,
                      schedule.getPingPong() ? schedule.getNumConsumers() : 0);
    };
    if (failed(walkLaunches(getOperation(), visit)))
      signalPassFailure();
  }

private:
  LogicalResult pipeline(gpu::LaunchOp launch, int64_t warpgroups) {
    IRRewriter rewriter(&getContext());
    SmallVector<scf::ForOp> loops;
    launch.walk([&](scf::ForOp loop) {
      if (!loop.getBody()->getOps<DotOp>().empty())
        loops.push_back(loop);
    });
    bool pingPongs = false;
    for (scf::ForOp loop : loops) {
      FailureOr<scf::ForOp> kernel =
          LoopPipeliner(loop, warpgroups, rewriter).run();
      if (failed(kernel))
        return failure();
      pingPongs |= *kernel && warpgroups > 0;
    }
    if (!pingPongs)
      return success();
    // Blocks that a warpgroup leaves out are turns all the same.
    launch.walk([&](scf::ForOp loop) {
      if (loop.getBody()->getOps<DiscardOp>().empty())
        return;
      auto b =
          ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
      PingPongWaitOp::create(b, warpgroups);
      PingPongArriveOp::create(b, warpgroups, /*initial=*/false);
    });
    return success();
  }
};

} // namespace
