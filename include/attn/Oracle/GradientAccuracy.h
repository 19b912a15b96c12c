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

/// With g64 the oracle in fp64, glow its evaluation in Low (in Single for f32
/// inputs), ulp the spacing of the gradient's type at max|g64| and m the
/// gradient's magnitude (see GradientResult), each gradient must have
///
///   max|g - g64| <= 3 max|glow - g64| + ulp + 1e-5 max|g64| + 2^-20 m
///
/// All of it scales with d_output, so that gradients of a mean over many
/// elements are held to the same. The last term is for gradients whose terms
/// cancel, such as d_query of a row with one key, which is 0: two orders of the
/// same sum in f32 differ by some 2^-24 of the terms, and glow, which is one
/// order of them, says nothing of another.
///
/// Gradients of captured numbers and of sinks are sums of many terms t each and
/// must have
///
///   |g - g64| <= 3 |glow - g64| + ulp + u/4 sum |t| + 2^-20 sum m
///
/// with m as above, of each term, and with u = 2^-8 for inputs of bf16, 2^-11
/// for f16 and 2^-18 for f32.
///
/// NaN and infinities are where g64 has them. Exceptions: NaN or infinity in a
/// row that counts of key, query and d_output may turn its column of d_query,
/// d_key and d_value into NaN, also where it meets dS or P of 0; and where glow
/// is finite, as probabilities are that underflow in f32, the oracle's NaN need
/// not be.
struct GradientReport {
  struct Entry : MisplacedValues {
    std::string name;
    double maxError = 0;
    double errorLimit = 0;
    double maxErrorLow = 0;
    bool passed = false;
  };
  /// Those that are asked for.
  llvm::SmallVector<Entry, kNumGradients> entries;
  /// The first element that breaks the rule; empty if all is well.
  std::string firstFailure;
  bool passed = true;

  /// A line for each gradient and, where needed, one for its misplaced NaN and
  /// infinities and, in the end, one for the first failure.
  void print(llvm::raw_ostream &os) const;
};

/// The gradients that a program found, of those that are asked for.
struct FoundGradients {
  std::array<std::optional<ArrayView>, kNumGradients> arrays;
  std::optional<ArrayView> sink;
  /// In the order of the problem's.
  std::vector<std::optional<ArrayView>> captures;
};

GradientReport checkGradients(const GradientProblem &problem,
                              const FoundGradients &found);

/// The same with the oracle's results at hand: `exact` is in Double, `low` in
/// the precision that `getReferencePrecision` names.
GradientReport checkGradients(const GradientProblem &problem,
                              const GradientResult &exact,
                              const GradientResult &low,
                              const FoundGradients &found);

/// Applies the rule to some rows of the gradients of the first and of the last
/// head, where evaluating all would take too long. The report is that of the
/// first rows that break the rule, else each gradient's with the largest error.
GradientReport checkGradientSpots(const GradientProblem &problem,
                                  const FoundGradients &found);

} // namespace mlir::attn

#endif // ATTN_ORACLE_GRADIENTACCURACY_H
