//===- OracleDefinitionTest.cpp - The oracle and attention's definition ---===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include <cmath>
#include <random>

using namespace mlir;
using namespace mlir::attn;

/// The definition, one element at a time, with nothing skipped or packed.
static AttentionResult evaluateNaively(const AttentionProblem &problem) {
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

// Sizes around the oracle's own blocks of 16 rows and 256 keys.
TEST(OracleTest, AgreesWithTheDefinition) {
  std::mt19937 generator(7);
  auto pick = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(generator);
  };
  int64_t keyCounts[] = {1, 15, 255, 256, 257, 511, 600};
  for (int trial = 0; trial < 60; ++trial) {
    int64_t group = pick(1, 3), kvHeads = pick(1, 2), batch = pick(1, 2);
    int64_t queries = pick(1, 40), keys = keyCounts[pick(0, 6)];
    int64_t headDim = pick(1, 11), valueDim = pick(1, 6);
    Inputs inputs(DType::F32, {batch, kvHeads * group, queries, headDim},
                  {batch, kvHeads, keys, headDim}, valueDim);
    AttentionProblem problem = inputs.getProblem();
    problem.hasMask = pick(0, 3) != 0;
    problem.causal = pick(0, 1);
    if (pick(0, 1))
      problem.alignment = DiagonalAlignment::BottomRight;
    if (pick(0, 1))
      problem.left = pick(0, 300);
    if (pick(0, 1))
      problem.right = pick(0, 300);
    if (pick(0, 1)) {
      problem.lengthQuery = pick(0, queries);
      problem.lengthKv = pick(0, keys);
    }
    if (pick(0, 1)) {
      problem.origin = {0, 0, pick(0, 20), pick(0, 300)};
      problem.lengthQuery = pick(0, queries + 20);
      problem.lengthKv = pick(0, keys + 300);
    }
    SCOPED_TRACE("trial " + std::to_string(trial));
    AttentionResult expected = evaluateNaively(problem);
    expectNear(evaluate(problem, Precision::Double), expected, 1e-12);
    expectNear(evaluate(problem, Precision::Single), expected, 1e-5);
    if (HasFatalFailure())
      return;
  }
}
