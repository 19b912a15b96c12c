//===- GradientTest.cpp - Tests of the oracle's gradients -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFixtures.h"

using namespace mlir;
using namespace mlir::attn;

/// Returns the loss to which the gradients belong: the sum of output times
/// d_output and of lse times d_lse, over rows that attend to some key.
static double getLoss(const GradientProblem &problem) {
  AttentionResult result = evaluate(problem.forward, Precision::Double);
  double loss = 0;
  size_t n = 0;
  for (int64_t b = 0; b < problem.lse.sizes[0]; ++b)
    for (int64_t h = 0; h < problem.lse.sizes[1]; ++h)
      for (int64_t i = 0; i < problem.lse.sizes[2]; ++i) {
        double lse =
            result
                .lse[(b * problem.lse.sizes[1] + h) * problem.lse.sizes[2] + i];
        if (problem.dLse && lse != -kInfinity)
          loss += lse * problem.dLse->load({b, h, i});
        for (int64_t d = 0; d < problem.output.sizes[3]; ++d)
          loss += result.output[n++] * problem.dOutput.load({b, h, i, d});
      }
  return loss;
}

/// Compares the gradients with the loss's central differences.
static void expectDifferences(const GradientProblem &problem) {
  GradientResult result = evaluateGradients(problem, Precision::Double);
  for (unsigned of = 0; of < kNumArrays; ++of) {
    const ArrayView &input = problem.getInput(of);
    // Exact in f32 beside what `setUp` leaves.
    constexpr double kStep = 0x1p-11;
    double magnitude = 0;
    for (int64_t n = 0; n < input.getNumElements(); ++n) {
      auto *element = static_cast<float *>(input.data) + n;
      float before = *element;
      *element = before + kStep;
      double above = getLoss(problem);
      *element = before - kStep;
      double below = getLoss(problem);
      *element = before;
      double expected = (above - below) / (2 * kStep);
      double found = result.arrays[of].values[n];
      // The op's lse and output are those of f32.
      EXPECT_NEAR(found, expected, 1e-5)
          << kGradientNames[of].str() << " " << n;
      magnitude = std::max(magnitude, std::fabs(found));
    }
    // The bound is one.
    EXPECT_GE(result.arrays[of].magnitude, magnitude);
  }
}

/// Few digits, so that steps are exact.
static void setUp(GradientInputs &inputs) {
  for (Array *array : {&inputs.query, &inputs.key, &inputs.value})
    array->fill([view = array->view](ArrayRef<int64_t> index) {
      return std::round(view.load(index) * 64) / 64;
    });
  inputs.problem = inputs.getProblem();
}

TEST(GradientTest, AgreesWithDifferences) {
  GradientInputs inputs(DType::F32, {2, 2, 4, 3}, {2, 1, 5, 3}, 2);
  setUp(inputs);
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
      setUp(inputs);
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
  setUp(inputs);
  AttentionProblem &problem = inputs.problem;
  problem.origin = {1, 3, 10, 8};
  // The last row and the last two keys are past the lengths.
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
  // Row 0 sees no key and row 3 is past the length, as key 2 is. What they hold
  // is not read.
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
  // The last column is an array of its own, for each head or for all.
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

/// The lse and the output are the op's, right or wrong.
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
  // P = exp(2 - 1), dP = 15, delta = 20.
  double p = std::exp(1.0);
  EXPECT_DOUBLE_EQ(result.arrays[kOfQuery].values[0], p * -5 * 2);
  EXPECT_DOUBLE_EQ(result.arrays[kOfKey].values[0], p * -5);
  EXPECT_DOUBLE_EQ(result.arrays[kOfValue].values[0], p * 5);
  // Low rounds P and dS = -5 P before their products, and the gradients.
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

using GradientRegionTest = IRTest;

/// All effects of a region on gradients: its derivative, positions, -inf.
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
  setUp(inputs);
  inputs.problem.score = &*score;
  inputs.runForward();
  expectDifferences(inputs.getGradients(/*hasDLse=*/true));
}

/// Pairs for which the region yields -inf have no effect, even if its
/// derivative is NaN.
TEST_F(GradientRegionTest, InfiniteSlopesOfMaskedPairs) {
  // log(0) = -inf, with a slope of inf; values there are NaN.
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
  // Exact in f16.
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

  // The rule: the gradient rounded, and one that is off by a hundredth of its
  // terms.
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

using GradientBuilderTest = IRTest;

static const char *const kBackwardModule = R"(
  func.func @f(%q: memref<1x2x?x4xf16>, %k: memref<1x1x?x4xf16>,
               %v: memref<1x1x?x2xf16>, %c: f32, %o: memref<1x2x?x2xf32>,
               %lse: memref<1x2x?xf32>, %do: memref<1x2x?x2xf32>,
               %dlse: memref<1x2x?xf32>, %dk: memref<1x1x?x4xf32>,
               %dv: memref<1x1x?x2xf16>) {
    attn.attention_backward mask <bottom_right, causal> scale 0.25
      wrt(key, value)
      ins(%q, %k, %v, %o, %lse, %do : memref<1x2x?x4xf16>, memref<1x1x?x4xf16>,
          memref<1x1x?x2xf16>, memref<1x2x?x2xf32>, memref<1x2x?xf32>,
          memref<1x2x?x2xf32>)
      d_lse(%dlse : memref<1x2x?xf32>)
      captures(%c : f32)
      outs(%dk, %dv : memref<1x1x?x4xf32>, memref<1x1x?x2xf16>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.mulf %s, %x : f32
        attn.yield %0 : f32
      }
    return
  })";

TEST_F(GradientBuilderTest, BuildsFromArguments) {
  auto module = parse(kBackwardModule);
  AttentionBackwardOp op;
  module->walk([&](AttentionBackwardOp found) { op = found; });
  GradientInputs inputs(DType::F16, {1, 2, 3, 4}, {1, 1, 5, 4}, 2);
  Array output(DType::F32, {1, 2, 3, 2}), dOutput(DType::F32, {1, 2, 3, 2});
  Array dKey(DType::F32, {1, 1, 5, 4}), dValue(DType::F16, {1, 1, 5, 2});
  Binding bindings[10];
  bindings[0].array = inputs.query.view;
  bindings[1].array = inputs.key.view;
  bindings[2].array = inputs.value.view;
  bindings[3].scalar = ScalarValue::getFloat(2);
  bindings[4].array = output.view;
  bindings[5].array = inputs.lse.view;
  bindings[6].array = dOutput.view;
  bindings[7].array = inputs.dLse.view;
  bindings[8].array = dKey.view;
  bindings[9].array = dValue.view;
  auto built = buildGradientProblem(op, bindings);
  ASSERT_TRUE(succeeded(built)) << messages;
  const GradientProblem &problem = (*built)->problem;
  EXPECT_EQ(problem.forward.scale, 0.25);
  EXPECT_EQ(problem.forward.score, &*(*built)->score);
  EXPECT_TRUE(problem.forward.hasMask && problem.forward.causal);
  EXPECT_EQ(problem.output.data, output.view.data);
  EXPECT_EQ(problem.lse.data, inputs.lse.view.data);
  EXPECT_EQ(problem.dOutput.data, dOutput.view.data);
  ASSERT_TRUE(problem.dLse);
  EXPECT_EQ(problem.dLse->data, inputs.dLse.view.data);
  EXPECT_EQ(problem.types[kOfQuery], std::nullopt);
  EXPECT_EQ(problem.types[kOfKey], DType::F32);
  EXPECT_EQ(problem.types[kOfValue], DType::F16);
  // The forward problem of the same op.
  EXPECT_TRUE(succeeded(buildProblem(op, bindings))) << messages;

  Array wrong(DType::F32, {1, 2, 4});
  bindings[7].array = wrong.view;
  EXPECT_TRUE(failed(buildGradientProblem(op, bindings)));
  EXPECT_NE(messages.find("expected d_lse of sizes 1x2x3, found 1x2x4"),
            std::string::npos)
      << messages;
  bindings[7].array = std::nullopt;
  messages.clear();
  EXPECT_TRUE(failed(buildGradientProblem(op, bindings)));
  EXPECT_NE(
      messages.find("--check needs query, key and value, output, lse and "
                    "d_output to be arguments of the entry function, found "
                    "another d_lse"),
      std::string::npos)
      << messages;
}
