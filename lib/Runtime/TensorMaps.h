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

/// All that a tensor map depends on.
class TensorMapKey {
public:
  TensorMapKey() = default;
  /// `rank` is from 1 to 5, and the number of sizes; there is one stride less.
  TensorMapKey(const void *address, uint32_t rank, const uint64_t *sizes,
               const uint64_t *strides, const uint32_t *box,
               const uint32_t *elementStrides, const uint32_t (&options)[5]);
  bool operator==(const TensorMapKey &other) const;
  unsigned hash() const;

private:
  // The words that the rank leaves unused are 0.
  static constexpr unsigned kNumWords = 18;
  uint64_t words[kNumWords] = {};
};

/// A cache of the tensor maps that were encoded last, so that a launch on the
/// same arrays as an earlier one need not call the driver for them.
class TensorMaps {
public:
  /// Copies the map of `key` to `map`, if there is one.
  bool find(const TensorMapKey &key, void *map);
  /// Keeps a copy of a map.
  void keep(const TensorMapKey &key, const void *map);

private:
  static constexpr unsigned kNumSets = 32, kNumWays = 4, kMapBytes = 128;

  struct Set {
    /// A lock that is held while the set is used. A thread that finds it held
    /// does not wait: it finds and keeps nothing.
    std::atomic_flag isHeld = ATOMIC_FLAG_INIT;
    unsigned numKept = 0;
    TensorMapKey keys[kNumWays];
    unsigned char maps[kNumWays][kMapBytes];
  };
  Set sets[kNumSets];
};

} // namespace attnrt

#endif // ATTN_LIB_RUNTIME_TENSORMAPS_H
