//===- MaskRanges.h - Where a mask region keeps pairs -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Interval arithmetic on the mask region. For an interval of rows (or keys),
// the keys (or rows) that some of them see lie in one range, and those that all
// of them see include another range. Both have a closed form where the region
// compares a value that is affine in the bounded position, or in its quotient
// by a constant, with a value that has bounds: one computed from the other
// position, captured numbers and reads that depend on neither position.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H

#include "RegionIntervals.h"

namespace mlir::attn {

/// Positions that some of an interval see lie in [lo, hi), and all of the
/// interval see those in [fullLo, fullHi).
struct MaskRange {
  OpFoldResult lo, hi, fullLo, fullHi;
};

class MaskRanges final : RegionIntervals {
public:
  /// Bounds keys by rows or, with `ofRows`, rows by keys.
  MaskRanges(AttentionInterface op, bool ofRows);

  /// Whether the range may show for some block of pairs that all are kept.
  bool mayBeFull() const { return decided.all; }
  /// Whether the range may show that some pairs are not kept.
  bool mayBound() const { return decided.none; }
  /// Whether the kept positions may lie in two ranges, so that [lo, hi) has a
  /// gap.
  bool mayHaveGaps() const;

  using RegionIntervals::emitUniform;
  /// Emits the range for the positions from `first` to `last`, both included.
  MaskRange emit(TileBuilder &b, OpFoldResult first, OpFoldResult last);

private:
  /// `sign * (position floordiv divisor)`, and the values that are added to it
  /// or subtracted from it.
  struct Term {
    int64_t sign = 0, divisor = 1;
    SmallVector<std::pair<Value, int64_t>> rest;
  };

  bool isSource(Value value) const override {
    return isUniform(value) || value == given;
  }
  Interval getSource(Value value) override;
  bool isBounded(Operation *op) const override;

  bool isFree(Value value) const;
  bool decompose(Value value, int64_t sign, Term &term) const;
  std::optional<Term> getTerm(Operation *op) const;
  Decided findBounds(Value condition, bool isNegated) const;
  unsigned findEnds(Value comparison, bool isNegated) const;
  MaskRange emitPart(Value condition, bool isNegated);
  MaskRange emitComparison(Value comparison, bool isNegated);
  MaskRange span(MaskRange x, MaskRange y, bool mayFirstBeFull);

  /// The position that is bounded, and the position whose interval is given.
  BlockArgument bounded, given;
  Decided decided;
  Interval interval;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
