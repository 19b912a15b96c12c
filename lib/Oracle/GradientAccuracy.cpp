//===- GradientAccuracy.cpp - The accuracy rule of gradients --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/GradientAccuracy.h"

#include "Comparison.h"
#include "Parts.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::attn;

namespace {

/// For each batch entry and head of a gradient, the columns in which the
/// gradient may be NaN. An element of a gradient is a sum of products with the
/// elements of a column of another array: key for d_query, query for d_key,
/// d_output for d_value. It may be NaN if that column has a NaN or an infinity,
/// in a key before the key length or in a query row that attends to some key.
class NonFiniteColumns {
public:
  NonFiniteColumns(const GradientProblem &problem, unsigned of);

  bool contains(llvm::ArrayRef<int64_t> index) const {
    return columns[getPosition(index[0], index[1], index[3])];
  }

private:
  /// Marks the columns that may be NaN in gradient `of` of a problem without
  /// lengths, packed sequences or pages. Batch entry 0 of that problem is entry
  /// `batch` of the gradient.
  void add(const GradientProblem &problem, unsigned of, int64_t batch);
  size_t getPosition(int64_t b, int64_t head, int64_t d) const {
    return (b * heads + head) * width + d;
  }

  int64_t heads, width;
  std::vector<bool> columns;
};

} // namespace

NonFiniteColumns::NonFiniteColumns(const GradientProblem &problem,
                                   unsigned of) {
  llvm::SmallVector<int64_t, 4> sizes = problem.getSizes(of);
  heads = sizes[1];
  width = sizes[3];
  columns.resize(sizes[0] * heads * width);
  if (columns.empty())
    return;
  if (problem.forward.hasParts())
    forEachPart(problem, [&](const Part<GradientProblem> &part) {
      add(part.problem, of, part.batch);
    });
  else
    add(problem, of, 0);
}

void NonFiniteColumns::add(const GradientProblem &problem, unsigned of,
                           int64_t batch) {
  const AttentionProblem &forward = problem.forward;
  bool isOfQueries = GradientProblem::isOfQueries(of);
  ArrayView array = of == kOfQuery       ? problem.getInput(kOfKey)
                    : of == kOfQueryRope ? problem.getInput(kOfKeyRope)
                    : of == kOfKey       ? problem.getInput(kOfQuery)
                    : of == kOfKeyRope   ? problem.getInput(kOfQueryRope)
                                         : problem.dOutput;
  if (array.getNumElements() == 0)
    return;
  // A NaN or an infinity only counts in rows that contribute to the gradient:
  // in a key before the key length, or in a query row that attends to some key.
  auto counts = [&](llvm::ArrayRef<int64_t> index) {
    if (isOfQueries)
      return index[2] < getNumKeys(forward);
    return index[2] + forward.origin[2] < forward.lengthQuery &&
           problem.lse.load(index.take_front(3)) !=
               -std::numeric_limits<double>::infinity();
  };
  int64_t group = forward.query.sizes[1] / forward.key.sizes[1];
  forEachIndex(array.sizes, [&](llvm::ArrayRef<int64_t> index, int64_t) {
    if (std::isfinite(array.load(index)) || !counts(index))
      return;
    if (!isOfQueries) {
      int64_t head = heads == 1 ? 0 : index[1] / group;
      columns[getPosition(batch + index[0], head, index[3])] = true;
      return;
    }
    for (int64_t h = 0; h < group; ++h)
      columns[getPosition(batch + index[0], index[1] * group + h, index[3])] =
          true;
  });
}

static double getLargestFinite(llvm::ArrayRef<double> values) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  return largest;
}

static double getLimit(const GradientProblem &problem, unsigned of,
                       const GradientResult::Array &exact, double maxErrorLow) {
  // The largest finite element of a gradient determines the error limit of all
  // its elements. Elements that the gradient's type cannot hold are infinite in
  // the found array, so they must not enlarge this limit.
  DType type = *problem.types[of];
  double largest = clampToType(type, getLargestFinite(exact.values));
  double limit = 3 * maxErrorLow + getSpacing(type, largest) + 1e-5 * largest;
  if (std::isfinite(exact.magnitude))
    limit += 0x1p-20 * exact.magnitude;
  return limit;
}

static GradientReport::Entry checkGradient(const GradientProblem &problem,
                                           unsigned of,
                                           const GradientResult::Array &exact,
                                           const GradientResult::Array &low,
                                           const ArrayView &found,
                                           std::string &firstFailure) {
  GradientReport::Entry entry;
  entry.name = kGradientNames[of].str();
  llvm::SmallVector<int64_t, 4> sizes = problem.getSizes(of);
  llvm::StringRef name = kGradientNames[of];
  if (!hasForm(found, name, sizes, *problem.types[of], firstFailure))
    return entry;
  // `maxErrorLow` is the largest error of the oracle's own evaluation in low
  // precision (Precision::Low or Single), from which the limit is computed.
  // Elements where that evaluation or the exact one is NaN or infinite are left
  // out.
  for (auto [expected, plain] : llvm::zip(exact.values, low.values))
    if (std::isfinite(expected) && std::isfinite(plain))
      entry.maxErrorLow =
          std::max(entry.maxErrorLow, std::fabs(plain - expected));
  entry.errorLimit = getLimit(problem, of, exact, entry.maxErrorLow);

  NonFiniteColumns nonFinite(problem, of);
  auto judge = [&](const Element &element) -> std::optional<bool> {
    Verdict verdict = element.verdict;
    bool isLowFinite = std::isfinite(low.values[element.position]);
    if (isOverflow(*problem.types[of], element, entry.errorLimit))
      return true;
    if (verdict == Verdict::Compare) {
      entry.maxError = std::max(entry.maxError, element.getError());
      return element.getError() <= entry.errorLimit;
    }
    if (verdict == Verdict::UnexpectedNaN &&
        nonFinite.contains(element.index)) {
      ++entry.numToleratedNaN;
      return true;
    }
    // If an element is NaN or infinite in the oracle's evaluation in low
    // precision, too, numbers leave the range of the types of products. Such an
    // element passes.
    if ((verdict == Verdict::UnexpectedNaN ||
         verdict == Verdict::WrongInfinity) &&
        !isLowFinite) {
      ++entry.numOutOfRange;
      return true;
    }
    if (verdict == Verdict::MissingNaN && isLowFinite)
      return true;
    return std::nullopt;
  };
  entry.passed =
      compare(name, sizes, exact.values, found, entry, firstFailure, judge);
  return entry;
}

/// Checks a gradient of a sink or a captured array, whose elements are sums
/// over all pairs of row and key. Each element has a limit of its own, which
/// the terms of its sum determine.
static GradientReport::Entry
checkSums(const GradientProblem &problem, const std::string &name,
          llvm::ArrayRef<int64_t> sizes, DType type,
          const GradientResult::Sums &exact, const GradientResult::Sums &low,
          const std::optional<ArrayView> &found, std::string &firstFailure) {
  GradientReport::Entry entry;
  entry.name = name;
  // A missing array is reported here, since hasForm() cannot tell an empty
  // ArrayView from an array of rank 0.
  if (!found && firstFailure.empty())
    firstFailure = name + ": expected an array, found none";
  if (!found || !hasForm(*found, name, sizes, type, firstFailure))
    return entry;
  DType input = problem.forward.inputType;
  double unit = input == DType::BF16  ? 0x1p-8
                : input == DType::F16 ? 0x1p-11
                                      : 0x1p-18;
  // The report shows the error and the limit of the element for which error
  // divided by limit is largest.
  double closest = -1;
  auto judge = [&](const Element &element) -> std::optional<bool> {
    int64_t position = element.position;
    double expected = element.expected, plain = low.values[position];
    double errorLow = 0;
    if (std::isfinite(plain) && std::isfinite(expected))
      errorLow = std::fabs(plain - expected);
    double limit =
        3 * errorLow + getSpacing(type, clampToType(type, std::fabs(expected)));
    if (std::isfinite(exact.magnitudes[position]))
      limit += unit / 4 * exact.magnitudes[position];
    if (std::isfinite(exact.bounds[position]))
      limit += 0x1p-20 * exact.bounds[position];
    // f32 rounds exponentials below 2^-126 to 0, so the limit allows each
    // element to differ by that much.
    limit += 0x1p-126;
    if (isOverflow(type, element, limit))
      return true;
    if (element.verdict == Verdict::MissingNaN && std::isfinite(plain))
      return true;
    if (element.verdict != Verdict::Compare)
      return std::nullopt;
    double error = element.getError();
    if (error / limit > closest) {
      closest = error / limit;
      entry.maxError = error;
      entry.errorLimit = limit;
      entry.maxErrorLow = errorLow;
    }
    return error <= limit;
  };
  entry.passed =
      compare(name, sizes, exact.values, *found, entry, firstFailure, judge);
  return entry;
}

GradientReport mlir::attn::checkGradients(const GradientProblem &problem,
                                          const GradientResult &exact,
                                          const GradientResult &low,
                                          const FoundGradients &found) {
  GradientReport report;
  // A missing gradient becomes an empty ArrayView, so that hasForm() reports
  // its sizes as wrong.
  for (unsigned of = 0; of < kNumGradients; ++of)
    if (problem.types[of])
      report.entries.push_back(checkGradient(
          problem, of, exact.arrays[of], low.arrays[of],
          found.arrays[of].value_or(ArrayView()), report.firstFailure));
  if (problem.sinkType)
    report.entries.push_back(checkSums(
        problem, "d_sink", {problem.forward.query.sizes[1]}, *problem.sinkType,
        exact.sink, low.sink, found.sink, report.firstFailure));
  for (auto [i, capture] : llvm::enumerate(problem.captures)) {
    std::optional<ArrayView> array;
    if (i < found.captures.size())
      array = found.captures[i];
    report.entries.push_back(checkSums(
        problem, capture.getGradientName(), capture.sizes, capture.type,
        exact.captures[i], low.captures[i], array, report.firstFailure));
  }
  for (const GradientReport::Entry &entry : report.entries)
    report.passed &= entry.passed;
  return report;
}

GradientReport mlir::attn::checkGradients(const GradientProblem &problem,
                                          const FoundGradients &found) {
  return checkGradients(
      problem, evaluateGradients(problem, Precision::Double),
      evaluateGradients(problem, getReferencePrecision(problem.forward)),
      found);
}

void GradientReport::print(llvm::raw_ostream &os) const {
  static constexpr llvm::StringLiteral kColumns[kNumGradients] = {
      "K", "Q", "dO", "K", "Q"};
  for (const Entry &entry : entries) {
    printError(os, entry.name, entry.maxError, entry.errorLimit, entry.passed);
    size_t of = llvm::find(kGradientNames, entry.name) - kGradientNames;
    printMisplaced(os, entry, of < kNumGradients ? kColumns[of] : "");
  }
  printFailure(os, firstFailure);
}
