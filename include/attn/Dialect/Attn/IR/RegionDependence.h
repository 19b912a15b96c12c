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
/// batch entry. The head, the row and the key are the next ones.
unsigned getFirstPosition(Block &region);

/// If the value is the argument of a score or mask region for b, h, i or j,
/// returns its number in this list, from 0 to 3; else std::nullopt.
std::optional<unsigned> getPosition(Value value);

/// Finds for each value of a score or mask region on which of the score, b, h,
/// i and j it depends, and whether on reads of captured arrays, as bits.
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
  /// Returns the bits that say whether the value depends on the row, and on the
  /// key.
  uint8_t getOfPair(Value value) const { return get(value) & OnPair; }
  /// Whether the value depends neither on the row nor on the key, nor on the
  /// score. It may depend on the batch entry and the head.
  bool isUniform(Value value) const {
    return (get(value) & (OnPair | OnScore)) == 0;
  }

private:
  DenseMap<Value, uint8_t> bits;
};

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_REGIONDEPENDENCE_H
