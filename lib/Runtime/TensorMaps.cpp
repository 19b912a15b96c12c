//===- TensorMaps.cpp - Tensor maps that were encoded ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorMaps.h"

#include <cstring>

using namespace attnrt;

TensorMapKey::TensorMapKey(const void *address, uint32_t rank,
                           const uint64_t *sizes, const uint64_t *strides,
                           const uint32_t *box, const uint32_t *elementStrides,
                           const uint32_t (&options)[5]) {
  words[0] = reinterpret_cast<uintptr_t>(address);
  for (uint32_t dim = 0; dim < rank; ++dim) {
    words[1 + dim] = sizes[dim];
    words[6 + dim] = uint64_t(box[dim]) << 32 | elementStrides[dim];
    if (dim + 1 < rank)
      words[11 + dim] = strides[dim];
  }
  words[15] = uint64_t(rank) << 32 | options[0];
  words[16] = uint64_t(options[1]) << 32 | options[2];
  words[17] = uint64_t(options[3]) << 32 | options[4];
}

bool TensorMapKey::operator==(const TensorMapKey &other) const {
  return std::memcmp(words, other.words, sizeof(words)) == 0;
}

unsigned TensorMapKey::hash() const {
  // The hash is computed from five of the key's 64-bit words: the array's
  // address, and the sizes of the array and of the box along the two innermost
  // dimensions, which are the first two of a tensor map. The maps of a kernel
  // differ in these.
  uint64_t hash = (words[0] >> 4) + 31 * words[1] + 37 * words[2] +
                  41 * words[6] + 43 * words[7];
  return hash * 0x9e3779b97f4a7c15 >> 40;
}

bool TensorMaps::find(const TensorMapKey &key, void *map) {
  Set &set = sets[key.hash() % kNumSets];
  if (set.isHeld.test_and_set(std::memory_order_acquire))
    return false;
  unsigned way = 0, end = set.numKept < kNumWays ? set.numKept : kNumWays;
  while (way < end && !(set.keys[way] == key))
    ++way;
  bool found = way < end;
  if (found)
    std::memcpy(map, set.maps[way], kMapBytes);
  set.isHeld.clear(std::memory_order_release);
  return found;
}

void TensorMaps::keep(const TensorMapKey &key, const void *map) {
  Set &set = sets[key.hash() % kNumSets];
  if (set.isHeld.test_and_set(std::memory_order_acquire))
    return;
  // The map is stored in an unused entry of the set or, if there is none, in
  // the entry that was stored longest ago.
  unsigned way = set.numKept++ % kNumWays;
  if (set.numKept == 2 * kNumWays)
    set.numKept = kNumWays;
  set.keys[way] = key;
  std::memcpy(set.maps[way], map, kMapBytes);
  set.isHeld.clear(std::memory_order_release);
}
