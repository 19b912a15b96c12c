//===- Accuracy.cpp - The accuracy rule -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/Accuracy.h"

#include "Comparison.h"
#include "Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>

using namespace mlir::attn;

/// For each batch entry, key head and column of V within the actual length:
/// whether it holds NaN or an infinity.
static std::vector<bool> findNonFiniteColumns(const AttentionProblem &problem) {
  int64_t heads = problem.value.sizes[1], dim = problem.value.sizes[3];
  std::vector<bool> columns(problem.query.sizes[0] * heads * dim);
  auto addPart = [&](const AttentionProblem &part, int64_t batch) {
    forEachIndex(
        {part.value.sizes[0], heads, getNumKeys(part), dim},
        [&](llvm::ArrayRef<int64_t> index, int64_t) {
          if (!std::isfinite(part.value.load(index)))
            columns[((batch + index[0]) * heads + index[1]) * dim + index[3]] =
                true;
        });
  };
  if (problem.hasParts())
    forEachPart(problem, [&](const Part<AttentionProblem> &part) {
      addPart(part.problem, part.batch);
    });
  else
    addPart(problem, 0);
  return columns;
}

static void checkOutput(const AttentionProblem &problem,
                        const AttentionResult &exact,
                        const AttentionResult &low, const ArrayView &output,
                        AccuracyReport &report) {
  llvm::ArrayRef<int64_t> q = problem.query.sizes, v = problem.value.sizes;
  llvm::SmallVector<int64_t, 4> sizes = {q[0], q[1], q[2], v[3]};
  if (!hasForm(output, "output", sizes, problem.outputType,
               report.firstFailure))
    return;

  double largest = 0;
  for (auto [expected, plain] : llvm::zip(exact.output, low.output)) {
    if (!std::isfinite(expected))
      continue;
    largest = std::max(largest, std::fabs(expected));
    // Where the plain evaluation breaks down, it grants no allowance.
    if (std::isfinite(plain))
      report.maxErrorLow =
          std::max(report.maxErrorLow, std::fabs(plain - expected));
  }
  if (problem.inputType == DType::F32)
    report.errorLimit = std::max(5e-5, 2 * report.maxErrorLow);
  else
    report.errorLimit =
        2 * report.maxErrorLow + getSpacing(problem.outputType, largest) + 1e-5;

  std::vector<bool> nonFiniteColumns = findNonFiniteColumns(problem);
  report.outputPassed = true;
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index, int64_t position) {
    double expected = exact.output[position], found = output.load(index);
    bool isRight;
    Verdict verdict = classify(expected, found);
    if (verdict == Verdict::Compare) {
      double error = std::fabs(found - expected);
      report.maxError = std::max(report.maxError, error);
      isRight = error <= report.errorLimit;
    } else {
      if (verdict == Verdict::UnexpectedNaN && v[1] != 0 &&
          nonFiniteColumns[(index[0] * v[1] + index[1] / (q[1] / v[1])) * v[3] +
                           index[3]]) {
        ++report.numToleratedNaN;
        return;
      }
      isRight = count(report, verdict);
    }
    if (isRight)
      return;
    report.outputPassed = false;
    noteFailure(report.firstFailure, "output", index, expected, found);
  });
}

static void checkLse(const AttentionProblem &problem,
                     const AttentionResult &exact, const ArrayView &lse,
                     AccuracyReport &report) {
  report.hasLse = true;
  report.lseLimit = problem.inputType == DType::F32 ? 5e-5 : 1e-3;
  llvm::ArrayRef<int64_t> sizes =
      llvm::ArrayRef<int64_t>(problem.query.sizes).take_front(3);
  if (!hasForm(lse, "lse", sizes, DType::F32, report.firstFailure))
    return;
  report.lsePassed = true;
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index, int64_t position) {
    double expected = exact.lse[position], found = lse.load(index);
    bool isRight;
    Verdict verdict = classify(expected, found);
    if (verdict == Verdict::Compare) {
      double error =
          std::fabs(found - expected) / std::max(1.0, std::fabs(expected));
      report.maxLseError = std::max(report.maxLseError, error);
      isRight = error <= report.lseLimit;
    } else {
      isRight = count(report, verdict);
    }
    if (isRight)
      return;
    report.lsePassed = false;
    noteFailure(report.firstFailure, "lse", index, expected, found);
  });
}

Precision mlir::attn::getReferencePrecision(const AttentionProblem &problem) {
  return problem.inputType == DType::F32 ? Precision::Single : Precision::Low;
}

AccuracyReport mlir::attn::checkAccuracy(const AttentionProblem &problem,
                                         const AttentionResult &exact,
                                         const AttentionResult &low,
                                         const ArrayView &output,
                                         const ArrayView *lse) {
  AccuracyReport report;
  checkOutput(problem, exact, low, output, report);
  if (lse)
    checkLse(problem, exact, *lse, report);
  report.passed = report.outputPassed && (!lse || report.lsePassed);
  return report;
}

AccuracyReport mlir::attn::checkAccuracy(const AttentionProblem &problem,
                                         const ArrayView &output,
                                         const ArrayView *lse) {
  return checkAccuracy(problem, evaluate(problem, Precision::Double),
                       evaluate(problem, getReferencePrecision(problem)),
                       output, lse);
}

void AccuracyReport::print(llvm::raw_ostream &os) const {
  printError(os, "output", maxError, errorLimit, outputPassed);
  if (hasLse)
    printError(os, "lse", maxLseError, lseLimit, lsePassed);
  printMisplaced(os, *this, "V");
  printFailure(os, firstFailure);
}
