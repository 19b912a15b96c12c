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

/// Emits an op of a region on scalars; a read becomes a gather of one element.
Operation *emitScalar(Operation &op, TileBuilder &builder, IRMapping &mapping);

/// If the condition is the negation of an i1, returns its operand, else null.
Value getNegated(Value condition);

/// Combines results of parts of a condition along and, or and not. Parts are
/// values for which `isLeaf` is true, and values that are none of these ops;
/// `ofLeaf` returns a part's result and is told whether the part is negated.
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
  /// Emits those values of the region that depend on neither row nor key, for a
  /// batch entry and head.
  void emitUniform(TileBuilder &b, Value batch, Value head);

protected:
  /// Both bounds are included.
  struct Interval {
    OpFoldResult low, high;
  };
  /// Values of i1: whether a condition may hold, and whether it must. Null is
  /// unknown.
  struct Truth {
    Value may, must;
  };
  /// Whether interval arithmetic may show that a condition holds for no pair of
  /// a block, or for all.
  struct Decided {
    bool none = false, all = false;
  };

  /// The magnitude of the bounds of an integer that may be any number: larger
  /// than any position, and sums of a few of it do not overflow.
  static constexpr int64_t kAny = int64_t(1) << 40;

  RegionIntervals(AttentionInterface op, Block &body);
  ~RegionIntervals() = default;

  /// Whether the value has an interval that does not follow from operands;
  /// getSource() returns that interval.
  virtual bool isSource(Value value) const = 0;
  virtual Interval getSource(Value value) = 0;
  /// Whether the intervals of an op's operands determine that of its result.
  virtual bool isBounded(Operation *op) const = 0;
  /// Returns the interval of an op's result in its integer type, given the
  /// exact result's.
  virtual Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                               Operation *op) {
    return result;
  }

  Value getCondition() const {
    return cast<YieldOp>(body.getTerminator()).getValue();
  }
  bool isUniform(Value value) const { return dependence.isUniform(value); }
  /// Whether the ops that compute the value show that it is never negative.
  /// Captured scalars may be any number.
  bool isNotNegative(Value value) const {
    auto range = ranges.find(value);
    return range != ranges.end() && !range->second.smin().isNegative();
  }
  bool hasInterval(Value value) const;
  Decided findDecided(Value condition, function_ref<bool(Value)> isLeaf,
                      function_ref<bool(Value, bool isNegated)> isDecided,
                      bool isNegated = false) const;

  /// Returns the uniform value as an index.
  Value getUniform(Value value);
  /// Returns the value's interval. It is emitted at the first call after
  /// `intervals` was cleared, and then reused.
  Interval getInterval(Value value);
  /// Compares numbers of two intervals.
  Truth compare(arith::CmpIPredicate predicate, Interval x, Interval y);
  Interval add(Interval x, Interval y);
  Interval subtract(Interval x, Interval y);
  /// Whether the interval has numbers up to `least`, or from `most` on.
  Value isAny(Interval found, int64_t least, int64_t most);
  /// Returns `found`, but the interval of all numbers where `isWild` is true.
  Interval widen(Interval found, Value isWild);
  /// Returns `result`, but the interval of all numbers where an operand may be
  /// any number or the result may not fit a type of `width` bits, of which at
  /// most 32 are used.
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
  /// A constant of the bound's type.
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

  /// The ranges of integers that MLIR's inference of integer ranges finds.
  llvm::DenseMap<Value, ConstantIntRanges> ranges;
};

/// Returns the positive constant below 2^31 by which an op divides integers, or
/// none.
std::optional<int64_t> getDivisor(Operation *op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_REGIONINTERVALS_H
