//===- PositionSums.h - Sums of positions in regions ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_POSITIONSUMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_POSITIONSUMS_H

#include "attn/Dialect/Attn/IR/Attn.h"

#include <array>
#include <optional>

namespace mlir::attn {

/// Whether the launch has checked that all positions of rows and keys are below
/// 2^31: the schedule bounds the sizes of arrays.
bool fitWords(AttentionInterface op);

/// Finds indices of a region that are sums of positions and constants and can
/// be computed in 32 bits. A position, or the difference of two, becomes an
/// i32. A comparison of indices becomes one of an i32 with a constant, if its
/// sides differ by such a number and a constant.
class PositionSums {
public:
  PositionSums(Value first, Value second) : positions{first, second} {}

  /// Emits an op of the region on tiles of i32; `getPosition` returns the tile
  /// of a position. Returns null if 32 bits do not suffice.
  Value emit(Operation &op, OpBuilder &builder,
             function_ref<Value(Value position)> getPosition);

private:
  struct Sum {
    /// How often each position is added, minus how often it is subtracted.
    std::array<int64_t, 2> times = {0, 0};
    int64_t constant = 0;
  };
  using GetPosition = function_ref<Value(Value)>;

  std::optional<Sum> find(Value index) const;
  std::optional<Sum> add(ValueRange operands, int64_t sign) const;
  Value getWords(Location loc, std::array<int64_t, 2> times, OpBuilder &b,
                 GetPosition getPosition);

  std::array<Value, 2> positions;
  DenseMap<Value, Sum> sums;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_POSITIONSUMS_H
