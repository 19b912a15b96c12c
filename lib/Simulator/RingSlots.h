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

/// The slot and the phase that tile `number` of a ring with s slots uses. The
/// slot is `number` mod s. `parity` is the parity of the phase of the slot's
/// barriers for this tile, (`number` / s) mod 2.
struct SlotPlace {
  SlotPlace(int64_t numSlots, uint32_t number)
      : slot(number % numSlots), parity(number / numSlots % 2) {}
  SlotPlace(const Ring &ring, uint32_t number)
      : SlotPlace(ring.type.getStages(), number) {}

  int64_t slot;
  bool parity;
};

/// Initialises the mbarrier at byte `offset` of shared memory. Reports an error
/// if it was initialised before.
LogicalResult prepareBarrier(Agent &agent, Operation *op, int64_t offset,
                             int64_t count);

/// Waits at the free barrier of the ring's slot for tile `number` until the
/// slot may be filled, and marks the slot as being filled by `op`. Fails with
/// an error if the slot is then still in use. With `isShared`, several warps
/// run `op` for the same tile: the first marks the slot, and the others only
/// check that it has that mark.
LogicalResult occupySlot(Agent &agent, Operation *op, Ring &ring,
                         uint32_t number, bool isShared = false);

/// Runs a fill of a ring in which many threads copy together: all threads of
/// the producer or, in a CTA without roles, all threads of the CTA. They copy
/// by cp.async if the op is `aligned`, and by loads and stores otherwise.
LogicalResult fillByThreads(Agent &agent, attn_gpu::FillOp op, Ring &ring);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_RINGSLOTS_H
