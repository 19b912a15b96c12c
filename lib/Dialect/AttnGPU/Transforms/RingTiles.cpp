//===- RingTiles.cpp - Loads whose tiles come through rings ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RingTiles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<Operation *> attn_gpu::getReaders(Value tile) {
  SmallVector<Operation *> readers;
  for (Operation *user : tile.getUsers())
    if (isa<ColumnsOp, ReuseOp>(user))
      llvm::append_range(readers, getReaders(user->getResult(0)));
    else
      readers.push_back(user);
  return readers;
}

bool attn_gpu::isCopied(Operation *load) {
  return llvm::any_of(getReaders(load->getResult(0)),
                      llvm::IsaPred<ConvertLayoutOp, TransposeOp>);
}

LoadOp attn_gpu::getReused(Operation *op) {
  for (OpOperand &use : op->getResult(0).getUses())
    if (auto reuse = dyn_cast<ReuseOp>(use.getOwner());
        reuse && use.getOperandNumber() == 0)
      return reuse.getDead().getDefiningOp<LoadOp>();
  return LoadOp();
}

bool attn_gpu::isReadByThreads(Operation *load, ScheduleAttr schedule) {
  return schedule.getMma() != MmaKind::Wgmma || isCopied(load);
}

bool attn_gpu::followsTile(const FilledRing &ring,
                           ArrayRef<FilledRing> filled) {
  LoadOp load = ring.load;
  return load.getResult().getType().getRank() == 1 &&
         llvm::any_of(filled, [&](FilledRing other) {
           return other.load.getResult().getType().getRank() == 2 &&
                  other.slots <= ring.slots &&
                  other.load->getBlock() == load->getBlock() &&
                  other.load->isBeforeInBlock(load);
         });
}

Value attn_gpu::initBarriers(attn::NumberBuilder &b, KernelOp kernel,
                             const attn::Chip &chip,
                             llvm::function_ref<void()> emit) {
  Value zero = b.word(0);
  Value thread = b.indexCast(b.getI32Type(), kernel.getThreadId(b));
  Value isFirst = b.eq(thread, zero);
  auto init = scf::IfOp::create(b, isFirst);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(init.thenBlock());
    emit();
    // The fence makes the initialised mbarriers visible to TMA; the CTA's
    // barrier below makes them visible to threads.
    if (chip.hasTma())
      NVVM::FenceMbarrierInitOp::create(b);
  }
  gpu::BarrierOp::create(b);
  return isFirst;
}

FillOp attn_gpu::fillByThreads(attn::NumberBuilder &b, LoadOp load, RingOp ring,
                               Value index, ScheduleAttr schedule,
                               const IRMapping &mapping) {
  auto map = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  Value list = load.getList(), entry = load.getEntry();
  if (list) {
    list = mapping.lookupOrDefault(list);
    entry = mapping.lookupOrDefault(entry);
  }
  // A vector is loaded from a row of workspace, which begins at a multiple of
  // 16 bytes. cp.async may therefore copy it even if the schedule assumes no
  // alignment of arrays.
  bool isAligned = schedule.getCopy() == CopyKind::CpAsync ||
                   load.getResult().getType().getRank() == 1;
  return FillOp::create(b, ring, index, map(load.getSources()),
                        map(load.getIndices()), list, entry, isAligned);
}

void attn_gpu::acquireLoaded(LoadOp load, RingOp ring, Value index) {
  attn::NumberBuilder b(load.getLoc(), load);
  auto acquired = AcquireOp::create(b, load.getResult().getType(),
                                    b.getI32Type(), ring, index);
  load.replaceAllUsesWith(acquired.getTile());
  load.erase();
}
