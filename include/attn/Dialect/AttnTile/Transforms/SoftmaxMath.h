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

/// Emits the parts of an online softmax that do not depend on when the running
/// maximum is updated. Row vectors are of type `rows`, layout included.
class SoftmaxMath {
public:
  SoftmaxMath(attn::NumberBuilder &builder, SoftmaxType state,
              RankedTensorType rows)
      : b(builder), factor(state.getFactor().getValueAsDouble()), rows(rows) {}

  /// How a row's probabilities are computed from scores: exp2(factor * score -
  /// shift), where `shift` is `factor` times the row's running maximum m.
  /// `factor` is getFactor() if |m| is less than 2^28 / getFactor(), else a
  /// power of two, with which `shift` is not rounded.
  struct Exponent {
    Value factor, shift;
    /// Whether |m| is less than 2^28 / getFactor(), so that `factor` is
    /// getFactor().
    Value isSmall;
  };

  Value splat(RankedTensorType type, double value);
  Value splat(double value) { return splat(rows, value); }

  /// Returns the softmax's factor of scores times log2(e), rounded to f32.
  double getFactor();
  /// Returns the running maximum of a row before its first score: a number so
  /// low that no score changes the result, but whose product with the factor is
  /// finite.
  Value getLowestMax();
  Exponent emitExponent(Value max);
  /// exp2(factor * score + offset).
  Value emitProbabilities(Value scores, Value factor, Value offset);
  /// Returns `max` minus exponent / getFactor(): the running maximum with which
  /// a score of `max` has the probability 2^exponent.
  Value emitLower(Value max, double exponent);
  Value round(Value probabilities, Type element);
  /// Returns the factor that converts sums which were computed with `oldMax` to
  /// `newMax`.
  Value emitAlpha(Value oldMax, Value newMax);
  Value emitRescale(Value accumulator, Value alpha);
  /// Returns 1 / l and the lse; see attn_tile.softmax_finish. With
  /// `approximate`, the quotient may be off by an ulp. `sink` may be null.
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
  /// The softmax's factor of scores, which gives them natural units (base e).
  double factor;
  RankedTensorType rows;
};

/// The values that an expanded softmax update yields: probabilities, the new
/// state as row vectors, and the rescaled accumulators.
struct ExpandedStep {
  Value probabilities;
  SmallVector<Value> state, rescaled;
};

/// Returns the exponent e such that the largest probability of a row is 2^e
/// when the maximum is updated. It is 0, but 8 for f8E4M3FN: its smallest
/// numbers are large, so that probabilities use its range up to the largest
/// number.
double getLargestExponent(Type probability);

/// Replaces the op by its step.
void replaceUpdate(ConversionPatternRewriter &rewriter, SoftmaxUpdateOp op,
                   const ExpandedStep &step);

/// Emits an update of a softmax by the recurrence of FlashAttention-2, on a
/// state of running maximum and sum. `ownMax` is the maximum of each row of the
/// scores. It may be NaN for a row that is all NaN; the running maximum never
/// is.
ExpandedStep emitStrictUpdate(attn::NumberBuilder &builder, SoftmaxUpdateOp op,
                              Value scores, Value ownMax, ValueRange state,
                              ArrayRef<ValueRange> accumulators,
                              RankedTensorType rows);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_SOFTMAXMATH_H
