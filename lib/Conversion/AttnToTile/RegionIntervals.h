//===- RegionIntervals.h - Intervals of a region's values -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Emits interval arithmetic on the integers of a score or mask region, and
// combines what is known of comparisons along the region's and, or and not.
// Bounds are scalars of type index, composed as affine expressions, or vectors
// of index with an element for each of several intervals. Derived classes say
// which values have an interval that does not follow from operands: MaskRanges
// gives an interval to one of row and key, BlockKinds and TableRanges to both.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_REGIONINTERVALS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_REGIONINTERVALS_H

#include "TileBuilder.h"

#include "attn/Dialect/Attn/IR/RegionDependence.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"

namespace mlir::attn {

/// Emits an op of a score or mask region on scalars. A read of a captured array
/// becomes a gather of one element.
Operation *emitScalar(Operation &op, TileBuilder &builder, IRMapping &mapping);

/// If the condition is a negation, that is, `xori` of an i1 and true, returns
/// the negated value; else returns null.
Value getNegated(Value condition);

/// Combines results for the parts of a condition along its ops `and`, `or` and
/// `not`. `ofLeaf` returns the result for a part, and is told whether the part
/// is negated; `both` combines the results of the operands of an `and`, and
/// `either` those of an `or`. Under a `not`, `both` and `either` are swapped.
/// Parts are values for which `isLeaf` is true and values that are not results
/// of these ops.
template <typename T>
T combineConditions(Value condition, function_ref<bool(Value)> isLeaf,
                    function_ref<T(Value, bool isNegated)> ofLeaf,
                    function_ref<T(T, T)> both, function_ref<T(T, T)> either,
                    bool isNegated = false) {
  auto recurse = [&](Value part, bool isPartNegated) {
    return combineConditions<T>(part, isLeaf, ofLeaf, both, either,
                                isPartNegated);
  };
  if (isLeaf(condition))
    return ofLeaf(condition, isNegated);
  if (Value negated = getNegated(condition))
    return recurse(negated, !isNegated);
  Operation *op = condition.getDefiningOp();
  if (!isa_and_nonnull<arith::AndIOp, arith::OrIOp>(op))
    return ofLeaf(condition, isNegated);
  T lhs = recurse(op->getOperand(0), isNegated);
  T rhs = recurse(op->getOperand(1), isNegated);
  return isa<arith::AndIOp>(op) != isNegated ? both(lhs, rhs)
                                             : either(lhs, rhs);
}

class RegionIntervals {
public:
  /// Emits those ops of the region whose results depend on neither row nor key,
  /// as scalars for this batch entry and head, and records the results in
  /// `uniform`.
  void emitUniform(TileBuilder &b, Value batch, Value head);

protected:
  /// An interval of integers that includes both of its bounds.
  struct Interval {
    OpFoldResult low, high;
  };
  /// Values of i1, scalars or vectors: whether a condition may hold for some
  /// pair of a block (`may`), and whether it must hold for all pairs (`must`).
  /// Null means unknown.
  struct Truth {
    Value may, must;
  };
  /// Whether interval arithmetic may show that a condition holds for none of a
  /// block's pairs (`none`), or for all of them (`all`).
  struct Decided {
    bool none = false, all = false;
  };

  /// The magnitude of both bounds of an integer about which nothing is known.
  /// It is larger than any position, but so small that sums of a few such
  /// bounds do not overflow.
  static constexpr int64_t kAny = int64_t(1) << 40;

  RegionIntervals(AttentionInterface op, Block &body);
  ~RegionIntervals() = default;

  /// Whether the value's interval comes from getSource() instead of being
  /// computed from the intervals of its op's operands.
  virtual bool isSource(Value value) const = 0;
  virtual Interval getSource(Value value) = 0;
  /// Whether the derived class lets the interval of the op's result be computed
  /// from those of its operands. The answer matters only for those ops for
  /// which hasInterval() knows how.
  virtual bool isBounded(Operation *op) const = 0;
  /// Returns the interval of an op's result in its integer type, given the
  /// interval `result` that it would have if integers never wrapped. The
  /// default returns `result`.
  virtual Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                               Operation *op) {
    return result;
  }

  Value getCondition() const {
    return cast<YieldOp>(body.getTerminator()).getValue();
  }
  bool isUniform(Value value) const { return dependence.isUniform(value); }
  /// Whether MLIR's inference of integer ranges shows that the value is never
  /// negative. Captured scalars are assumed to be any number.
  bool isNotNegative(Value value) const {
    auto range = ranges.find(value);
    return range != ranges.end() && !range->second.smin().isNegative();
  }
  /// Whether MLIR's inference of integer ranges shows that the value's
  /// magnitude is below `limit`.
  bool isWithin(Value value, int64_t limit) const {
    auto range = ranges.find(value);
    return range != ranges.end() && range->second.smin().sgt(-limit) &&
           range->second.smax().slt(limit);
  }
  bool hasInterval(Value value) const;
  Decided findDecided(Value condition, function_ref<bool(Value)> isLeaf,
                      function_ref<bool(Value, bool isNegated)> isDecided,
                      bool isNegated = false) const;

  /// Returns the scalar that was emitted for a value that depends on neither
  /// row nor key, converted to type index.
  Value getUniform(Value value);
  /// Returns the value's interval from the map `intervals`. If it is not there,
  /// emits it and adds it to the map.
  Interval getInterval(Value value);
  /// Returns whether `predicate` may hold for some numbers of the intervals x
  /// and y, and whether it must hold for all of them.
  Truth compare(arith::CmpIPredicate predicate, Interval x, Interval y);
  Interval add(Interval x, Interval y);
  Interval subtract(Interval x, Interval y);
  /// Returns an i1: whether the interval's lower bound is at most `least` or
  /// its upper bound is at least `most`.
  Value isAny(Interval found, int64_t least, int64_t most);
  /// Returns the interval of all numbers, [-kAny, kAny], where `isWild` is
  /// true, and `found` elsewhere.
  Interval widen(Interval found, Value isWild);
  /// Returns `result` where it can be trusted, and elsewhere the interval of
  /// all numbers: where an operand may be any number, or where the result may
  /// not fit a signed integer of min(`width`, 32) bits, so that it may have
  /// wrapped.
  Interval keepFitting(Interval result, ArrayRef<Interval> operands,
                       unsigned width);
  static unsigned getWidth(Operation *op) {
    return ConstantIntRanges::getStorageBitwidth(op->getResult(0).getType());
  }

  AttentionInterface op;
  Block &body;
  RegionDependence dependence;
  TileBuilder *builder = nullptr;
  IRMapping uniform;
  llvm::DenseMap<Value, Interval> intervals;

  OpFoldResult min(OpFoldResult x, OpFoldResult y);
  OpFoldResult max(OpFoldResult x, OpFoldResult y);
  /// Returns a constant that has the type of `bound`: a scalar, or a vector
  /// that repeats `number`.
  OpFoldResult constantLike(OpFoldResult bound, int64_t number);
  Value asValueLike(OpFoldResult bound, int64_t number) {
    return builder->asValue(constantLike(bound, number));
  }

private:
  OpFoldResult sum(OpFoldResult x, OpFoldResult y);
  OpFoldResult difference(OpFoldResult x, OpFoldResult y);
  Interval multiply(Interval x, Interval y);
  Interval divide(Interval x, Operation *op);
  Interval compute(Operation *op);

  /// The ranges that MLIR's inference of integer ranges finds for values of the
  /// region.
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};

/// Returns the divisor of a division of integers (signed, unsigned or floor) by
/// a constant between 1 and 2^31 - 1. Returns std::nullopt for other ops.
std::optional<int64_t> getDivisor(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_REGIONINTERVALS_H
