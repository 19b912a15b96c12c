//===- Accuracy.h - The accuracy rule ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accuracy rule of forward results: the error must be at most twice that of
// evaluating the definition directly in the same precision.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_ACCURACY_H
#define ATTN_ORACLE_ACCURACY_H

#include "attn/Oracle/Oracle.h"
#include "attn/Support/ArrayView.h"

#include "llvm/Support/raw_ostream.h"

#include <cstdint>
#include <string>

namespace mlir::attn {

/// Counts of elements of a program's result that are NaN or infinite where the
/// oracle's result is not, or the reverse.
struct MisplacedValues {
  /// The number of elements of which the program's or the oracle's value is
  /// infinite, and the other value is not the same infinity.
  int64_t numMismatchedInfinities = 0;
  /// The number of elements that are NaN in the program's result but not in the
  /// oracle's, such as elements that were filled with NaN before the run and
  /// not overwritten.
  int64_t numUnexpectedNaN = 0;
  /// The number of elements that are NaN in the oracle's result but not in the
  /// program's.
  int64_t numMissingNaN = 0;
  /// The number of elements that are NaN in the program's result, and that only
  /// the exception in the accuracy rule allows.
  int64_t numToleratedNaN = 0;
  /// The number of elements that are NaN or infinite in the program's result
  /// although they are not in fp64. They pass, since the oracle's evaluation in
  /// the precision of the arrays (Low, or Single for f32 inputs) is not finite
  /// there either.
  int64_t numOutOfRange = 0;
  /// The number of elements that are NaN in both results. They pass the check,
  /// but may show, for example, that a score function was evaluated outside of
  /// its domain.
  int64_t numExpectedNaN = 0;
};

/// The comparison of a program's forward results, o and lse, with the oracle's.
/// Let o64 and lse64 be the oracle's results in fp64, olow and o32 its outputs
/// in the precisions Low and Single, and ulp the spacing of the output type at
/// max|o64|. The accuracy rule is:
///
///   f16, bf16 inputs:  max|o - o64| <= 2 max|olow - o64| + ulp + 1e-5
///                      |lse - lse64| <= 1e-3 max(1, |lse64|)
///   f32 inputs:        max|o - o64| <= max(5e-5, 2 max|o32 - o64|)
///                      |lse - lse64| <= 5e-5 max(1, |lse64|)
///
/// NaN and infinities must be where o64 and lse64 have them. There is one
/// exception: an element of V that is NaN or infinite may turn its column of
/// the output into NaN, even in rows that give its key probability 0.
struct AccuracyReport : MisplacedValues {
  /// `maxError` and `errorLimit` are the left and the right side of the rule
  /// for the output. `maxErrorLow` is the error of olow or, for f32 inputs, of
  /// o32. Elements for which o64 is not finite are left out.
  double maxError = 0;
  double errorLimit = 0;
  double maxErrorLow = 0;
  /// `hasLse` says whether the lse was compared. `maxLseError` is the largest
  /// |lse - lse64| / max(1, |lse64|), and `lseLimit` its limit.
  bool hasLse = false;
  double maxLseError = 0;
  double lseLimit = 0;

  /// A description of the first element that breaks the rule: its index, the
  /// expected value and the found value. If an array has the wrong sizes or
  /// type, it says so instead. Empty if nothing is wrong.
  std::string firstFailure;
  bool outputPassed = false;
  bool lsePassed = false;
  bool passed = false;

  /// Prints a line for the output, and a line for the lse if it was compared.
  /// If there are any, further lines describe misplaced NaN and infinities, and
  /// the first failure.
  void print(llvm::raw_ostream &os) const;
};

/// Evaluates the oracle for `problem`, and compares `output` with its output
/// and, unless `lse` is null, `lse` with its lse.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const ArrayView &output, const ArrayView *lse);

/// Compares `output` and, unless `lse` is null, `lse` with results of the
/// oracle that were computed before. `exact` was computed in the precision
/// Double, and `low` in the precision that getReferencePrecision() returns.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const AttentionResult &exact,
                             const AttentionResult &low,
                             const ArrayView &output, const ArrayView *lse);

/// Returns the precision of the oracle's evaluation whose error, doubled, the
/// accuracy rule allows. It is Single for f32 inputs, else Low.
Precision getReferencePrecision(const AttentionProblem &problem);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ACCURACY_H
