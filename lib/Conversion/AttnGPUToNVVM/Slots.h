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

/// Returns the address of slot `slot`. Slots have `bytes` bytes each and follow
/// each other, and slot 0 begins `first` bytes after `base`.
Value getSlotAddress(NumberBuilder &builder, Value base, Value slot,
                     int64_t bytes, int64_t first);

/// Emits a wait until the phase of the mbarrier that has the given parity is
/// complete.
void waitForPhase(NumberBuilder &builder, Value barrier, Value parity);

/// Emits one arrival of the calling thread at an mbarrier.
void arrive(NumberBuilder &builder, Value barrier);

/// Emits a branch on `condition`, in which `emit` builds the code.
void emitIf(NumberBuilder &builder, Value condition,
            llvm::function_ref<void(NumberBuilder &)> emit);

/// Returns an i1: whether the calling thread is the first of its warpgroup.
Value isFirstOfWarpgroup(NumberBuilder &builder);

/// Returns the pointer to the tensor map that `map` stands for. The pointer is
/// an unrealized cast of `map`, which AttnNVToLLVM.cpp replaces later.
Value getMapPointer(NumberBuilder &builder, Value map);

/// Calls `emit` for each panel of a swizzled tile. The arguments are the index
/// of the panel's first column in the tile and the coordinates in the array at
/// which the panel begins, innermost dimension first. `outermostFirst` has the
/// coordinates in the array of the tile's first element, outermost dimension
/// first. A vector counts as one panel.
void forEachPanel(NumberBuilder &builder, RankedTensorType tile,
                  ValueRange outermostFirst,
                  llvm::function_ref<void(int64_t, ValueRange)> emit);

/// Writes the calling warp's elements of a tile, which are f32 or have 16 bits,
/// to swizzled shared memory. With `takesTurns`, lanes of odd rows write their
/// pairs of f32 in another order than lanes of even rows. This avoids bank
/// conflicts but costs a select for each pair. The flag has no effect on tiles
/// of 16 bits, or whose number of columns is not a multiple of 32.
void writeFragments(NumberBuilder &builder, RankedTensorType tile,
                    Value registers, Value memory, bool takesTurns = true);

/// Slots of shared memory and their mbarriers. Items (such as tiles) use the
/// slots in turn: item i is in slot i mod `count`. The barriers begin at
/// `address`.
class Slots {
public:
  Slots(NumberBuilder &b, Value address, int64_t count)
      : b(b), address(address), count(count) {}

  /// getSlot() returns the slot of item `index`. getParity() returns the parity
  /// of the number of items that used this slot before.
  Value getSlot(Value index) { return b.remui(index, b.word(count)); }
  Value getParity(Value index) {
    Value round = b.divui(index, b.word(count));
    return b.andi(round, b.word(1));
  }
  /// Emits a wait until item `index` has been written to its slot. Returns the
  /// slot.
  Value waitUntilFilled(Value index) {
    Value slot = getSlot(index);
    waitForPhase(b, getFilled(slot), getParity(index));
    return slot;
  }
  /// Emits a wait until the slot for item `index` is free. Returns the slot.
  Value waitUntilFree(Value index) {
    Value slot = getSlot(index), parity = getFreeParity(index);
    waitForPhase(b, getFree(slot), parity);
    return slot;
  }
  /// Returns the parity that a wait for a free slot passes to the slot's empty
  /// barrier: that of the phase which ends when the slot is free for item
  /// `index`. The first item of a slot waits for parity 1, that of the phase
  /// before a barrier's first one. This phase counts as complete, so that item
  /// does not wait.
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
