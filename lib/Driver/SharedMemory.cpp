//===- SharedMemory.cpp - Describes shared memory of a kernel -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedMemory.h"

#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
/// A part of a kernel's shared memory, such as a ring. Parts are ordered by the
/// offsets at which they begin.
struct Part {
  StringRef name;
  /// If the part is a ring, the number of its slots, and the bytes of each
  /// slot. Any other part ends where the next one begins.
  int64_t slots = 0, slotBytes = 0;
};
} // namespace

/// Returns the name of the array to which a tile belongs, from the location
/// that convert-attn-to-tile gave the op. Returns `otherwise` if the location
/// has no name.
static StringRef getArrayName(Operation *op, StringRef otherwise) {
  auto name = dyn_cast<NameLoc>(op->getLoc());
  return name ? name.getName().getValue() : otherwise;
}

std::string mlir::attn::describeSharedMemory(KernelOp kernel) {
  std::map<int64_t, Part> parts;
  // The part of the description that names the outputs which use the memory of
  // a ring again.
  std::string overlays;
  auto add = [&](int64_t offset, Part part) {
    auto [place, isNew] = parts.try_emplace(offset, part);
    if (!isNew && place->second.slots > 0)
      overlays += llvm::formatv(", {0} in the {1}'s place", part.name,
                                place->second.name);
  };
  kernel.walk([&](Operation *op) {
    if (auto ring = dyn_cast<RingOp>(op)) {
      RingType type = ring.getRing().getType();
      bool isPut = llvm::any_of(ring->getUsers(), llvm::IsaPred<PutOp>);
      StringRef name = isPut                           ? "exchanged"
                       : type.getTile().getRank() == 1 ? "vector"
                                                       : "tile";
      add(ring.getOffset(),
          {getArrayName(ring, name), type.getStages(), ring.getSlotBytes()});
      // The barriers of all rings are printed as one part of shared memory.
      if (std::optional<int64_t> barriers = ring.getBarriers())
        add(*barriers, {"barriers"});
    } else if (auto store = dyn_cast<StoreAsyncOp>(op)) {
      add(store.getOffset(),
          {getArrayName(store, store.getAdd() ? "added" : "output")});
    } else if (auto store = dyn_cast<LocalStoreOp>(op)) {
      add(store.getOffset(), {"exchanged"});
    } else if (auto reduce = dyn_cast<ReduceColumnsOp>(op)) {
      add(reduce.getOffset(), {"exchanged"});
    } else if (auto combine = dyn_cast<CombineWarpsOp>(op)) {
      add(combine.getOffset(), {"exchanged"});
    }
  });
  int64_t all = kernel.getSharedBytes();
  std::string text = llvm::formatv("{0} bytes", all);
  for (auto part = parts.begin(); part != parts.end();) {
    auto [name, slots, slotBytes] = part->second;
    int64_t begin = part++->first;
    if (slots > 0) {
      text += llvm::formatv(slots > 1 ? ", {0} {1} x {2}" : ", {0} {2}", name,
                            slots, slotBytes);
      continue;
    }
    while (part != parts.end() && part->second.slots == 0 &&
           part->second.name == name)
      ++part;
    int64_t end = part == parts.end() ? all : part->first;
    text += llvm::formatv(", {0} {1}", name, end - begin);
  }
  return text + overlays;
}
