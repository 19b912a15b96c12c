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

/// The numbers of elements that are NaN, and of those that are infinite where
/// the oracle's are not, or the reverse.
struct MisplacedValues {
  /// The number of elements where one of the two values is infinite, and the
  /// other is not the same infinity.
  int64_t numMismatchedInfinities = 0;
  /// The number of elements that are NaN where the oracle's are not, such as
  /// poison that was not overwritten.
  int64_t numUnexpectedNaN = 0;
  /// The number of elements that are not NaN where the oracle's are.
  int64_t numMissingNaN = 0;
  /// NaN that only the rule's exception allows.
  int64_t numToleratedNaN = 0;
  /// The number of elements that are NaN or infinite where the oracle's
  /// evaluation in the precision of the arrays is not finite either.
  int64_t numOutOfRange = 0;
  /// The number of elements that are NaN, as the oracle's are. They pass, but
  /// say that a score function was evaluated outside of its domain, for
  /// example.
  int64_t numExpectedNaN = 0;
};

/// Let o64 be the oracle's output in fp64, olow and o32 its evaluations in Low
/// and Single, and ulp the spacing of the output type at max|o64|. The rule is:
///
///   f16, bf16 inputs:  max|o - o64| <= 2 max|olow - o64| + ulp + 1e-5
///                      |lse - lse64| <= 1e-3 max(1, |lse64|)
///   f32 inputs:        max|o - o64| <= max(5e-5, 2 max|o32 - o64|)
///                      |lse - lse64| <= 5e-5 max(1, |lse64|)
///
/// and NaN and infinities must be where o64 and lse64 have them. There is one
/// exception: an element of V that is NaN or infinite may turn its column of
/// the output into NaN, even in rows that give its key probability 0.
struct AccuracyReport : MisplacedValues {
  /// The left and the right side of the output's rule, and the error of olow or
  /// o32. Elements where o64 is not finite are left out.
  double maxError = 0;
  double errorLimit = 0;
  double maxErrorLow = 0;
  /// The largest |lse - lse64| / max(1, |lse64|), and its limit.
  bool hasLse = false;
  double maxLseError = 0;
  double lseLimit = 0;

  /// The first element that breaks the rule: its index, the expected and the
  /// found value; or why an array has the wrong sizes or type. Empty if all is
  /// right.
  std::string firstFailure;
  bool outputPassed = false;
  bool lsePassed = false;
  bool passed = false;

  /// Prints a line for the output, one for the lse if it was compared and, if
  /// needed, one for misplaced NaN and infinities and one for the first
  /// failure.
  void print(llvm::raw_ostream &os) const;
};

/// Compares `output` and, unless `lse` is null, `lse` with the oracle.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const ArrayView &output, const ArrayView *lse);

/// As above, but with results of the oracle that were computed before: `exact`
/// in Double, `low` in the precision that getReferencePrecision() returns.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const AttentionResult &exact,
                             const AttentionResult &low,
                             const ArrayView &output, const ArrayView *lse);

/// Returns the precision of the oracle's evaluation whose error the accuracy
/// rule allows twice: Single for f32 inputs, else Low.
Precision getReferencePrecision(const AttentionProblem &problem);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ACCURACY_H
