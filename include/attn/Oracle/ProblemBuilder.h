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

/// The array or the scalar that the caller passes for an argument of the entry
/// function.
struct Binding {
  std::optional<ArrayView> array;
  std::optional<ScalarValue> scalar;
};

/// The programs and the memory to which a problem has pointers, and which must
/// exist as long as the problem.
struct BuiltRegions {
  std::optional<ScoreProgram> score, mask;
  /// The score region, translated once for each capture that has a gradient.
  /// Each program computes derivatives with respect to its capture.
  std::deque<ScoreProgram> captureScores;
  /// The memory of joined arrays. If the op has a query_rope or a key_rope, the
  /// columns of query and query_rope, or of key and key_rope, are joined in one
  /// array.
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

/// Returns the array of which `value` is a cast, through any number of
/// memref.cast and tensor.cast ops. These change the type of a value but none
/// of its elements.
Value stripCasts(Value value);

/// Builds the oracle's problem of `op` for a call of its function with
/// `arguments`. For a backward op, this is the problem of the forward op whose
/// gradients it computes. Fails with a diagnostic at `op` if an operand is not
/// an argument of the function, or if sizes do not agree.
FailureOr<std::unique_ptr<BuiltProblem>>
buildProblem(AttentionInterface op, ArrayRef<Binding> arguments);

/// Builds the oracle's problem of a backward op for a call of its function with
/// `arguments`. The results of the forward op must also be arguments of the
/// function.
FailureOr<std::unique_ptr<BuiltGradientProblem>>
buildGradientProblem(AttentionBackwardOp op, ArrayRef<Binding> arguments);

} // namespace mlir::attn

#endif // ATTN_ORACLE_PROBLEMBUILDER_H
