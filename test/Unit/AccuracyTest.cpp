//===- AccuracyTest.cpp - Tests of the accuracy rule ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include "attn/Oracle/Accuracy.h"
#include "attn/Oracle/SpotCheck.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

TEST(AccuracyTest, PlainEvaluationsPass) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    Inputs inputs(dtype, {2, 2, 33, 16}, {2, 1, 70, 16}, 8);
    AttentionProblem problem = inputs.getProblem();
    problem.hasMask = problem.causal = true;
    problem.alignment = DiagonalAlignment::BottomRight;
    problem.lengthKv = 20;
    for (Precision precision : kPrecisions) {
      Outputs outputs(problem, evaluate(problem, precision));
      AccuracyReport report =
          checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
      EXPECT_TRUE(report.passed) << report.firstFailure;
      EXPECT_TRUE(report.firstFailure.empty());
      EXPECT_LE(report.maxError, report.errorLimit);
      // Without an lse, only the output is checked.
      EXPECT_TRUE(checkAccuracy(problem, outputs.output.view, nullptr).passed);
    }
  }
}

TEST(AccuracyTest, LimitsByHand) {
  // All values are 3, which every type represents exactly, so the low-precision
  // evaluation has an error of 0 and only the fixed limits count.
  for (auto [dtype, limit] :
       {std::pair(DType::F16, 0x1p-9 + 1e-5),
        std::pair(DType::BF16, 0x1p-6 + 1e-5), std::pair(DType::F32, 5e-5)}) {
    Inputs inputs(dtype, {1, 1, 1, 1}, {1, 1, 1, 1}, 1);
    inputs.value.fillWith(3);
    AttentionProblem problem = inputs.getProblem();
    Outputs outputs(problem, evaluate(problem, Precision::Double));
    AccuracyReport report =
        checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
    EXPECT_TRUE(report.passed);
    EXPECT_EQ(report.maxError, 0);
    EXPECT_EQ(report.maxErrorLow, 0);
    EXPECT_EQ(report.errorLimit, limit);
    EXPECT_EQ(report.lseLimit, dtype == DType::F32 ? 5e-5 : 1e-3);
  }
}

TEST(AccuracyTest, LimitIsTwiceThePlainError) {
  AttentionProblem problem =
      Inputs(DType::F16, {1, 1, 1, 1}, {1, 1, 1, 1}, 2).getProblem();
  Array value(DType::F16, {1, 1, 1, 2});
  problem.value = value.fillWith(0).view;
  problem.outputType = DType::F32;
  AttentionResult exact{{1.5, -5}, {2}}, low{{1.25, -5.125}, {2}};
  double ulp = 0x1p-21; // of f32 at 5
  double limit = 2 * 0.25 + ulp + 1e-5;
  Array output(DType::F32, {1, 1, 1, 2}), lse(DType::F32, {1, 1, 1});
  lse.fillWith(2);
  auto check = [&](double first, double second) {
    output.view.store({0, 0, 0, 0}, first);
    output.view.store({0, 0, 0, 1}, second);
    return checkAccuracy(problem, exact, low, output.view, &lse.view);
  };
  AccuracyReport report = check(1.5, -5.5);
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.maxErrorLow, 0.25);
  EXPECT_EQ(report.maxError, 0.5);
  EXPECT_EQ(report.errorLimit, limit);
  report = check(1.5, -5.501);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.firstFailure.find("output[0, 0, 0, 1]: expected -5, found"),
            0u);
}

TEST(AccuracyTest, SinglePrecisionRule) {
  AttentionProblem problem =
      Inputs(DType::F32, {1, 1, 1, 1}, {1, 1, 1, 1}, 1).getProblem();
  Array value(DType::F32, {1, 1, 1, 1}), output(DType::F32, {1, 1, 1, 1});
  problem.value = value.fillWith(0).view;
  // The limit is a fixed one or twice the error of the low-precision
  // evaluation, whichever is larger.
  for (auto [plain, limit] : {std::pair(1 + 1e-5, 5e-5), std::pair(1.5, 1.0)}) {
    AttentionResult exact{{1}, {200}}, low{{plain}, {200}};
    for (double factor : {0.9, 1.1}) {
      output.fillWith(1 + factor * limit);
      AccuracyReport report =
          checkAccuracy(problem, exact, low, output.view, nullptr);
      EXPECT_EQ(report.errorLimit, limit);
      EXPECT_EQ(report.passed, factor < 1);
    }
  }
}

TEST(AccuracyTest, LseErrorIsRelative) {
  for (DType dtype : {DType::F16, DType::F32}) {
    AttentionProblem problem =
        Inputs(dtype, {1, 1, 1, 1}, {1, 1, 1, 1}, 1).getProblem();
    Array value(dtype, {1, 1, 1, 1}), output(dtype, {1, 1, 1, 1});
    Array lse(DType::F32, {1, 1, 1});
    problem.value = value.fillWith(0).view;
    output.fillWith(0);
    double limit = dtype == DType::F32 ? 5e-5 : 1e-3;
    for (double expected : {0.25, -200.0})
      for (double factor : {0.9, 1.1}) {
        AttentionResult exact{{0}, {expected}};
        double unit = std::max(1.0, std::fabs(expected));
        lse.fillWith(expected + factor * limit * unit);
        AccuracyReport report =
            checkAccuracy(problem, exact, exact, output.view, &lse.view);
        EXPECT_NEAR(report.maxLseError, factor * limit, 1e-6);
        EXPECT_EQ(report.passed, factor < 1);
      }
  }
}

TEST(AccuracyTest, PlantedErrors) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    Inputs inputs(dtype, {1, 2, 9, 8}, {1, 2, 30, 8}, 4);
    AttentionProblem problem = inputs.getProblem();
    Outputs good(problem, evaluate(problem, Precision::Double));
    auto check = [&](auto plant) {
      Outputs bad(problem, evaluate(problem, Precision::Double));
      plant(bad);
      return checkAccuracy(problem, bad.output.view, &bad.lse.view);
    };
    SmallVector<int64_t> where = {0, 1, 4, 2}, row = {0, 1, 4};

    AccuracyReport report = check([&](Outputs &bad) {
      bad.output.view.store(where, good.output.view.load(where) + 0.1);
    });
    EXPECT_FALSE(report.passed);
    EXPECT_FALSE(report.outputPassed);
    EXPECT_TRUE(report.lsePassed);
    EXPECT_EQ(report.firstFailure.find("output[0, 1, 4, 2]: expected "), 0u);

    report = check([&](Outputs &bad) { bad.output.view.store(where, kNaN); });
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.numUnexpectedNaN, 1);
    EXPECT_LE(report.maxError, report.errorLimit);

    report =
        check([&](Outputs &bad) { bad.output.view.store(where, -kInfinity); });
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.numMismatchedInfinities, 1);

    report = check([&](Outputs &bad) {
      bad.lse.view.store(row, good.lse.view.load(row) + 0.01);
    });
    EXPECT_FALSE(report.passed);
    EXPECT_TRUE(report.outputPassed);
    EXPECT_EQ(report.firstFailure.find("lse[0, 1, 4]: expected "), 0u);

    for (double wrong : {kInfinity, -kInfinity}) {
      report = check([&](Outputs &bad) { bad.lse.view.store(row, wrong); });
      EXPECT_FALSE(report.passed);
      EXPECT_EQ(report.numMismatchedInfinities, 1);
    }
    report = check([&](Outputs &bad) { bad.lse.view.store(row, kNaN); });
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.numUnexpectedNaN, 1);

    // All elements of output and lse are NaN, as in arrays that were not
    // written.
    report = check([&](Outputs &bad) {
      bad.output.fillWith(kNaN);
      bad.lse.fillWith(kNaN);
    });
    EXPECT_FALSE(report.outputPassed);
    EXPECT_FALSE(report.lsePassed);
    EXPECT_EQ(report.numUnexpectedNaN, 2 * 9 * 5);
  }
}

TEST(AccuracyTest, MaskedRowsMustBeExact) {
  Inputs inputs(DType::F16, {1, 1, 2, 4}, {1, 1, 3, 4}, 1);
  AttentionProblem problem = inputs.getProblem();
  problem.lengthQuery = 1;
  Outputs outputs(problem, evaluate(problem, Precision::Double));
  EXPECT_TRUE(
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view).passed);
  for (double wrong : {0.0, kInfinity, kNaN}) {
    outputs.lse.view.store({0, 0, 1}, wrong);
    AccuracyReport report =
        checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
    EXPECT_FALSE(report.passed);
    EXPECT_EQ(report.firstFailure.find("lse[0, 0, 1]: expected -inf, found"),
              0u);
  }
}

TEST(AccuracyTest, ExpectedNaN) {
  Inputs inputs(DType::F16, {1, 1, 2, 4}, {1, 1, 3, 4}, 2);
  inputs.query.view.store({0, 0, 1, 0}, kNaN);
  AttentionProblem problem = inputs.getProblem();
  Outputs outputs(problem, evaluate(problem, Precision::Double));
  EXPECT_TRUE(
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view).passed);
  outputs.output.view.store({0, 0, 1, 1}, 0);
  AccuracyReport report =
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.numMissingNaN, 1);
}

TEST(AccuracyTest, NaNInValuesMayReachMaskedRows) {
  Inputs inputs(DType::F16, {1, 1, 4, 4}, {1, 1, 4, 4}, 2);
  inputs.value.view.store({0, 0, 3, 0}, kNaN);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = problem.causal = true;
  Outputs outputs(problem, evaluate(problem, Precision::Double));
  AccuracyReport report =
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.numToleratedNaN, 0);
  // Row 0 masks key 3, whose value has a NaN in column 0. A NaN in this column
  // of the row's output is tolerated, since the key may be in the row's block.
  outputs.output.view.store({0, 0, 0, 0}, kNaN);
  report = checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.numToleratedNaN, 1);
  // A NaN in column 1 is an error, since no value has one there.
  outputs.output.view.store({0, 0, 0, 1}, kNaN);
  EXPECT_FALSE(
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view).passed);
  // If the key with the NaN is past the actual length, a NaN in column 0 is an
  // error, too.
  problem.lengthKv = 3;
  Outputs shorter(problem, evaluate(problem, Precision::Double));
  shorter.output.view.store({0, 0, 0, 0}, kNaN);
  EXPECT_FALSE(
      checkAccuracy(problem, shorter.output.view, &shorter.lse.view).passed);
}

TEST(AccuracyTest, WrongForms) {
  Inputs inputs(DType::F16, {1, 1, 4, 4}, {1, 1, 4, 4}, 2);
  AttentionProblem problem = inputs.getProblem();
  Array output(DType::F16, {1, 1, 3, 2}), single(DType::F32, {1, 1, 4, 2});
  AccuracyReport report = checkAccuracy(problem, output.view, nullptr);
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.firstFailure,
            "output: expected 1x1x4x2xf16, found 1x1x3x2xf16");
  EXPECT_FALSE(checkAccuracy(problem, single.view, nullptr).passed);
  Outputs outputs(problem, evaluate(problem, Precision::Double));
  report = checkAccuracy(problem, outputs.output.view, &outputs.output.view);
  EXPECT_TRUE(report.outputPassed);
  EXPECT_FALSE(report.passed);
}

TEST(SpotCheckTest, LooksAtSomeRowsAsTheyAre) {
  Inputs inputs(DType::F16, {2, 4, 100, 8}, {2, 2, 70, 8}, 4);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = problem.causal = true;
  for (auto alignment :
       {DiagonalAlignment::TopLeft, DiagonalAlignment::BottomRight}) {
    problem.alignment = alignment;
    Outputs good(problem, evaluate(problem, Precision::Low));
    AccuracyReport report = checkSpots(problem, good.output.view);
    EXPECT_TRUE(report.passed) << report.firstFailure;
    EXPECT_GT(report.errorLimit, 0);
    auto plant = [&](std::initializer_list<int64_t> where) {
      Outputs bad(problem, evaluate(problem, Precision::Low));
      bad.output.view.store(where, 100);
      return checkSpots(problem, bad.output.view);
    };
    EXPECT_FALSE(plant({0, 0, 0, 0}).passed);
    EXPECT_FALSE(plant({0, 0, 15, 0}).passed);
    EXPECT_FALSE(plant({1, 3, 50, 0}).passed);
    report = plant({1, 3, 99, 2});
    EXPECT_FALSE(report.passed);
    EXPECT_TRUE(StringRef(report.firstFailure)
                    .starts_with("rows from 84 of head 3, batch entry 1: "
                                 "output[0, 0, 15, 2]: expected "))
        << report.firstFailure;
    // Errors between the spots, or in a head without spots, are not found.
    EXPECT_TRUE(plant({0, 0, 16, 0}).passed);
    EXPECT_TRUE(plant({0, 1, 0, 0}).passed);
  }
}

TEST(SpotCheckTest, FewRows) {
  Inputs inputs(DType::F32, {1, 2, 3, 8}, {1, 1, 7, 8}, 8);
  AttentionProblem problem = inputs.getProblem();
  Outputs good(problem, evaluate(problem, Precision::Double));
  EXPECT_TRUE(checkSpots(problem, good.output.view).passed);
  good.output.view.store({0, 1, 2, 7}, 5);
  EXPECT_FALSE(checkSpots(problem, good.output.view).passed);
}

TEST(AccuracyTest, PrintsInPlainWords) {
  Inputs inputs(DType::F16, {1, 1, 4, 4}, {1, 1, 4, 4}, 2);
  AttentionProblem problem = inputs.getProblem();
  Outputs outputs(problem, evaluate(problem, Precision::Low));
  std::string text;
  llvm::raw_string_ostream os(text);
  checkAccuracy(problem, outputs.output.view, &outputs.lse.view).print(os);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 2u);
  EXPECT_EQ(llvm::StringRef(text).count("pass"), 2u);
  text.clear();
  outputs.output.view.store({0, 0, 2, 1}, kNaN);
  checkAccuracy(problem, outputs.output.view, &outputs.lse.view).print(os);
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 4u);
  EXPECT_EQ(llvm::StringRef(text).count("FAIL"), 1u);
  EXPECT_NE(text.find("1 unexpected NaN"), std::string::npos);
  EXPECT_NE(text.find("first failure: output[0, 0, 2, 1]: expected"),
            std::string::npos);
}
