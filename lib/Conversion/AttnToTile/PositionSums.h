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

/// Whether a launch has checked that all positions of rows and keys are below
/// 2^31: they are those of arrays whose sizes the schedule bounds.
bool fitWords(AttentionInterface op);

/// Which indices of a region are sums of positions that fit words of 32 bits.
/// Such a position is an i32, and so is the difference of two. A comparison of
/// indices becomes one of an i32 with a constant if its sides differ by such a
/// sum and a constant.
class PositionSums {
public:
  PositionSums(Value first, Value second) : positions{first, second} {}

  /// Emits an op of the region, on the tiles of words that `getPosition` makes
  /// of positions; null where words do not suffice.
  Value emit(Operation &op, OpBuilder &builder,
             function_ref<Value(Value position)> getPosition);

private:
  struct Sum {
    /// How often each position is added, less how often it is subtracted.
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
