//===- GradientAccuracy.h - The accuracy rule of gradients ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_GRADIENTACCURACY_H
#define ATTN_ORACLE_GRADIENTACCURACY_H

#include "attn/Oracle/Accuracy.h"
#include "attn/Oracle/Gradients.h"

namespace mlir::attn {

/// The comparison of a program's gradients with the oracle's. Let g be a
/// gradient, g64 the oracle's in fp64, and glow the oracle's in the precision
/// Low (Single for f32 inputs). Let ulp be the spacing of the gradient's type
/// at max|g64|, and m the gradient's magnitude (see GradientResult). Each
/// gradient must satisfy
///
///   max|g - g64| <= 3 max|glow - g64| + ulp + 1e-5 max|g64| + 2^-20 m
///
/// All terms are proportional to d_output, so gradients of a mean over many
/// elements are checked as strictly as others. The last term is for gradients
/// whose terms cancel, such as d_query of a row with one key, which is 0. Two
/// orders of summation in f32 differ by about 2^-24 of the terms, and the error
/// of glow, which has one order, says nothing about another order.
///
/// Gradients of captures and of sinks are sums of many terms t. Each of their
/// elements must satisfy
///
///   |g - g64| <= 3 |glow - g64| + ulp + u/4 sum |t| + 2^-20 sum m + 2^-126
///
/// Here ulp is the spacing at |g64|, m is a bound of each term as above, and u
/// is 2^-8 for bf16 inputs, 2^-11 for f16 and 2^-18 for f32.
///
/// NaN and infinities must be where g64 has them, with two exceptions. First, a
/// NaN or infinity in an unmasked row of key, query or d_output may turn its
/// column of d_query, d_key or d_value into NaN, even where it is multiplied by
/// a dS or P of 0. Second, a NaN of g64 may be missing where glow is finite, as
/// with probabilities that underflow in f32.
struct GradientReport {
  struct Entry : MisplacedValues {
    std::string name;
    double maxError = 0;
    double errorLimit = 0;
    double maxErrorLow = 0;
    bool passed = false;
  };
  /// The comparisons of those gradients that the problem asks for.
  llvm::SmallVector<Entry, kNumGradients> entries;
  /// A description of the first element that breaks the rule. Empty if no
  /// element does.
  std::string firstFailure;
  bool passed = true;

  /// Prints a line for each gradient, and a further line for a gradient with
  /// misplaced NaN or infinities. The last line describes the first failure, if
  /// there is one.
  void print(llvm::raw_ostream &os) const;
};

/// The arrays with the gradients that a program computed. Gradients that the
/// problem does not ask for are unset.
struct FoundGradients {
  std::array<std::optional<ArrayView>, kNumGradients> arrays;
  std::optional<ArrayView> sink;
  /// The gradients of captures, in the order in which the problem lists
  /// captures.
  std::vector<std::optional<ArrayView>> captures;
};

GradientReport checkGradients(const GradientProblem &problem,
                              const FoundGradients &found);

/// Compares the gradients `found` with results of the oracle that were computed
/// before. `exact` was computed in the precision Double, and `low` in the
/// precision that getReferencePrecision() returns.
GradientReport checkGradients(const GradientProblem &problem,
                              const GradientResult &exact,
                              const GradientResult &low,
                              const FoundGradients &found);

/// Applies the accuracy rule of gradients to a part of them, for problems for
/// which the evaluation of all rows takes too long: up to 16 rows (of the
/// query) and up to 16 keys, each at the beginning, in the middle and at the
/// end, of the first and of the last head. Gradients of captures and sinks,
/// which are sums over all pairs, are then not checked. Problems with lengths,
/// packed sequences or pages, or with a gradient of a key_rope that heads
/// share, are checked whole.
///
/// Returns the report of the first of these groups that breaks the rule. If
/// none does, returns a report that has, for each gradient, the entry with the
/// largest error.
GradientReport checkGradientSpots(const GradientProblem &problem,
                                  const FoundGradients &found);

} // namespace mlir::attn

#endif // ATTN_ORACLE_GRADIENTACCURACY_H
