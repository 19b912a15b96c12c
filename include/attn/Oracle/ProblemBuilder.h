//===- ProblemBuilder.h - Attention problems of ops -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an attention op and what the program is run on to a problem that the
// oracle can evaluate.
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

namespace mlir::attn {

/// What is bound to one argument of the entry function.
struct Binding {
  std::optional<ArrayView> array;
  std::optional<ScalarValue> scalar;
};

/// A problem and the programs that it points to.
template <typename Problem> struct Built {
  Built() = default;
  Built(const Built &) = delete;
  Built &operator=(const Built &) = delete;

  Problem problem;
  std::optional<ScoreProgram> score, mask;
  /// Of captures that have gradients.
  std::deque<ScoreProgram> captureScores;
};
using BuiltProblem = Built<AttentionProblem>;
using BuiltGradientProblem = Built<GradientProblem>;

/// Builds the problem that `op` states when its function is called with
/// `arguments`: of a backward op, the forward problem. Fails with a diagnostic
/// at `op` if its operands are no arguments of that function or if their sizes
/// do not fit.
FailureOr<std::unique_ptr<BuiltProblem>>
buildProblem(AttentionInterface op, ArrayRef<Binding> arguments);

/// The same for gradients. The results of the forward op must be arguments,
/// too.
FailureOr<std::unique_ptr<BuiltGradientProblem>>
buildGradientProblem(AttentionBackwardOp op, ArrayRef<Binding> arguments);

} // namespace mlir::attn

#endif // ATTN_ORACLE_PROBLEMBUILDER_H
