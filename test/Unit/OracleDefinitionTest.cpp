//===- OracleDefinitionTest.cpp - The oracle and attention's definition ---===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include <random>

using namespace mlir;
using namespace mlir::attn;

// Compares the oracle with the definition of attention, at sizes around those
// of the oracle's blocks, 16 rows and 256 keys.
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
