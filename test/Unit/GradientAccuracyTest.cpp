//===- GradientAccuracyTest.cpp - Tests of the rule of gradients ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFixtures.h"

using namespace mlir;
using namespace mlir::attn;

static constexpr DType kTypes[] = {DType::F16, DType::BF16, DType::F32};

static GradientInputs getInputs(DType dtype) {
  GradientInputs inputs(dtype, {1, 4, 40, 16}, {1, 2, 50, 16}, 24);
  inputs.problem.hasMask = inputs.problem.causal = true;
  inputs.runForward();
  return inputs;
}

static FoundArrays getPlain(const GradientProblem &problem) {
  return FoundArrays(problem, evaluateGradients(problem, getReferencePrecision(
                                                             problem.forward)));
}

TEST(GradientAccuracyTest, PlainEvaluationsPass) {
  for (DType dtype : kTypes)
    for (double scale : {1.0, 1e-6, 100.0}) {
      GradientInputs inputs = getInputs(dtype);
      inputs.dOutput.fill([&](ArrayRef<int64_t> index) {
        return scale * std::sin(1.0 + index[1] + index[2] * 7 + index[3] * 3);
      });
      GradientProblem problem = inputs.getGradients();
      GradientReport report = checkGradients(problem, getPlain(problem).get());
      EXPECT_TRUE(report.passed) << report.firstFailure;
      EXPECT_EQ(report.entries.size(), 3u);
      for (const GradientReport::Entry &entry : report.entries)
        EXPECT_LE(entry.maxError, entry.errorLimit / 2);
    }
}

/// The exact gradient of the query is 0, since its terms cancel. The rule must
/// allow the small error that another order of the sums leaves.
TEST(GradientAccuracyTest, CancelledTerms) {
  GradientInputs inputs(DType::F32, {1, 1, 3, 64}, {1, 1, 1, 64}, 64);
  inputs.runForward();
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  found.arrays[kOfQuery].view.store({0, 0, 1, 2}, 1e-6);
  EXPECT_TRUE(checkGradients(problem, found.get()).passed);
  found.arrays[kOfQuery].view.store({0, 0, 1, 2}, 1e-3);
  EXPECT_FALSE(checkGradients(problem, found.get()).passed);
}

TEST(GradientAccuracyTest, PlantedErrors) {
  for (DType dtype : kTypes)
    for (double scale : {1.0, 1e-3}) {
      GradientInputs inputs = getInputs(dtype);
      inputs.dOutput.fill(
          [&, view = inputs.dOutput.view](ArrayRef<int64_t> index) {
            return scale * view.load(index);
          });
      GradientProblem problem = inputs.getGradients();
      for (unsigned of = 0; of < kNumArrays; ++of) {
        auto expectFails = [&](const char *what, auto plant) {
          FoundArrays found = getPlain(problem);
          plant(found.arrays[of]);
          GradientReport report = checkGradients(problem, found.get());
          EXPECT_FALSE(report.passed) << what;
          for (const GradientReport::Entry &entry : report.entries)
            EXPECT_EQ(entry.passed, entry.name != kGradientNames[of]) << what;
          EXPECT_TRUE(
              StringRef(report.firstFailure).starts_with(kGradientNames[of]))
              << report.firstFailure;
        };
        auto scaleRow = [](Array &array, double factor, int64_t row) {
          for (int64_t d = 0; d < array.view.sizes[3]; ++d)
            array.view.store({0, 1, row, d},
                             factor * array.view.load({0, 1, row, d}));
        };
        // One row is scaled by 1.01, which only the rule for f32 must find, or
        // by 1.2.
        if (dtype == DType::F32)
          expectFails("1.01", [&](Array &a) { scaleRow(a, 1.01, 3); });
        expectFails(
            "1.2", [&](Array &a) { scaleRow(a, 1.2, of == kOfQuery ? 3 : 0); });
        expectFails("zeros", [&](Array &a) { a.fillWith(0); });
        expectFails("poison",
                    [&](Array &a) { a.view.store({0, 0, 5, 7}, kNaN); });
        expectFails("infinity",
                    [&](Array &a) { a.view.store({0, 0, 5, 7}, kInfinity); });
      }
    }
}

/// Keys to which no row attends must have gradients of exactly 0.
TEST(GradientAccuracyTest, ChecksEveryElement) {
  GradientInputs inputs = getInputs(DType::F32);
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  EXPECT_EQ(found.arrays[kOfKey].view.load({0, 1, 49, 15}), 0);
  found.arrays[kOfKey].view.store({0, 1, 49, 15}, 1e-3);
  GradientReport report = checkGradients(problem, found.get());
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.firstFailure,
            "d_key[0, 1, 49, 15]: expected 0, found 0.00100000005");
}

TEST(GradientAccuracyTest, NaNOfInputs) {
  GradientInputs inputs = getInputs(DType::F32);
  // Rows 30 to 39 attend to key 30. A NaN in column 3 of this key makes all
  // elements of their d_query NaN. In d_query of other rows of the key's heads,
  // a NaN in column 3 is tolerated.
  inputs.key.view.store({0, 0, 30, 3}, kNaN);
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  EXPECT_TRUE(checkGradients(problem, found.get()).passed);
  EXPECT_TRUE(std::isnan(found.arrays[kOfQuery].view.load({0, 0, 30, 0})));
  found.arrays[kOfQuery].view.store({0, 1, 2, 3}, kNaN);
  GradientReport report = checkGradients(problem, found.get());
  EXPECT_TRUE(report.passed) << report.firstFailure;
  EXPECT_EQ(report.entries[0].numToleratedNaN, 1);
  // A NaN in another column or in another group of heads is an error, and so is
  // a number where a NaN is expected.
  found.arrays[kOfQuery].view.store({0, 1, 2, 4}, kNaN);
  EXPECT_FALSE(checkGradients(problem, found.get()).passed);
  found = getPlain(problem);
  found.arrays[kOfQuery].view.store({0, 2, 2, 3}, kNaN);
  EXPECT_FALSE(checkGradients(problem, found.get()).passed);
  found = getPlain(problem);
  found.arrays[kOfQuery].view.store({0, 0, 30, 0}, 0);
  report = checkGradients(problem, found.get());
  EXPECT_FALSE(report.passed);
  EXPECT_EQ(report.entries[0].numMissingNaN, 1);
}

/// A NaN in rows that attend to no key must not reach any gradient.
TEST(GradientAccuracyTest, NaNOfEmptyRows) {
  GradientInputs inputs(DType::F32, {1, 1, 4, 2}, {1, 1, 2, 2}, 2);
  inputs.problem.hasMask = inputs.problem.causal = true;
  inputs.problem.alignment = DiagonalAlignment::BottomRight;
  inputs.runForward();
  inputs.query.view.store({0, 0, 0, 1}, kNaN);
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  EXPECT_TRUE(checkGradients(problem, found.get()).passed);
  found.arrays[kOfKey].view.store({0, 0, 1, 1}, kNaN);
  EXPECT_FALSE(checkGradients(problem, found.get()).passed);
}

TEST(GradientAccuracyTest, WrongForms) {
  GradientInputs inputs = getInputs(DType::F16);
  GradientProblem problem = inputs.getGradients();
  FoundArrays plain = getPlain(problem);
  FoundGradients found = plain.get();
  Array single(DType::F32, {1, 4, 40, 16});
  found.arrays[kOfQuery] = single.view;
  EXPECT_EQ(checkGradients(problem, found).firstFailure,
            "d_query: expected 1x4x40x16xf16, found 1x4x40x16xf32");
  found = plain.get();
  found.arrays[kOfValue] = std::nullopt;
  EXPECT_FALSE(checkGradients(problem, found).passed);
  // Gradients that are not requested are not checked.
  problem.types[kOfValue] = std::nullopt;
  EXPECT_TRUE(checkGradients(problem, found).passed);
}

TEST(GradientAccuracyTest, SpotsAreWhatTheyAreInTheWhole) {
  for (DType dtype : {DType::F32, DType::BF16}) {
    GradientInputs inputs = getInputs(dtype);
    inputs.problem.alignment = DiagonalAlignment::BottomRight;
    inputs.problem.left = 30;
    inputs.runForward();
    GradientProblem problem = inputs.getGradients(/*hasDLse=*/true);
    FoundArrays found = getPlain(problem);
    GradientReport report = checkGradientSpots(problem, found.get());
    EXPECT_TRUE(report.passed) << report.firstFailure;
    EXPECT_EQ(report.entries.size(), 3u);
    // A spot is at the end of each array, so an error in the last row of its
    // last head is found.
    for (unsigned of = 0; of < kNumArrays; ++of) {
      const ArrayView &array = found.arrays[of].view;
      int64_t head = array.sizes[1] - 1, row = array.sizes[2] - 1;
      double before = array.load({0, head, row, 3});
      array.store({0, head, row, 3}, before + 1);
      report = checkGradientSpots(problem, found.get());
      EXPECT_FALSE(report.passed);
      EXPECT_NE(report.firstFailure.find(
                    ("from " + Twine(row - 15) + " of head " + Twine(head) +
                     ", batch entry 0: " + kGradientNames[of] + "[0, 0, 15, 3]")
                        .str()),
                std::string::npos)
          << report.firstFailure;
      array.store({0, head, row, 3}, before);
    }
  }
  // These arrays have fewer rows than a spot, which has up to 16.
  GradientInputs inputs(DType::F32, {2, 2, 3, 4}, {2, 1, 5, 4}, 4);
  inputs.runForward();
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  EXPECT_TRUE(checkGradientSpots(problem, found.get()).passed);
  found.arrays[kOfKey].view.store({1, 0, 4, 0}, 9);
  EXPECT_FALSE(checkGradientSpots(problem, found.get()).passed);
}

TEST(GradientAccuracyTest, PrintsALineForEach) {
  GradientInputs inputs = getInputs(DType::F16);
  GradientProblem problem = inputs.getGradients();
  FoundArrays found = getPlain(problem);
  found.arrays[kOfKey].view.store({0, 0, 0, 0}, kNaN);
  std::string text;
  llvm::raw_string_ostream os(text);
  checkGradients(problem, found.get()).print(os);
  SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  ASSERT_EQ(lines.size(), 6u) << text;
  EXPECT_TRUE(lines[0].starts_with("d_query    largest error "));
  EXPECT_TRUE(lines[0].ends_with(": pass"));
  EXPECT_TRUE(lines[1].starts_with("d_key      largest error "));
  EXPECT_TRUE(lines[1].ends_with(": FAIL"));
  EXPECT_EQ(lines[2], "           1 unexpected NaN");
  EXPECT_TRUE(lines[3].starts_with("d_value    largest error "));
  EXPECT_TRUE(lines[4].contains("first failure: d_key[0, 0, 0, 0]: expected "));
}

/// A row sees three keys with scores of 0. Its probabilities are 1/3, which
/// becomes 11/32 with four significant bits. The gradients of its scores are
/// 2/9, -1/9 and -1/9, which become 14/64, -14/128 and -14/128.
TEST(GradientAccuracyTest, RoundsOperands) {
  GradientInputs inputs(DType::F32, {1, 1, 1, 16}, {1, 1, 3, 16}, 16);
  inputs.query.fillWith(0);
  for (Array *array : {&inputs.key, &inputs.value, &inputs.dOutput})
    array->fillWith(0);
  inputs.key.view.store({0, 0, 0, 3}, 1);
  inputs.value.view.store({0, 0, 0, 0}, 1);
  // The scale of the row is 1/448, or 1/256 as a power of two. 17/32 becomes
  // 15/28 with the one, and 1/2 with the other.
  inputs.dOutput.view.store({0, 0, 0, 0}, 1);
  inputs.dOutput.view.store({0, 0, 0, 1}, 17.0 / 32);
  inputs.runForward();
  GradientProblem problem = inputs.getGradients();
  auto expect = [&](double ofQuery, double first, double second) {
    GradientResult result = evaluateGradients(problem, Precision::Low);
    double scale = problem.forward.scale;
    EXPECT_NEAR(result.arrays[kOfQuery].values[3], scale * ofQuery, 1e-7);
    EXPECT_NEAR(result.arrays[kOfValue].values[0], first, 1e-7);
    EXPECT_NEAR(result.arrays[kOfValue].values[17], second, 1e-7);
  };
  expect(2.0 / 9, 1.0 / 3, 17.0 / 96);
  problem.roundsDOutput = true;
  expect(2.0 / 9, 1.0 / 3, 17.0 / 96);
  problem.roundsOperands = true;
  expect(14.0 / 64, 11.0 / 32, 11.0 / 64);
}
