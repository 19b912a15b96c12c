//===- HeadGradients.cpp - Gradients of one key head ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HeadGradients.h"
#include "Philox.h"

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
    if (forward.valueMean)
      for (int64_t d = 0; d < valueDim; ++d)
        value[d] += static_cast<T>(forward.valueMean->load(b, kvHead, 0, d));
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

/// Computes, for the keys in `range` of row `i`: `rawScores`, before the
/// regions; `scores`, after the score region and with -inf where the mask
/// region masks; and `derivatives` of the score region's result, or 1 if there
/// is no score region.
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

/// Adds the terms of row `i` to the gradients of captures. `dResults` are the
/// gradients with respect to what the score region yields; `norm` is the norm
/// of the row of d_output, and `deltaBound` the sum of the absolute values of
/// delta's terms.
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
  // The bound is multiplied by 2^-20 later, so this summand allows an error of
  // 2^-126 in the sink's weight; f32 rounds smaller weights to 0.
  sums.sink.bounds[h] += 0x1p-106 * deltaBound;
}

/// Rounds a row of d_output to f8E4M3FN as programs do, which have it in the
/// type of products: with a scale by which its largest number becomes the
/// largest of that type. A NaN does not count as the largest number, but an
/// infinity does.
template <typename T>
static std::vector<T> roundNarrow(std::vector<T> row, DType products) {
  for (T &element : row)
    element = roundTo(products, element);
  constexpr float kLargest = 448;
  float scale = std::max<float>(getLargest<T>(row) / kLargest, 0x1p-126f);
  float factor = 1 / scale;
  std::vector<T> rounded;
  for (T element : row) {
    float multiple = static_cast<float>(element) * factor;
    // Beside an infinity all elements become NaN.
    rounded.push_back(std::isfinite(multiple) && factor != 0
                          ? T(roundTo(DType::F8E4M3FN, multiple)) * T(scale)
                          : std::numeric_limits<T>::quiet_NaN());
  }
  return rounded;
}

template <typename T> void HeadGradients<T>::addRow(int64_t h, int64_t i) {
  KeyRange range = getKeyRange(forward, numKeys, i);
  // Skips a row without keys, unless the op has a gradient of sinks and the row
  // is before the query length: such a row still adds to the gradient of its
  // sink.
  if (range.isEmpty() &&
      (!problem.sinkType || i + forward.origin[2] >= forward.lengthQuery))
    return;
  double lse = problem.lse.load({b, h, i});
  if (lse == -kInfinity)
    return;
  std::vector<T> query = loadRow(forward.query, h, i, forward.queryScale);
  std::vector<T> output = loadRow(problem.output, h, i);
  std::vector<T> dOutput = loadRow(problem.dOutput, h, i);
  bool isRounded = problem.roundsDOutput && precision == Precision::Low;
  std::vector<T> ofScores =
      isRounded ? roundNarrow<T>(dOutput, forward.inputType) : dOutput;
  T delta = 0, deltaOfSink = 0;
  double deltaBound = 0;
  for (int64_t d = 0; d < valueDim; ++d) {
    if (output[d] == 0)
      continue;
    delta += output[d] * ofScores[d];
    deltaOfSink += output[d] * dOutput[d];
    deltaBound += std::fabs(double(output[d]) * dOutput[d]);
  }
  if (problem.dLse) {
    double dLse = problem.dLse->load({b, h, i});
    delta -= static_cast<T>(dLse);
    deltaOfSink -= static_cast<T>(dLse);
    deltaBound += std::fabs(dLse);
  }

  addSink(h, lse, deltaOfSink, deltaBound);
  if (range.isEmpty())
    return;

  int64_t count = range.end - range.begin;
  computeScores(h, i, range, query);
  std::vector<T> dProbabilities(count, 0);
  for (int64_t d = 0; d < valueDim; ++d)
    addScaled(ofScores[d], &valueColumns[d * numKeys + range.begin], count,
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
    // Multiplies dP by the dropout's scale. For a pair that dropout drops, sets
    // it to 0 instead, since 0 * NaN would be NaN.
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

template class mlir::attn::HeadGradients<float>;
template class mlir::attn::HeadGradients<double>;
