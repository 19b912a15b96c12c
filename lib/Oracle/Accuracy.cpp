//===- Accuracy.cpp - The accuracy rule -----------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/Accuracy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir::attn;

/// The distance of neighbouring numbers of `dtype` around `magnitude`.
static double getSpacing(DType dtype, double magnitude) {
  int digits = 24, minExponent = -126;
  if (dtype == DType::F16) {
    digits = 11;
    minExponent = -14;
  } else if (dtype == DType::BF16) {
    digits = 8;
  }
  int exponent = magnitude > 0 ? std::ilogb(magnitude) : minExponent;
  return std::ldexp(1.0, std::max(exponent, minExponent) - (digits - 1));
}

static void printNumber(llvm::raw_ostream &os, double value) {
  os << llvm::format("%.9g", value);
}

static std::string describeSizes(llvm::ArrayRef<int64_t> sizes, DType dtype) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(sizes, os, "x");
  os << "x" << getName(dtype);
  return text;
}

/// Says in `report` if `array` cannot be compared at all.
static bool hasForm(const ArrayView &array, llvm::StringRef name,
                    llvm::ArrayRef<int64_t> sizes, DType dtype,
                    AccuracyReport &report) {
  if (llvm::ArrayRef<int64_t>(array.sizes) == sizes && array.dtype == dtype)
    return true;
  if (report.firstFailure.empty())
    report.firstFailure = (name + ": expected " + describeSizes(sizes, dtype) +
                           ", found " + describeSizes(array.sizes, array.dtype))
                              .str();
  return false;
}

static void noteFailure(AccuracyReport &report, llvm::StringRef name,
                        llvm::ArrayRef<int64_t> index, double expected,
                        double found) {
  if (!report.firstFailure.empty())
    return;
  llvm::raw_string_ostream os(report.firstFailure);
  os << name << '[';
  llvm::interleaveComma(index, os);
  os << "]: expected ";
  printNumber(os, expected);
  os << ", found ";
  printNumber(os, found);
}

/// Calls `function` with each index into `sizes` in row-major order.
static void
forEachIndex(llvm::ArrayRef<int64_t> sizes,
             llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  llvm::SmallVector<int64_t, 4> index(sizes.size(), 0);
  for (int64_t position = 0; position < count; ++position) {
    visit(index, position);
    for (size_t dim = sizes.size(); dim-- > 0;) {
      if (++index[dim] < sizes[dim])
        break;
      index[dim] = 0;
    }
  }
}

/// For each batch entry, key head and column of V within the actual length:
/// whether it holds NaN or an infinity.
static std::vector<bool> findNonFiniteColumns(const AttentionProblem &problem) {
  const ArrayView &value = problem.value;
  int64_t keys = std::clamp<int64_t>(problem.lengthKv - problem.origin[3], 0,
                                     value.sizes[2]);
  std::vector<bool> columns(value.sizes[0] * value.sizes[1] * value.sizes[3]);
  forEachIndex(
      {value.sizes[0], value.sizes[1], keys, value.sizes[3]},
      [&](llvm::ArrayRef<int64_t> index, int64_t) {
        if (!std::isfinite(value.load(index)))
          columns[(index[0] * value.sizes[1] + index[1]) * value.sizes[3] +
                  index[3]] = true;
      });
  return columns;
}

namespace {

enum class Verdict {
  /// Both are finite; the error decides.
  Compare,
  /// The same infinity, or NaN where it belongs.
  Same,
  WrongInfinity,
  UnexpectedNaN,
  MissingNaN
};

} // namespace

static Verdict classify(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) {
    if (std::isnan(expected) && std::isnan(found))
      return Verdict::Same;
    return std::isnan(found) ? Verdict::UnexpectedNaN : Verdict::MissingNaN;
  }
  if (std::isinf(expected) || std::isinf(found))
    return expected == found ? Verdict::Same : Verdict::WrongInfinity;
  return Verdict::Compare;
}

/// Counts an element that is not finite on both sides. Returns whether it is
/// where it belongs.
static bool count(AccuracyReport &report, Verdict verdict) {
  report.numMismatchedInfinities += verdict == Verdict::WrongInfinity;
  report.numUnexpectedNaN += verdict == Verdict::UnexpectedNaN;
  report.numMissingNaN += verdict == Verdict::MissingNaN;
  return verdict == Verdict::Same;
}

static void checkOutput(const AttentionProblem &problem,
                        const AttentionResult &exact,
                        const AttentionResult &low, const ArrayView &output,
                        AccuracyReport &report) {
  llvm::ArrayRef<int64_t> q = problem.query.sizes, v = problem.value.sizes;
  llvm::SmallVector<int64_t, 4> sizes = {q[0], q[1], q[2], v[3]};
  if (!hasForm(output, "output", sizes, problem.outputType, report))
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
    noteFailure(report, "output", index, expected, found);
  });
}

static void checkLse(const AttentionProblem &problem,
                     const AttentionResult &exact, const ArrayView &lse,
                     AccuracyReport &report) {
  report.hasLse = true;
  report.lseLimit = problem.inputType == DType::F32 ? 5e-5 : 1e-3;
  llvm::ArrayRef<int64_t> sizes =
      llvm::ArrayRef<int64_t>(problem.query.sizes).take_front(3);
  if (!hasForm(lse, "lse", sizes, DType::F32, report))
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
    noteFailure(report, "lse", index, expected, found);
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
  auto printLine = [&](llvm::StringRef name, double error, double limit,
                       bool isPass) {
    os << llvm::format("%-11slargest error %9.3e, limit %9.3e: ", name.data(),
                       error, limit)
       << (isPass ? "pass" : "FAIL") << '\n';
  };
  printLine("output", maxError, errorLimit, outputPassed);
  if (hasLse)
    printLine("lse", maxLseError, lseLimit, lsePassed);
  if (numUnexpectedNaN || numMissingNaN || numMismatchedInfinities ||
      numToleratedNaN) {
    os << "           ";
    llvm::ListSeparator separator;
    auto printCount = [&](int64_t number, llvm::StringRef what) {
      if (number)
        os << separator << number << ' ' << what;
    };
    printCount(numUnexpectedNaN, "unexpected NaN");
    printCount(numMissingNaN, "missing NaN");
    printCount(numMismatchedInfinities, "misplaced infinities");
    printCount(numToleratedNaN, "NaN tolerated for NaN or infinity in V");
    os << '\n';
  }
  if (!firstFailure.empty())
    os << "           first failure: " << firstFailure << '\n';
}
