//===- TableRange.h - The elements that a block of pairs reads --*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_TABLERANGE_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_TABLERANGE_H

#include "ScoreTiling.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// Interval arithmetic on integers of a score region, for a tile of pairs, in
/// scalars: positions are between the tile's first and last.
class TableRange {
public:
  TableRange(ImplicitLocOpBuilder &b, const ScorePlace &place, int64_t rows,
             int64_t keys)
      : b(b), place(place), rows(rows), keys(keys) {}

  /// The least and the largest number of any of `values`, which are numbers of
  /// elements of a table of `count`. Both are indices.
  std::pair<Value, Value> find(ArrayRef<Value> values, int64_t count);

private:
  /// Null is any number.
  struct Interval {
    Value low, high;
  };
  template <typename Op> Value combine(Value lhs, Value rhs);
  Interval get(Value value);
  Interval compute(Value value);

  ImplicitLocOpBuilder &b;
  ScorePlace place;
  int64_t rows, keys;
  llvm::DenseMap<Value, Interval> known;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_TABLERANGE_H
