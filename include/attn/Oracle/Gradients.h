//===- Gradients.h - Plain evaluation of gradients --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The gradients of attention by their formulas, row by row. Results of compiled
// kernels are compared with them.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_GRADIENTS_H
#define ATTN_ORACLE_GRADIENTS_H

#include "attn/Oracle/Oracle.h"

#include "llvm/ADT/StringRef.h"

#include <string>

namespace mlir::attn {

/// The arrays that have gradients, in the order of an op's results.
inline constexpr unsigned kOfQuery = 0, kOfKey = 1, kOfValue = 2,
                          kOfQueryRope = 3, kOfKeyRope = 4, kNumGradients = 5;
inline constexpr llvm::StringLiteral kGradientNames[kNumGradients] = {
    "d_query", "d_key", "d_value", "d_query_rope", "d_key_rope"};

/// A captured scalar or array whose gradient the problem asks for.
struct CaptureVariable {
  /// The number of the capture.
  int64_t number = 0;
  /// For a captured scalar, the score region with derivatives with respect to
  /// it; null for an array.
  const ScoreProgram *score = nullptr;
  /// The element type of its gradient.
  DType type = DType::F32;
  /// For a captured array, the score region with derivatives with respect to
  /// each of its reads, and the array's sizes.
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

/// The operands of one attention_backward op. Their sizes must agree; that is
/// not checked here.
struct GradientProblem {
  /// The forward problem; its `outputType` is the type of output and d_output.
  AttentionProblem forward;
  /// The results of the forward op, which are given and not computed again.
  ArrayView output, lse;
  ArrayView dOutput;
  std::optional<ArrayView> dLse;
  /// The types of the gradients; none for a gradient that is not wanted.
  std::array<std::optional<DType>, kNumGradients> types;
  /// The number of the last columns of query and key in `forward` that belong
  /// to arrays of their own, query_rope and key_rope, with gradients of their
  /// own; and whether all heads share the key_rope.
  int64_t ropeColumns = 0;
  bool sharesRope = false;
  std::optional<DType> sinkType;
  /// Whether programs round the rows of d_output to 8 bits for dP and for the
  /// delta of scores.
  bool roundsDOutput = false;
  std::vector<CaptureVariable> captures;

  /// Whether gradient `of` has a row for each row of the query. Otherwise it
  /// has one for each key.
  static bool isOfQueries(unsigned of) {
    return of == kOfQuery || of == kOfQueryRope;
  }
  /// Returns a view of the input whose gradient is `of`: the value, or those
  /// columns of the forward problem's query or key that belong to this input. A
  /// key_rope that all heads share is repeated for each head in the view.
  ArrayView getInput(unsigned of) const;
  /// Returns the sizes of a gradient.
  llvm::SmallVector<int64_t, 4> getSizes(unsigned of) const {
    ArrayView input = getInput(of);
    llvm::SmallVector<int64_t, 4> sizes(input.sizes.begin(), input.sizes.end());
    if (of == kOfKeyRope && sharesRope)
      sizes[1] = 1;
    return sizes;
  }
};

struct GradientResult {
  struct Array {
    /// The elements in row-major order; empty if the gradient is not wanted.
    std::vector<double> values;
    /// The largest sum of the absolute values of an element's terms, over all
    /// elements, or a bound of it. If terms cancel, rounding errors in f32 are
    /// relative to this. It is only computed in Double. The bound replaces dP
    /// by the product of the norms of the rows of d_output and value, and a
    /// score region's derivative by at least 1.
    double magnitude = 0;
  };
  /// Gradients whose elements are sums of terms: the sums, the sums of the
  /// terms' absolute values, and the sums of bounds of the terms before dP and
  /// delta cancel.
  struct Sums {
    explicit Sums(size_t count = 0)
        : values(count), magnitudes(count), bounds(count) {}
    std::vector<double> values, magnitudes, bounds;
  };
  std::array<Array, kNumGradients> arrays;
  /// The gradient of the sink for each query head; empty if it is not wanted.
  Sums sink;
  /// The gradients of captures that are wanted.
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
/// With dropout, dP and the P of d_value are multiplied by the dropout's scale
/// for pairs that are kept, and are 0 for others.
///
/// Masked pairs and rows whose lse is -inf are not read. A pair with a score of
/// -inf adds nothing, whatever its other factors are.
///
/// Double is the definition. Single has f32 values and sums. Low has besides P
/// and dS rounded to the input type before their products with rows, and the
/// gradients rounded to their types; products of inputs and their scales are
/// rounded to the input type. If `roundsDOutput`, the d_output of dP and delta
/// is rounded as the op attention_backward describes.
GradientResult evaluateGradients(const GradientProblem &problem,
                                 Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_GRADIENTS_H
