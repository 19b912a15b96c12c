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

/// Emits the pieces of an online softmax that do not depend on how a running
/// max is chosen. Row vectors are of type `rows`, layout included.
class SoftmaxMath {
public:
  SoftmaxMath(attn::NumberBuilder &builder, SoftmaxType state,
              RankedTensorType rows)
      : b(builder), factor(state.getFactor().getValueAsDouble()), rows(rows) {}

  /// A probability is exp2(factor * score - shift), with a factor and a shift
  /// for each row: `getFactor()` and its product with the running max, except
  /// for rows whose running max is huge.
  struct Exponent {
    Value factor, shift;
    /// Whether the running max is small enough for the state's factor;
    /// otherwise `factor` is a power of two.
    Value isSmall;
  };

  Value splat(RankedTensorType type, double value);
  Value splat(double value) { return splat(rows, value); }

  /// The state's factor times log2(e), as an f32.
  double getFactor();
  /// The running max of a row that has seen no score, which has a finite shift.
  Value getLowestMax();
  Exponent emitExponent(Value max);
  /// exp2(factor * score + offset).
  Value emitProbabilities(Value scores, Value factor, Value offset);
  /// Returns the running max with which the probability of `max` is 2^exponent.
  Value emitLower(Value max, double exponent);
  Value round(Value probabilities, Type element);
  /// Returns the factor for sums that were computed with the old running max.
  Value emitAlpha(Value oldMax, Value newMax);
  Value emitRescale(Value accumulator, Value alpha);
  /// Returns 1 / l and the lse, see attn_tile.softmax_finish. With
  /// `approximate` the quotient may be off by an ulp. `sink` may be null.
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
  /// The factor from scores to scores in natural units.
  double factor;
  RankedTensorType rows;
};

/// The results of a step, with the new softmax state as several values.
struct ExpandedStep {
  Value probabilities;
  SmallVector<Value> state, rescaled;
};

/// The exponent of the largest probability of a step that looks for its
/// maximum: types whose least number is large begin as far above 1 as they hold
/// sums.
double getLargestExponent(Type probability);

/// Replaces the op by its step.
void replaceUpdate(ConversionPatternRewriter &rewriter, SoftmaxUpdateOp op,
                   const ExpandedStep &step);

/// Emits the step of FlashAttention-2 as it is published, on a state of running
/// max and sum. `ownMax` is the maximum of each row of the scores. It may be
/// NaN for a row of NaN alone, since the running max never is.
ExpandedStep emitStrictUpdate(attn::NumberBuilder &builder, SoftmaxUpdateOp op,
                              Value scores, Value ownMax, ValueRange state,
                              ArrayRef<ValueRange> accumulators,
                              RankedTensorType rows);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_SOFTMAXMATH_H
