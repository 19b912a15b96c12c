//===- ScoreTangentsTest.cpp - Tests of the regions' derivatives ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleFixtures.h"

using namespace mlir;
using namespace mlir::attn;

using ScoreTangentsTest = IRTest;

namespace {
struct Dual {
  double value, derivative;
};
} // namespace

static Dual evaluateAt(const ScoreProgram &program, double score,
                       Precision precision = Precision::Double) {
  double value = score, derivative = kNaN;
  program.evaluateRow(precision, 1, 2, 3, 4, value, derivative);
  return {value, derivative};
}

static double getValue(const ScoreProgram &program, double score) {
  double value = score;
  program.evaluateRow(Precision::Double, 1, 2, 3, 4, value);
  return value;
}

TEST_F(ScoreTangentsTest, AgreeWithDifferences) {
  // The ops of a region that define %r, and scores at which %r is
  // differentiable.
  struct Case {
    const char *body;
    std::vector<double> scores;
  };
  const std::vector<double> kAny = {-2.3, -0.7, 0.4, 1.9};
  const std::vector<double> kUnit = {-0.8, -0.3, 0.2, 0.9};
  const std::vector<double> kPositive = {0.2, 0.9, 3.1};
  const std::vector<double> kAboveOne = {1.2, 2.5};
  Case cases[] = {
      {"%r = arith.addf %s, %s : f32", kAny},
      {"%0 = arith.mulf %s, %s : f32\n%r = arith.subf %c, %0 : f32", kAny},
      {"%r = arith.mulf %s, %s : f32", kAny},
      {"%r = arith.divf %s, %c : f32", kAny},
      {"%r = arith.divf %c, %s : f32", kAny},
      {"%0 = arith.addf %s, %c : f32\n%r = arith.divf %s, %0 : f32", kPositive},
      {"%r = arith.remf %s, %c : f32", kAny},
      {"%r = arith.remf %c, %s : f32", {-0.7, 0.4, 0.9}},
      {"%r = arith.negf %s : f32", kAny},
      {"%r = arith.maximumf %s, %c : f32", kAny},
      {"%r = arith.maxnumf %c, %s : f32", kAny},
      {"%0 = arith.negf %s : f32\n%r = arith.minimumf %s, %0 : f32", kAny},
      {"%r = arith.minnumf %s, %n : f32", kAny},
      {"%r = math.absf %s : f32", kAny},
      {"%r = math.acos %s : f32", kUnit},
      {"%r = math.acosh %s : f32", kAboveOne},
      {"%r = math.asin %s : f32", kUnit},
      {"%r = math.asinh %s : f32", kAny},
      {"%r = math.atan %s : f32", kAny},
      {"%r = math.atan2 %s, %c : f32", kAny},
      {"%r = math.atan2 %c, %s : f32", kAny},
      {"%r = math.atanh %s : f32", kUnit},
      {"%r = math.cbrt %s : f32", kAny},
      {"%r = math.ceil %s : f32", kAny},
      {"%r = math.clampf %s to [%m, %c] : f32", kAny},
      {"%r = math.clampf %c to [%m, %s] : f32", kAny},
      {"%r = math.copysign %s, %m : f32", kAny},
      {"%r = math.copysign %c, %s : f32", kAny},
      {"%r = math.cos %s : f32", kAny},
      {"%r = math.cosh %s : f32", kAny},
      {"%r = math.erf %s : f32", kAny},
      {"%r = math.erfc %s : f32", kAny},
      {"%r = math.exp %s : f32", kAny},
      {"%r = math.exp2 %s : f32", kAny},
      {"%r = math.expm1 %s : f32", kAny},
      {"%r = math.floor %s : f32", kAny},
      {"%r = math.fma %s, %c, %m : f32", kAny},
      {"%r = math.fma %c, %s, %s : f32", kAny},
      {"%i3 = arith.constant 3 : i32\n%r = math.fpowi %s, %i3 : f32, i32",
       kAny},
      {"%i3 = arith.constant -2 : i32\n%r = math.fpowi %s, %i3 : f32, i32",
       kAny},
      {"%r = math.log %s : f32", kPositive},
      {"%r = math.log10 %s : f32", kPositive},
      {"%r = math.log1p %s : f32", kUnit},
      {"%r = math.log2 %s : f32", kPositive},
      {"%r = math.powf %s, %c : f32", kPositive},
      {"%r = math.powf %c, %s : f32", kAny},
      {"%r = math.powf %s, %s : f32", kPositive},
      {"%r = math.round %s : f32", kAny},
      {"%r = math.roundeven %s : f32", kAny},
      {"%r = math.rsqrt %s : f32", kPositive},
      {"%r = math.sin %s : f32", kAny},
      {"%r, %x = math.sincos %s : f32", kAny},
      {"%x, %r = math.sincos %s : f32", kAny},
      {"%r = math.sinh %s : f32", kAny},
      {"%r = math.sqrt %s : f32", kPositive},
      {"%r = math.tan %s : f32", kUnit},
      {"%r = math.tanh %s : f32", kAny},
      {"%r = math.trunc %s : f32", kAny},
      {"%0 = arith.cmpf ogt, %s, %c : f32\n%1 = math.sin %s : f32\n"
       "%r = arith.select %0, %1, %s : f32",
       kAny},
      {"%r = arith.select %t, %c, %s : f32", kAny},
      {"%0 = arith.extf %s : f32 to f64\n%1 = math.exp %0 : f64\n"
       "%r = arith.truncf %1 : f64 to f32",
       kAny},
      {"%0 = arith.fptosi %s : f32 to i32\n%1 = arith.sitofp %0 : i32 to f32\n"
       "%r = arith.mulf %1, %s : f32",
       kAny},
      // A region with several of the ops.
      {"%0 = arith.divf %s, %c : f32\n%1 = math.tanh %0 : f32\n"
       "%2 = arith.mulf %1, %c : f32\n%3 = math.exp %2 : f32\n"
       "%4 = arith.addf %3, %s : f32\n%5 = math.log1p %3 : f32\n"
       "%r = arith.divf %4, %5 : f32",
       kAny},
  };
  for (const Case &test : cases) {
    FailureOr<ScoreProgram> program =
        compile(std::string("%c = arith.constant 1.25 : f32\n"
                            "%m = arith.constant -0.5 : f32\n"
                            "%n = arith.constant 0x7FC00000 : f32\n"
                            "%t = arith.constant true\n") +
                test.body + "\nattn.yield %r : f32");
    ASSERT_TRUE(succeeded(program)) << test.body << messages;
    for (double score : test.scores) {
      constexpr double kStep = 1e-5;
      double expected = (getValue(*program, score + kStep) -
                         getValue(*program, score - kStep)) /
                        (2 * kStep);
      Dual found = evaluateAt(*program, score);
      EXPECT_EQ(found.value, getValue(*program, score));
      double tolerance = 1e-8 * std::max(1.0, std::fabs(expected));
      EXPECT_NEAR(found.derivative, expected, tolerance)
          << test.body << " at " << score;
      Dual single = evaluateAt(*program, score, Precision::Single);
      EXPECT_EQ(single.derivative, static_cast<float>(single.derivative));
      EXPECT_NEAR(single.derivative, expected,
                  1e-5 * std::max(1.0, std::fabs(expected)))
          << test.body << " at " << score;
    }
  }
}

TEST_F(ScoreTangentsTest, Kinks) {
  struct Case {
    const char *body;
    double score, expected;
  };
  Case cases[] = {
      {"%r = arith.maximumf %s, %zero : f32", 0, 0.5},
      {"%r = arith.maxnumf %zero, %s : f32", 0, 0.5},
      {"%r = arith.minimumf %s, %zero : f32", 0, 0.5},
      {"%0 = arith.mulf %s, %three : f32\n%r = arith.minnumf %0, %s : f32", 0,
       2},
      {"%r = math.absf %s : f32", 0, 0},
      {"%0 = arith.cmpf ogt, %s, %zero : f32\n"
       "%r = arith.select %0, %s, %zero : f32",
       0, 0},
      {"%0 = arith.cmpf oge, %s, %zero : f32\n"
       "%r = arith.select %0, %s, %zero : f32",
       0, 1},
      {"%r = math.clampf %s to [%zero, %three] : f32", 0, 1},
      {"%r = math.clampf %s to [%zero, %three] : f32", 3, 1},
      {"%r = math.clampf %s to [%zero, %three] : f32", 3.5, 0},
      {"%r = math.floor %s : f32", 3, 0},
      {"%r = math.powf %s, %zero : f32", 0, 0},
      {"%i0 = arith.constant 0 : i32\n%r = math.fpowi %s, %i0 : f32, i32", 0,
       0},
      // log(0) does not depend on the score, so its derivative stays 0. It must
      // not be computed as 0 times the infinite slope of log.
      {"%0 = math.log %zero : f32\n%1 = math.exp %0 : f32\n"
       "%r = arith.addf %1, %s : f32",
       1, 1},
      {"%r = arith.addf %zero, %three : f32", 1, 0},
      {"%r = arith.addf %j1, %j1 : f32", 1, 0},
  };
  for (const Case &test : cases) {
    FailureOr<ScoreProgram> program =
        compile(std::string("%zero = arith.constant 0.0 : f32\n"
                            "%three = arith.constant 3.0 : f32\n"
                            "%j0 = arith.index_cast %j : index to i32\n"
                            "%j1 = arith.sitofp %j0 : i32 to f32\n") +
                test.body + "\nattn.yield %r : f32");
    ASSERT_TRUE(succeeded(program)) << test.body << messages;
    for (Precision precision : {Precision::Double, Precision::Single})
      EXPECT_EQ(evaluateAt(*program, test.score, precision).derivative,
                test.expected)
          << test.body;
  }
}

/// The rows are longer than the pieces in which they are evaluated. One region
/// yields its argument.
TEST_F(ScoreTangentsTest, LongRows) {
  FailureOr<ScoreProgram> square =
      compile("%r = arith.mulf %s, %s : f32\nattn.yield %r : f32");
  FailureOr<ScoreProgram> same = compile("attn.yield %s : f32");
  ASSERT_TRUE(succeeded(square) && succeeded(same)) << messages;
  std::vector<double> scores(1000), derivatives(1000);
  for (size_t n = 0; n < scores.size(); ++n)
    scores[n] = n;
  std::vector<double> before = scores;
  square->evaluateRow(Precision::Double, 0, 0, 0, 0, scores, derivatives);
  for (size_t n = 0; n < scores.size(); ++n) {
    EXPECT_EQ(scores[n], before[n] * before[n]);
    EXPECT_EQ(derivatives[n], 2 * before[n]);
  }
  same->evaluateRow(Precision::Low, 0, 0, 0, 0, before, derivatives);
  for (double derivative : derivatives)
    EXPECT_EQ(derivative, 1);
}

/// Values of narrow types are rounded to these types. Derivatives are computed
/// in the precision that the caller asks for.
TEST_F(ScoreTangentsTest, NarrowTypes) {
  FailureOr<ScoreProgram> program = compile(R"(
    %0 = arith.truncf %s : f32 to bf16
    %1 = math.exp %0 : bf16
    %r = arith.extf %1 : bf16 to f32
    attn.yield %r : f32)");
  ASSERT_TRUE(succeeded(program)) << messages;
  double value = roundTo(DType::BF16, std::exp(roundTo(DType::BF16, 0.3)));
  for (Precision precision : {Precision::Double, Precision::Single}) {
    Dual found = evaluateAt(*program, 0.3, precision);
    EXPECT_EQ(found.value, value);
    EXPECT_EQ(found.derivative, value);
  }
}
