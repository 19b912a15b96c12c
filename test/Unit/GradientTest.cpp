//===- GradientTest.cpp - Tests of the oracle's gradients -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFixtures.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

TEST(GradientTest, AgreesWithDifferences) {
  GradientInputs inputs(DType::F32, {2, 2, 4, 3}, {2, 1, 5, 3}, 2);
  roundInputs(inputs);
  inputs.runForward();
  expectDifferences(inputs.getGradients());
  expectDifferences(inputs.getGradients(/*hasDLse=*/true));
}

TEST(GradientTest, MasksAgreeWithDifferences) {
  for (auto [alignment, causal, left, right] :
       {std::tuple(DiagonalAlignment::TopLeft, true, -1, -1),
        std::tuple(DiagonalAlignment::BottomRight, true, -1, -1),
        std::tuple(DiagonalAlignment::TopLeft, false, 1, 0),
        std::tuple(DiagonalAlignment::BottomRight, false, 2, 1),
        std::tuple(DiagonalAlignment::BottomRight, true, 0, -1)})
    for (auto [queries, keys] : {std::pair(5, 4), std::pair(3, 6)}) {
      GradientInputs inputs(DType::F32, {1, 2, queries, 2}, {1, 2, keys, 2}, 3);
      roundInputs(inputs);
      AttentionProblem &problem = inputs.problem;
      problem.hasMask = true;
      problem.alignment = alignment;
      problem.causal = causal;
      if (left >= 0)
        problem.left = left;
      if (right >= 0)
        problem.right = right;
      problem.scale = -0.7;
      inputs.runForward();
      expectDifferences(inputs.getGradients(/*hasDLse=*/true));
    }
}

TEST(GradientTest, PlacesAgreeWithDifferences) {
  GradientInputs inputs(DType::F32, {1, 4, 5, 2}, {1, 2, 6, 2}, 2);
  roundInputs(inputs);
  AttentionProblem &problem = inputs.problem;
  problem.origin = {1, 3, 10, 8};
  // Counted from the origin, the last row and the last two keys are past the
  // lengths.
  problem.lengthQuery = 14;
  problem.lengthKv = 12;
  problem.hasMask = problem.causal = true;
  problem.left = 4;
  inputs.runForward();
  expectDifferences(inputs.getGradients());
}

TEST(GradientTest, NothingToAttendTo) {
  GradientInputs inputs(DType::F16, {1, 1, 4, 2}, {1, 1, 3, 2}, 2);
  AttentionProblem &problem = inputs.problem;
  problem.hasMask = problem.causal = true;
  problem.alignment = DiagonalAlignment::BottomRight;
  problem.lengthQuery = 3;
  problem.lengthKv = 2;
  // Row 0 attends to no key, and row 3 and key 2 are past the lengths. The
  // elements of these rows and of this key, which must not be read, are NaN.
  auto poison = [](Array &array, int64_t row) {
    for (int64_t d = 0; d < 2; ++d)
      array.view.store({0, 0, row, d}, kNaN);
  };
  inputs.runForward();
  EXPECT_EQ(inputs.lse.view.load({0, 0, 0}), -kInfinity);
  for (int64_t row : {0, 3})
    for (Array *array : {&inputs.query, &inputs.output, &inputs.dOutput})
      poison(*array, row);
  poison(inputs.key, 2);
  poison(inputs.value, 2);
  inputs.dLse.view.store({0, 0, 0}, kNaN);
  inputs.dLse.view.store({0, 0, 3}, kNaN);
  for (Precision precision :
       {Precision::Double, Precision::Single, Precision::Low}) {
    GradientResult result =
        evaluateGradients(inputs.getGradients(/*hasDLse=*/true), precision);
    for (int64_t d = 0; d < 2; ++d) {
      EXPECT_EQ(result.arrays[kOfQuery].values[d], 0);
      EXPECT_EQ(result.arrays[kOfQuery].values[6 + d], 0);
      EXPECT_EQ(result.arrays[kOfKey].values[4 + d], 0);
      EXPECT_EQ(result.arrays[kOfValue].values[4 + d], 0);
    }
    for (const GradientResult::Array &array : result.arrays)
      for (double element : array.values)
        EXPECT_TRUE(std::isfinite(element));
    EXPECT_NE(result.arrays[kOfValue].values[0], 0);
  }
}

TEST(GradientTest, EmptySizes) {
  for (auto [batch, queries, keys] :
       {std::tuple(0, 2, 3), std::tuple(2, 0, 3), std::tuple(2, 3, 0)}) {
    GradientInputs inputs(DType::F32, {batch, 2, queries, 2},
                          {batch, 1, keys, 2}, 2);
    inputs.runForward();
    GradientProblem problem = inputs.getGradients();
    GradientResult result = evaluateGradients(problem, Precision::Double);
    for (unsigned of = 0; of < kNumArrays; ++of) {
      EXPECT_EQ(int64_t(result.arrays[of].values.size()),
                problem.getInput(of).getNumElements());
      for (double element : result.arrays[of].values)
        EXPECT_EQ(element, 0);
    }
    FoundArrays found(problem, result);
    EXPECT_TRUE(checkGradients(problem, found.get()).passed);
    EXPECT_TRUE(checkGradientSpots(problem, found.get()).passed);
  }
}

TEST(GradientTest, FurtherColumns) {
  GradientInputs inputs(DType::F32, {1, 4, 5, 3}, {1, 2, 3, 3}, 2);
  inputs.runForward();
  GradientProblem problem = inputs.getGradients();
  GradientResult all = evaluateGradients(problem, Precision::Double);
  // The last column of query and key is now regarded as separate arrays
  // (query_rope, key_rope), with a key for each head or one for all heads.
  problem.ropeColumns = 1;
  problem.types[kOfQueryRope] = problem.types[kOfKeyRope] = DType::F32;
  auto takeColumns = [&](unsigned of, int64_t first, int64_t count) {
    std::vector<double> columns;
    for (size_t row = 0; row < all.arrays[of].values.size(); row += 3)
      for (int64_t d = 0; d < count; ++d)
        columns.push_back(all.arrays[of].values[row + first + d]);
    return columns;
  };
  std::vector<double> ofKeys = takeColumns(kOfKey, 2, 1), sums(3);
  for (size_t i = 0; i < ofKeys.size(); ++i)
    sums[i % 3] += ofKeys[i];
  for (bool isShared : {false, true}) {
    problem.sharesRope = isShared;
    GradientResult found = evaluateGradients(problem, Precision::Double);
    EXPECT_EQ(found.arrays[kOfQuery].values, takeColumns(kOfQuery, 0, 2));
    EXPECT_EQ(found.arrays[kOfQueryRope].values, takeColumns(kOfQuery, 2, 1));
    EXPECT_EQ(found.arrays[kOfKey].values, takeColumns(kOfKey, 0, 2));
    EXPECT_EQ(found.arrays[kOfKeyRope].values, isShared ? sums : ofKeys);
    EXPECT_EQ(found.arrays[kOfValue].values, all.arrays[kOfValue].values);
    EXPECT_EQ(problem.getSizes(kOfKeyRope)[1], isShared ? 1 : 2);
  }
}

TEST(GradientTest, OnlyWhatIsAskedFor) {
  GradientInputs inputs(DType::F32, {1, 2, 4, 2}, {1, 1, 3, 2}, 2);
  inputs.runForward();
  GradientProblem problem = inputs.getGradients();
  GradientResult all = evaluateGradients(problem, Precision::Single);
  for (unsigned wanted = 1; wanted < 8; ++wanted) {
    for (unsigned of = 0; of < kNumArrays; ++of)
      problem.types[of] =
          (wanted >> of) & 1 ? std::optional(DType::F32) : std::nullopt;
    GradientResult some = evaluateGradients(problem, Precision::Single);
    for (unsigned of = 0; of < kNumArrays; ++of)
      EXPECT_EQ(some.arrays[of].values, problem.types[of]
                                            ? all.arrays[of].values
                                            : std::vector<double>());
  }
}

/// Gradients are computed from the given lse and output, even if these are
/// wrong.
TEST(GradientTest, TakesLseAndOutputAsTheyAre) {
  GradientInputs inputs(DType::F32, {1, 1, 1, 1}, {1, 1, 1, 1}, 1);
  inputs.query.fillWith(1);
  inputs.key.fillWith(2);
  inputs.value.fillWith(3);
  inputs.output.fillWith(4);
  inputs.dOutput.fillWith(5);
  inputs.lse.fillWith(1);
  GradientResult result =
      evaluateGradients(inputs.getGradients(), Precision::Double);
  // With these inputs, P = exp(2 - 1), dP = 5 * 3 = 15 and delta = 5 * 4 = 20.
  double p = std::exp(1.0);
  EXPECT_DOUBLE_EQ(result.arrays[kOfQuery].values[0], p * -5 * 2);
  EXPECT_DOUBLE_EQ(result.arrays[kOfKey].values[0], p * -5);
  EXPECT_DOUBLE_EQ(result.arrays[kOfValue].values[0], p * 5);
  // Precision::Low rounds P and dS = -5 P to bf16 before their products, and
  // then the gradients.
  inputs.problem.inputType = DType::BF16;
  GradientResult low = evaluateGradients(inputs.getGradients(), Precision::Low);
  auto round = [](double value) { return roundTo(DType::BF16, value); };
  EXPECT_EQ(low.arrays[kOfQuery].values[0], round(2 * round(-5 * float(p))));
  EXPECT_EQ(low.arrays[kOfValue].values[0], round(5 * round(p)));
  EXPECT_NE(round(5 * round(p)), round(5 * p));
}

TEST(GradientTest, InfinitiesOfLse) {
  GradientInputs inputs(DType::F32, {1, 1, 3, 2}, {1, 1, 3, 2}, 2);
  inputs.runForward();
  inputs.lse.view.store({0, 0, 0}, kInfinity);
  inputs.lse.view.store({0, 0, 1}, kNaN);
  GradientResult result =
      evaluateGradients(inputs.getGradients(), Precision::Double);
  EXPECT_EQ(result.arrays[kOfQuery].values[0], 0);
  EXPECT_TRUE(std::isnan(result.arrays[kOfQuery].values[2]));
  EXPECT_FALSE(std::isnan(result.arrays[kOfQuery].values[4]));
  EXPECT_TRUE(std::isnan(result.arrays[kOfKey].values[0]));
}
