//===- MaskRanges.h - Where a mask region keeps pairs -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mask region over intervals. For rows (or keys) of an interval, the keys
// (or rows) that some of them need lie in one range, and those that all of them
// need include another one. Both have a closed form where the region compares
// what is affine in the position that is bounded, or the quotient of that by a
// constant, with anything that has bounds of its own: positions of the other
// kind, captured numbers and reads that hang on neither position.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H

#include "TileBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::attn {

/// Of positions: what some need lies in [lo, hi), and all need
/// [fullLo, fullHi).
struct MaskRange {
  OpFoldResult lo, hi, fullLo, fullHi;
};

class MaskRanges {
public:
  /// Bounds keys by rows or, with `ofRows`, rows by keys.
  MaskRanges(AttentionInterface op, bool ofRows);

  /// Whether there is a block of pairs of which the range may say that all are
  /// kept. If not, it says so of none.
  bool mayBeFull() const { return isDecided; }
  /// Whether it may say anything at all.
  bool mayBound() const { return isBounded; }
  /// Whether what is kept may lie in two ranges with a gap that it spans.
  bool mayHaveGaps() const;

  /// Emits what hangs on neither position, for a batch entry and head.
  void emitUniform(TileBuilder &b, Value batch, Value head);
  /// The range for the positions from `first` to `last`, both included.
  MaskRange emit(TileBuilder &b, OpFoldResult first, OpFoldResult last);

private:
  /// `sign * (position floordiv divisor)` and the values that are added to it
  /// or taken from it.
  struct Term {
    int64_t sign = 0, divisor = 1;
    SmallVector<std::pair<Value, int64_t>> rest;
  };
  struct Bounds {
    OpFoldResult low, high;
  };

  bool isUniform(Value value) const;
  bool isFree(Value value) const;
  bool isNotNegative(Value value) const;
  bool decompose(Value value, int64_t sign, Term &term) const;
  std::optional<Term> compare(Operation *op) const;
  bool hasBounds(Value value) const;
  Bounds getBounds(Value value);
  void findBounds(Value condition, bool isNegated, bool &bounds, bool &decides);
  unsigned findEnds(Value condition, bool isNegated, bool &hasGap) const;
  MaskRange emitCondition(Value condition, bool isNegated);
  MaskRange emitComparison(Operation *op, bool isNegated);

  AttentionInterface op;
  Block &body;
  /// The position that is bounded, and the one of the interval.
  BlockArgument bounded, given;
  bool isBounded = false, isDecided = false;
  /// Which values hang on the one, on the other, and on memory or a float.
  llvm::DenseMap<Value, unsigned> dependence;

  TileBuilder *builder = nullptr;
  IRMapping uniform;
  Bounds interval;
};

/// The operand of a negation of an i1, or null.
Value getNegated(Value condition);

/// Emits the ops of the op's mask region whose results are uniform, that is
/// depend on no position, for a batch entry and head; maps their values.
void emitUniformOps(AttentionInterface op, TileBuilder &builder, Value batch,
                    Value head, function_ref<bool(Value)> isUniform,
                    IRMapping &mapping);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_MASKRANGES_H
