//===- RingSlots.h - Slots of rings ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_RINGSLOTS_H
#define ATTN_LIB_SIMULATOR_RINGSLOTS_H

#include "Agent.h"

namespace mlir::attn::sim {

inline std::string nameTile(uint32_t number) {
  return "tile " + std::to_string(number);
}

inline FailureOr<uint32_t> getNumber(Agent &agent, Operation *op, Value index) {
  FailureOr<int64_t> number = agent.getInt(op, index);
  if (failed(number))
    return failure();
  return static_cast<uint32_t>(*number);
}

inline Ring *getRing(Agent &agent, Operation *op, Value ring) {
  Ring *const *found = agent.get<Ring *>(op, ring);
  return found ? *found : nullptr;
}

/// The slot that the tile with a given number has in its ring, and the parity
/// of the round in which it uses the slot.
struct SlotPlace {
  SlotPlace(const Ring &ring, uint32_t number)
      : slot(number % ring.type.getStages()),
        parity(number / ring.type.getStages() % 2) {}
  int64_t slot;
  bool parity;
};

/// Waits until the slot for tile `number` is free, and marks it as being filled
/// by `op`. With `isShared`, several warps run `op` for the same tile, and the
/// first of them marks the slot.
LogicalResult occupySlot(Agent &agent, Operation *op, Ring &ring,
                         uint32_t number, bool isShared = false);

/// Runs a fill in which all threads of the producer, or of a CTA without roles,
/// copy together.
LogicalResult fillByThreads(Agent &agent, attn_gpu::FillOp op, Ring &ring);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_RINGSLOTS_H
