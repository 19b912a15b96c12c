//===- MaskRanges.h - Ranges of pairs that a mask keeps ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic on the mask region. For an interval of rows (or keys),
// the keys (or rows) that some of them see lie in one range, and those that all
// of them see include another range. Both ranges have a closed form if the
// region compares the position that is to be bounded (or an affine function of
// it, or its quotient by a constant) with a value whose bounds are known: one
// computed from the other position, captured scalars and reads that depend on
// neither position.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H

#include "RegionIntervals.h"

namespace mlir::attn {

/// The ranges of bounded positions (keys, say) that belong to an interval of
/// given positions (rows). [lo, hi) contains all keys that some row of the
/// interval sees, and each row of the interval sees all keys of [fullLo,
/// fullHi).
struct MaskRange {
  OpFoldResult lo, hi, fullLo, fullHi;
};

class MaskRanges final : RegionIntervals {
public:
  /// Analyses the mask region of `op`, for later calls of emit(): for ranges of
  /// keys that an interval of rows sees or, with `ofRows`, ranges of rows that
  /// see an interval of keys.
  MaskRanges(AttentionInterface op, bool ofRows);

  /// Whether emit() may return ranges that show that a block is full, that is,
  /// that the mask region keeps all of its pairs.
  bool mayBeFull() const { return decided.all; }
  /// Whether emit() may return ranges that exclude some pairs.
  bool mayBound() const { return decided.none; }
  /// Whether the positions that the mask region keeps may lie in two separate
  /// ranges, so that [lo, hi) also contains the excluded positions between
  /// them.
  bool mayHaveGaps() const;

  using RegionIntervals::emitUniform;
  /// Emits and returns the ranges for the interval of given positions from
  /// `first` to `last`, both inclusive.
  MaskRange emit(TileBuilder &b, OpFoldResult first, OpFoldResult last);

private:
  /// The left side of a comparison minus its right side: the sum of `sign *
  /// (position floordiv divisor)`, where `position` is the bounded position,
  /// and of the values in `rest`, each multiplied by its factor of 1 or -1. If
  /// `sign` is 0, the difference does not depend on the bounded position.
  struct Term {
    int64_t sign = 0, divisor = 1;
    SmallVector<std::pair<Value, int64_t>> rest;
  };

  bool isSource(Value value) const override {
    return isUniform(value) || value == given;
  }
  Interval getSource(Value value) override;
  Interval getClamped(Value value);
  bool isBounded(Operation *op) const override;

  bool isFree(Value value) const;
  bool decompose(Value value, int64_t sign, Term &term) const;
  std::optional<Term> getTerm(Operation *op) const;
  Decided findBounds(Value condition, bool isNegated) const;
  unsigned findEnds(Value comparison, bool isNegated) const;
  MaskRange emitPart(Value condition, bool isNegated);
  MaskRange emitComparison(Value comparison, bool isNegated);
  MaskRange span(MaskRange x, MaskRange y, bool mayFirstBeFull);

  /// The region's arguments for row and key: `bounded` is the position for
  /// which ranges are computed, `given` the position whose interval is known.
  BlockArgument bounded, given;
  Decided decided;
  Interval interval;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
