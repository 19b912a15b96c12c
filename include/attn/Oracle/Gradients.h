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

/// Numbers of the arrays that may have gradients, in the order of the results
/// of the op attention_backward.
inline constexpr unsigned kOfQuery = 0, kOfKey = 1, kOfValue = 2,
                          kOfQueryRope = 3, kOfKeyRope = 4, kNumGradients = 5;
inline constexpr llvm::StringLiteral kGradientNames[kNumGradients] = {
    "d_query", "d_key", "d_value", "d_query_rope", "d_key_rope"};

/// A captured scalar or array of which the problem asks for the gradient.
struct CaptureVariable {
  /// The number of the capture among the captures of the op.
  int64_t number = 0;
  /// For a captured scalar, the score region as a program that computes
  /// derivatives with respect to the scalar. Null for a captured array.
  const ScoreProgram *score = nullptr;
  /// The element type of the capture's gradient.
  DType type = DType::F32;
  /// For a captured array: the score region as programs, each of which computes
  /// derivatives with respect to one of the region's reads of the array; and
  /// the sizes of the array.
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

/// The operands of one attention_backward op. Their sizes must agree, which is
/// not checked here.
struct GradientProblem {
  /// The problem of the forward op. Its `outputType` is the type of output and
  /// d_output.
  AttentionProblem forward;
  /// The results of the forward op. They are operands of the backward op, and
  /// are not computed again.
  ArrayView output, lse;
  ArrayView dOutput;
  std::optional<ArrayView> dLse;
  /// The element types of the gradients. The type of a gradient that is not
  /// wanted is unset.
  std::array<std::optional<DType>, kNumGradients> types;
  /// The number of columns at the end of query and key in `forward` that come
  /// from query_rope and key_rope. These are arrays of their own with gradients
  /// of their own. `sharesRope` says whether all heads share the key_rope.
  int64_t ropeColumns = 0;
  bool sharesRope = false;
  std::optional<DType> sinkType;
  /// Whether programs round d_output to 8 bits, row by row, for dP and for
  /// delta.
  bool roundsDOutput = false;
  /// Whether programs also round P, dS and the d_output of d_value to the four
  /// significant bits of e4m3.
  bool roundsOperands = false;
  std::vector<CaptureVariable> captures;

  /// Whether the gradient numbered `of` has a row for each row of the query.
  /// Otherwise it has a row for each key.
  static bool isOfQueries(unsigned of) {
    return of == kOfQuery || of == kOfQueryRope;
  }
  /// Returns a view of the input whose gradient is numbered `of`: the value, or
  /// those columns of the forward problem's query or key that belong to the
  /// input. If all heads share the key_rope, the view repeats it for each head.
  ArrayView getInput(unsigned of) const;
  /// Returns the sizes of the gradient numbered `of`.
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
    /// The elements of the gradient in row-major order. Empty if the gradient
    /// is not wanted.
    std::vector<double> values;
    /// A bound of the sum of the absolute values of an element's terms, the
    /// largest one of all elements. If terms cancel, the rounding errors of f32
    /// are relative to this sum. It is computed in the precision Double only.
    /// For the bound, dP is replaced by the product of the norms of the rows of
    /// d_output and value, and the derivative of a score region by its absolute
    /// value or, if that is less than 1, by 1.
    double magnitude = 0;
  };
  /// Gradients whose elements are sums of many terms. `values` are the sums,
  /// `magnitudes` the sums of the absolute values of the terms, and `bounds`
  /// the sums of bounds of the terms before dP and delta cancel.
  struct Sums {
    explicit Sums(size_t count = 0)
        : values(count), magnitudes(count), bounds(count) {}
    std::vector<double> values, magnitudes, bounds;
  };
  std::array<Array, kNumGradients> arrays;
  /// The gradient of the sink, with an element for each query head. Empty if it
  /// is not wanted.
  Sums sink;
  /// The gradients of those captures whose gradients are wanted.
  std::vector<Sums> captures;
};

/// Evaluates the gradients of `problem`:
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
/// for pairs that are kept, and are 0 for other pairs.
///
/// Masked pairs, and rows whose lse is -inf, are not read. A pair with a score
/// of -inf adds nothing, whatever its other factors are.
///
/// The precision Double is the definition. Single has values and sums in f32.
/// Low is Single with more roundings: d_output is rounded to the input type, P
/// and dS, too, before their products with rows, the gradients to their types,
/// and products of inputs and their scales to the input type. If
/// `roundsDOutput` is set, the d_output of dP and delta is rounded as the op
/// attention_backward describes, and with `roundsOperands` P, dS and the
/// d_output of d_value are, too, each number of P and dS with a scale of its
/// own.
GradientResult evaluateGradients(const GradientProblem &problem,
                                 Precision precision);

} // namespace mlir::attn

#endif // ATTN_ORACLE_GRADIENTS_H
