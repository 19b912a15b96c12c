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

/// Whether all positions of rows and keys are known to be less than 2^31. This
/// needs a schedule that bounds the sizes of arrays, which the launch checks;
/// keys that are not in pages; and an op that begins at row 0 and key 0 of the
/// larger problem.
bool fitWords(AttentionInterface op);

/// Emits ops of a score or mask region on i32 instead of index where their
/// operands are sums of the two positions and constants. A comparison of two
/// such sums becomes a comparison of one position, or of the difference of
/// both, with a constant. A cast of such a sum to i32 becomes a sum of i32.
class PositionSums {
public:
  PositionSums(Value first, Value second) : positions{first, second} {}

  /// Emits `op`, a comparison or a cast to i32, on tiles of i32 and returns the
  /// result; `getPosition` returns the tile of a position. Returns null if 32
  /// bits do not suffice, and for other ops, of which additions and
  /// subtractions are recorded for their users.
  Value emit(Operation &op, OpBuilder &builder,
             function_ref<Value(Value position)> getPosition);

private:
  struct Sum {
    /// The coefficient of each of the two positions: -1, 0 or 1.
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
