//===- Gradients.h - Plain evaluation of gradients --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradients of attention by their formulas, row by row. Compiled kernels
// are compared with them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_GRADIENTS_H
#define ATTN_ORACLE_GRADIENTS_H

#include "attn/Oracle/Oracle.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::attn {

/// What gradients are of, in the order of an op's results.
inline constexpr unsigned kOfQuery = 0, kOfKey = 1, kOfValue = 2,
                          kNumGradients = 3;
inline constexpr llvm::StringLiteral kGradientNames[kNumGradients] = {
    "d_query", "d_key", "d_value"};

/// A captured number or array whose gradient is asked for.
struct CaptureVariable {
  /// Its number among the captures.
  int64_t number = 0;
  /// The score region, whose derivative is with respect to it.
  const ScoreProgram *score = nullptr;
  /// The type of its gradient.
  DType type = DType::F32;
  /// Of an array, the score for each of its reads instead, and its sizes.
  std::vector<const ScoreProgram *> reads = {};
  llvm::SmallVector<int64_t> sizes = {};

  int64_t getNumElements() const {
    int64_t count = 1;
    for (int64_t size : sizes)
      count *= size;
    return count;
  }
  std::string getGradientName() const {
    return "d_capture" + std::to_string(number);
  }
};

/// One attention_backward op with all that it needs at run time. The sizes of
/// the operands must fit each other.
struct GradientProblem {
  /// `outputType` is that of output and d_output.
  AttentionProblem forward;
  /// What the forward op returned. It is taken as it is, not computed again.
  ArrayView output, lse;
  ArrayView dOutput;
  std::optional<ArrayView> dLse;
  /// The types of the gradients; none is for one that is not asked for.
  std::array<std::optional<DType>, kNumGradients> types;
  std::optional<DType> sinkType;
  std::vector<CaptureVariable> captures;

  /// The array that a gradient is of.
  const ArrayView &getInput(unsigned of) const {
    return of == kOfQuery ? forward.query
           : of == kOfKey ? forward.key
                          : forward.value;
  }
};

struct GradientResult {
  struct Array {
    /// In row-major order; empty if it is not asked for.
    std::vector<double> values;
    /// A bound of the sum of the absolute values of an element's terms, for the
    /// element where it is largest: what rounding in f32 is relative to where
    /// terms cancel. Double has it alone. It takes a row of d_output and of
    /// value to be as long as parallel ones, and a derivative of a score region
    /// to be at least 1.
    double magnitude = 0;
  };
  /// Elements that are sums of terms, and the sums of the terms' absolute
  /// values; `bounds` are those of what a term is a difference of, dP and
  /// delta.
  struct Sums {
    explicit Sums(size_t count = 0)
        : values(count), magnitudes(count), bounds(count) {}
    std::vector<double> values, magnitudes, bounds;
  };
  std::array<Array, kNumGradients> arrays;
  /// Of each query head; empty if it is not asked for.
  Sums sink;
  /// Of captures that are asked for.
  std::vector<Sums> captures;
};

/// Evaluates `problem`:
///
///   P[i,j]   = exp(s'[i,j] - lse[i])
///   delta[i] = sum_d output[i,d] * d_output[i,d] - d_lse[i]
///   dP[i,j]  = sum_d d_output[i,d] * value[j,d]
///   dS[i,j]  = P[i,j] * (dP[i,j] - delta[i]) * d score / ds
///   d_query[i,:] = scale * sum_j dS[i,j] * key[j,:]
///   d_key[j,:]   = scale * sum_i dS[i,j] * query[i,:]
///   d_value[j,:] = sum_i P[i,j] * d_output[i,:]
///   d_c          = sum_bhij P[i,j] * (dP[i,j] - delta[i]) * d score / dc
///   d_sink[h]    = sum_bi -exp(sink[h] - lse[b,h,i]) * delta[i]
///
/// With dropout, dP and the P of d_value are what is kept of them, times the
/// dropout's scale.
///
/// Pairs that are masked and rows whose lse is -inf are not read at all; a pair
/// with a score of -inf adds nothing, whatever the other factors are.
///
/// Double is the definition. Single has f32 values and sums. Low has besides P
/// and dS rounded to the input type before their products with rows, and the
/// gradients rounded to their types; products of inputs and their scales are
/// rounded to the input type.
GradientResult evaluateGradients(const GradientProblem &problem,
                                 Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_GRADIENTS_H
