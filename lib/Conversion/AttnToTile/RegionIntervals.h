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

/// If the condition is an i1 xor true, that is, a negation, returns its
/// operand, else null.
Value getNegated(Value condition);

/// Combines results for parts of a condition: `both` those of an `and`,
/// `either` those of an `or`; under a `not`, which negates the parts, the two
/// are exchanged. Parts are values for which `isLeaf` is true, and values that
/// are none of these ops; `ofLeaf` returns a part's result and is told whether
/// the part is negated.
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
  /// as scalars for the batch entry and head, and records them in `uniform`.
  void emitUniform(TileBuilder &b, Value batch, Value head);

protected:
  /// Both bounds are included.
  struct Interval {
    OpFoldResult low, high;
  };
  /// Values of i1: whether a condition may hold for some pair, and whether it
  /// must hold for all. Null is unknown.
  struct Truth {
    Value may, must;
  };
  /// Whether interval arithmetic may show that a condition holds for none of a
  /// block's pairs (`none`), or for all of them (`all`).
  struct Decided {
    bool none = false, all = false;
  };

  /// The magnitude of the bounds of an integer that may be any number: larger
  /// than any position, but so small that sums of a few of it do not overflow.
  static constexpr int64_t kAny = int64_t(1) << 40;

  RegionIntervals(AttentionInterface op, Block &body);
  ~RegionIntervals() = default;

  /// Whether the value has an interval that is not computed from those of its
  /// op's operands; getSource() returns that interval.
  virtual bool isSource(Value value) const = 0;
  virtual Interval getSource(Value value) = 0;
  /// Whether this class computes the interval of an op's result from those of
  /// its operands, if the op is one that hasInterval() accepts.
  virtual bool isBounded(Operation *op) const = 0;
  /// Returns the interval of an op's result in its integer type, given that of
  /// the result without wrapping. By default they are the same.
  virtual Interval keepInRange(Interval result, ArrayRef<Interval> operands,
                               Operation *op) {
    return result;
  }

  Value getCondition() const {
    return cast<YieldOp>(body.getTerminator()).getValue();
  }
  bool isUniform(Value value) const { return dependence.isUniform(value); }
  /// Whether MLIR's inference of integer ranges shows that the value is never
  /// negative. Captured scalars may be any number.
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
  /// Returns the value's interval from `intervals`, or else emits it and adds
  /// it there.
  Interval getInterval(Value value);
  /// Returns whether the predicate may hold for a number of x and one of y, and
  /// whether it must hold for all.
  Truth compare(arith::CmpIPredicate predicate, Interval x, Interval y);
  Interval add(Interval x, Interval y);
  Interval subtract(Interval x, Interval y);
  /// Returns an i1: whether the interval's lower bound is at most `least`, or
  /// its upper one at least `most`.
  Value isAny(Interval found, int64_t least, int64_t most);
  /// Returns `found` where `isWild` is false, else the interval of all numbers,
  /// [-kAny, kAny].
  Interval widen(Interval found, Value isWild);
  /// Returns `result`, but the interval of all numbers where one of `operands`
  /// may be any number or where the result may not fit a signed integer of
  /// `width` bits, or of 32 bits if it is wider.
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
