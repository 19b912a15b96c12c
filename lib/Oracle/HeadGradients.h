//===- HeadGradients.h - Gradients of one key head --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_HEADGRADIENTS_H
#define ATTN_LIB_ORACLE_HEADGRADIENTS_H

#include "attn/Oracle/Gradients.h"

#include "Parts.h"

namespace mlir::attn {

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
  /// Stores a row of the gradient with respect to all columns of the query or
  /// of the key: the last `ropeColumns` columns in gradient `ofLast`, the
  /// others in `ofFirst`.
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
  /// computed: the norm of its value, its largest absolute element, and bounds
  /// of the sums of absolute terms of its d_key and d_value.
  std::vector<double> valueNorms, largestKeys, keyBounds, valueBounds;
  /// For each key of one row.
  std::vector<T> scores, derivatives, probabilities, dScores;
  /// The scores before the score region.
  std::vector<double> rawScores;
};

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_HEADGRADIENTS_H
