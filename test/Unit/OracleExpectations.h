//===- OracleExpectations.h - What tests expect of the oracle ---*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_ORACLEEXPECTATIONS_H
#define ATTN_TEST_UNIT_ORACLEEXPECTATIONS_H

#include "OracleFixtures.h"

#include "gtest/gtest.h"

#include <cmath>

namespace mlir::attn {

inline constexpr Precision kPrecisions[] = {Precision::Double,
                                            Precision::Single, Precision::Low};

/// The oracle's output and lse, stored in the types that a program's results
/// have.
struct Outputs {
  Outputs(const AttentionProblem &problem, const AttentionResult &result)
      : output(problem.outputType,
               {problem.query.sizes[0], problem.query.sizes[1],
                problem.query.sizes[2], problem.value.sizes[3]}),
        lse(DType::F32, ArrayRef<int64_t>(problem.query.sizes).take_front(3)) {
    int64_t n = 0, m = 0;
    output.fill([&](ArrayRef<int64_t>) { return result.output[n++]; });
    lse.fill([&](ArrayRef<int64_t>) { return result.lse[m++]; });
  }

  Array output, lse;
};

/// Returns inputs whose scores are all 0, and whose value of key j is j + 1.
/// The output of a row is then the mean of j + 1 over its keys.
inline Inputs getCountingInputs(int64_t queries, int64_t keys) {
  Inputs inputs(DType::F32, {1, 1, queries, 2}, {1, 1, keys, 2}, 1);
  inputs.query.fillWith(0);
  inputs.value.fill([](ArrayRef<int64_t> index) { return index[2] + 1; });
  return inputs;
}

/// Expects that row i attends to the keys [first, last]. The inputs must be
/// those of getCountingInputs().
inline void expectKeys(const AttentionResult &result, int64_t i, int64_t first,
                       int64_t last) {
  EXPECT_NEAR(result.output[i], (first + last) / 2.0 + 1, 1e-6) << "row " << i;
  EXPECT_NEAR(result.lse[i], std::log(last - first + 1.0), 1e-6) << "row " << i;
}

inline void expectMasked(const AttentionResult &result, int64_t i) {
  EXPECT_EQ(result.output[i], 0) << "row " << i;
  EXPECT_EQ(result.lse[i], -kInfinity) << "row " << i;
}

inline void expectNear(const AttentionResult &result,
                       const AttentionResult &expected, double tolerance) {
  ASSERT_EQ(result.output.size(), expected.output.size());
  ASSERT_EQ(result.lse.size(), expected.lse.size());
  for (size_t n = 0; n < result.output.size(); ++n)
    ASSERT_NEAR(result.output[n], expected.output[n], tolerance) << n;
  for (size_t n = 0; n < result.lse.size(); ++n)
    if (result.lse[n] != expected.lse[n]) {
      ASSERT_NEAR(result.lse[n], expected.lse[n], 4 * tolerance) << n;
    }
}

/// Evaluates attention by its definition, one element at a time. Nothing is
/// skipped, and no blocks are formed.
inline AttentionResult evaluateNaively(const AttentionProblem &problem) {
  AttentionResult result;
  const ArrayView &q = problem.query, &k = problem.key, &v = problem.value;
  int64_t group = q.sizes[1] / k.sizes[1];
  for (int64_t b = 0; b < q.sizes[0]; ++b)
    for (int64_t h = 0; h < q.sizes[1]; ++h)
      for (int64_t i = 0; i < q.sizes[2]; ++i) {
        std::vector<long double> sums(v.sizes[3], 0);
        long double total = 0;
        for (int64_t j = 0; j < k.sizes[2]; ++j) {
          int64_t row = i + problem.origin[2], column = j + problem.origin[3];
          int64_t offset = column - row;
          if (problem.alignment == DiagonalAlignment::BottomRight)
            offset -= problem.lengthKv - problem.lengthQuery;
          bool isKept = row < problem.lengthQuery && column < problem.lengthKv;
          if (problem.hasMask)
            isKept = isKept && (!problem.causal || offset <= 0) &&
                     (!problem.left || offset >= -*problem.left) &&
                     (!problem.right || offset <= *problem.right);
          if (!isKept)
            continue;
          long double score = 0;
          for (int64_t d = 0; d < q.sizes[3]; ++d)
            score += (long double)q.load({b, h, i, d}) *
                     k.load({b, h / group, j, d});
          double natural = score * problem.scale;
          if (problem.score)
            problem.score->evaluateRow(Precision::Double, b + problem.origin[0],
                                       h + problem.origin[1], row, column,
                                       natural);
          long double probability = std::exp((long double)natural);
          total += probability;
          for (int64_t d = 0; d < v.sizes[3]; ++d)
            sums[d] += probability * v.load({b, h / group, j, d});
        }
        result.lse.push_back(std::log(total));
        for (long double sum : sums)
          result.output.push_back(total == 0 ? 0 : double(sum / total));
      }
  return result;
}

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_ORACLEEXPECTATIONS_H
