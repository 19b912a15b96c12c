//===- DelayFills.cpp - Copies to slots that outputs still take -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUDELAYFILLSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

static bool hasFills(Operation *op) {
  return op->walk([](FillOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether an iteration has loops: it may copy more than there are slots for,
/// which would be free only when the delayed copy has come.
static bool hasInnerLoop(scf::ForOp loop) {
  return loop.getBody()
      ->walk([](LoopLikeOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Runs the loop's first iteration, if there is one, before it.
static void peelFirst(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Value lower = loop.getLowerBound();
  Value isStep = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lower,
                                       loop.getUpperBound());
  auto first = scf::IfOp::create(
      b, isStep,
      [&](OpBuilder &inner, Location loc) {
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), lower);
        mapping.map(loop.getRegionIterArgs(), loop.getInitArgs());
        for (Operation &op : *loop.getBody())
          inner.clone(op, mapping);
      },
      [&](OpBuilder &inner, Location loc) {
        scf::YieldOp::create(inner, loc, loop.getInitArgs());
      });
  loop.setLowerBound(arith::AddIOp::create(b, lower, loop.getStep()));
  loop.getInitArgsMutable().assign(first.getResults());
}

/// The copy that the block begins with, if it is not in a loop or a branch.
static FillOp getFirstFill(Block *block) {
  for (Operation &op : *block)
    if (hasFills(&op))
      return dyn_cast<FillOp>(op);
  return FillOp();
}

/// Moves the copy behind the one after it, of which a branch or a loop's first
/// iteration may be the place.
static void delay(FillOp fill, bool prefetches) {
  Operation *next = fill->getNextNode();
  while (next && !hasFills(next))
    next = next->getNextNode();
  if (!next)
    return;
  auto first = dyn_cast<FillOp>(next);
  if (auto branch = dyn_cast<scf::IfOp>(next)) {
    first = getFirstFill(branch.thenBlock());
    if (!first || !branch.elseBlock())
      return;
    OpBuilder::atBlockBegin(branch.elseBlock()).clone(*fill);
  }
  if (first) {
    fill->moveAfter(first);
  } else if (auto loop = dyn_cast<scf::ForOp>(next);
             loop && !hasInnerLoop(loop)) {
    peelFirst(loop);
    fill->moveBefore(loop);
  } else {
    return;
  }
  // Short tiles need the way to memory for their keys.
  if (prefetches && !fill.isByThreads()) {
    OpBuilder b(fill);
    PrefetchOp::create(b, fill.getLoc(), fill.getRing(), fill.getMaps(),
                       fill.getCoordinates(), fill.getParts());
  }
}

namespace {
struct AttnGPUDelayFillsPass
    : public attn_gpu::impl::AttnGPUDelayFillsPassBase<AttnGPUDelayFillsPass> {
  void runOnOperation() override {
    auto visit = [](KernelOp kernel, ScheduleAttr schedule,
                    const attn::Chip &) {
      SmallVector<FillOp> fills;
      kernel.walk([&](FillOp fill) {
        if (auto ring = fill.getRing().getDefiningOp<RingOp>();
            ring && ring.getOverlaid())
          fills.push_back(fill);
      });
      for (FillOp fill : fills)
        delay(fill, schedule.getScheduler() == SchedulerKind::Persistent);
      return success();
    };
    if (failed(walkKernels(getOperation(), visit)))
      signalPassFailure();
  }
};
} // namespace
