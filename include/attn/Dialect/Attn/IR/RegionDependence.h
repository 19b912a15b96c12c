//===- RegionDependence.h - What values of regions depend on ----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_REGIONDEPENDENCE_H
#define ATTN_DIALECT_ATTN_IR_REGIONDEPENDENCE_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Returns the number of the argument of a score or mask region that is the
/// batch entry. The head, the row and the key follow.
unsigned getFirstPosition(Block &region);

/// Returns which of the positions b, h, i and j the value is, from 0 to 3, or
/// none if it is no such argument of a score or mask region.
std::optional<unsigned> getPosition(Value value);

/// What the values of a score or mask region are computed from, as bits. Those
/// of the positions are in the order of the region's arguments.
class RegionDependence {
public:
  enum : uint8_t {
    OnBatch = 1,
    OnHead = 2,
    OnRow = 4,
    OnKey = 8,
    OnPair = OnRow | OnKey,
    OnScore = 16,
    OnReads = 32
  };

  explicit RegionDependence(Block &region);

  uint8_t get(Value value) const { return bits.lookup(value); }
  /// Which of row and key the value depends on.
  uint8_t getOfPair(Value value) const { return get(value) & OnPair; }
  /// Whether the value is one for all pairs of a batch entry and a head.
  bool isUniform(Value value) const {
    return (get(value) & (OnPair | OnScore)) == 0;
  }

private:
  DenseMap<Value, uint8_t> bits;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_REGIONDEPENDENCE_H
