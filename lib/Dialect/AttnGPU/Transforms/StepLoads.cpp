//===- StepLoads.cpp - Loads for other steps of a loop --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StepLoads.h"
#include "RepeatableOps.h"
#include "RingTiles.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

bool attn_gpu::takeArithmetic(Value value, scf::ForOp loop,
                              SetVector<Operation *> &ops) {
  if (value == loop.getInductionVar() || loop.isDefinedOutsideOfLoop(value))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody() || op->getNumRegions() > 0 ||
      !isRepeatable(op, loop->getParentOfType<KernelOp>()) ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return takeArithmetic(operand, loop, ops);
      }))
    return false;
  ops.insert(op);
  return true;
}

/// Returns the indices of a load. If the load takes its rows from a list, the
/// position of the first entry that it reads is added to them.
static SmallVector<Value> getPositions(LoadOp load) {
  SmallVector<Value> positions(load.getIndices());
  if (load.isListed())
    positions.push_back(load.getEntry());
  return positions;
}

static bool dependsOnStepAlone(LoadOp load, scf::ForOp loop) {
  auto isOutside = [&](Value view) {
    return loop.isDefinedOutsideOfLoop(view);
  };
  // The entries of a list of rows that the kernel writes, or that is defined in
  // the loop, are not known iterations ahead.
  if (load.isListed() &&
      (!isOutside(load.getList()) ||
       isWritten(load.getList(), loop->getParentOfType<KernelOp>())))
    return false;
  SetVector<Operation *> arithmetic;
  return llvm::all_of(load.getSources(), isOutside) &&
         llvm::all_of(getPositions(load), [&](Value position) {
           return takeArithmetic(position, loop, arithmetic);
         });
}

SetVector<Operation *> attn_gpu::getIndexArithmetic(LoadOp load,
                                                    scf::ForOp loop) {
  SetVector<Operation *> arithmetic;
  for (Value position : getPositions(load))
    takeArithmetic(position, loop, arithmetic);
  return arithmetic;
}

IRMapping attn_gpu::cloneForStep(OpBuilder &b,
                                 const SetVector<Operation *> &arithmetic,
                                 scf::ForOp loop, Value position) {
  IRMapping mapping;
  mapping.map(loop.getInductionVar(), position);
  for (Operation *op : arithmetic)
    b.clone(*op, mapping);
  return mapping;
}

SharedLoads::SharedLoads(KernelOp kernel) {
  kernel.walk([&](LoadOp load) {
    if (!isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
            load.getResult().getType().getEncoding()))
      return;
    Operation *parent = load->getParentOp();
    auto loop = dyn_cast<scf::ForOp>(parent);
    if (isa<ForBlocksOp>(parent) || (loop && dependsOnStepAlone(load, loop)))
      inLoops[parent].push_back(load);
    else
      single.push_back(load);
  });
}

/// Whether an iteration of the loop reads a tile that the iteration before has
/// loaded. In an scf.for, this is so if the loop yields a loaded tile. In a
/// loop over blocks that is not expanded yet, it is assumed if several MMAs
/// read a tile, since overlap may move some of them to the next iteration.
static bool readsInNextStep(Operation *loop, ArrayRef<LoadOp> loads) {
  return llvm::any_of(loads, [&](LoadOp load) {
    if (isa<ForBlocksOp>(loop))
      return llvm::count_if(getReaders(load.getResult()),
                            llvm::IsaPred<DotOp>) > 1;
    return llvm::is_contained(load->getUsers(),
                              loop->getRegion(0).front().getTerminator());
  });
}

/// Returns the number of slots that overlap will add for a load in a loop over
/// blocks, 0 without overlap. Overlap moves the copies for the first and last
/// blocks out of the loop. Outside, they get one slot or, if there is a loop
/// around, a ring of that loop with all stages. A tile that the next iteration
/// reads takes one slot more. TMA needs only one slot in all cases, since it
/// waits until the slot is free.
static int64_t getSlotsOfOverlap(Operation *blocks, ScheduleAttr schedule,
                                 bool isReadInNextStep) {
  if (!schedule.overlapsMmas())
    return 0;
  if (schedule.getCopy() == CopyKind::Tma)
    return 1;
  bool isInLoop = blocks->getParentOfType<scf::ForOp>() != nullptr;
  return (isInLoop ? schedule.getStages() : 1) + isReadInNextStep;
}

RingPlan SharedLoads::plan(ScheduleAttr schedule, bool isEstimate) const {
  SmallVector<std::pair<RankedTensorType, int64_t>> rings;
  for (LoadOp load : single) {
    bool isLoops = isEstimate && isa<scf::ForOp>(load->getParentOp());
    rings.emplace_back(load.getResult().getType(),
                       isLoops ? schedule.getStages() : 1);
  }
  for (auto &[loop, loads] : inLoops) {
    bool isKept = readsInNextStep(loop, loads);
    int64_t stages = schedule.getStages();
    for (LoadOp load : loads) {
      RankedTensorType tile = load.getResult().getType();
      if (isa<scf::ForOp>(loop)) {
        rings.emplace_back(tile, stages + isKept);
        continue;
      }
      rings.emplace_back(tile, stages);
      if (int64_t slots = getSlotsOfOverlap(loop, schedule, isKept))
        rings.emplace_back(tile, slots);
    }
  }
  return planOwnRings(schedule, rings);
}
