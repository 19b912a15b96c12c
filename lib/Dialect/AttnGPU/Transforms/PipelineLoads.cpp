//===- PipelineLoads.cpp - Copies ahead of their use ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"
#include "RingLoads.h"
#include "StepLoads.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUPIPELINELOADSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

class KernelPipeliner {
public:
  KernelPipeliner(KernelOp kernel, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : kernel(kernel), chip(chip), stages(schedule.getStages()),
        aligned(schedule.getCopy() == CopyKind::CpAsync),
        hasAsyncReads(schedule.getMma() == MmaKind::Wgmma) {}
  LogicalResult run();

private:
  /// Tiles of one load: `slots` of them in shared memory.
  struct Storage {
    LoadOp load;
    Value memory;
    /// Of a loop's body, what its indices are computed by.
    SetVector<Operation *> arithmetic = {};
  };

  Storage allocate(LoadOp load, int64_t slots);
  void waitBetweenTiles();
  void waitForReaders(ImplicitLocOpBuilder &b, Operation *op);
  Value getSlot(ImplicitLocOpBuilder &b, const Storage &storage, Value slot);
  Value readTile(ImplicitLocOpBuilder &b, const Storage &storage, Value slot);
  void copy(ImplicitLocOpBuilder &b, const Storage &storage, ValueRange indices,
            Value slot);
  void waitForCopies(ImplicitLocOpBuilder &b, int64_t pending);
  Value getNextSlot(ImplicitLocOpBuilder &b, Value slot, int64_t slots);
  Value getLastSlot(ImplicitLocOpBuilder &b, Value slot, int64_t slots);
  void endCopies(LoadOp load);
  void copyNow(LoadOp load, bool waits);
  void pipeline(scf::ForOp loop, ArrayRef<LoadOp> loads);

  KernelOp kernel;
  const attn::Chip &chip;
  /// Slots of a tile that is loaded in a loop.
  int64_t stages;
  bool aligned;
  /// Whether MMAs read shared memory through the async proxy.
  bool hasAsyncReads;
  TileMemory sharedMemory;
};

/// Rows and columns; a vector is a row.
static std::pair<int64_t, int64_t> getShape(RankedTensorType tile) {
  return {tile.getRank() == 1 ? 1 : tile.getDimSize(0), tile.getShape().back()};
}

KernelPipeliner::Storage KernelPipeliner::allocate(LoadOp load, int64_t slots) {
  RankedTensorType tile = load.getResult().getType();

  auto b = ImplicitLocOpBuilder::atBlockBegin(load.getLoc(),
                                              &kernel.getBody().front());
  auto space =
      gpu::AddressSpaceAttr::get(b.getContext(), gpu::AddressSpace::Workgroup);
  auto bytes = gpu::DynamicSharedMemoryOp::create(
      b, MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                         MemRefLayoutAttrInterface(), space));
  Value offset =
      arith::ConstantIndexOp::create(b, sharedMemory.allocate(tile, slots));
  auto type = MemRefType::get(
      {slots, getShape(tile).first, TileMemory::getRowSize(tile)},
      tile.getElementType(), MemRefLayoutAttrInterface(), space);
  return {load, memref::ViewOp::create(b, type, bytes, offset, ValueRange())};
}

Value KernelPipeliner::getSlot(ImplicitLocOpBuilder &b, const Storage &storage,
                               Value slot) {
  LoadOp load = storage.load;
  RankedTensorType tile = load.getResult().getType();
  SmallVector<OpFoldResult> offsets = {slot, b.getIndexAttr(0),
                                       b.getIndexAttr(0)};
  auto [rows, columns] = getShape(tile);
  SmallVector<OpFoldResult> sizes = {b.getIndexAttr(1), b.getIndexAttr(rows),
                                     b.getIndexAttr(columns)};
  SmallVector<OpFoldResult> strides(3, b.getIndexAttr(1));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      {rows, columns}, cast<MemRefType>(storage.memory.getType()), offsets,
      sizes, strides);
  return memref::SubViewOp::create(b, type, storage.memory, offsets, sizes,
                                   strides);
}

/// Some of a slot's rows, which all have a place of their own.
static Value getRows(ImplicitLocOpBuilder &b, Value slot, int64_t first,
                     int64_t count) {
  auto type = cast<MemRefType>(slot.getType());
  if (type.getDimSize(0) == count)
    return slot;
  return memref::SubViewOp::create(
      b, slot, ArrayRef<OpFoldResult>{b.getIndexAttr(first), b.getIndexAttr(0)},
      {b.getIndexAttr(count), b.getIndexAttr(type.getDimSize(1))},
      {b.getIndexAttr(1), b.getIndexAttr(1)});
}

Value KernelPipeliner::readTile(ImplicitLocOpBuilder &b, const Storage &storage,
                                Value slot) {
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return LoadOp::create(b, LoadOp(storage.load).getResult().getType(),
                        getSlot(b, storage, slot), ValueRange{zero, zero});
}

void KernelPipeliner::copy(ImplicitLocOpBuilder &b, const Storage &storage,
                           ValueRange indices, Value slot) {
  LoadOp load = storage.load;
  bool isSwizzled =
      isa<SwizzledLayoutAttr>(load.getResult().getType().getEncoding());
  int64_t parts = load.getNumParts(), rank = indices.size() / parts,
          rows = getShape(load.getPartType()).first;
  // Vectors are the workspace's, which is aligned.
  bool isAligned = aligned || load.getResult().getType().getRank() == 1;
  for (auto [part, source] : llvm::enumerate(load.getSources()))
    CopyAsyncOp::create(
        b, source, indices.slice(part * rank, rank),
        getRows(b, getSlot(b, storage, slot), part * rows, rows), isAligned,
        isSwizzled);
}

/// All but the last `pending` groups of copies, those of all threads.
void KernelPipeliner::waitForCopies(ImplicitLocOpBuilder &b, int64_t pending) {
  NVVM::CpAsyncWaitGroupOp::create(b, b.getI32IntegerAttr(pending));
  if (hasAsyncReads)
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  gpu::BarrierOp::create(b);
}

Value KernelPipeliner::getNextSlot(ImplicitLocOpBuilder &b, Value slot,
                                   int64_t slots) {
  Value one = arith::ConstantIndexOp::create(b, 1);
  if (slots == 2)
    return arith::SubIOp::create(b, one, slot);
  Value next = arith::AddIOp::create(b, slot, one);
  Value isEnd = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, next,
                                      arith::ConstantIndexOp::create(b, slots));
  return arith::SelectOp::create(b, isEnd, arith::ConstantIndexOp::create(b, 0),
                                 next);
}

/// The slot that the step before has read.
Value KernelPipeliner::getLastSlot(ImplicitLocOpBuilder &b, Value slot,
                                   int64_t slots) {
  if (slots == 2)
    return getNextSlot(b, slot, slots);
  Value isBegin = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, slot,
                                        arith::ConstantIndexOp::create(b, 0));
  Value before =
      arith::SubIOp::create(b, slot, arith::ConstantIndexOp::create(b, 1));
  return arith::SelectOp::create(
      b, isBegin, arith::ConstantIndexOp::create(b, slots - 1), before);
}

/// In a loop, some warp may still read what the iteration before has copied to
/// the place of what `op` copies.
void KernelPipeliner::waitForReaders(ImplicitLocOpBuilder &b, Operation *op) {
  if (auto loop = op->getParentOfType<scf::ForOp>();
      loop && kernel->isProperAncestor(loop))
    gpu::BarrierOp::create(b);
}

/// Behind loops that read a tile: those without a step have not waited for it.
void KernelPipeliner::endCopies(LoadOp load) {
  Operation *last = load;
  for (Operation *user : load->getUsers()) {
    Operation *inBlock = load->getBlock()->findAncestorOpInBlock(*user);
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  // The body of `attn_gpu.for_tiles` has no terminator.
  if (isa_and_nonnull<NVVM::CpAsyncWaitGroupOp>(last->getNextNode()))
    return;
  OpBuilder b(load.getContext());
  b.setInsertionPointAfter(last);
  NVVM::CpAsyncWaitGroupOp::create(b, load.getLoc(), b.getI32IntegerAttr(0));
}

/// A load whose next position is not known: copy, wait, read.
void KernelPipeliner::copyNow(LoadOp load, bool waits) {
  Storage storage = allocate(load, 1);
  ImplicitLocOpBuilder b(load.getLoc(), load);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  waitForReaders(b, load);
  copy(b, storage, load.getIndices(), zero);
  NVVM::CpAsyncCommitGroupOp::create(b);
  if (waits)
    waitForCopies(b, /*pending=*/0);
  else
    endCopies(load);
  Value tile = readTile(b, storage, zero);
  load.replaceAllUsesWith(tile);
  load.erase();
}

void KernelPipeliner::pipeline(scf::ForOp loop, ArrayRef<LoadOp> loads) {
  // Where a loop carries a tile on, it still reads that in the next step.
  bool isCarried = llvm::any_of(loads, [&](LoadOp load) {
    return llvm::is_contained(load->getUsers(),
                              loop.getBody()->getTerminator());
  });
  int64_t slots = stages + isCarried;
  SmallVector<Storage> storages;
  for (LoadOp load : loads) {
    storages.push_back(allocate(load, slots));
    storages.back().arithmetic = getIndexArithmetic(load, loop);
  }

  // A group for each step, with nothing in it behind the last: a wait counts
  // groups.
  auto copyStep = [&](ImplicitLocOpBuilder &b, Value position, Value slot) {
    Value isStep = arith::CmpIOp::create(b, arith::CmpIPredicate::slt, position,
                                         loop.getUpperBound());
    scf::IfOp::create(b, isStep, [&](OpBuilder &inner, Location loc) {
      ImplicitLocOpBuilder body(loc, inner);
      for (const Storage &storage : storages) {
        IRMapping mapping =
            cloneForStep(body, storage.arithmetic, loop, position);
        SmallVector<Value> indices;
        for (Value index : LoadOp(storage.load).getIndices())
          indices.push_back(mapping.lookupOrDefault(index));
        copy(body, storage, indices, slot);
      }
      scf::YieldOp::create(body);
    });
    NVVM::CpAsyncCommitGroupOp::create(b);
  };
  // Before the loop: the tiles of its first steps, as far as it has them.
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  waitForReaders(b, loop);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value position = loop.getLowerBound();
  for (int64_t step = 0; step < stages - 1; ++step) {
    if (step > 0)
      position = arith::AddIOp::create(b, position, loop.getStep());
    copyStep(b, position, arith::ConstantIndexOp::create(b, step));
  }
  Value ahead = b.createOrFold<arith::MulIOp>(
      loop.getStep(), arith::ConstantIndexOp::create(b, stages - 1));

  // The number of the step's slot is carried.
  IRRewriter rewriter(loop.getContext());
  rewriter.setInsertionPoint(loop);
  auto carrying = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, zero, /*replaceInitOperandUsesInLoop=*/false,
      [&](OpBuilder &inner, Location loc, ArrayRef<BlockArgument> carried) {
        ImplicitLocOpBuilder body(loc, inner);
        return SmallVector<Value>{getNextSlot(body, carried.front(), slots)};
      }));
  Value slot = carrying.getRegionIterArgs().back();
  loop = carrying;
  ImplicitLocOpBuilder inLoop =
      ImplicitLocOpBuilder::atBlockBegin(loop.getLoc(), loop.getBody());
  waitForCopies(inLoop, /*pending=*/stages - 2);
  Value next = arith::AddIOp::create(inLoop, loop.getInductionVar(), ahead);
  Value free = getLastSlot(inLoop, slot, slots);
  if (isCarried)
    free = getLastSlot(inLoop, free, slots);
  copyStep(inLoop, next, free);
  for (const Storage &storage : storages) {
    LoadOp load = storage.load;
    ImplicitLocOpBuilder atLoad(load.getLoc(), load);
    Value tile = readTile(atLoad, storage, slot);
    load.replaceAllUsesWith(tile);
    load.erase();
  }
}

/// Some warp may still read the tiles that the CTA's tile before had. The
/// number of the next one has a place behind all of them.
void KernelPipeliner::waitBetweenTiles() {
  kernel.walk([&](ForTilesOp tiles) {
    if (sharedMemory.getBytes() > 0) {
      auto b = ImplicitLocOpBuilder::atBlockBegin(tiles.getLoc(),
                                                  &tiles.getBody().front());
      gpu::BarrierOp::create(b);
    }
    if (tiles.getCounters())
      tiles.setBroadcast(sharedMemory.allocate(kNextTileBytes));
  });
}

/// Threads copy vectors that are whole rows of the workspace.
static LogicalResult checkTiles(KernelOp kernel, ArrayRef<LoadOp> loads) {
  for (LoadOp load : loads) {
    RankedTensorType type = load.getResult().getType();
    if (type.getRank() != 2 && !isWholeRow(kernel, load))
      return load.emitOpError("expected a tile of rank 2, or a row of the "
                              "workspace, to copy to shared memory, found ")
             << type;
    if (load.getNumParts() > 1 && isa<SwizzledLayoutAttr>(type.getEncoding()))
      return load.emitOpError("expected a tile of one part to copy to panels "
                              "of columns other than by TMA, found ")
             << load.getNumParts();
  }
  return success();
}

/// Whether only loops behind a load read it whose steps begin by waiting for
/// copies: copies end in the order in which they began, so that those waits are
/// for this one, too.
static bool isReadInSteps(LoadOp load, const SharedLoads &loads) {
  return llvm::all_of(load->getUsers(), [&](Operation *user) {
    for (auto loop = user->getParentOfType<scf::ForOp>(); loop;
         loop = loop->getParentOfType<scf::ForOp>())
      if (loads.inLoops.contains(loop))
        return !loop->isAncestor(load);
    return false;
  });
}

LogicalResult KernelPipeliner::run() {
  SharedLoads loads(kernel);
  if (failed(checkTiles(kernel, loads.single)))
    return failure();
  for (auto &[loop, inLoop] : loads.inLoops)
    if (failed(checkTiles(kernel, inLoop)))
      return failure();
  for (LoadOp load : loads.single)
    copyNow(load, /*waits=*/!isReadInSteps(load, loads));
  for (auto &[loop, inLoop] : loads.inLoops)
    pipeline(loop, inLoop);
  waitBetweenTiles();
  if (sharedMemory.getBytes() == 0)
    return success();
  return setSharedBytes(kernel, sharedMemory.getBytes(), chip);
}

struct AttnGPUPipelineLoadsPass
    : public attn_gpu::impl::AttnGPUPipelineLoadsPassBase<
          AttnGPUPipelineLoadsPass> {
  void runOnOperation() override {
    auto visit = [](KernelOp kernel, ScheduleAttr schedule,
                    const attn::Chip &chip) -> LogicalResult {
      // A producer makes the copies.
      if (schedule.hasProducer())
        return success();
      if (schedule.getCopy() == CopyKind::Tma)
        return loadThroughRings(kernel, schedule, chip);
      return KernelPipeliner(kernel, schedule, chip).run();
    };
    if (failed(walkKernels(getOperation(), visit)))
      signalPassFailure();
  }
};

} // namespace
