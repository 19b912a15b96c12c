//===- KernelNeeds.cpp - What a kernel will take --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/KernelNeeds.h"
#include "Exchanges.h"
#include "ReducedTiles.h"
#include "RingTiles.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

int64_t attn_gpu::countAccumulators(KernelOp kernel) {
  llvm::SetVector<Operation *> reduced;
  if (kernel.getSchedule().hasReducer())
    if (auto found = findReduced(kernel); succeeded(found))
      reduced = std::move(*found);
  return countAccumulators(kernel, reduced);
}

/// What a loop's overlap adds to the slots of its loads: the first blocks and
/// the last are copied outside of it, to a place of their own, in a loop around
/// it to several; and what two MMAs read is still read by the next iteration.
static int64_t getSlotsOfOverlap(LoadOp load, ScheduleAttr schedule) {
  if (!schedule.overlapsMmas() || !isa<ForBlocksOp>(load->getParentOp()))
    return 0;
  if (schedule.getCopy() == CopyKind::Tma)
    return 1;
  Operation *loop = load->getParentOp();
  int64_t slots =
      loop->getParentOfType<scf::ForOp>() ? schedule.getStages() : 1;
  auto isReadTwice = [](LoadOp other) {
    return llvm::count_if(getReaders(other.getResult()), llvm::IsaPred<DotOp>) >
           1;
  };
  return slots + llvm::any_of(loop->getRegion(0).getOps<LoadOp>(), isReadTwice);
}

/// What all threads copy, or the first one by TMA.
static int64_t planLoads(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  SmallVector<std::pair<RankedTensorType, int64_t>> rings;
  kernel.walk([&](LoadOp load) {
    RankedTensorType tile = load.getResult().getType();
    if (!isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
            tile.getEncoding()))
      return;
    int64_t slots = isa<scf::ForOp, ForBlocksOp>(load->getParentOp())
                        ? schedule.getStages()
                        : 1;
    int64_t more = getSlotsOfOverlap(load, schedule);
    rings.emplace_back(tile, slots);
    if (more > 0)
      rings.emplace_back(tile, more);
  });
  if (rings.empty())
    return 0;
  return planOwnRings(schedule, rings).numBytes;
}

int64_t attn_gpu::planSharedBytes(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getSchedule();
  int64_t bytes =
      schedule.hasProducer() ? kernel.getSharedBytes() : planLoads(kernel);
  // What passes through rings to a reducer has its place in them.
  return getEndOfExchanges(kernel, schedule, SmallPtrSet<Operation *, 1>(),
                           bytes);
}
