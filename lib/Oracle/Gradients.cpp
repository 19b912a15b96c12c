//===- Gradients.cpp - Plain evaluation of gradients ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Oracle/Gradients.h"

#include "Parts.h"
#include "Philox.h"

#include "attn/Support/ParallelFor.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::attn;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Computes sums += factor * row.
template <typename T>
static void addScaled(T factor, const T *__restrict row, int64_t count,
                      T *__restrict sums) {
  for (int64_t i = 0; i < count; ++i)
    sums[i] += factor * row[i];
}

template <typename T> static double getLargest(llvm::ArrayRef<T> row) {
  double largest = 0;
  for (T element : row)
    largest = std::max<double>(largest, std::fabs(element));
  return largest;
}

template <typename T> static double getNorm(llvm::ArrayRef<T> row) {
  double sum = 0;
  for (T element : row)
    sum += double(element) * element;
  return std::sqrt(sum);
}

/// Returns some columns of an array.
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

namespace {

/// Gradients that are sums over all pairs, of captures and sinks: the sums, the
/// sums of the terms' absolute values (`magnitudes`), and the sums of bounds of
/// the terms before dP and delta cancel (`bounds`).
template <typename T> struct PairSums {
  explicit PairSums(size_t count = 0)
      : values(count), magnitudes(count), bounds(count) {}

  std::vector<T> values;
  std::vector<double> magnitudes, bounds;
};

/// The gradients that are sums over the rows of one key head.
template <typename T> struct HeadSums {
  /// For each gradient, its magnitude as GradientResult defines it.
  std::array<double, kNumGradients> magnitudes = {};
  /// The sums of each capture.
  std::vector<PairSums<T>> captures;
  /// The sums of each query head's sink.
  PairSums<T> sink;
};

/// Computes the gradients of one key head and of the query heads that share it.
template <typename T> class HeadGradients {
public:
  HeadGradients(const GradientProblem &problem, Precision precision, int64_t b,
                int64_t kvHead, GradientResult &result);

  void addRow(int64_t h, int64_t i);
  /// Stores the gradients of keys and values.
  void finish();

  HeadSums<T> sums;

private:
  bool isWanted(unsigned of) const { return problem.types[of].has_value(); }
  bool wantsKeys() const { return isWanted(kOfKey) || isWanted(kOfKeyRope); }
  std::vector<T> loadRow(const ArrayView &array, int64_t head, int64_t i,
                         const std::optional<OperandScale> &scale = {}) const;
  void computeScores(int64_t h, int64_t i, KeyRange range,
                     const std::vector<T> &query);
  void addCaptures(int64_t h, int64_t i, KeyRange range,
                   const std::vector<T> &dResults, double norm,
                   double deltaBound);
  void addSink(int64_t h, double lse, T delta, double deltaBound);
  void addMagnitudes(KeyRange range, double deltaBound,
                     const std::vector<T> &query,
                     const std::vector<T> &dOutput);
  void store(unsigned of, int64_t head, int64_t i, llvm::ArrayRef<T> row);
  /// Stores a row of all columns of the query or of the key, of which the last
  /// may have a gradient of their own.
  void storeAll(unsigned ofFirst, unsigned ofLast, int64_t head, int64_t i,
                llvm::ArrayRef<T> row) {
    store(ofFirst, head, i, row.drop_back(problem.ropeColumns));
    store(ofLast, head, i, row.take_back(problem.ropeColumns));
  }

  const GradientProblem &problem;
  const AttentionProblem &forward;
  Precision precision;
  int64_t b, kvHead;
  int64_t numKeys, headDim, valueDim;
  GradientResult &result;

  /// The keys in row-major order, and keys and values in column-major order.
  std::vector<T> keys, keyColumns, valueColumns;
  std::vector<T> dKeys, dValues;
  /// For each key, the numbers from which the magnitudes of gradients are
  /// computed.
  std::vector<double> valueNorms, largestKeys, keyBounds, valueBounds;
  /// For each key of one row.
  std::vector<T> scores, derivatives, probabilities, dScores;
  /// The scores before the score region.
  std::vector<double> rawScores;
};

} // namespace

template <typename T>
HeadGradients<T>::HeadGradients(const GradientProblem &problem,
                                Precision precision, int64_t b, int64_t kvHead,
                                GradientResult &result)
    : problem(problem), forward(problem.forward), precision(precision), b(b),
      kvHead(kvHead), numKeys(getNumKeys(forward)),
      headDim(forward.query.sizes[3]), valueDim(forward.value.sizes[3]),
      result(result), keys(numKeys * headDim), keyColumns(numKeys * headDim),
      valueColumns(numKeys * valueDim), dKeys(numKeys * headDim),
      dValues(numKeys * valueDim), valueNorms(numKeys), largestKeys(numKeys),
      keyBounds(numKeys), valueBounds(numKeys) {
  for (const CaptureVariable &capture : problem.captures)
    sums.captures.emplace_back(capture.getNumElements());
  sums.sink = PairSums<T>(forward.query.sizes[1]);
  for (int64_t j = 0; j < numKeys; ++j) {
    std::vector<T> key = loadRow(forward.key, kvHead, j, forward.keyScale);
    std::vector<T> value =
        loadRow(forward.value, kvHead, j, forward.valueScale);
    std::copy(key.begin(), key.end(), keys.begin() + j * headDim);
    for (int64_t d = 0; d < headDim; ++d)
      keyColumns[d * numKeys + j] = key[d];
    for (int64_t d = 0; d < valueDim; ++d)
      valueColumns[d * numKeys + j] = value[d];
    largestKeys[j] = getLargest<T>(key);
    valueNorms[j] = getNorm<T>(value);
  }
}

template <typename T>
std::vector<T>
HeadGradients<T>::loadRow(const ArrayView &array, int64_t head, int64_t i,
                          const std::optional<OperandScale> &scale) const {
  std::vector<T> row(array.sizes[3]);
  int64_t offset = array.getOffset({b, head, i});
  for (size_t d = 0; d < row.size(); ++d) {
    double element =
        loadElement(array.data, array.dtype, offset + d * array.strides[3]);
    if (scale) {
      element *= scale->load(b, head, i, d);
      if (precision == Precision::Low)
        element = roundTo(forward.inputType, element);
    }
    row[d] = static_cast<T>(element);
  }
  return row;
}

/// Computes the scores of a row and, by the score region, their derivatives.
template <typename T>
void HeadGradients<T>::computeScores(int64_t h, int64_t i, KeyRange range,
                                     const std::vector<T> &query) {
  int64_t count = range.end - range.begin;
  scores.assign(count, 0);
  derivatives.assign(count, 1);
  for (int64_t d = 0; d < headDim; ++d)
    addScaled(query[d], &keyColumns[d * numKeys + range.begin], count,
              scores.data());
  for (T &score : scores)
    score *= static_cast<T>(forward.scale);
  rawScores.assign(scores.begin(), scores.end());
  std::vector<double> values = rawScores;
  int64_t row = i + forward.origin[2], j = range.begin + forward.origin[3];
  if (forward.score) {
    std::vector<double> slopes(count);
    forward.score->evaluateRow(precision, b + forward.origin[0],
                               h + forward.origin[1], row, j, values, slopes);
    std::copy(slopes.begin(), slopes.end(), derivatives.begin());
  }
  if (forward.mask)
    forward.mask->maskRow(b + forward.origin[0], h + forward.origin[1], row, j,
                          values);
  if (forward.score || forward.mask)
    std::copy(values.begin(), values.end(), scores.begin());
}

/// Adds the terms of a row to the gradients of captures. `dResults` are the
/// gradients with respect to what the score region yields; `norm` is the norm
/// of the row of d_output.
template <typename T>
void HeadGradients<T>::addCaptures(int64_t h, int64_t i, KeyRange range,
                                   const std::vector<T> &dResults, double norm,
                                   double deltaBound) {
  for (auto [n, capture] : llvm::enumerate(problem.captures)) {
    bool isArray = !capture.score;
    llvm::ArrayRef<const ScoreProgram *> programs = capture.reads;
    if (!isArray)
      programs = capture.score;
    for (const ScoreProgram *program : programs) {
      std::vector<double> values = rawScores, slopes(values.size());
      std::vector<int64_t> elements(isArray ? values.size() : 0);
      program->evaluateRow(precision, b + forward.origin[0],
                           h + forward.origin[1], i + forward.origin[2],
                           range.begin + forward.origin[3], values, slopes,
                           elements);
      for (auto [k, slope] : llvm::enumerate(slopes)) {
        int64_t element = isArray ? elements[k] : 0;
        if (scores[k] == -kInfinity || element < 0)
          continue;
        T term = dResults[k] * static_cast<T>(slope);
        sums.captures[n].values[element] += term;
        sums.captures[n].magnitudes[element] += std::fabs(double(term));
        // The bound is multiplied by 2^-20 later, so the second summand allows
        // an error of 2^-126 in each probability; f32 rounds smaller ones to 0.
        sums.captures[n].bounds[element] +=
            (probabilities[k] + 0x1p-106) *
            (norm * valueNorms[range.begin + k] + deltaBound) *
            std::fabs(slope);
      }
    }
  }
}

template <typename T>
void HeadGradients<T>::addSink(int64_t h, double lse, T delta,
                               double deltaBound) {
  if (!problem.sinkType)
    return;
  T sink = static_cast<T>(forward.sink->load({h}));
  T weight = std::exp(sink - static_cast<T>(lse));
  sums.sink.values[h] -= weight * delta;
  sums.sink.magnitudes[h] += weight * deltaBound;
  // Allows an error for sinks' weights below 2^-126, which f32 may round to 0.
  sums.sink.bounds[h] += 0x1p-106 * deltaBound;
}

template <typename T> void HeadGradients<T>::addRow(int64_t h, int64_t i) {
  KeyRange range = getKeyRange(forward, numKeys, i);
  // A row without keys still adds to the gradient of the sink.
  if (range.isEmpty() &&
      (!problem.sinkType || i + forward.origin[2] >= forward.lengthQuery))
    return;
  double lse = problem.lse.load({b, h, i});
  if (lse == -kInfinity)
    return;
  std::vector<T> query = loadRow(forward.query, h, i, forward.queryScale);
  std::vector<T> output = loadRow(problem.output, h, i);
  std::vector<T> dOutput = loadRow(problem.dOutput, h, i);
  T delta = 0;
  double deltaBound = 0;
  for (int64_t d = 0; d < valueDim; ++d) {
    if (output[d] == 0)
      continue;
    delta += output[d] * dOutput[d];
    deltaBound += std::fabs(double(output[d]) * dOutput[d]);
  }
  if (problem.dLse) {
    double dLse = problem.dLse->load({b, h, i});
    delta -= static_cast<T>(dLse);
    deltaBound += std::fabs(dLse);
  }

  addSink(h, lse, delta, deltaBound);
  if (range.isEmpty())
    return;

  int64_t count = range.end - range.begin;
  computeScores(h, i, range, query);
  std::vector<T> dProbabilities(count, 0);
  for (int64_t d = 0; d < valueDim; ++d)
    addScaled(dOutput[d], &valueColumns[d * numKeys + range.begin], count,
              dProbabilities.data());
  T dropoutScale = static_cast<T>(getDropoutScale(forward));
  probabilities.assign(count, 0);
  dScores.assign(count, 0);
  std::vector<T> dResults(count, 0);
  for (int64_t n = 0; n < count; ++n) {
    if (scores[n] == -kInfinity)
      continue;
    probabilities[n] = std::exp(scores[n] - static_cast<T>(lse));
    T kept = isKept(forward, b, h, i, range.begin + n) ? dropoutScale : T(0);
    // The dP of a pair that dropout drops may be NaN, so it is replaced by 0.
    dProbabilities[n] = kept == 0 ? T(0) : dProbabilities[n] * kept;
    dResults[n] = probabilities[n] * (dProbabilities[n] - delta);
    dScores[n] = dResults[n] * derivatives[n];
  }
  addCaptures(h, i, range, dResults, getNorm<T>(dOutput), deltaBound);
  if (precision == Precision::Double)
    addMagnitudes(range, deltaBound, query, dOutput);
  if (forward.dropoutThreshold != 0)
    for (int64_t n = 0; n < count; ++n)
      probabilities[n] *=
          isKept(forward, b, h, i, range.begin + n) ? dropoutScale : T(0);
  if (precision == Precision::Low)
    for (std::vector<T> *factors : {&probabilities, &dScores})
      for (T &factor : *factors)
        factor = roundTo(forward.inputType, factor);

  std::vector<T> dQuery(headDim, 0);
  for (int64_t n = 0; n < count; ++n) {
    // Skips pairs with a score of -inf: their gradient is 0, and 0 * NaN would
    // be NaN.
    if (scores[n] == -kInfinity)
      continue;
    int64_t j = range.begin + n;
    addScaled(dScores[n], &keys[j * headDim], headDim, dQuery.data());
    if (wantsKeys())
      addScaled(dScores[n], query.data(), headDim, &dKeys[j * headDim]);
    if (isWanted(kOfValue))
      addScaled(probabilities[n], dOutput.data(), valueDim,
                &dValues[j * valueDim]);
  }
  for (T &element : dQuery)
    element *= static_cast<T>(forward.scale);
  storeAll(kOfQuery, kOfQueryRope, h, i, dQuery);
}

template <typename T>
void HeadGradients<T>::addMagnitudes(KeyRange range, double deltaBound,
                                     const std::vector<T> &query,
                                     const std::vector<T> &dOutput) {
  double norm = getNorm<T>(dOutput), largestQuery = getLargest<T>(query),
         largestOutput = getLargest<T>(dOutput), ofQuery = 0;
  for (int64_t j = range.begin; j < range.end; ++j) {
    double probability = probabilities[j - range.begin];
    double slope = std::max<double>(1, std::fabs(derivatives[j - range.begin]));
    double term = probability * (norm * valueNorms[j] + deltaBound) * slope *
                  std::fabs(forward.scale);
    ofQuery += term * largestKeys[j];
    keyBounds[j] += term * largestQuery;
    valueBounds[j] += probability * largestOutput;
  }
  for (unsigned of : {kOfQuery, kOfQueryRope})
    sums.magnitudes[of] = std::max(sums.magnitudes[of], ofQuery);
}

template <typename T> void HeadGradients<T>::finish() {
  T scale = static_cast<T>(forward.scale);
  for (T &element : dKeys)
    element *= scale;
  for (int64_t j = 0; j < numKeys; ++j) {
    llvm::ArrayRef<T> dKey(dKeys), dValue(dValues);
    storeAll(kOfKey, kOfKeyRope, kvHead, j, dKey.slice(j * headDim, headDim));
    store(kOfValue, kvHead, j, dValue.slice(j * valueDim, valueDim));
    for (unsigned of : {kOfKey, kOfKeyRope})
      sums.magnitudes[of] = std::max(sums.magnitudes[of], keyBounds[j]);
    sums.magnitudes[kOfValue] =
        std::max(sums.magnitudes[kOfValue], valueBounds[j]);
  }
}

template <typename T>
void HeadGradients<T>::store(unsigned of, int64_t head, int64_t i,
                             llvm::ArrayRef<T> row) {
  if (!isWanted(of))
    return;
  const ArrayView input = problem.getInput(of);
  llvm::ArrayRef<int64_t> sizes = input.sizes;
  int64_t position = ((b * sizes[1] + head) * sizes[2] + i) * sizes[3];
  // Sums over heads are rounded when all are added.
  bool isRounded =
      precision == Precision::Low && !(of == kOfKeyRope && problem.sharesRope);
  for (T element : row)
    result.arrays[of].values[position++] =
        isRounded ? roundTo(*problem.types[of], element)
                  : static_cast<double>(element);
}

/// Evaluates all heads. Adds to the gradients of captures and sinks, which the
/// caller rounds when they are complete.
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

/// Returns gradients that are zeros, which masked rows and keys keep.
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

/// Copies the rows of a part's gradients into the result of the whole problem,
/// and adds the part's sums for captures and sinks.
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

/// Replaces the gradient of columns that all heads share by its sum over heads.
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

/// Evaluates the gradients without rounding sums of captures and sinks.
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
