//===- PackedHead.h - Keys and values of a head as panels -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_PACKEDHEAD_H
#define ATTN_LIB_ORACLE_PACKEDHEAD_H

#include "Parts.h"

#include "attn/Oracle/Oracle.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <memory>
#include <vector>

namespace mlir::attn {

/// `kPanelKeys` is the number of keys of a panel (see PackedHead), and
/// `kBlockRows` the number of query rows that are multiplied with a panel
/// together. They are small enough that the panel and the rows' scores stay in
/// the CPU's cache.
inline constexpr int64_t kPanelKeys = 256;
inline constexpr int64_t kBlockRows = 16;

/// The sizes of an attention problem. `keys` does not count the keys past the
/// key length.
struct ProblemSizes {
  explicit ProblemSizes(const AttentionProblem &problem)
      : batch(problem.query.sizes[0]), queryHeads(problem.query.sizes[1]),
        kvHeads(problem.key.sizes[1]), queries(problem.query.sizes[2]),
        headDim(problem.query.sizes[3]), valueDim(problem.value.sizes[3]),
        keys(getNumKeys(problem)),
        headsPerKv(kvHeads == 0 ? 0 : queryHeads / kvHeads) {}

  int64_t batch, queryHeads, kvHeads, queries, headDim, valueDim, keys;
  int64_t headsPerKv;
};

/// The keys and values of one head as numbers of type T, laid out for fast
/// products. Keys are divided into panels of kPanelKeys keys, each stored with
/// one row for each column of the key (transposed). Values are in row-major
/// order.
template <typename T> struct PackedHead {
  std::unique_ptr<T[]> keys, values;
  /// For each key, the scale of its value, if values have a scale that differs
  /// from key to key; else empty. Probabilities are multiplied by it.
  std::vector<T> ofProbabilities;
  bool hasFiniteValues = true;
};

/// Returns the keys and values of one head, multiplied by their scales. A scale
/// of values that differs from key to key is returned in `ofProbabilities`
/// instead.
template <typename T>
PackedHead<T> packHead(const AttentionProblem &problem,
                       const ProblemSizes &sizes, int64_t b, int64_t kvHead) {
  PackedHead<T> head;
  int64_t numPanels = llvm::divideCeil(sizes.keys, kPanelKeys);
  head.keys.reset(new T[numPanels * kPanelKeys * sizes.headDim]);
  head.values.reset(new T[sizes.keys * sizes.valueDim]);
  const ArrayView &key = problem.key, &value = problem.value;
  const auto &keyScale = problem.getExtra(Extra::KeyScale);
  const auto &valueScale = problem.getExtra(Extra::ValueScale);
  bool scalesProbabilities = valueScale && valueScale->isOfRows();
  if (scalesProbabilities)
    head.ofProbabilities.resize(sizes.keys);
  for (int64_t j = 0; j < sizes.keys; ++j) {
    int64_t offset = key.getOffset({b, kvHead, j, 0});
    T *column = &head.keys[j / kPanelKeys * kPanelKeys * sizes.headDim +
                           j % kPanelKeys];
    double scale = keyScale ? keyScale->load(b, kvHead, j, 0) : 1;
    for (int64_t d = 0; d < sizes.headDim; ++d)
      column[d * kPanelKeys] =
          static_cast<T>(scale * loadElement(key.data, key.dtype,
                                             offset + d * key.strides[3]));
    if (scalesProbabilities)
      head.ofProbabilities[j] =
          static_cast<T>(valueScale->load(b, kvHead, j, 0));

    offset = value.getOffset({b, kvHead, j, 0});
    for (int64_t d = 0; d < sizes.valueDim; ++d) {
      double element =
          loadElement(value.data, value.dtype, offset + d * value.strides[3]);
      if (valueScale && !scalesProbabilities)
        element *= valueScale->load(b, kvHead, j, d);
      head.values[j * sizes.valueDim + d] = static_cast<T>(element);
      head.hasFiniteValues &= std::isfinite(element);
    }
  }
  return head;
}

/// Adds to scores[j], for j from 0 to count - 1, the sum over d of query[d] *
/// keys[d * kPanelKeys + j]. Each score is summed in the order of d.
template <typename T>
void addProducts(const T *__restrict query, const T *__restrict keys,
                 int64_t headDim, int64_t count, T *__restrict scores) {
  int64_t d = 0;
  for (; d + 4 <= headDim; d += 4) {
    const T *k0 = keys + d * kPanelKeys, *k1 = k0 + kPanelKeys;
    const T *k2 = k1 + kPanelKeys, *k3 = k2 + kPanelKeys;
    T q0 = query[d], q1 = query[d + 1], q2 = query[d + 2], q3 = query[d + 3];
    for (int64_t j = 0; j < count; ++j) {
      T sum = scores[j];
      sum += q0 * k0[j];
      sum += q1 * k1[j];
      sum += q2 * k2[j];
      sum += q3 * k3[j];
      scores[j] = sum;
    }
  }
  for (; d < headDim; ++d)
    for (int64_t j = 0; j < count; ++j)
      scores[j] += query[d] * keys[d * kPanelKeys + j];
}

/// Adds to output[d], for each d, the sum over j of probabilities[j] * values[j
/// * valueDim + d].
template <typename T>
void addValues(const T *__restrict probabilities, const T *__restrict values,
               int64_t valueDim, int64_t count, T *__restrict output) {
  int64_t j = 0;
  for (; j + 4 <= count; j += 4) {
    const T *v0 = values + j * valueDim, *v1 = v0 + valueDim;
    const T *v2 = v1 + valueDim, *v3 = v2 + valueDim;
    T p0 = probabilities[j], p1 = probabilities[j + 1];
    T p2 = probabilities[j + 2], p3 = probabilities[j + 3];
    for (int64_t d = 0; d < valueDim; ++d) {
      T sum = output[d];
      sum += p0 * v0[d];
      sum += p1 * v1[d];
      sum += p2 * v2[d];
      sum += p3 * v3[d];
      output[d] = sum;
    }
  }
  for (; j < count; ++j)
    for (int64_t d = 0; d < valueDim; ++d)
      output[d] += probabilities[j] * values[j * valueDim + d];
}

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PACKEDHEAD_H
