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

/// Adds `factor` times each of the `count` elements of `row` to the element of
/// `sums` with the same index.
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
    std::vector<T> key =
        loadRow(forward.key, kvHead, j, forward.getExtra(Extra::KeyScale));
    std::vector<T> value =
        loadRow(forward.value, kvHead, j, forward.getExtra(Extra::ValueScale));
    if (const auto &mean = forward.getExtra(Extra::ValueMean))
      for (int64_t d = 0; d < valueDim; ++d)
        value[d] += static_cast<T>(mean->load(b, kvHead, 0, d));
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
      // Elements are rounded after the multiplication by a scale for each
      // column (channel), since compiled programs multiply by such a scale when
      // they copy the array to 16 bits. Other scales are taken to multiply sums
      // in f32.
      if (precision == Precision::Low && scale->isOfColumns())
        element = roundTo(forward.inputType, element);
    }
    row[d] = static_cast<T>(element);
  }
  return row;
}

/// Computes three numbers for each pair of row `i` and a key in `range`.
/// `rawScores` are scores before the regions. `scores` are those after the
/// score region, with -inf where the mask region masks. `derivatives` are those
/// of the score region's result with respect to its score, or 1 without a score
/// region.
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
/// gradients with respect to the results of the score region. `norm` is the
/// Euclidean norm of the row of d_output. `deltaBound` is the sum of the
/// absolute values of the terms of the row's delta, the sum of P dP over its
/// keys.
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
        // The bound is later multiplied by 2^-20. The summand 2^-106 thus
        // allows an error of 2^-126 in each probability, since f32 rounds
        // smaller probabilities to 0.
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
  // The bound is later multiplied by 2^-20. The factor 2^-106 thus allows an
  // error of 2^-126 in the sink's weight, since f32 rounds smaller weights to
  // 0.
  sums.sink.bounds[h] += 0x1p-106 * deltaBound;
}

/// Rounds a row of d_output to f8E4M3FN, with a scale by which the row's
/// largest number becomes 448, the largest of f8E4M3FN, or with the next larger
/// power of two if `isPower` is set. A NaN does not count as the largest
/// number, but an infinity does.
template <typename T>
static std::vector<T> roundNarrow(llvm::ArrayRef<T> row, bool isPower) {
  constexpr float kLargest = 448;
  float scale = std::max<float>(getLargest<T>(row) / kLargest, 0x1p-126f);
  if (isPower && std::isfinite(scale)) {
    int exponent;
    if (std::frexp(scale, &exponent) > 0.5f)
      scale = std::ldexp(1.0f, exponent);
  }
  float factor = 1 / scale;
  std::vector<T> rounded;
  for (T element : row) {
    float multiple = static_cast<float>(element) * factor;
    // If the row of d_output has an infinity, `factor`, by which its elements
    // are multiplied, is 0. All elements then become NaN.
    rounded.push_back(std::isfinite(multiple) && factor != 0
                          ? T(roundTo(DType::F8E4M3FN, multiple)) * T(scale)
                          : std::numeric_limits<T>::quiet_NaN());
  }
  return rounded;
}

/// Rounds to the four significant bits of f8E4M3FN, with any exponent.
static double roundToFourBits(double value) {
  int exponent;
  double fraction = std::frexp(value, &exponent);
  return std::isfinite(value)
             ? std::ldexp(std::nearbyint(fraction * 16), exponent - 4)
             : value;
}

template <typename T> void HeadGradients<T>::addRow(int64_t h, int64_t i) {
  KeyRange range = getKeyRange(forward, numKeys, i);
  // A row without keys adds nothing to any gradient but that of its sink. It is
  // skipped unless that gradient is wanted and the row is before the query
  // length.
  if (range.isEmpty() &&
      (!problem.sinkType || i + forward.origin[2] >= forward.lengthQuery))
    return;
  double lse = problem.lse.load({b, h, i});
  if (lse == -kInfinity)
    return;
  std::vector<T> query =
      loadRow(forward.query, h, i, forward.getExtra(Extra::QueryScale));
  std::vector<T> output = loadRow(problem.output, h, i);
  std::vector<T> dOutput = loadRow(problem.dOutput, h, i);
  bool isLow = precision == Precision::Low;
  bool roundsOperands = isLow && problem.roundsOperands;
  // Programs first round d_output to the type of products.
  if (isLow)
    for (T &element : dOutput)
      element = roundTo(forward.inputType, element);
  std::vector<T> ofScores = isLow && problem.roundsDOutput
                                ? roundNarrow<T>(dOutput, roundsOperands)
                                : dOutput;
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
    // dP is multiplied by the scale of dropout if dropout keeps the pair.
    // Otherwise it is set to 0 rather than multiplied by 0, since 0 * NaN would
    // be NaN.
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
  if (isLow)
    for (std::vector<T> *factors : {&probabilities, &dScores})
      for (T &factor : *factors)
        factor = roundTo(forward.inputType,
                         roundsOperands ? roundToFourBits(factor) : factor);
  const std::vector<T> &ofValues = roundsOperands ? ofScores : dOutput;

  std::vector<T> dQuery(headDim, 0);
  for (int64_t n = 0; n < count; ++n) {
    // Pairs with a score of -inf are skipped, since their gradient is 0, while
    // a product of 0 and NaN would be NaN.
    if (scores[n] == -kInfinity)
      continue;
    int64_t j = range.begin + n;
    addScaled(dScores[n], &keys[j * headDim], headDim, dQuery.data());
    if (wantsKeys())
      addScaled(dScores[n], query.data(), headDim, &dKeys[j * headDim]);
    if (isWanted(kOfValue))
      addScaled(probabilities[n], ofValues.data(), valueDim,
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
  // The gradient of a key_rope that heads share is a sum over heads, which
  // sumHeads() rounds after all heads have been added. Other gradients are
  // rounded here.
  bool isRounded =
      precision == Precision::Low && !(of == kOfKeyRope && problem.sharesRope);
  for (T element : row)
    result.arrays[of].values[position++] =
        isRounded ? roundTo(*problem.types[of], element)
                  : static_cast<double>(element);
}

template class mlir::attn::HeadGradients<float>;
template class mlir::attn::HeadGradients<double>;
