//===- SoftmaxMath.h - Arithmetic of an online softmax ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_SOFTMAXMATH_H
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_SOFTMAXMATH_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn_tile {

/// Emits those parts of an online softmax that are the same for strict and lazy
/// updates of the running maximum. Vectors with a number for each row have the
/// type `rows`, which includes the layout.
class SoftmaxMath {
public:
  SoftmaxMath(attn::NumberBuilder &builder, SoftmaxType state,
              RankedTensorType rows)
      : b(builder), factor(state.getFactor().getValueAsDouble()), rows(rows) {}

  /// The two numbers by which the probabilities of a row are computed from
  /// scores, as exp2(factor * score - shift). `shift` is `factor` times the
  /// row's running maximum m. `factor` is getFactor() if |m| is less than 2^28
  /// / getFactor(). Otherwise it is a power of two, with which the product that
  /// is `shift` is exact.
  struct Exponent {
    Value factor, shift;
    /// An i1 for each row: whether |m| is less than 2^28 / getFactor(), in
    /// which case `factor` is getFactor().
    Value isSmall;
  };

  Value splat(double value) { return b.real(rows, value); }

  /// Returns the factor of the scores times log2(e), rounded to f32.
  double getFactor();
  /// Returns the value of the running maximum before the first score of a row.
  /// It is so low that it does not change the result for any score, and its
  /// product with the factor is finite.
  Value getLowestMax();
  Exponent emitExponent(Value max);
  /// Emits `scores`, each row multiplied by its element of the vector
  /// `rowFactors`; -inf stays -inf. Returns `scores` if `rowFactors` is null.
  Value emitTimesRows(Value scores, Value rowFactors);
  /// Emits exp2(factor * score + offset) for each score of a tile.
  Value emitProbabilities(Value scores, Value factor, Value offset);
  /// Emits `max` minus exponent / getFactor(). If this is the running maximum,
  /// a score of `max` has the probability 2^exponent.
  Value emitLower(Value max, double exponent);
  Value round(Value probabilities, Type element);
  /// Emits the factor by which sums that were computed with the running maximum
  /// `oldMax` are multiplied when the running maximum becomes `newMax`.
  Value emitAlpha(Value oldMax, Value newMax);
  /// Emits the inverse 1 / l of a row's sum, and the row's lse, as
  /// attn_tile.softmax_finish defines them. With `approximate`, the quotient
  /// may be off by one ulp. `sink` may be null.
  std::pair<Value, Value> emitFinish(Value max, Value sum, Value sink,
                                     bool approximate);

private:
  std::pair<Value, Value> emitFinishWithSink(Value max, Value sum, Value sink,
                                             bool approximate);
  Value emitExcess(Value max);
  Value divide(Value lhs, Value rhs, bool approximate);
  Value broadcast(Value slice, Value like);
  double getPowerOfTwoFactor();

  attn::NumberBuilder &b;
  /// The factor by which the softmax multiplies scores, which then are
  /// logarithms in base e.
  double factor;
  RankedTensorType rows;
};

/// Returns the one value of an optional operand, or null if it is absent.
inline Value getOptional(ValueRange values) {
  return values.empty() ? Value() : values.front();
}

/// Emits the product of each row of `accumulator` with its element of the
/// vector `factor`.
Value emitRescale(attn::NumberBuilder &builder, Value accumulator,
                  Value factor);

/// Emits the lse of rows without keys, given a vector of their sinks. A sink of
/// +inf, -inf or NaN counts as no sink in such a row, so its lse is -inf.
Value emitEmptyLse(attn::NumberBuilder &builder, Value sink);

/// The results of an expanded softmax update: the probabilities, the new state
/// as row vectors, and the rescaled accumulators.
struct ExpandedStep {
  Value probabilities;
  SmallVector<Value> state, rescaled;
};

/// Returns e, where 2^e is the largest probability of a row directly after an
/// update of the running maximum. e is 0, except for probabilities of f8E4M3FN,
/// where it is 8. The smallest numbers of f8E4M3FN are rather large, so
/// probabilities are scaled up to use the type's range.
double getLargestExponent(Type probability);

/// Replaces a softmax update by the results in `step`.
void replaceUpdate(ConversionPatternRewriter &rewriter, SoftmaxUpdateOp op,
                   const ExpandedStep &step);

/// Emits an update of a softmax, for the scores of one block, by the recurrence
/// of FlashAttention-2. `state` is the running maximum and the sum of each row
/// before the block. `ownMax` is the maximum of each row of the block's scores.
/// It may be NaN if all scores of a row are NaN, but the running maximum never
/// is.
ExpandedStep emitStrictUpdate(attn::NumberBuilder &builder, SoftmaxUpdateOp op,
                              Value scores, Value ownMax, ValueRange state,
                              ArrayRef<ValueRange> accumulators,
                              RankedTensorType rows);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_SOFTMAXMATH_H
