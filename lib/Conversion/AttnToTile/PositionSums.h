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

/// Whether all positions of rows and keys are known to be below 2^31: the
/// schedule bounds the sizes of arrays, which the launch checks, keys are not
/// in pages, and the op does not begin at a later row or key of a larger
/// problem.
bool fitWords(AttentionInterface op);

/// Emits ops of a region on 32-bit integers where their indices are sums of the
/// two positions and constants. A position, or the difference of two, becomes
/// an i32. A comparison of indices becomes one of such an i32 with a constant,
/// if its sides differ by an i32 and a constant; a cast to i32 becomes the sum
/// itself.
class PositionSums {
public:
  PositionSums(Value first, Value second) : positions{first, second} {}

  /// Emits a comparison or a cast to i32 on tiles of i32, where `getPosition`
  /// returns the tile of a position, and returns the result. Returns null for
  /// other ops (sums are recorded for their users) and if 32 bits do not
  /// suffice.
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
