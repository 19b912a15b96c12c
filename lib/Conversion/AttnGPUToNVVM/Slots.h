//===- Slots.h - Slots in shared memory and their barriers ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A slot has two mbarriers of 8 bytes: a full barrier, which counts the arrival
// of data, and an empty barrier, which counts the readers that have released
// the slot. In memory, the full barriers of all slots come first, then the
// empty ones.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_SLOTS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_SLOTS_H

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::attn {

/// Returns the address of a slot of `bytes` bytes, where slot 0 begins `first`
/// bytes after `base`.
Value getSlotAddress(NumberBuilder &builder, Value base, Value slot,
                     int64_t bytes, int64_t first);

/// Waits until the barrier's phase of the given parity has completed.
void waitForPhase(NumberBuilder &builder, Value barrier, Value parity);

/// The calling thread arrives at a barrier.
void arrive(NumberBuilder &builder, Value barrier);

/// Emits what `emit` builds in a branch on `condition`.
void emitIf(NumberBuilder &builder, Value condition,
            llvm::function_ref<void(NumberBuilder &)> emit);

/// Whether the calling thread is the first of its warpgroup.
Value isFirstOfWarpgroup(NumberBuilder &builder);

/// The pointer to a tensor map.
Value getMapPointer(NumberBuilder &builder, Value map);

/// Calls `emit` for each panel of a swizzled tile, with the number of the
/// panel's first column in the tile and the coordinates of the panel in the
/// array, innermost first. A vector counts as one panel.
void forEachPanel(NumberBuilder &builder, RankedTensorType tile,
                  ValueRange outermostFirst,
                  llvm::function_ref<void(int64_t, ValueRange)> emit);

/// Writes the calling warp's elements of a tile of f32 or 16 bits to swizzled
/// shared memory. With `takesTurns`, lanes of odd rows write their pairs of f32
/// in another order than lanes of even rows. That avoids bank conflicts and
/// costs a select for each pair; tiles of 16 bits are not affected.
void writeFragments(NumberBuilder &builder, RankedTensorType tile,
                    Value registers, Value memory, bool takesTurns = true);

/// The slots of shared memory that items use one after another, item i the slot
/// i mod `count`, and the mbarriers of these slots, which begin at `address`.
class Slots {
public:
  Slots(NumberBuilder &b, Value address, int64_t count)
      : b(b), address(address), count(count) {}

  /// Return the slot of item `index`, and the parity of the number of items
  /// that used this slot before.
  Value getSlot(Value index) { return b.remui(index, b.word(count)); }
  Value getParity(Value index) {
    Value round = b.divui(index, b.word(count));
    return b.andi(round, b.word(1));
  }
  /// Waits until item `index` has been written to its slot, and returns the
  /// slot.
  Value waitUntilFilled(Value index) {
    Value slot = getSlot(index);
    waitForPhase(b, getFilled(slot), getParity(index));
    return slot;
  }
  /// Waits until the slot for item `index` is free, and returns the slot.
  Value waitUntilFree(Value index) {
    Value slot = getSlot(index), parity = getFreeParity(index);
    waitForPhase(b, getFree(slot), parity);
    return slot;
  }
  /// Returns the parity of the phase of the empty barrier after which the slot
  /// is free for item `index`. In the first round, slots are free at once: the
  /// phase before a barrier's first one counts as complete, and has parity 1.
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
