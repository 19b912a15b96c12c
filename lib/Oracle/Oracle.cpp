//===- Oracle.cpp - Plain evaluation of attention -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/Oracle.h"

#include "Comparison.h"
#include "PackedHead.h"
#include "Parts.h"
#include "Philox.h"

#include "attn/Support/ParallelFor.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::attn;

/// The largest number of bytes of keys and values that are packed (see
/// PackedHead) at a time. If one head already takes more, one head is packed at
/// a time.
static constexpr int64_t kPackedBytes = int64_t(128) << 20;

int64_t mlir::attn::getNumKeys(const AttentionProblem &problem) {
  return std::clamp<int64_t>(problem.lengthKv - problem.origin[3], 0,
                             problem.key.sizes[2]);
}

KeyRange mlir::attn::getKeyRange(const AttentionProblem &problem,
                                 int64_t numKeys, int64_t i) {
  int64_t row = i + problem.origin[2];
  if (row >= problem.lengthQuery)
    return {};
  KeyRange range = {0, numKeys};
  if (!problem.hasMask)
    return range;
  int64_t diagonal = row - problem.origin[3];
  if (problem.alignment == DiagonalAlignment::BottomRight)
    diagonal += problem.lengthKv - problem.lengthQuery;
  if (problem.causal)
    range.end = std::min(range.end, diagonal + 1);
  if (problem.right)
    range.end = std::min(range.end, diagonal + *problem.right + 1);
  if (problem.left)
    range.begin = std::max(range.begin, diagonal - *problem.left);
  return range;
}

/// Rounds a probability to `dtype`, as Precision::Low requires. It is faster
/// than roundTo(), which calls a library function on machines without
/// instructions that convert to f16.
static float roundProbability(DType dtype, float probability) {
  if (!(probability >= 0x1p-14f && probability <= 1))
    return static_cast<float>(roundTo(dtype, probability));
  uint32_t dropped = dtype == DType::F16 ? 13 : dtype == DType::BF16 ? 16 : 0;
  if (dropped == 0)
    return probability;
  uint32_t bits = llvm::bit_cast<uint32_t>(probability);
  bits += (1u << (dropped - 1)) - 1 + ((bits >> dropped) & 1);
  return llvm::bit_cast<float>(bits >> dropped << dropped);
}

/// Rounds a probability to f8E4M3FN as the compiled programs do, which multiply
/// it by 2^8 before the rounding, so that the largest probability of a row
/// becomes 2^8. Returns the rounded number divided by 2^8.
static double roundNarrow(double probability) {
  constexpr double kLargest = 256;
  return roundTo(DType::F8E4M3FN, probability * kLargest) / kLargest;
}

/// Clamps an element of the output to the range of finite numbers of `dtype` if
/// `dtype` has 8 bits, as the compiled programs' stores do. NaN, and elements
/// of other types, are returned unchanged.
static double clampTo(DType dtype, double element) {
  if (!isFloat8(dtype) || std::isnan(element))
    return element;
  double largest = dtype == DType::F8E4M3FN ? 448 : 57344;
  return std::clamp(element, -largest, largest);
}

/// Computes a row's probabilities, not yet divided by their sum: each is
/// exp(score - maximum). `maximum` becomes the maximum of the scores, or NaN if
/// one of them is NaN. Returns the sum. If the maximum is -inf, the row attends
/// to nothing, and the result is 0 without setting the probabilities.
template <typename T>
static T computeProbabilities(llvm::ArrayRef<T> scores, T *probabilities,
                              T &maximum) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  maximum = -infinity;
  bool hasNaN = false;
  for (T score : scores) {
    maximum = score > maximum ? score : maximum;
    hasNaN |= std::isnan(score);
  }
  if (hasNaN)
    maximum = std::numeric_limits<T>::quiet_NaN();
  if (maximum == -infinity)
    return 0;
  T sum = 0;
  for (size_t j = 0; j < scores.size(); ++j) {
    probabilities[j] = std::exp(scores[j] - maximum);
    sum += probabilities[j];
  }
  return sum;
}

/// Adds exp(sink) to a row's `sum` of exponentials, all of which are relative
/// to `maximum`: the sum is of exp(score - maximum). Replaces `maximum` by the
/// larger of itself and the sink, and rescales `sum` accordingly. Sets `weight`
/// to exp(old maximum - new maximum), by which the row's probabilities must be
/// multiplied.
template <typename T>
static void addSink(T sink, T &maximum, T &sum, T &weight) {
  T largest = sink > maximum ? sink : maximum;
  weight = std::exp(maximum - largest);
  T own = sink == -std::numeric_limits<T>::infinity()
              ? T(0)
              : std::exp(sink - largest);
  sum = sum * weight + own;
  maximum = largest;
}

/// Evaluates rows `rowBegin` to `rowEnd` - 1 of one query head, at most
/// kBlockRows of them, and stores their outputs and lse in `result`.
template <typename T>
static void evaluateRows(const AttentionProblem &problem,
                         const ProblemSizes &sizes, Precision precision,
                         const PackedHead<T> &head, int64_t b, int64_t h,
                         int64_t rowBegin, int64_t rowEnd,
                         AttentionResult &result) {
  constexpr T infinity = std::numeric_limits<T>::infinity();
  int64_t numRows = rowEnd - rowBegin;
  KeyRange ranges[kBlockRows], all;
  for (int64_t r = 0; r < numRows; ++r) {
    KeyRange range = getKeyRange(problem, sizes.keys, rowBegin + r);
    ranges[r] = range;
    if (range.isEmpty())
      continue;
    all = all.isEmpty() ? range
                        : KeyRange{std::min(all.begin, range.begin),
                                   std::max(all.end, range.end)};
  }
  if (all.isEmpty())
    return;

  int64_t width = all.end - all.begin;
  std::vector<T> scores(numRows * width, 0), probabilities(numRows * width);
  std::vector<T> query(numRows * sizes.headDim);
  const auto &queryScale = problem.getExtra(Extra::QueryScale);
  for (int64_t r = 0; r < numRows; ++r) {
    if (ranges[r].isEmpty())
      continue;
    int64_t offset = problem.query.getOffset({b, h, rowBegin + r, 0});
    double scale = queryScale ? queryScale->load(b, h, rowBegin + r, 0) : 1;
    for (int64_t d = 0; d < sizes.headDim; ++d)
      query[r * sizes.headDim + d] =
          scale * loadElement(problem.query.data, problem.query.dtype,
                              offset + d * problem.query.strides[3]);
  }
  // Calls `function` for each panel of keys and each row of the block whose
  // range of keys meets the panel. The arguments are the panel's number, the
  // row's number in the block, and the part of the row's range that lies in the
  // panel.
  auto forEachPanel = [&](auto function) {
    for (int64_t panel = all.begin / kPanelKeys; panel * kPanelKeys < all.end;
         ++panel)
      for (int64_t r = 0; r < numRows; ++r) {
        KeyRange part = {std::max(ranges[r].begin, panel * kPanelKeys),
                         std::min(ranges[r].end, (panel + 1) * kPanelKeys)};
        if (!part.isEmpty())
          function(panel, r, part);
      }
  };

  forEachPanel([&](int64_t panel, int64_t r, KeyRange part) {
    addProducts(&query[r * sizes.headDim],
                &head.keys[panel * kPanelKeys * sizes.headDim +
                           part.begin % kPanelKeys],
                sizes.headDim, part.end - part.begin,
                &scores[r * width + part.begin - all.begin]);
  });

  T sums[kBlockRows], maxima[kBlockRows];
  // For each row, the factor of its sum of probabilities times values, which is
  // later divided by the row's sum of probabilities. The factor is the scale of
  // dropout, times the weight that addSink() returns if there is a sink.
  T weights[kBlockRows];
  // For each row, the fraction of the sum of exponentials that its keys have,
  // without the sink. The mean of values is multiplied by it.
  T parts[kBlockRows];
  std::vector<double> row;
  for (int64_t r = 0; r < numRows; ++r) {
    KeyRange range = ranges[r];
    if (range.isEmpty())
      continue;
    int64_t count = range.end - range.begin;
    T *first = &scores[r * width + range.begin - all.begin];
    for (int64_t j = 0; j < count; ++j)
      first[j] *= static_cast<T>(problem.scale);
    if (problem.score || problem.mask) {
      row.assign(first, first + count);
      int64_t i = rowBegin + r + problem.origin[2];
      int64_t j = range.begin + problem.origin[3];
      if (problem.score)
        problem.score->evaluateRow(precision, b + problem.origin[0],
                                   h + problem.origin[1], i, j, row);
      if (problem.mask)
        problem.mask->maskRow(b + problem.origin[0], h + problem.origin[1], i,
                              j, row);
      std::copy(row.begin(), row.end(), first);
    }
    if (!problem.absentKeys.empty())
      for (int64_t j = 0; j < count; ++j)
        if (problem.absentKeys[range.begin + j])
          first[j] = -infinity;
    T *probability = &probabilities[r * width + range.begin - all.begin];
    sums[r] = computeProbabilities(llvm::ArrayRef<T>(first, count), probability,
                                   maxima[r]);
    if (maxima[r] == -infinity) {
      ranges[r] = {};
      continue;
    }
    weights[r] = 1;
    parts[r] = sums[r];
    if (problem.sink)
      addSink(static_cast<T>(problem.sink->load({h})), maxima[r], sums[r],
              weights[r]);
    parts[r] *= weights[r] / sums[r];
    if (problem.dropoutThreshold != 0)
      for (int64_t j = 0; j < count; ++j)
        if (!isKept(problem, b, h, rowBegin + r, range.begin + j))
          probability[j] = 0;
    weights[r] *= static_cast<T>(getDropoutScale(problem));
    if (!head.ofProbabilities.empty())
      for (int64_t j = 0; j < count; ++j)
        if (first[j] != -infinity)
          probability[j] *= head.ofProbabilities[range.begin + j];
    if (precision == Precision::Low)
      for (int64_t j = 0; j < count; ++j)
        probability[j] =
            problem.hasNarrowProbabilities
                ? static_cast<T>(roundNarrow(probability[j]))
                : roundProbability(problem.inputType, probability[j]);
  }

  std::vector<T> output(numRows * sizes.valueDim, 0);
  forEachPanel([&](int64_t, int64_t r, KeyRange part) {
    int64_t position = r * width + part.begin - all.begin;
    T *out = output.data() + r * sizes.valueDim;
    const T *values = head.values.get() + part.begin * sizes.valueDim;
    int64_t count = part.end - part.begin;
    if (head.hasFiniteValues)
      return addValues(&probabilities[position], values, sizes.valueDim, count,
                       out);
    // If values have a NaN or an infinity, keys with a score of -inf are
    // skipped, since their probability is 0, while a product of 0 and NaN would
    // be NaN.
    for (int64_t j = 0; j < count; ++j)
      if (scores[position + j] != -infinity)
        addValues(&probabilities[position + j], values + j * sizes.valueDim,
                  sizes.valueDim, 1, out);
  });

  for (int64_t r = 0; r < numRows; ++r) {
    if (ranges[r].isEmpty())
      continue;
    int64_t position =
        (b * sizes.queryHeads + h) * sizes.queries + rowBegin + r;
    result.lse[position] = maxima[r] + std::log(sums[r]);
    for (int64_t d = 0; d < sizes.valueDim; ++d) {
      double element = output[r * sizes.valueDim + d] * weights[r] / sums[r];
      if (const auto &mean = problem.getExtra(Extra::ValueMean))
        element += parts[r] * mean->load(b, h / sizes.headsPerKv, 0, d);
      if (const auto &scale = problem.getExtra(Extra::OutputScale))
        element /= scale->load(b, h, rowBegin + r, d);
      result.output[position * sizes.valueDim + d] =
          precision == Precision::Low && !isFloat8(problem.outputType)
              ? roundTo(problem.outputType, element)
              : clampTo(problem.outputType, element);
    }
  }
}

template <typename T>
static void evaluateAll(const AttentionProblem &problem,
                        const ProblemSizes &sizes, Precision precision,
                        AttentionResult &result) {
  int64_t numHeads = sizes.batch * sizes.kvHeads;
  int64_t numBlocks = llvm::divideCeil(sizes.queries, kBlockRows);
  int64_t headBytes = std::max<int64_t>(
      1, sizeof(T) * sizes.keys * (sizes.headDim + sizes.valueDim));
  int64_t groupSize = std::max<int64_t>(1, kPackedBytes / headBytes);
  for (int64_t begin = 0; begin < numHeads; begin += groupSize) {
    int64_t end = std::min(begin + groupSize, numHeads);
    std::vector<PackedHead<T>> heads(end - begin);
    parallelFor(end - begin, [&](int64_t i) {
      int64_t n = begin + i;
      heads[i] =
          packHead<T>(problem, sizes, n / sizes.kvHeads, n % sizes.kvHeads);
    });
    // Task n evaluates block n / numQueryHeads of rows in query head n %
    // numQueryHeads of this group of heads. Blocks of the same rows in
    // different heads thus have adjacent numbers; under a causal mask, they
    // take about the same work.
    int64_t numQueryHeads = (end - begin) * sizes.headsPerKv;
    parallelFor(numBlocks * numQueryHeads, [&](int64_t n) {
      int64_t row = n / numQueryHeads * kBlockRows;
      int64_t kv = begin + n % numQueryHeads / sizes.headsPerKv;
      int64_t h = kv % sizes.kvHeads * sizes.headsPerKv +
                  n % numQueryHeads % sizes.headsPerKv;
      evaluateRows<T>(problem, sizes, precision, heads[kv - begin],
                      kv / sizes.kvHeads, h, row,
                      std::min(row + kBlockRows, sizes.queries), result);
    });
  }
}

/// Copies the results of a part (a batch entry or packed sequence) into the
/// rows of the whole problem's result that the part has.
static void insertRows(const AttentionResult &part, const ProblemSizes &sizes,
                       int64_t batch, int64_t row, int64_t numRows,
                       AttentionResult &result) {
  for (int64_t h = 0; h < sizes.queryHeads; ++h) {
    int64_t from = h * numRows;
    int64_t to = (batch * sizes.queryHeads + h) * sizes.queries + row;
    std::copy_n(part.lse.begin() + from, numRows, result.lse.begin() + to);
    std::copy_n(part.output.begin() + from * sizes.valueDim,
                numRows * sizes.valueDim,
                result.output.begin() + to * sizes.valueDim);
  }
}

AttentionResult mlir::attn::evaluate(const AttentionProblem &problem,
                                     Precision precision) {
  ProblemSizes sizes(problem);
  AttentionResult result;
  int64_t numRows = sizes.batch * sizes.queryHeads * sizes.queries;
  // All rows are initialised with the result of a row that has no unmasked key,
  // which other rows overwrite.
  result.output.assign(numRows * sizes.valueDim, 0);
  result.lse.assign(numRows, -std::numeric_limits<double>::infinity());
  // The lse of a row without unmasked keys is its sink if that is finite, and
  // -inf otherwise. It is always -inf for rows outside of all packed sequences;
  // rows of packed sequences get their sinks when their sequence is evaluated.
  if (problem.sink && !problem.cumulativeQuery)
    for (int64_t row = 0; row < numRows; ++row) {
      double sink =
          problem.sink->load({row / sizes.queries % sizes.queryHeads});
      if (std::isfinite(sink))
        result.lse[row] = sink;
    }
  if (problem.hasParts()) {
    forEachPart(problem, [&](const Part<AttentionProblem> &part) {
      insertRows(evaluate(part.problem, precision), sizes, part.batch, part.row,
                 part.problem.query.sizes[2], result);
    });
    return result;
  }
  if (numRows == 0 || sizes.keys == 0 || sizes.headsPerKv == 0)
    return result;
  if (precision == Precision::Double)
    evaluateAll<double>(problem, sizes, precision, result);
  else
    evaluateAll<float>(problem, sizes, precision, result);
  return result;
}
