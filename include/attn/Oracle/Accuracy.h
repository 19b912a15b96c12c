//===- Accuracy.h - The accuracy rule ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result passes when its error is at most twice that of a plain evaluation in
// the same precision.
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

/// Elements that are not finite where they should be, or the other way round.
struct MisplacedValues {
  /// One side is infinite and the other is not the same infinity.
  int64_t numMismatchedInfinities = 0;
  /// NaN where the oracle has none, such as poison that nobody overwrote.
  int64_t numUnexpectedNaN = 0;
  /// Numbers where the oracle has NaN.
  int64_t numMissingNaN = 0;
  /// NaN that only an exception of the rule allows.
  int64_t numToleratedNaN = 0;
};

/// With o64 the oracle in fp64, olow and o32 its evaluations in Low and Single,
/// and ulp the spacing of the output type at max|o64|, the rule is:
///
///   f16, bf16 inputs:  max|o - o64| <= 2 max|olow - o64| + ulp + 1e-5
///                      |lse - lse64| <= 1e-3 max(1, |lse64|)
///   f32 inputs:        max|o - o64| <= max(5e-5, 2 max|o32 - o64|)
///                      |lse - lse64| <= 5e-5 max(1, |lse64|)
///
/// and NaN and infinities are where o64 and lse64 have them. One exception: a
/// value (V) that is NaN or infinite may turn its column into NaN also in rows
/// that give it probability 0.
struct AccuracyReport : MisplacedValues {
  /// The left and right sides of the rule for the output, and the error of olow
  /// or o32. Elements that are not finite in o64 are counted below instead.
  double maxError = 0;
  double errorLimit = 0;
  double maxErrorLow = 0;
  /// The largest |lse - lse64| / max(1, |lse64|).
  bool hasLse = false;
  double maxLseError = 0;
  double lseLimit = 0;

  /// The first element that breaks the rule: its index, what was expected and
  /// what was found. Empty if all is well.
  std::string firstFailure;
  bool outputPassed = false;
  bool lsePassed = false;
  bool passed = false;

  /// A line for the output, one for the lse and, where needed, one for
  /// misplaced NaN and infinities and one for the first failure.
  void print(llvm::raw_ostream &os) const;
};

/// Compares `output` and, unless it is null, `lse` with the oracle.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const ArrayView &output, const ArrayView *lse);

/// The same with the oracle's results at hand: `exact` is in Double, `low` in
/// the precision that `getReferencePrecision` names.
AccuracyReport checkAccuracy(const AttentionProblem &problem,
                             const AttentionResult &exact,
                             const AttentionResult &low,
                             const ArrayView &output, const ArrayView *lse);

/// The evaluation whose error the rule allows twice: Single for f32 inputs,
/// else Low.
Precision getReferencePrecision(const AttentionProblem &problem);

} // namespace mlir::attn

#endif // ATTN_ORACLE_ACCURACY_H
