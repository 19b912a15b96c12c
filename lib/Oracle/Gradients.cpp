//===- Gradients.cpp - Plain evaluation of gradients ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/Gradients.h"

#include "HeadGradients.h"
#include "Parts.h"

#include "attn/Support/ParallelFor.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace mlir::attn;

/// Returns a view of `count` columns of an array of rank 4, from column `first`
/// on.
static ArrayView sliceColumns(ArrayView array, int64_t first, int64_t count) {
  array.advance(first * array.strides[3]);
  array.sizes[3] = count;
  return array;
}

ArrayView GradientProblem::getInput(unsigned of) const {
  if (of == kOfValue)
    return forward.value;
  const ArrayView &all = isOfQueries(of) ? forward.query : forward.key;
  int64_t first = all.sizes[3] - ropeColumns;
  return of == kOfQuery || of == kOfKey ? sliceColumns(all, 0, first)
                                        : sliceColumns(all, first, ropeColumns);
}

/// Evaluates the gradients of all heads in the arithmetic of T. Sets the
/// gradients of arrays. Adds to those of captures and sinks, which are sums
/// over all heads and parts; evaluateGradients() rounds these when all terms
/// have been added.
template <typename T>
static void evaluateAll(const GradientProblem &problem, Precision precision,
                        GradientResult &result) {
  llvm::ArrayRef<int64_t> query = problem.forward.query.sizes;
  int64_t kvHeads = problem.forward.key.sizes[1];
  int64_t group = query[1] / kvHeads;
  std::vector<HeadSums<T>> heads(query[0] * kvHeads);
  parallelFor(heads.size(), [&](int64_t n) {
    HeadGradients<T> head(problem, precision, n / kvHeads, n % kvHeads, result);
    for (int64_t h = 0; h < group; ++h)
      for (int64_t i = 0; i < query[2]; ++i)
        head.addRow(n % kvHeads * group + h, i);
    head.finish();
    heads[n] = std::move(head.sums);
  });
  auto add = [&](GradientResult::Sums &found, auto getSums) {
    for (size_t e = 0; e < found.values.size(); ++e) {
      T sum = 0;
      for (const HeadSums<T> &head : heads) {
        const PairSums<T> &own = getSums(head);
        sum += own.values[e];
        found.magnitudes[e] += own.magnitudes[e];
        found.bounds[e] += own.bounds[e];
      }
      found.values[e] += static_cast<double>(sum);
    }
  };
  for (size_t i = 0; i < problem.captures.size(); ++i)
    add(result.captures[i],
        [&](auto &head) -> auto & { return head.captures[i]; });
  if (problem.sinkType)
    add(result.sink, [](auto &head) -> auto & { return head.sink; });
  for (const HeadSums<T> &head : heads)
    for (auto [array, magnitude] : llvm::zip(result.arrays, head.magnitudes))
      array.magnitude = std::max(array.magnitude, magnitude);
}

/// Returns gradients of zeros, which rows and keys without an unmasked pair
/// keep.
static GradientResult getZeros(const GradientProblem &problem) {
  GradientResult result;
  for (unsigned of = 0; of < kNumGradients; ++of)
    if (problem.types[of])
      result.arrays[of].values.assign(problem.getInput(of).getNumElements(), 0);
  result.captures.resize(problem.captures.size());
  for (auto [sums, capture] : llvm::zip(result.captures, problem.captures))
    sums = GradientResult::Sums(capture.getNumElements());
  if (problem.sinkType)
    result.sink = GradientResult::Sums(problem.forward.query.sizes[1]);
  return result;
}

/// Copies the gradients of a part (a batch entry or packed sequence) into the
/// rows of the whole problem's gradients, and adds the part's sums for captures
/// and sinks to those of the whole problem.
static void insert(const Part<GradientProblem> &part,
                   const GradientResult &found, const GradientProblem &problem,
                   GradientResult &result) {
  for (unsigned of = 0; of < kNumGradients; ++of) {
    if (!problem.types[of])
      continue;
    const ArrayView ofPart = part.problem.getInput(of),
                    ofAll = problem.getInput(of);
    llvm::ArrayRef<int64_t> from = ofPart.sizes, to = ofAll.sizes;
    int64_t first = GradientProblem::isOfQueries(of) ? part.row : part.key;
    for (int64_t head = 0; head < to[1]; ++head)
      std::copy_n(found.arrays[of].values.begin() + head * from[2] * from[3],
                  from[2] * from[3],
                  result.arrays[of].values.begin() +
                      ((part.batch * to[1] + head) * to[2] + first) * to[3]);
    result.arrays[of].magnitude =
        std::max(result.arrays[of].magnitude, found.arrays[of].magnitude);
  }
  auto add = [](llvm::ArrayRef<double> terms, std::vector<double> &sums) {
    for (auto [term, sum] : llvm::zip(terms, sums))
      sum += term;
  };
  auto addSums = [&](const GradientResult::Sums &own,
                     GradientResult::Sums &whole) {
    add(own.values, whole.values);
    add(own.magnitudes, whole.magnitudes);
    add(own.bounds, whole.bounds);
  };
  addSums(found.sink, result.sink);
  for (auto [own, whole] : llvm::zip(found.captures, result.captures))
    addSums(own, whole);
}

/// Replaces d_key_rope, which was computed for each head, by its sum over the
/// heads that share the array key_rope. With Precision::Low, rounds the sums to
/// the gradient's type. The magnitude is a bound for one head's gradient (see
/// GradientResult), so it is multiplied by the number of heads.
static void sumHeads(const GradientProblem &problem, Precision precision,
                     GradientResult &result) {
  GradientResult::Array &array = result.arrays[kOfKeyRope];
  ArrayView input = problem.getInput(kOfKeyRope);
  int64_t heads = input.sizes[1], plane = input.sizes[2] * input.sizes[3];
  std::vector<double> sums(input.sizes[0] * plane);
  for (int64_t b = 0; b < input.sizes[0]; ++b)
    for (int64_t h = 0; h < heads; ++h)
      for (int64_t i = 0; i < plane; ++i)
        sums[b * plane + i] += array.values[(b * heads + h) * plane + i];
  if (precision == Precision::Low)
    for (double &sum : sums)
      sum = roundTo(*problem.types[kOfKeyRope], sum);
  array.values = std::move(sums);
  array.magnitude *= heads;
}

/// Evaluates the gradients, except for two steps that evaluateGradients() adds.
/// These are to round the gradients of captures and sinks, and to add up the
/// gradient of a key_rope that heads share over these heads.
static GradientResult evaluateExactSums(const GradientProblem &problem,
                                        Precision precision) {
  GradientResult result = getZeros(problem);
  const AttentionProblem &forward = problem.forward;
  if (forward.query.getNumElements() == 0 || forward.key.sizes[1] == 0)
    return result;
  if (forward.hasParts()) {
    forEachPart(problem, [&](const Part<GradientProblem> &part) {
      insert(part, evaluateExactSums(part.problem, precision), problem, result);
    });
    return result;
  }
  if (getNumKeys(forward) == 0 && !problem.sinkType)
    return result;
  if (precision == Precision::Double)
    evaluateAll<double>(problem, precision, result);
  else
    evaluateAll<float>(problem, precision, result);
  return result;
}

GradientResult mlir::attn::evaluateGradients(const GradientProblem &problem,
                                             Precision precision) {
  GradientResult result = evaluateExactSums(problem, precision);
  if (problem.sharesRope && problem.types[kOfKeyRope])
    sumHeads(problem, precision, result);
  if (precision != Precision::Low)
    return result;
  for (auto [sums, capture] : llvm::zip(result.captures, problem.captures))
    for (double &value : sums.values)
      value = roundTo(capture.type, value);
  for (double &value : result.sink.values)
    value = roundTo(*problem.sinkType, value);
  return result;
}
