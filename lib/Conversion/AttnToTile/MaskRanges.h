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

/// The range of positions (keys, say) that belongs to an interval of given
/// positions (rows): [lo, hi) contains all that some row of the interval sees,
/// and each row of the interval sees all of [fullLo, fullHi).
struct MaskRange {
  OpFoldResult lo, hi, fullLo, fullHi;
};

class MaskRanges final : RegionIntervals {
public:
  /// Analyses the mask region for ranges of keys that rows of an interval see
  /// or, with `ofRows`, ranges of rows that see keys of an interval; emit()
  /// emits them.
  MaskRanges(AttentionInterface op, bool ofRows);

  /// Whether ranges may show that all pairs of some block are kept.
  bool mayBeFull() const { return decided.all; }
  /// Whether ranges may show that some pairs are not kept.
  bool mayBound() const { return decided.none; }
  /// Whether the kept positions may lie in two separate ranges, so that [lo,
  /// hi) also contains excluded positions between them.
  bool mayHaveGaps() const;

  using RegionIntervals::emitUniform;
  /// Emits and returns the range for the interval of given positions from
  /// `first` to `last`, both included.
  MaskRange emit(TileBuilder &b, OpFoldResult first, OpFoldResult last);

private:
  /// The left side of a comparison minus its right side: `sign * (position
  /// floordiv divisor)`, where `position` is the bounded one, plus the values
  /// of `rest`, each times 1 or -1. If the sign is 0, it does not depend on
  /// that position.
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

  /// `bounded` is the position for which ranges are computed, `given` the one
  /// whose interval is known.
  BlockArgument bounded, given;
  Decided decided;
  Interval interval;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
