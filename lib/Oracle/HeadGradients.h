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

/// Gradients of captures and sinks, which are sums over all pairs of row and
/// key. For each element: the sum (`values`), the sum of the terms' absolute
/// values (`magnitudes`), and the sum of bounds of the terms, in which dP and
/// delta do not cancel (`bounds`).
template <typename T> struct PairSums {
  explicit PairSums(size_t count = 0)
      : values(count), magnitudes(count), bounds(count) {}

  std::vector<T> values;
  std::vector<double> magnitudes, bounds;
};

/// The gradients of sinks and captures, and the magnitudes of other gradients,
/// as far as one key head contributes to them.
template <typename T> struct HeadSums {
  /// For each gradient of an array, its magnitude for this key head, as
  /// GradientResult defines it.
  std::array<double, kNumGradients> magnitudes = {};
  /// For each captured array or scalar, the sums over the pairs of this key
  /// head.
  std::vector<PairSums<T>> captures;
  /// The sums for the sink of each query head.
  PairSums<T> sink;
};

/// Computes the gradients of one key head of one batch entry, and of the query
/// heads that share it. The caller calls addRow() for each row of each of these
/// query heads, and then finish().
template <typename T> class HeadGradients {
public:
  HeadGradients(const GradientProblem &problem, Precision precision, int64_t b,
                int64_t kvHead, GradientResult &result);

  void addRow(int64_t h, int64_t i);
  /// Stores the gradients of the head's keys and values, after addRow() has
  /// added the terms of all rows.
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
  /// of the key. The last `ropeColumns` columns are stored in gradient `ofLast`
  /// (of query_rope or key_rope), and the others in gradient `ofFirst`.
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

  /// The key head's keys and values: `keys` in row-major order, `keyColumns`
  /// and `valueColumns` in column-major order.
  std::vector<T> keys, keyColumns, valueColumns;
  std::vector<T> dKeys, dValues;
  /// For each key, numbers from which bounds of gradients are computed.
  /// `valueNorms` has the Euclidean norm of its value, and `largestKeys` the
  /// largest absolute element of the key. `keyBounds` and `valueBounds` bound
  /// the sums of the absolute terms of its d_key and d_value.
  std::vector<double> valueNorms, largestKeys, keyBounds, valueBounds;
  /// The scores of the current row, their derivatives, probabilities and
  /// gradients: one number for each key that the row attends to.
  std::vector<T> scores, derivatives, probabilities, dScores;
  /// The current row's scores before the score region, one for each key.
  std::vector<double> rawScores;
};

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_HEADGRADIENTS_H
