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

/// The slot of a ring that tile `number` uses, which is `number` modulo the
/// number of slots, and the parity of the phase of the slot's barriers for this
/// tile: `number` divided by the number of slots, modulo 2.
struct SlotPlace {
  SlotPlace(const Ring &ring, uint32_t number)
      : slot(number % ring.type.getStages()),
        parity(number / ring.type.getStages() % 2) {}
  int64_t slot;
  bool parity;
};

/// Waits until the free barrier of the slot for tile `number` lets it be
/// filled, and marks the slot as being filled by `op`. Fails with an error if
/// the slot is still in use. With `isShared`, several warps run `op` for the
/// same tile: the first of them marks the slot, and the others succeed if it
/// has that mark.
LogicalResult occupySlot(Agent &agent, Operation *op, Ring &ring,
                         uint32_t number, bool isShared = false);

/// Runs a fill in which all threads of the producer, or of a CTA without roles,
/// copy together: by cp.async if the op is `aligned`, else by loads and stores.
LogicalResult fillByThreads(Agent &agent, attn_gpu::FillOp op, Ring &ring);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_RINGSLOTS_H
