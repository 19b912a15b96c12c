//===- ScoreProgramTest.cpp - Tests of the oracle's score programs --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include "attn/Oracle/ProblemBuilder.h"
#include "attn/Oracle/ScoreEvaluator.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

using ScoreTest = IRTest;

TEST_F(ScoreTest, SoftCap) {
  auto module = parse(getScoreModule(R"(
    %0 = arith.divf %s, %c : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %c : f32
    attn.yield %2 : f32)",
                                     "%cap: f32", "%cap : f32", ", %c: f32"));
  FailureOr<ScoreProgram> program = ScoreProgram::compile(
      findAttention(*module).getScore(), {ScalarValue::getFloat(20)});
  ASSERT_TRUE(succeeded(program)) << messages;
  std::vector<double> scores(600);
  for (size_t j = 0; j < scores.size(); ++j)
    scores[j] = 0.25 * j - 70;
  std::vector<double> exact = scores, single = scores;
  program->evaluateRow(Precision::Double, 0, 0, 0, 0, exact);
  program->evaluateRow(Precision::Single, 0, 0, 0, 0, single);
  for (size_t j = 0; j < scores.size(); ++j) {
    EXPECT_EQ(exact[j], std::tanh(scores[j] / 20) * 20);
    EXPECT_EQ(single[j], std::tanh(float(scores[j]) / 20.0f) * 20.0f);
  }
}

TEST_F(ScoreTest, Alibi) {
  FailureOr<ScoreProgram> program = compile(R"(
    %one = arith.constant 1 : index
    %slopes = arith.constant -0.5 : f32
    %h1 = arith.addi %h, %one : index
    %hi = arith.index_cast %h1 : index to i32
    %hf = arith.sitofp %hi : i32 to f32
    %slope = arith.mulf %slopes, %hf : f32
    %d = arith.subi %i, %j : index
    %di = arith.index_cast %d : index to i32
    %df = arith.sitofp %di : i32 to f32
    %bias = arith.mulf %slope, %df : f32
    %0 = arith.addf %s, %bias : f32
    attn.yield %0 : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  // The row of scores begins at key 5, and is so long that it is evaluated in
  // several pieces.
  for (Precision precision : kPrecisions) {
    std::vector<double> scores(777, 1);
    program->evaluateRow(precision, 0, 2, 900, 5, scores);
    for (int64_t n = 0; n < 777; ++n)
      EXPECT_EQ(scores[n], 1 - 1.5 * (900 - (n + 5)));
  }
}

TEST_F(ScoreTest, IndicesReachTheRegion) {
  FailureOr<ScoreProgram> program = compile(R"(
    %c10 = arith.constant 10 : index
    %0 = arith.muli %b, %c10 : index
    %1 = arith.addi %0, %h : index
    %2 = arith.muli %1, %c10 : index
    %3 = arith.addi %2, %i : index
    %4 = arith.muli %3, %c10 : index
    %5 = arith.addi %4, %j : index
    %6 = arith.index_cast %5 : index to i64
    %7 = arith.sitofp %6 : i64 to f32
    attn.yield %7 : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  double scores[3];
  program->evaluateRow(Precision::Double, 1, 2, 3, 4, scores);
  EXPECT_EQ(scores[0], 1234);
  EXPECT_EQ(scores[2], 1236);

  // The oracle adds the problem's origin to the positions that the region gets.
  Inputs inputs(DType::F32, {2, 2, 2, 4}, {2, 2, 3, 4}, 1);
  AttentionProblem problem = inputs.getProblem();
  problem.score = &*program;
  problem.origin = {1, 2, 3, 4};
  problem.lengthQuery = 5;
  problem.lengthKv = 7;
  AttentionResult result = evaluate(problem, Precision::Double);
  double expected = 2346 + std::log(1 + std::exp(-1.0) + std::exp(-2.0));
  EXPECT_NEAR(result.lse[7], expected, 1e-12);
  expectNear(
      result,
      [&] {
        AttentionResult shifted = result;
        for (int64_t n = 0; n < 8; ++n)
          shifted.lse[n] = 1000 * (1 + n / 4) + 100 * (2 + n / 2 % 2) +
                           10 * (3 + n % 2) + 6 + expected - 2346;
        return shifted;
      }(),
      1e-12);
}

TEST_F(ScoreTest, YieldsMinusInfinity) {
  // The region keeps only even keys, and no keys at all in row 1.
  FailureOr<ScoreProgram> program = compile(R"(
    %inf = arith.constant 0xFF800000 : f32
    %one = arith.constant 1 : index
    %zero = arith.constant 0 : index
    %bit = arith.andi %j, %one : index
    %odd = arith.cmpi ne, %bit, %zero : index
    %row = arith.cmpi eq, %i, %one : index
    %off = arith.ori %odd, %row : i1
    %0 = arith.select %off, %inf, %s : f32
    attn.yield %0 : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  Inputs inputs = getCountingInputs(3, 5);
  // The probability of key 3 is 0 in all rows, so a NaN in its value has no
  // effect.
  inputs.value.view.store({0, 0, 3, 0}, kNaN);
  AttentionProblem problem = inputs.getProblem();
  problem.score = &*program;
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(problem, precision);
    for (int64_t i : {0, 2}) {
      EXPECT_NEAR(result.output[i], 3, 1e-6); // the mean of 1, 3, 5
      EXPECT_NEAR(result.lse[i], std::log(3.0), 1e-6);
    }
    expectMasked(result, 1);
  }
}

TEST_F(ScoreTest, ScoreComesBeforeTheMasks) {
  // The region yields 1 for all keys, but keys above the diagonal must stay
  // masked.
  FailureOr<ScoreProgram> program = compile(R"(
    %0 = arith.constant 1.0 : f32
    attn.yield %0 : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  Inputs inputs = getCountingInputs(4, 4);
  AttentionProblem problem = inputs.getProblem();
  problem.score = &*program;
  problem.hasMask = problem.causal = true;
  AttentionResult result = evaluate(problem, Precision::Double);
  EXPECT_NEAR(result.output[1], 1.5, 1e-12);
  EXPECT_NEAR(result.lse[1], 1 + std::log(2.0), 1e-12);
}

TEST_F(ScoreTest, YieldsItsArgument) {
  FailureOr<ScoreProgram> program = compile("attn.yield %s : f32");
  ASSERT_TRUE(succeeded(program)) << messages;
  double scores[] = {1.5, 0.1};
  program->evaluateRow(Precision::Double, 0, 0, 0, 0, scores);
  EXPECT_EQ(scores[1], 0.1);
  program->evaluateRow(Precision::Single, 0, 0, 0, 0, scores);
  EXPECT_EQ(scores[1], 0.1f);
  program->evaluateRow(Precision::Double, 0, 0, 0, 0, {});
}

TEST_F(ScoreTest, NarrowTypesRoundInEveryPrecision) {
  FailureOr<ScoreProgram> program = compile(R"(
    %0 = arith.truncf %s : f32 to bf16
    %1 = arith.addf %0, %0 : bf16
    %2 = arith.extf %1 : bf16 to f32
    attn.yield %2 : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  for (Precision precision : kPrecisions) {
    double scores[] = {1 + 0x1p-9};
    program->evaluateRow(precision, 0, 0, 0, 0, scores);
    EXPECT_EQ(scores[0], 2);
  }
}

TEST_F(ScoreTest, UnknownOps) {
  EXPECT_TRUE(failed(compile(R"(
    %0 = "test.mystery"(%s) : (f32) -> f32
    attn.yield %0 : f32)",
                             /*verify=*/false)));
  EXPECT_NE(messages.find("the oracle cannot evaluate 'test.mystery'"),
            std::string::npos);

  messages.clear();
  EXPECT_TRUE(failed(compile(R"(
    %0 = arith.extf %s : f32 to f128
    %1 = arith.truncf %0 : f128 to f32
    attn.yield %1 : f32)")));
  EXPECT_NE(messages.find("the oracle cannot evaluate 'arith.extf' of type "),
            std::string::npos);

  messages.clear();
  EXPECT_TRUE(failed(compile(R"(
    %0 = arith.truncf %s downward : f32 to f16
    %1 = arith.extf %0 : f16 to f32
    attn.yield %1 : f32)")));
  EXPECT_NE(messages.find("with rounding mode 'downward'"), std::string::npos);
}
