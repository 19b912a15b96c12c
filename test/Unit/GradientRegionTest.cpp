//===- GradientRegionTest.cpp - Gradients of and through score regions ----===//
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

using GradientRegionTest = IRTest;

/// The region affects gradients in all possible ways: by its derivative, by
/// positions, and by yielding -inf.
TEST_F(GradientRegionTest, AgreesWithDifferences) {
  auto module = parse(getScoreModule(R"(
    %c3 = arith.constant 3 : index
    %half = arith.constant 0.5 : f32
    %minf = arith.constant 0xFF800000 : f32
    %0 = math.sin %s : f32
    %1 = arith.index_cast %j : index to i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = math.fma %s, %2, %0 : f32
    %4 = arith.mulf %3, %half : f32
    %5 = arith.addi %i, %j : index
    %6 = arith.remui %5, %c3 : index
    %7 = arith.cmpi eq, %6, %c3 : index
    %8 = arith.cmpi ult, %6, %j : index
    %9 = arith.select %8, %minf, %4 : f32
    attn.yield %9 : f32)"));
  FailureOr<ScoreProgram> score =
      ScoreProgram::compile(findAttention(*module).getScore(), {});
  ASSERT_TRUE(succeeded(score)) << messages;
  GradientInputs inputs(DType::F32, {1, 2, 4, 2}, {1, 1, 5, 2}, 2);
  roundInputs(inputs);
  inputs.problem.score = &*score;
  inputs.runForward();
  expectDifferences(inputs.getGradients(/*hasDLse=*/true));
}

/// Pairs for which the region yields -inf have no effect, even if its
/// derivative is NaN.
TEST_F(GradientRegionTest, InfiniteSlopesOfMaskedPairs) {
  // For key 0 the region yields log(0) = -inf, whose derivative is infinite,
  // and the value of key 0 is NaN.
  auto module = parse(getScoreModule(R"(
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %0 = arith.cmpi eq, %j, %c0 : index
    %1 = arith.mulf %s, %zero : f32
    %2 = math.log %1 : f32
    %3 = arith.select %0, %2, %s : f32
    attn.yield %3 : f32)"));
  FailureOr<ScoreProgram> score =
      ScoreProgram::compile(findAttention(*module).getScore(), {});
  ASSERT_TRUE(succeeded(score)) << messages;
  GradientInputs inputs(DType::F32, {1, 1, 2, 2}, {1, 1, 3, 2}, 2);
  inputs.query.fillWith(1);
  inputs.key.fillWith(1);
  inputs.problem.score = &*score;
  inputs.runForward();
  for (int64_t d = 0; d < 2; ++d)
    inputs.value.view.store({0, 0, 0, d}, kNaN);
  GradientResult result =
      evaluateGradients(inputs.getGradients(), Precision::Double);
  for (const GradientResult::Array &array : result.arrays)
    for (double element : array.values)
      EXPECT_TRUE(std::isfinite(element));
  for (int64_t d = 0; d < 2; ++d) {
    EXPECT_EQ(result.arrays[kOfKey].values[d], 0);
    EXPECT_EQ(result.arrays[kOfValue].values[d], 0);
  }
}

/// Compares the gradients of captured numbers, under a mask region, with
/// differences of the loss, in each precision.
TEST_F(GradientRegionTest, CapturesAgreeWithDifferences) {
  auto module = parse(getScoreModule(R"(
    %0 = arith.divf %s, %c : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %c : f32
    %3 = arith.extf %w : f16 to f32
    %4 = arith.index_cast %j : index to i32
    %5 = arith.sitofp %4 : i32 to f32
    %6 = math.fma %3, %5, %2 : f32
    attn.yield %6 : f32)",
                                     "%x: f32, %y: f16", "%x, %y : f32, f16",
                                     ", %c: f32, %w: f16"));
  Region &region = findAttention(*module).getScore();
  auto masked = parse(R"(
    func.func @f(%q: memref<1x1x4x4xf32>) {
      attn.attention ins(%q, %q, %q : memref<1x1x4x4xf32>, memref<1x1x4x4xf32>,
                         memref<1x1x4x4xf32>) outs(%q : memref<1x1x4x4xf32>)
        mask {
        ^bb0(%b: index, %h: index, %i: index, %j: index):
          %c2 = arith.constant 2 : index
          %0 = arith.cmpi ne, %j, %c2 : index
          attn.yield %0 : i1
        }
      return
    })");
  auto mask =
      ScoreProgram::compileMask(findAttention(*masked).getMaskRegion(), {});
  ASSERT_TRUE(succeeded(mask)) << messages;
  GradientInputs inputs(DType::F32, {2, 2, 4, 3}, {2, 1, 5, 3}, 2);
  inputs.problem.mask = &*mask;

  const double values[] = {1.5, -0.25};
  auto compile = [&](double first, double second, unsigned variable = 0) {
    return ScoreProgram::compile(
        region, {ScalarValue::getFloat(first), ScalarValue::getFloat(second)},
        variable);
  };
  auto getWeight = [](int64_t n) { return 0.25 * (n % 7) - 0.5; };
  int64_t weight = 0;
  inputs.dOutput.fill([&](ArrayRef<int64_t>) { return getWeight(weight++); });
  auto getLoss = [&](double first, double second) {
    auto score = compile(first, second);
    AttentionProblem problem = inputs.problem;
    problem.score = &*score;
    AttentionResult result = evaluate(problem, Precision::Double);
    double loss = 0;
    int64_t n = 0;
    for (double element : result.output)
      loss += element * getWeight(n++);
    return loss;
  };
  // The captured numbers plus or minus this step are exact in f16.
  constexpr double kStep = 0x1p-7;
  double expected[2];
  for (unsigned i : {0, 1}) {
    auto slope = [&](double step) {
      double d[2] = {i == 0 ? step : 0, i == 1 ? step : 0};
      return (getLoss(values[0] + d[0], values[1] + d[1]) -
              getLoss(values[0] - d[0], values[1] - d[1])) /
             (2 * step);
    };
    expected[i] = (4 * slope(kStep / 2) - slope(kStep)) / 3;
  }

  auto score = compile(values[0], values[1]);
  inputs.problem.score = &*score;
  inputs.runForward();
  ScoreProgram programs[] = {*compile(values[0], values[1], 5),
                             *compile(values[0], values[1], 6)};
  GradientProblem problem = inputs.getGradients();
  problem.types = {};
  problem.captures = {{0, &programs[0], DType::F32},
                      {1, &programs[1], DType::F16}};
  GradientResult exact = evaluateGradients(problem, Precision::Double);
  GradientResult single = evaluateGradients(problem, Precision::Single);
  ASSERT_EQ(exact.captures.size(), 2u);
  for (unsigned i : {0, 1}) {
    double found = exact.captures[i].values[0];
    EXPECT_NEAR(found, expected[i], 1e-6);
    EXPECT_NEAR(single.captures[i].values[0], found, 1e-5);
    EXPECT_GE(exact.captures[i].magnitudes[0], std::fabs(found));
  }

  // The accuracy rule accepts the exact gradients, rounded to their types. It
  // rejects one with an error of a hundredth of its terms' magnitude.
  Array first(DType::F32, {}), second(DType::F16, {});
  first.view.store({}, exact.captures[0].values[0]);
  second.view.store({}, exact.captures[1].values[0]);
  FoundGradients found;
  found.captures = {first.view, second.view};
  GradientReport report = checkGradients(problem, found);
  EXPECT_TRUE(report.passed) << report.firstFailure;
  ASSERT_EQ(report.entries.size(), 2u);
  EXPECT_EQ(report.entries[1].name, "d_capture1");
  first.view.store({}, exact.captures[0].values[0] +
                           0.01 * exact.captures[0].magnitudes[0]);
  report = checkGradients(problem, found);
  EXPECT_FALSE(report.passed);
  EXPECT_FALSE(report.entries[0].passed);
  EXPECT_TRUE(report.entries[1].passed);
  EXPECT_TRUE(StringRef(report.firstFailure).starts_with("d_capture0[]"))
      << report.firstFailure;
  first.view.store({}, kNaN);
  EXPECT_FALSE(checkGradients(problem, found).passed);
  found.captures.clear();
  EXPECT_FALSE(checkGradients(problem, found).passed);
}
