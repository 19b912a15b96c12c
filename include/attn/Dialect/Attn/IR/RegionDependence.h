//===- RegionDependence.h - Dependences of region values --------*- C++ -*-===//
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

/// Returns the index of the argument of a score or mask region that is the
/// batch entry. The arguments after it are the head, the row and the key.
unsigned getFirstPosition(Block &region);

/// Returns which of b, h, i and j a value is, as a number from 0 to 3, if it is
/// that argument of a score or mask region. Returns std::nullopt for other
/// values.
std::optional<unsigned> getPosition(Value value);

/// The dependences of each value of a score or mask region, as bits. There is a
/// bit for each of the score, b, h, i and j, and one for reads of captured
/// arrays.
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
  /// Returns two of the bits of a value: whether it depends on the row, and
  /// whether it depends on the key.
  uint8_t getOfPair(Value value) const { return get(value) & OnPair; }
  /// Whether the value depends on none of the row, the key and the score. It
  /// may depend on the batch entry and the head.
  bool isUniform(Value value) const {
    return (get(value) & (OnPair | OnScore)) == 0;
  }

private:
  DenseMap<Value, uint8_t> bits;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_REGIONDEPENDENCE_H
