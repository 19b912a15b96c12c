//===- Slots.h - Slots in shared memory and their barriers ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Barriers are those of PTX's mbarrier, 8 bytes each: one for each slot that
// counts what has come, then one for each slot that counts the readers that
// have left.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_SLOTS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_SLOTS_H

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::attn {

/// The address of a slot's part that begins `first` bytes after `base`.
Value getSlotAddress(NumberBuilder &builder, Value base, Value slot,
                     int64_t bytes, int64_t first);

/// Waits until the phase of that parity has completed.
void waitForPhase(NumberBuilder &builder, Value barrier, Value parity);

/// The calling thread arrives at a barrier.
void arrive(NumberBuilder &builder, Value barrier);

/// Emits a branch on `condition`.
void emitIf(NumberBuilder &builder, Value condition,
            llvm::function_ref<void(NumberBuilder &)> emit);

/// Whether the calling thread is the first of its warpgroup.
Value isFirstOfWarpgroup(NumberBuilder &builder);

/// The pointer to a tensor map.
Value getMapPointer(NumberBuilder &builder, Value map);

/// Calls `emit` for each panel of a tile, with its first column and
/// coordinates, innermost first. A vector is one.
void forEachPanel(NumberBuilder &builder, RankedTensorType tile,
                  ValueRange outermostFirst,
                  llvm::function_ref<void(int64_t, ValueRange)> emit);

/// Writes what the calling warp has of a tile to shared memory. With
/// `takesTurns`, f32 elements come in an order of pairs without conflicts of
/// banks.
void writeFragments(NumberBuilder &builder, RankedTensorType tile,
                    Value registers, Value memory, bool takesTurns = true);

/// The slots of a sequence and their barriers, which begin at `address`.
class Slots {
public:
  Slots(NumberBuilder &b, Value address, int64_t count)
      : b(b), address(address), count(count) {}

  /// Number `index`: its slot, and whether the slot was used before an odd
  /// number of times.
  Value getSlot(Value index) { return b.remui(index, b.word(count)); }
  Value getParity(Value index) {
    Value round = b.divui(index, b.word(count));
    return b.andi(round, b.word(1));
  }
  /// The slot of number `index`, once it is filled.
  Value waitUntilFilled(Value index) {
    Value slot = getSlot(index);
    waitForPhase(b, getFilled(slot), getParity(index));
    return slot;
  }
  /// The slot of number `index`, once it is free.
  Value waitUntilFree(Value index) {
    Value slot = getSlot(index), parity = getFreeParity(index);
    waitForPhase(b, getFree(slot), parity);
    return slot;
  }
  /// The parity of the phase after which the slot is free for number `index`.
  /// The first round finds its slots free: a barrier's phase before its first
  /// counts as complete, and has parity 1.
  Value getFreeParity(Value index) {
    return b.xori(getParity(index), b.word(1));
  }
  Value getFilled(Value slot) { return getBarrier(slot, 0); }
  Value getFree(Value slot) {
    return getBarrier(slot, attn_gpu::kBarrierBytes * count);
  }

  void init(int64_t readers, int64_t writers = 1) {
    for (int64_t i = 0; i < count; ++i) {
      Value slot = b.word(i);
      NVVM::MBarrierInitOp::create(b, getFilled(slot), b.word(writers),
                                   Value());
      NVVM::MBarrierInitOp::create(b, getFree(slot), b.word(readers), Value());
    }
  }

protected:
  NumberBuilder &b;
  Value address;
  int64_t count;

private:
  Value getBarrier(Value slot, int64_t first) {
    return getSharedPointer(
        b, getSlotAddress(b, address, slot, attn_gpu::kBarrierBytes, first));
  }
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_SLOTS_H
