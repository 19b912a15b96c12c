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
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir::attn;

/// Returns, for each batch entry, key head and column of `value`, whether a NaN
/// or an infinity is in that column, in the row of any key before the key
/// length. Such columns of the output may be NaN.
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
    // `maxErrorLow` is the largest error of the oracle's own evaluation in low
    // precision (Precision::Low or Single), of which the limit allows twice as
    // much. Elements where that evaluation is NaN or infinite are left out.
    if (std::isfinite(plain))
      report.maxErrorLow =
          std::max(report.maxErrorLow, std::fabs(plain - expected));
  }
  // The limit of an output of 8 bits is that of an output of f16. If inputs are
  // f32, it is that of f32, multiplied by the output's largest element if that
  // is above 1. It applies to the error before the rounding to 8 bits: below,
  // half the distance of neighboring 8-bit numbers is subtracted from each
  // error.
  bool isNarrow = isFloat8(problem.outputType);
  // The largest finite element of the output determines the error limit of all
  // elements. Elements that the output's type cannot hold are infinite in the
  // output, so they must not enlarge this limit.
  DType wide = isNarrow ? DType::F16 : problem.outputType;
  largest = clampToType(wide, largest);
  if (problem.inputType == DType::F32)
    report.errorLimit = std::max(5e-5 * (isNarrow ? std::max(1.0, largest) : 1),
                                 2 * report.maxErrorLow);
  else
    report.errorLimit =
        2 * report.maxErrorLow + getSpacing(wide, largest) + 1e-5;

  std::vector<bool> nonFiniteColumns = findNonFiniteColumns(problem);
  auto judge = [&](const Element &element) -> std::optional<bool> {
    llvm::ArrayRef<int64_t> index = element.index;
    if (isOverflow(problem.outputType, element, report.errorLimit))
      return true;
    if (element.verdict == Verdict::Compare) {
      double error = element.getError();
      if (isNarrow)
        error -= getSpacing(problem.outputType,
                            std::fabs(element.expected) + report.errorLimit) /
                 2;
      report.maxError = std::max(report.maxError, error);
      return error <= report.errorLimit;
    }
    if (element.verdict == Verdict::UnexpectedNaN && v[1] != 0 &&
        nonFiniteColumns[(index[0] * v[1] + index[1] / (q[1] / v[1])) * v[3] +
                         index[3]]) {
      ++report.numToleratedNaN;
      return true;
    }
    return std::nullopt;
  };
  report.outputPassed = compare("output", sizes, exact.output, output, report,
                                report.firstFailure, judge);
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
  auto judge = [&](const Element &element) -> std::optional<bool> {
    if (element.verdict != Verdict::Compare)
      return std::nullopt;
    double error =
        element.getError() / std::max(1.0, std::fabs(element.expected));
    report.maxLseError = std::max(report.maxLseError, error);
    return error <= report.lseLimit;
  };
  report.lsePassed =
      compare("lse", sizes, exact.lse, lse, report, report.firstFailure, judge);
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

//===----------------------------------------------------------------------===//
// Comparisons
//===----------------------------------------------------------------------===//

double mlir::attn::getSpacing(DType dtype, double magnitude) {
  int digits = 24, minExponent = -126;
  if (dtype == DType::F16) {
    digits = 11;
    minExponent = -14;
  } else if (dtype == DType::BF16) {
    digits = 8;
  } else if (dtype == DType::F8E4M3FN) {
    digits = 4;
    minExponent = -6;
  } else if (dtype == DType::F8E5M2) {
    digits = 3;
    minExponent = -14;
  }
  int exponent = magnitude > 0 ? std::ilogb(magnitude) : minExponent;
  return std::ldexp(1.0, std::max(exponent, minExponent) - (digits - 1));
}

double mlir::attn::clampToType(DType dtype, double magnitude) {
  double largest = dtype == DType::F16    ? 65504.0
                   : dtype == DType::BF16 ? 0x1.FEp127
                                          : 0x1.FFFFFEp127;
  return std::min(magnitude, largest);
}

static std::string describeSizes(llvm::ArrayRef<int64_t> sizes, DType dtype) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(sizes, os, "x");
  os << "x" << getName(dtype);
  return text;
}

bool mlir::attn::hasForm(const ArrayView &array, llvm::StringRef name,
                         llvm::ArrayRef<int64_t> sizes, DType dtype,
                         std::string &failure) {
  if (llvm::ArrayRef<int64_t>(array.sizes) == sizes && array.dtype == dtype)
    return true;
  if (failure.empty())
    failure = (name + ": expected " + describeSizes(sizes, dtype) + ", found " +
               describeSizes(array.sizes, array.dtype))
                  .str();
  return false;
}

void mlir::attn::forEachIndex(
    llvm::ArrayRef<int64_t> sizes,
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

static Verdict classify(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) {
    if (std::isnan(expected) && std::isnan(found))
      return Verdict::BothNaN;
    return std::isnan(found) ? Verdict::UnexpectedNaN : Verdict::MissingNaN;
  }
  if (std::isinf(expected) || std::isinf(found))
    return expected == found ? Verdict::Same : Verdict::WrongInfinity;
  return Verdict::Compare;
}

bool mlir::attn::isOverflow(DType dtype, const Element &element, double limit) {
  // `first` is the smallest number that, rounded to `dtype`, becomes infinity.
  double first = dtype == DType::F16    ? 65520.0
                 : dtype == DType::BF16 ? 0x1.FFp127
                                        : 0x1.FFFFFFp127;
  auto [expected, found] = std::pair(element.expected, element.found);
  return std::isfinite(expected) && std::isinf(found) &&
         std::signbit(expected) == std::signbit(found) &&
         std::fabs(expected) + limit >= first;
}

/// Counts in `misplaced` an element whose expected or found value is not
/// finite. Returns true if the two values agree: both are NaN, or both are the
/// same infinity.
static bool count(MisplacedValues &misplaced, Verdict verdict) {
  misplaced.numMismatchedInfinities += verdict == Verdict::WrongInfinity;
  misplaced.numUnexpectedNaN += verdict == Verdict::UnexpectedNaN;
  misplaced.numMissingNaN += verdict == Verdict::MissingNaN;
  misplaced.numExpectedNaN += verdict == Verdict::BothNaN;
  return verdict == Verdict::Same || verdict == Verdict::BothNaN;
}

bool mlir::attn::compare(
    llvm::StringRef name, llvm::ArrayRef<int64_t> sizes,
    llvm::ArrayRef<double> expected, const ArrayView &found,
    MisplacedValues &misplaced, std::string &failure,
    llvm::function_ref<std::optional<bool>(const Element &)> judge) {
  bool isPass = true;
  forEachIndex(sizes, [&](llvm::ArrayRef<int64_t> index, int64_t position) {
    Element element = {index, position, expected[position], found.load(index)};
    element.verdict = classify(element.expected, element.found);
    std::optional<bool> isRight = judge(element);
    if (isRight ? *isRight : count(misplaced, element.verdict))
      return;
    isPass = false;
    if (!failure.empty())
      return;
    llvm::raw_string_ostream os(failure);
    os << name << '[';
    llvm::interleaveComma(index, os);
    os << "]: expected " << llvm::format("%.9g", element.expected) << ", found "
       << llvm::format("%.9g", element.found);
  });
  return isPass;
}

void mlir::attn::printError(llvm::raw_ostream &os, llvm::StringRef name,
                            double error, double limit, bool isPass) {
  os << llvm::left_justify(name, 10) << ' '
     << llvm::format("largest error %9.3e, limit %9.3e: ", error, limit)
     << (isPass ? "pass" : "FAIL") << '\n';
}

void mlir::attn::printMisplaced(llvm::raw_ostream &os,
                                const MisplacedValues &misplaced,
                                llvm::StringRef columns) {
  if (!misplaced.numUnexpectedNaN && !misplaced.numMissingNaN &&
      !misplaced.numMismatchedInfinities && !misplaced.numToleratedNaN &&
      !misplaced.numOutOfRange && !misplaced.numExpectedNaN)
    return;
  os << "           ";
  llvm::ListSeparator separator;
  auto printCount = [&](int64_t number, const llvm::Twine &what) {
    if (number)
      os << separator << number << ' ' << what;
  };
  printCount(misplaced.numUnexpectedNaN, "unexpected NaN");
  printCount(misplaced.numMissingNaN, "missing NaN");
  printCount(misplaced.numMismatchedInfinities, "misplaced infinities");
  printCount(misplaced.numToleratedNaN,
             "NaN tolerated for NaN or infinity in " + columns);
  printCount(misplaced.numOutOfRange,
             "not finite, as in the reference of the arrays' precision");
  printCount(misplaced.numExpectedNaN, "NaN here and in the reference");
  os << '\n';
}

void mlir::attn::printFailure(llvm::raw_ostream &os, llvm::StringRef failure) {
  if (!failure.empty())
    os << "           first failure: " << failure << '\n';
}
