//===- TensorMaps.h - Tensor maps that were encoded -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RUNTIME_TENSORMAPS_H
#define ATTN_LIB_RUNTIME_TENSORMAPS_H

#include <atomic>
#include <cstdint>

namespace attnrt {

/// The key of a tensor map in the cache: all arguments from which it is
/// encoded.
class TensorMapKey {
public:
  TensorMapKey() = default;
  /// The rank is from 1 to 5. `sizes`, `box` and `elementStrides` have `rank`
  /// elements, and `strides` one less.
  TensorMapKey(const void *address, uint32_t rank, const uint64_t *sizes,
               const uint64_t *strides, const uint32_t *box,
               const uint32_t *elementStrides, const uint32_t (&options)[5]);
  bool operator==(const TensorMapKey &other) const;
  unsigned hash() const;

private:
  // The key's words for dimensions that a map of lower rank lacks are 0.
  static constexpr unsigned kNumWords = 18;
  uint64_t words[kNumWords] = {};
};

/// A cache of the tensor maps that were encoded last. A launch on the same
/// arrays as an earlier one then need not call the driver for them.
class TensorMaps {
public:
  /// Copies the map with the key `key` to `map` and returns true, if the cache
  /// has it.
  bool find(const TensorMapKey &key, void *map);
  /// Stores a copy of `map` in the cache.
  void keep(const TensorMapKey &key, const void *map);

private:
  static constexpr unsigned kNumSets = 32, kNumWays = 4, kMapBytes = 128;

  struct Set {
    /// A lock that a thread holds while it uses the set. A thread that finds
    /// the lock held does not wait: find() then finds no map, and keep() stores
    /// none.
    std::atomic_flag isHeld = ATOMIC_FLAG_INIT;
    unsigned numKept = 0;
    TensorMapKey keys[kNumWays];
    unsigned char maps[kNumWays][kMapBytes];
  };
  Set sets[kNumSets];
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_TENSORMAPS_H
