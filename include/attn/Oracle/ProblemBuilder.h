//===- ProblemBuilder.h - Attention problems of ops -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Builds the problem that the oracle evaluates from an attention op and the
// arguments of its function.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_PROBLEMBUILDER_H
#define ATTN_ORACLE_PROBLEMBUILDER_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Oracle/Gradients.h"
#include "attn/Oracle/Oracle.h"
#include "attn/Oracle/ScoreEvaluator.h"
#include "attn/Support/ArrayView.h"

#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace mlir::attn {

/// The array or the scalar that is passed for an argument of the entry
/// function.
struct Binding {
  std::optional<ArrayView> array;
  std::optional<ScalarValue> scalar;
};

/// What a problem points to.
struct BuiltRegions {
  std::optional<ScoreProgram> score, mask;
  /// The score region, translated once for each capture with derivatives with
  /// respect to that.
  std::deque<ScoreProgram> captureScores;
  /// If the op has a query_rope or a key_rope: the memory of the array in which
  /// the columns of query and query_rope, or of key and key_rope, are joined.
  std::vector<char> query, key;
};

template <typename Problem> struct Built : BuiltRegions {
  Built() = default;
  Built(const Built &) = delete;
  Built &operator=(const Built &) = delete;

  Problem problem;
};
using BuiltProblem = Built<AttentionProblem>;
using BuiltGradientProblem = Built<GradientProblem>;

/// Follows `value` through memref.cast and tensor.cast, which change its type
/// but no element, and returns the first value that is not the result of such a
/// cast.
Value stripCasts(Value value);

/// Builds the oracle's problem of `op` for a call of its function with
/// `arguments`; for a backward op, the problem of the forward op whose
/// gradients it computes. Fails with a diagnostic at `op` if an operand is not
/// an argument of the function, or if sizes do not agree.
FailureOr<std::unique_ptr<BuiltProblem>>
buildProblem(AttentionInterface op, ArrayRef<Binding> arguments);

/// Builds the problem of a backward op for a call of its function. The results
/// of the forward op must also be arguments.
FailureOr<std::unique_ptr<BuiltGradientProblem>>
buildGradientProblem(AttentionBackwardOp op, ArrayRef<Binding> arguments);

} // namespace mlir::attn

#endif // ATTN_ORACLE_PROBLEMBUILDER_H
