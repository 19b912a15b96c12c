//===- OracleTest.cpp - Tests of the oracle -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleFixtures.h"
#include "Philox.h"

#include "attn/Oracle/Accuracy.h"
#include "attn/Oracle/ProblemBuilder.h"
#include "attn/Oracle/ScoreEvaluator.h"
#include "attn/Oracle/SpotCheck.h"

#include "mlir/IR/Builders.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A copy of the oracle's results in the types of a program's.
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

} // namespace

/// Scores of 0 and values of j + 1: each row's output is the mean over its
/// keys.
static Inputs getCountingInputs(int64_t queries, int64_t keys) {
  Inputs inputs(DType::F32, {1, 1, queries, 2}, {1, 1, keys, 2}, 1);
  inputs.query.fillWith(0);
  inputs.value.fill([](ArrayRef<int64_t> index) { return index[2] + 1; });
  return inputs;
}

/// Expects that row i of a counting problem attends to the keys [first, last].
static void expectKeys(const AttentionResult &result, int64_t i, int64_t first,
                       int64_t last) {
  EXPECT_NEAR(result.output[i], (first + last) / 2.0 + 1, 1e-6) << "row " << i;
  EXPECT_NEAR(result.lse[i], std::log(last - first + 1.0), 1e-6) << "row " << i;
}

static void expectMasked(const AttentionResult &result, int64_t i) {
  EXPECT_EQ(result.output[i], 0) << "row " << i;
  EXPECT_EQ(result.lse[i], -kInfinity) << "row " << i;
}

static constexpr Precision kPrecisions[] = {Precision::Double,
                                            Precision::Single, Precision::Low};

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

TEST(OracleTest, UniformScores) {
  Inputs inputs = getCountingInputs(2, 5);
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(inputs.getProblem(), precision);
    expectKeys(result, 0, 0, 4);
    expectKeys(result, 1, 0, 4);
  }
}

TEST(OracleTest, OneHot) {
  Inputs inputs(DType::F16, {1, 1, 3, 4}, {1, 1, 4, 4}, 2);
  // Query i points at key i + 1.
  inputs.query.fill([](ArrayRef<int64_t> index) {
    return index[3] == index[2] + 1 ? 100 : 0;
  });
  inputs.key.fill(
      [](ArrayRef<int64_t> index) { return index[3] == index[2] ? 10 : 0; });
  AttentionProblem problem = inputs.getProblem();
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(problem, precision);
    for (int64_t i = 0; i < 3; ++i) {
      EXPECT_EQ(result.lse[i], 500); // 1000 / sqrt(4)
      for (int64_t d = 0; d < 2; ++d)
        EXPECT_EQ(result.output[i * 2 + d],
                  inputs.value.view.load({0, 0, i + 1, d}));
    }
  }
}

TEST(OracleTest, TwoKeysByHand) {
  Inputs inputs(DType::F32, {1, 1, 1, 1}, {1, 1, 2, 1}, 1);
  inputs.query.fillWith(2);
  inputs.key.fill([](ArrayRef<int64_t> index) { return index[2] ? 3 : 1; });
  inputs.value.fill([](ArrayRef<int64_t> index) { return index[2] ? 20 : 10; });
  AttentionProblem problem = inputs.getProblem();
  problem.scale = 0.5;
  AttentionResult result = evaluate(problem, Precision::Double);
  double e1 = std::exp(1.0), e3 = std::exp(3.0);
  EXPECT_NEAR(result.lse[0], std::log(e1 + e3), 1e-15);
  EXPECT_NEAR(result.output[0], (10 * e1 + 20 * e3) / (e1 + e3), 1e-14);
}

TEST(OracleTest, CausalTopLeft) {
  Inputs inputs = getCountingInputs(2, 4);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = problem.causal = true;
  AttentionResult result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 0);
  expectKeys(result, 1, 0, 1);

  Inputs tall = getCountingInputs(4, 2);
  problem = tall.getProblem();
  problem.hasMask = problem.causal = true;
  result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 0);
  expectKeys(result, 3, 0, 1);
}

TEST(OracleTest, CausalBottomRight) {
  Inputs inputs = getCountingInputs(2, 4);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = problem.causal = true;
  problem.alignment = DiagonalAlignment::BottomRight;
  AttentionResult result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 2);
  expectKeys(result, 1, 0, 3);

  // More queries than keys: the first rows are above the diagonal.
  Inputs tall = getCountingInputs(4, 2);
  problem = tall.getProblem();
  problem.hasMask = problem.causal = true;
  problem.alignment = DiagonalAlignment::BottomRight;
  result = evaluate(problem, Precision::Double);
  expectMasked(result, 0);
  expectMasked(result, 1);
  expectKeys(result, 2, 0, 0);
  expectKeys(result, 3, 0, 1);
}

TEST(OracleTest, BottomRightCountsActualLengths) {
  Inputs inputs = getCountingInputs(4, 8);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = problem.causal = true;
  problem.alignment = DiagonalAlignment::BottomRight;
  problem.lengthQuery = 3;
  problem.lengthKv = 5;
  AttentionResult result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 2);
  expectKeys(result, 2, 0, 4);
  expectMasked(result, 3);
}

TEST(OracleTest, WindowIsInclusive) {
  Inputs inputs = getCountingInputs(10, 10);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = true;
  problem.left = 2;
  problem.right = 1;
  AttentionResult result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 1);
  expectKeys(result, 5, 3, 6);
  expectKeys(result, 9, 7, 9);

  problem.causal = true;
  result = evaluate(problem, Precision::Double);
  expectKeys(result, 5, 3, 5);

  problem.right = std::nullopt;
  problem.left = 0;
  result = evaluate(problem, Precision::Double);
  expectKeys(result, 5, 5, 5);

  problem.causal = false;
  problem.left = 2147483647;
  problem.right = 2147483647;
  result = evaluate(problem, Precision::Double);
  expectKeys(result, 0, 0, 9);
  expectKeys(result, 9, 0, 9);
}

TEST(OracleTest, WindowPastAllKeys) {
  Inputs inputs = getCountingInputs(8, 3);
  AttentionProblem problem = inputs.getProblem();
  problem.hasMask = true;
  problem.left = 1;
  AttentionResult result = evaluate(problem, Precision::Double);
  expectKeys(result, 3, 2, 2);
  expectMasked(result, 4);
  expectMasked(result, 7);
}

TEST(OracleTest, NothingToAttendTo) {
  Inputs inputs = getCountingInputs(3, 4);
  AttentionProblem problem = inputs.getProblem();
  problem.lengthKv = 0;
  for (Precision precision : kPrecisions)
    for (int64_t i = 0; i < 3; ++i)
      expectMasked(evaluate(problem, precision), i);

  problem = inputs.getProblem();
  problem.lengthQuery = 1;
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(problem, precision);
    expectKeys(result, 0, 0, 3);
    expectMasked(result, 1);
    expectMasked(result, 2);
  }

  // Scores of -inf from the inputs themselves.
  inputs.query.fillWith(1);
  inputs.key.fillWith(-kInfinity);
  for (Precision precision : kPrecisions)
    expectMasked(evaluate(inputs.getProblem(), precision), 0);
}

TEST(OracleTest, EmptySizes) {
  for (int64_t zero = 0; zero < 5; ++zero) {
    int64_t n[5] = {2, 2, 3, 4, 5};
    n[zero] = 0;
    Inputs inputs(DType::F16, {n[0], n[1], n[2], 4}, {n[0], n[1], n[3], 4},
                  n[4]);
    AttentionProblem problem = inputs.getProblem();
    for (Precision precision : kPrecisions) {
      AttentionResult result = evaluate(problem, precision);
      EXPECT_EQ(result.output.size(), size_t(n[0] * n[1] * n[2] * n[4]));
      EXPECT_EQ(result.lse.size(), size_t(n[0] * n[1] * n[2]));
      if (zero == 3) {
        for (double lse : result.lse)
          EXPECT_EQ(lse, -kInfinity);
      }
    }
    Outputs outputs(problem, evaluate(problem, Precision::Double));
    EXPECT_TRUE(
        checkAccuracy(problem, outputs.output.view, &outputs.lse.view).passed);
  }
}

TEST(OracleTest, GroupedHeads) {
  Inputs inputs(DType::F32, {2, 6, 3, 8}, {2, 2, 5, 8}, 4);
  AttentionResult grouped = evaluate(inputs.getProblem(), Precision::Double);
  // The same with each key and value head repeated three times.
  Inputs repeated(DType::F32, {2, 6, 3, 8}, {2, 6, 5, 8}, 4);
  auto repeat = [](const Array &array) {
    return [&array](ArrayRef<int64_t> index) {
      return array.view.load({index[0], index[1] / 3, index[2], index[3]});
    };
  };
  repeated.key.fill(repeat(inputs.key));
  repeated.value.fill(repeat(inputs.value));
  AttentionResult expected = evaluate(repeated.getProblem(), Precision::Double);
  EXPECT_EQ(grouped.output, expected.output);
  EXPECT_EQ(grouped.lse, expected.lse);
}

TEST(OracleTest, StridesWithGaps) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    Inputs plain(dtype, {2, 2, 5, 4}, {2, 2, 7, 4}, 3);
    Inputs strided = plain;
    auto copyInto = [](Array &to, const Array &from,
                       ArrayRef<int64_t> strides) {
      to = Array(from.view.dtype, from.view.sizes, strides);
      to.fill([&](ArrayRef<int64_t> index) { return from.view.load(index); });
      to.view.data = to.memory.data();
    };
    // Permuted, with NaN between the elements.
    copyInto(strided.query, plain.query, {13, 5 * 100, 100, 3});
    copyInto(strided.key, plain.key, {1000, 6, 20, 1});
    copyInto(strided.value, plain.value, {4, 9, 50, 1});
    for (Precision precision : kPrecisions) {
      AttentionProblem problem = plain.getProblem();
      AttentionResult expected = evaluate(problem, precision);
      problem.query = strided.query.view;
      problem.key = strided.key.view;
      problem.value = strided.value.view;
      AttentionResult result = evaluate(problem, precision);
      EXPECT_EQ(result.output, expected.output);
      EXPECT_EQ(result.lse, expected.lse);
    }
  }
}

TEST(OracleTest, OffsetsBeyond32Bits) {
  int64_t stride = (int64_t(1) << 32) + 3;
  size_t bytes = 2 * (stride + 64);
  void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  Inputs inputs(DType::BF16, {2, 1, 2, 4}, {2, 1, 3, 4}, 4);
  AttentionProblem problem = inputs.getProblem();
  AttentionResult expected = evaluate(problem, Precision::Double);
  ArrayView far{memory, DType::BF16, {2, 1, 3, 4}, {stride, 12, 4, 1}};
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t j = 0; j < 3; ++j)
      for (int64_t d = 0; d < 4; ++d)
        far.store({b, 0, j, d}, inputs.key.view.load({b, 0, j, d}));
  problem.key = far;
  EXPECT_EQ(evaluate(problem, Precision::Double).output, expected.output);
  munmap(memory, bytes);
}

TEST(OracleTest, MaskedMemoryNeverContributes) {
  Inputs inputs = getCountingInputs(4, 6);
  AttentionProblem problem = inputs.getProblem();
  problem.lengthKv = 4;
  problem.lengthQuery = 3;
  for (int64_t j = 4; j < 6; ++j) {
    inputs.key.view.store({0, 0, j, 0}, kNaN);
    inputs.value.view.store({0, 0, j, 0}, kNaN);
  }
  inputs.query.view.store({0, 0, 3, 0}, kNaN);
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(problem, precision);
    for (int64_t i = 0; i < 3; ++i)
      expectKeys(result, i, 0, 3);
    expectMasked(result, 3);
  }

  // Above the diagonal.
  problem.hasMask = problem.causal = true;
  inputs.value.view.store({0, 0, 2, 0}, kNaN);
  inputs.key.view.store({0, 0, 2, 1}, kNaN);
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(problem, precision);
    expectKeys(result, 0, 0, 0);
    expectKeys(result, 1, 0, 1);
    EXPECT_TRUE(std::isnan(result.output[2]));
    EXPECT_TRUE(std::isnan(result.lse[2]));
  }
}

TEST(OracleTest, NaNReachesItsRows) {
  Inputs inputs = getCountingInputs(3, 4);
  inputs.query.view.store({0, 0, 1, 1}, kNaN);
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(inputs.getProblem(), precision);
    expectKeys(result, 0, 0, 3);
    EXPECT_TRUE(std::isnan(result.output[1]));
    EXPECT_TRUE(std::isnan(result.lse[1]));
    expectKeys(result, 2, 0, 3);
  }
  // NaN beside nothing but -inf is no fully masked row.
  Inputs single(DType::F32, {1, 1, 1, 1}, {1, 1, 2, 1}, 1);
  single.query.fillWith(1);
  single.key.fill(
      [](ArrayRef<int64_t> index) { return index[2] ? -kInfinity : kNaN; });
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(single.getProblem(), precision);
    EXPECT_TRUE(std::isnan(result.output[0]));
    EXPECT_TRUE(std::isnan(result.lse[0]));
  }
}

TEST(OracleTest, LargeScores) {
  Inputs inputs(DType::F32, {1, 1, 1, 1}, {1, 1, 3, 1}, 1);
  inputs.query.fillWith(1);
  inputs.key.fill([](ArrayRef<int64_t> index) { return 5000.0 - index[2]; });
  inputs.value.fill([](ArrayRef<int64_t> index) { return index[2]; });
  for (Precision precision : kPrecisions) {
    AttentionResult result = evaluate(inputs.getProblem(), precision);
    double sum = 1 + std::exp(-1.0) + std::exp(-2.0);
    EXPECT_NEAR(result.lse[0], 5000 + std::log(sum), 1e-3);
    EXPECT_NEAR(result.output[0], (std::exp(-1.0) + 2 * std::exp(-2.0)) / sum,
                1e-6);
  }
}

TEST(OracleTest, PrecisionsDiffer) {
  Inputs inputs(DType::BF16, {1, 2, 20, 16}, {1, 2, 300, 16}, 8);
  AttentionProblem problem = inputs.getProblem();
  AttentionResult exact = evaluate(problem, Precision::Double);
  AttentionResult single = evaluate(problem, Precision::Single);
  AttentionResult low = evaluate(problem, Precision::Low);
  double errorSingle = 0, errorLow = 0;
  for (size_t n = 0; n < exact.output.size(); ++n) {
    errorSingle =
        std::max(errorSingle, std::fabs(single.output[n] - exact.output[n]));
    errorLow = std::max(errorLow, std::fabs(low.output[n] - exact.output[n]));
    EXPECT_EQ(low.output[n], roundTo(DType::BF16, low.output[n]));
  }
  EXPECT_GT(errorSingle, 0);
  EXPECT_LT(errorSingle, 1e-6);
  EXPECT_GT(errorLow, 1e-4);
  EXPECT_LT(errorLow, 1e-2);
}

// Two keys of unnormalised probabilities 1 and w. Low rounds w in the second
// product, not in the sum.
TEST(OracleTest, LowByHand) {
  Inputs inputs(DType::BF16, {1, 1, 1, 1}, {1, 1, 2, 1}, 1);
  inputs.query.fillWith(1);
  inputs.key.fill([](ArrayRef<int64_t> index) { return index[2] ? 0 : 1; });
  inputs.value.fill([](ArrayRef<int64_t> index) { return index[2] ? 1 : 0; });
  AttentionProblem problem = inputs.getProblem();
  problem.outputType = DType::F32;
  float probability = std::exp(-1.0f);
  float rounded = roundTo(DType::BF16, probability);
  ASSERT_NE(probability, rounded);
  AttentionResult low = evaluate(problem, Precision::Low);
  EXPECT_EQ(low.output[0], rounded / (1 + probability));
  EXPECT_EQ(low.lse[0], 1 + std::log(1 + probability));
  AttentionResult single = evaluate(problem, Precision::Single);
  EXPECT_EQ(single.output[0], probability / (1 + probability));
  problem.outputType = DType::BF16;
  low = evaluate(problem, Precision::Low);
  EXPECT_EQ(low.output[0], roundTo(DType::BF16, rounded / (1 + probability)));
}

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

static void expectNear(const AttentionResult &result,
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

//===----------------------------------------------------------------------===//
// The accuracy rule
//===----------------------------------------------------------------------===//

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
      // Without lse.
      EXPECT_TRUE(checkAccuracy(problem, outputs.output.view, nullptr).passed);
    }
  }
}

TEST(AccuracyTest, LimitsByHand) {
  // Values of exactly 3: nothing is rounded, so the plain error is 0.
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
  // Either the fixed limit or twice the plain error, whichever is larger.
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

    // All of it is poison.
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
  // Column 0 of row 0, which masks key 3 but may share its block.
  outputs.output.view.store({0, 0, 0, 0}, kNaN);
  report = checkAccuracy(problem, outputs.output.view, &outputs.lse.view);
  EXPECT_TRUE(report.passed);
  EXPECT_EQ(report.numToleratedNaN, 1);
  // Column 1 has no excuse.
  outputs.output.view.store({0, 0, 0, 1}, kNaN);
  EXPECT_FALSE(
      checkAccuracy(problem, outputs.output.view, &outputs.lse.view).passed);
  // Column 0 must not be NaN either if the NaN of the input is past the actual
  // length.
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
    // Between the spots, and in another head.
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

//===----------------------------------------------------------------------===//
// Score programs
//===----------------------------------------------------------------------===//

namespace {

using ScoreTest = IRTest;
using ScalarTest = IRTest;
using BuilderTest = IRTest;

} // namespace

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
  // Long enough for several pieces, and not from key 0.
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

  // The oracle adds the origin.
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
  // Even keys only, and none at all in row 1.
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
  // The pair has probability 0, so the NaN has no effect.
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
  // A region that would revive masked keys.
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

//===----------------------------------------------------------------------===//
// Scalar ops
//===----------------------------------------------------------------------===//

// Integer ops against the compiler's own folder, on the values around each
// type's limits. Where the folder declines (undefined behaviour) there is
// nothing to compare.
TEST_F(ScalarTest, IntegersAgreeWithFolding) {
  StringRef binary[] = {"arith.addi",      "arith.subi",  "arith.muli",
                        "arith.divui",     "arith.divsi", "arith.ceildivui",
                        "arith.ceildivsi", "arith.remui", "arith.remsi",
                        "arith.andi",      "arith.ori",   "arith.xori",
                        "arith.shli",      "arith.shrui", "arith.shrsi",
                        "arith.maxsi",     "arith.maxui", "arith.minsi",
                        "arith.minui",     "math.ipowi",  "arith.floordivsi"};
  StringRef unary[] = {"math.absi", "math.ctlz", "math.cttz", "math.ctpop"};
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  int64_t numCompared = 0;
  for (unsigned width : {1, 7, 8, 16, 32, 64}) {
    Type type = builder.getIntegerType(width);
    int64_t largest = llvm::maxIntN(width), smallest = llvm::minIntN(width);
    SmallVector<int64_t> values = {0, -1, largest, smallest};
    if (width > 1)
      llvm::append_range(values, ArrayRef<int64_t>{1, 2, 3, 5, -2, -7,
                                                   largest - 1, smallest + 1});
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    auto check = [&](StringRef name, ArrayRef<int64_t> inputs) {
      builder.setInsertionPointToEnd(module->getBody());
      OperationState state(loc, name);
      SmallVector<Attribute> attributes;
      for (int64_t input : inputs) {
        attributes.push_back(builder.getIntegerAttr(type, input));
        Value constant = arith::ConstantOp::create(
            builder, loc, cast<TypedAttr>(attributes.back()));
        state.addOperands(constant);
      }
      state.addTypes(type);
      Operation *op = builder.create(state);
      SmallVector<OpFoldResult> folded;
      FailureOr<ScalarValue> found =
          evaluateScalar(op->getResult(0), [](Value) { return std::nullopt; });
      ASSERT_TRUE(succeeded(found)) << messages;
      if (failed(op->fold(attributes, folded)) || folded.empty())
        return;
      Attribute expected = dyn_cast<Attribute>(folded[0]);
      if (!expected)
        if (auto constant =
                cast<Value>(folded[0]).getDefiningOp<arith::ConstantOp>())
          expected = constant.getValue();
      auto expectedInt = dyn_cast_or_null<IntegerAttr>(expected);
      if (!expectedInt)
        return;
      ++numCompared;
      EXPECT_EQ(found->i, expectedInt.getValue().getSExtValue())
          << name.str() << " i" << width << " " << inputs[0] << " "
          << inputs.back();
    };
    for (int64_t a : values) {
      for (StringRef name : unary)
        check(name, {a});
      for (int64_t b : values)
        for (StringRef name : binary)
          check(name, {a, b});
    }
  }
  EXPECT_GT(numCompared, 9000);
}

TEST_F(ScalarTest, ComparisonsAgreeWithFolding) {
  OpBuilder builder(&context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToEnd(module->getBody());
  auto check = [&](Value value, ArrayRef<Attribute> attributes) {
    SmallVector<OpFoldResult> folded;
    ASSERT_TRUE(succeeded(value.getDefiningOp()->fold(attributes, folded)));
    auto expected = cast<IntegerAttr>(cast<Attribute>(folded[0]));
    FailureOr<ScalarValue> found =
        evaluateScalar(value, [](Value) { return std::nullopt; });
    ASSERT_TRUE(succeeded(found)) << messages;
    EXPECT_EQ(found->i, expected.getValue().getSExtValue());
  };
  auto constant = [&](TypedAttr attribute) -> Value {
    return arith::ConstantOp::create(builder, loc, attribute);
  };
  for (double a : {1.0, -1.0, 0.0, -0.0, kInfinity, -kInfinity, kNaN})
    for (double b : {1.0, -1.0, 0.0, kInfinity, kNaN})
      for (uint64_t predicate = 0; predicate < 16; ++predicate) {
        FloatAttr lhs = builder.getF32FloatAttr(a);
        FloatAttr rhs = builder.getF32FloatAttr(b);
        check(arith::CmpFOp::create(
                  builder, loc, static_cast<arith::CmpFPredicate>(predicate),
                  constant(lhs), constant(rhs)),
              {lhs, rhs});
      }
  for (int64_t a : {0, 1, -1, 127, -128})
    for (int64_t b : {0, 1, -1, 127, -128})
      for (uint64_t predicate = 0; predicate < 10; ++predicate) {
        IntegerAttr lhs = builder.getI8IntegerAttr(a);
        IntegerAttr rhs = builder.getI8IntegerAttr(b);
        check(arith::CmpIOp::create(
                  builder, loc, static_cast<arith::CmpIPredicate>(predicate),
                  constant(lhs), constant(rhs)),
              {lhs, rhs});
      }
}

TEST_F(ScalarTest, FloatOps) {
  struct Case {
    const char *op;
    float expected;
  };
  // %a = 0.6, %b = 2.5, %c = -1.25, %n = NaN, all f32.
  float a = 0.6f, b = 2.5f, c = -1.25f;
  Case cases[] = {
      {"arith.addf %a, %b", a + b},
      {"arith.subf %a, %b", a - b},
      {"arith.mulf %a, %b", a * b},
      {"arith.divf %a, %b", a / b},
      {"arith.remf %b, %c", 0},
      {"arith.remf %c, %a", std::fmod(c, a)},
      {"arith.negf %a", -a},
      {"arith.maximumf %a, %c", a},
      {"arith.minimumf %a, %c", c},
      {"arith.maximumf %a, %n", std::nanf("")},
      {"arith.minimumf %n, %a", std::nanf("")},
      {"arith.maxnumf %a, %n", a},
      {"arith.minnumf %n, %a", a},
      {"arith.maxnumf %a, %b", b},
      {"arith.minnumf %a, %b", a},
      {"math.absf %c", 1.25f},
      {"math.acos %a", std::acos(a)},
      {"math.acosh %b", std::acosh(b)},
      {"math.asin %a", std::asin(a)},
      {"math.asinh %c", std::asinh(c)},
      {"math.atan %c", std::atan(c)},
      {"math.atan2 %a, %c", std::atan2(a, c)},
      {"math.atanh %a", std::atanh(a)},
      {"math.cbrt %c", std::cbrt(c)},
      {"math.ceil %c", -1},
      {"math.copysign %b, %c", -b},
      {"math.cos %a", std::cos(a)},
      {"math.cosh %a", std::cosh(a)},
      {"math.erf %a", std::erf(a)},
      {"math.erfc %a", std::erfc(a)},
      {"math.exp %c", std::exp(c)},
      {"math.exp2 %c", std::exp2(c)},
      {"math.expm1 %c", std::expm1(c)},
      {"math.floor %c", -2},
      {"math.fma %a, %b, %c", std::fma(a, b, c)},
      {"math.log %b", std::log(b)},
      {"math.log10 %b", std::log10(b)},
      {"math.log1p %a", std::log1p(a)},
      {"math.log2 %b", std::log2(b)},
      {"math.powf %a, %b", std::pow(a, b)},
      {"math.round %b", 3},
      {"math.roundeven %b", 2},
      {"math.rsqrt %b", 1 / std::sqrt(b)},
      {"math.sin %a", std::sin(a)},
      {"math.sinh %a", std::sinh(a)},
      {"math.sqrt %b", std::sqrt(b)},
      {"math.tan %a", std::tan(a)},
      {"math.tanh %a", std::tanh(a)},
      {"math.trunc %c", -1},
      {"math.clampf %b to [%c, %a]", a},
      {"math.clampf %a to [%c, %b]", a},
      {"math.clampf %c to [%a, %b]", a},
  };
  for (const Case &test : cases) {
    FailureOr<ScalarValue> found = evaluateText(
        std::string("%a = arith.constant 0.6 : f32\n"
                    "%b = arith.constant 2.5 : f32\n"
                    "%c = arith.constant -1.25 : f32\n"
                    "%n = arith.constant 0x7FC00000 : f32\n%r = ") +
            test.op + " : f32",
        "f32");
    ASSERT_TRUE(succeeded(found)) << test.op << messages;
    EXPECT_TRUE(found->isFloat);
    if (std::isnan(test.expected)) {
      EXPECT_TRUE(std::isnan(found->f)) << test.op;
      continue;
    }
    // The compiler may have evaluated the expectation with another library.
    EXPECT_FLOAT_EQ(found->f, test.expected) << test.op;
    EXPECT_EQ(found->f, static_cast<float>(found->f)) << test.op;
  }
}

TEST_F(ScalarTest, OtherOps) {
  struct Case {
    const char *text, *type;
    double expected;
  };
  Case cases[] = {
      {"%a = arith.constant 1.5 : f32\n%n = arith.constant -3 : i32\n"
       "%r = math.fpowi %a, %n : f32, i32",
       "f32", static_cast<float>(1 / 3.375)},
      {"%a = arith.constant -1.9 : f32\n%r = arith.fptosi %a : f32 to i8", "i8",
       -1},
      {"%a = arith.constant 200.9 : f32\n%r = arith.fptoui %a : f32 to i8",
       "i8", -56},
      {"%a = arith.constant -1 : i8\n%r = arith.uitofp %a : i8 to f32", "f32",
       255},
      {"%a = arith.constant -1 : i8\n%r = arith.sitofp %a : i8 to f32", "f32",
       -1},
      {"%a = arith.constant 16777217 : i32\n%r = arith.sitofp %a : i32 to f32",
       "f32", 16777216},
      {"%a = arith.constant 16777217 : i32\n%r = arith.sitofp %a : i32 to f64",
       "f64", 16777217},
      // A tie of bf16 plus less than a float can hold: rounded once, up.
      {"%a = arith.constant 16842753 : i32\n%r = arith.sitofp %a : i32 to bf16",
       "bf16", 16908288},
      {"%a = arith.constant -1 : i8\n%r = arith.extui %a : i8 to i32", "i32",
       255},
      {"%a = arith.constant -1 : i8\n%r = arith.extsi %a : i8 to i32", "i32",
       -1},
      {"%a = arith.constant true\n%r = arith.extui %a : i1 to i32", "i32", 1},
      {"%a = arith.constant true\n%r = arith.extsi %a : i1 to i32", "i32", -1},
      {"%a = arith.constant 384 : i32\n%r = arith.trunci %a : i32 to i8", "i8",
       -128},
      {"%a = arith.constant -1 : i32\n%r = arith.index_cast %a : i32 to index",
       "index", -1},
      {"%a = arith.constant -1 : i32\n"
       "%r = arith.index_castui %a : i32 to index",
       "index", 4294967295.0},
      {"%a = arith.constant 1.0 : f32\n%r = arith.bitcast %a : f32 to i32",
       "i32", 0x3f800000},
      {"%a = arith.constant 0x3c00 : i16\n%r = arith.bitcast %a : i16 to f16",
       "f16", 1},
      {"%a = arith.constant 0.1 : f64\n%r = arith.truncf %a : f64 to f16",
       "f16", 0.0999755859375},
      {"%a = arith.constant 0.1 : f32\n%r = arith.extf %a : f32 to f64", "f64",
       0.1f},
      {"%a = arith.constant 0.1 : f64\n%b = arith.constant 0.2 : f64\n"
       "%r = arith.addf %a, %b : f64",
       "f64", 0.1 + 0.2},
      {"%a = arith.constant 0x7f800000 : f32\n%r = math.isinf %a : f32", "i1",
       -1},
      {"%a = arith.constant 0x7f800000 : f32\n%r = math.isfinite %a : f32",
       "i1", 0},
      {"%a = arith.constant 0x7fc00000 : f32\n%r = math.isnan %a : f32", "i1",
       -1},
      {"%a = arith.constant 1.0e-40 : f32\n%r = math.isnormal %a : f32", "i1",
       0},
      {"%a = arith.constant 1.0e-30 : f32\n%r = math.isnormal %a : f32", "i1",
       -1},
      {"%t = arith.constant false\n%a = arith.constant 1 : i32\n"
       "%b = arith.constant 2 : i32\n%r = arith.select %t, %a, %b : i32",
       "i32", 2},
      {"%a = arith.constant -1 : i8\n%b = arith.constant 2 : i8\n"
       "%s, %r = arith.addui_extended %a, %b : i8, i1",
       "i1", -1},
      {"%a = arith.constant -128 : i8\n%b = arith.constant 3 : i8\n"
       "%l, %r = arith.mulsi_extended %a, %b : i8",
       "i8", -2},
      {"%a = arith.constant -128 : i8\n%b = arith.constant 3 : i8\n"
       "%l, %r = arith.mului_extended %a, %b : i8",
       "i8", 1},
      {"%a = arith.constant 0.5 : f32\n%s, %r = math.sincos %a : f32", "f32",
       std::cos(0.5f)},
  };
  for (const Case &test : cases) {
    FailureOr<ScalarValue> found = evaluateText(test.text, test.type);
    ASSERT_TRUE(succeeded(found)) << test.text << messages;
    EXPECT_EQ(found->isFloat ? found->f : double(found->i), test.expected)
        << test.text;
  }
}

// Cases that arith leaves undefined: quotients and remainders by 0 are 0, and
// the smallest number divided by -1 is itself.
TEST_F(ScalarTest, SpecialDivisors) {
  for (unsigned width : {8, 32, 64})
    for (StringRef op : {"divui", "divsi", "ceildivui", "ceildivsi",
                         "floordivsi", "remui", "remsi"}) {
      int64_t lowest = llvm::minIntN(width);
      auto evaluate = [&](int64_t dividend, int64_t divisor) {
        std::string type = "i" + std::to_string(width);
        std::string text = "%a = arith.constant " + std::to_string(dividend) +
                           " : " + type + "\n%b = arith.constant " +
                           std::to_string(divisor) + " : " + type +
                           "\n%r = arith." + op.str() + " %a, %b : " + type;
        FailureOr<ScalarValue> found = evaluateText(text, type);
        EXPECT_TRUE(succeeded(found)) << text << messages;
        return succeeded(found) ? found->i : 1;
      };
      for (int64_t dividend : {int64_t(0), int64_t(1), int64_t(-7), lowest})
        EXPECT_EQ(evaluate(dividend, 0), 0) << op.str() << " " << dividend;
      if (op.ends_with("si"))
        EXPECT_EQ(evaluate(lowest, -1), op == "remsi" ? 0 : lowest) << op.str();
    }
}

TEST_F(ScalarTest, Lookup) {
  auto module = parse(R"(
    func.func @f(%n: i32, %x: f32, %m: memref<?xf32>) -> (index, index, f32) {
      %c0 = arith.constant 0 : index
      %d = memref.dim %m, %c0 : memref<?xf32>
      %i = arith.index_cast %n : i32 to index
      %s = arith.addi %d, %i : index
      %t = arith.muli %s, %s : index
      return %t, %d, %x : index, index, f32
    })");
  auto function = *module->getOps<func::FuncOp>().begin();
  auto results = function.getBody().front().getTerminator()->getOperands();
  auto lookup = [&](Value value) -> std::optional<ScalarValue> {
    if (value == function.getArgument(0))
      return ScalarValue::getInt(4);
    if (value == results[1])
      return ScalarValue::getInt(3);
    return std::nullopt;
  };
  FailureOr<ScalarValue> found = evaluateScalar(results[0], lookup);
  ASSERT_TRUE(succeeded(found)) << messages;
  EXPECT_EQ(found->i, 49);

  EXPECT_TRUE(failed(evaluateScalar(results[2], lookup)));
  EXPECT_NE(messages.find("nothing is bound"), std::string::npos);
  messages.clear();
  EXPECT_TRUE(
      failed(evaluateScalar(results[1], [](Value) { return std::nullopt; })));
  EXPECT_NE(messages.find("the oracle cannot evaluate 'memref.dim'"),
            std::string::npos);
}

TEST_F(ScalarTest, LongChains) {
  std::string text = "%c = arith.constant 1 : i32\n"
                     "%v0 = arith.addi %c, %c : i32\n";
  for (int n = 0; n < 20000; ++n)
    text += "%v" + std::to_string(n + 1) + " = arith.addi %v" +
            std::to_string(n) + ", %v" + std::to_string(n) + " : i32\n";
  text += "%r = arith.addi %v20000, %c : i32";
  FailureOr<ScalarValue> found = evaluateText(text, "i32");
  ASSERT_TRUE(succeeded(found)) << messages;
  EXPECT_EQ(found->i, 1);
}

//===----------------------------------------------------------------------===//
// Problems of ops
//===----------------------------------------------------------------------===//

static const char *const kDynamicModule = R"(
  func.func @f(%q: memref<?x?x?x4xf16>, %k: memref<?x?x?x4xf16>,
               %v: memref<?x?x?x2xf16>, %o: memref<?x?x?x2xf32>,
               %n: i32, %c: f32) {
    %c2 = arith.constant 2 : index
    %lq = memref.dim %q, %c2 : memref<?x?x?x4xf16>
    %kc = memref.cast %k : memref<?x?x?x4xf16> to memref<2x?x?x4xf16>
    %lk = arith.index_cast %n : i32 to index
    %half = arith.constant 0.5 : f32
    %c3 = arith.mulf %c, %half : f32
    attn.attention mask <bottom_right, causal, left = 2> scale 0.25
      ins(%q, %kc, %v : memref<?x?x?x4xf16>, memref<2x?x?x4xf16>,
                        memref<?x?x?x2xf16>)
      captures(%c3 : f32) lengths(%lq, %lk)
      outs(%o : memref<?x?x?x2xf32>) score {
      ^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index, %x: f32):
        %0 = arith.mulf %s, %x : f32
        attn.yield %0 : f32
      }
    return
  })";

TEST_F(BuilderTest, BuildsFromArguments) {
  auto module = parse(kDynamicModule);
  Inputs inputs(DType::F16, {2, 4, 3, 4}, {2, 2, 9, 4}, 2);
  Array output(DType::F32, {2, 4, 3, 2});
  Binding bindings[6];
  bindings[0].array = inputs.query.view;
  bindings[1].array = inputs.key.view;
  bindings[2].array = inputs.value.view;
  bindings[3].array = output.view;
  bindings[4].scalar = ScalarValue::getInt(7);
  bindings[5].scalar = ScalarValue::getFloat(3);
  auto built = buildProblem(findAttention(*module), bindings);
  ASSERT_TRUE(succeeded(built)) << messages;
  AttentionProblem &problem = (*built)->problem;
  EXPECT_EQ(problem.scale, 0.25);
  EXPECT_TRUE(problem.hasMask && problem.causal);
  EXPECT_EQ(problem.alignment, DiagonalAlignment::BottomRight);
  EXPECT_EQ(problem.left, 2);
  EXPECT_EQ(problem.right, std::nullopt);
  EXPECT_EQ(problem.lengthQuery, 3);
  EXPECT_EQ(problem.lengthKv, 7);
  EXPECT_EQ(problem.inputType, DType::F16);
  EXPECT_EQ(problem.outputType, DType::F32);
  ASSERT_EQ(problem.score, &*(*built)->score);

  // The region multiplies by 1.5, which the scale can do as well.
  AttentionProblem same = problem;
  same.score = nullptr;
  same.scale *= 1.5;
  expectNear(evaluate(problem, Precision::Double),
             evaluate(same, Precision::Double), 1e-12);
  expectNear(evaluate(problem, Precision::Double), evaluateNaively(problem),
             1e-12);
}

TEST_F(BuilderTest, OriginAndTensors) {
  auto module = parse(R"(
    func.func @f(%q: tensor<1x1x4x8xf32>, %k: tensor<1x1x?x8xf32>,
                 %v: tensor<1x1x?x8xf32>, %o: tensor<1x1x4x8xf32>)
        -> tensor<1x1x4x8xf32> {
      %c0 = arith.constant 0 : index
      %c2 = arith.constant 2 : index
      %c6 = arith.constant 6 : index
      %n = tensor.dim %k, %c2 : tensor<1x1x?x8xf32>
      %m = arith.addi %n, %c6 : index
      %r = attn.attention ins(%q, %k, %v : tensor<1x1x4x8xf32>,
          tensor<1x1x?x8xf32>, tensor<1x1x?x8xf32>)
        origin(%c0, %c2, %c6, %n) lengths(%c6, %m)
        outs(%o : tensor<1x1x4x8xf32>) -> tensor<1x1x4x8xf32>
      return %r : tensor<1x1x4x8xf32>
    })");
  Inputs inputs(DType::F32, {1, 1, 4, 8}, {1, 1, 5, 8}, 8);
  Binding bindings[4];
  bindings[0].array = inputs.query.view;
  bindings[1].array = inputs.key.view;
  bindings[2].array = inputs.value.view;
  auto built = buildProblem(findAttention(*module), bindings);
  ASSERT_TRUE(succeeded(built)) << messages;
  AttentionProblem &problem = (*built)->problem;
  EXPECT_EQ(problem.origin, (std::array<int64_t, 4>{0, 2, 6, 5}));
  EXPECT_EQ(problem.lengthQuery, 6);
  EXPECT_EQ(problem.lengthKv, 11);
  EXPECT_FALSE(problem.hasMask);
  EXPECT_EQ(problem.score, nullptr);
  EXPECT_DOUBLE_EQ(problem.scale, 1 / std::sqrt(8.0));
}

TEST_F(BuilderTest, Diagnostics) {
  auto module = parse(kDynamicModule);
  auto expectMessage = [&](ArrayRef<int64_t> q, ArrayRef<int64_t> k,
                           ArrayRef<int64_t> v, int64_t length, DType dtype,
                           StringRef message) {
    messages.clear();
    Array query(dtype, q), key(DType::F16, k), value(DType::F16, v);
    Binding bindings[6];
    bindings[0].array = query.view;
    bindings[1].array = key.view;
    bindings[2].array = value.view;
    bindings[4].scalar = ScalarValue::getInt(length);
    bindings[5].scalar = ScalarValue::getFloat(3);
    EXPECT_TRUE(failed(buildProblem(findAttention(*module), bindings)));
    EXPECT_NE(messages.find(message.str()), std::string::npos)
        << "expected " << message.str() << "\nfound " << messages;
  };
  DType f16 = DType::F16;
  expectMessage({3, 4, 3, 4}, {2, 2, 9, 4}, {2, 2, 9, 2}, 7, f16,
                "expected a batch size of 3 in key, as in query, found 2");
  expectMessage({2, 4, 3, 4}, {2, 2, 9, 4}, {1, 2, 9, 2}, 7, f16,
                "expected a batch size of 2 in value, as in query, found 1");
  expectMessage({2, 4, 3, 4}, {2, 2, 9, 4}, {2, 1, 9, 2}, 7, f16,
                "expected a head count of 2 in value, as in key, found 1");
  expectMessage({2, 4, 3, 4}, {2, 2, 9, 4}, {2, 2, 8, 2}, 7, f16,
                "expected a length of 9 in value, as in key, found 8");
  expectMessage({2, 4, 3, 4}, {2, 3, 9, 4}, {2, 3, 9, 2}, 7, f16,
                "multiple of the number of key and value heads, found 4 and 3");
  expectMessage({2, 4, 3, 4}, {2, 0, 9, 4}, {2, 0, 9, 2}, 7, f16,
                "multiple of the number of key and value heads, found 4 and 0");
  expectMessage({2, 4, 3, 5}, {2, 2, 9, 4}, {2, 2, 9, 2}, 7, f16,
                "found an array of sizes 2x4x3x5");
  expectMessage({4, 3, 4}, {2, 2, 9, 4}, {2, 2, 9, 2}, 7, f16,
                "found an array of sizes 4x3x4");
  expectMessage({2, 4, 3, 4}, {2, 2, 9, 4}, {2, 2, 9, 2}, -1, f16,
                "expected a key length of at least 0");
  expectMessage({2, 4, 3, 4}, {2, 2, 9, 4}, {2, 2, 9, 2}, 7, DType::BF16,
                "expected query elements of 'f16', found bf16");
}

TEST_F(BuilderTest, OutputSizes) {
  auto module = parse(kDynamicModule);
  Inputs inputs(DType::F16, {2, 4, 3, 4}, {2, 2, 9, 4}, 2);
  Array output(DType::F32, {2, 4, 5, 2});
  Binding bindings[6];
  bindings[0].array = inputs.query.view;
  bindings[1].array = inputs.key.view;
  bindings[2].array = inputs.value.view;
  bindings[3].array = output.view;
  bindings[4].scalar = ScalarValue::getInt(7);
  bindings[5].scalar = ScalarValue::getFloat(3);
  EXPECT_TRUE(failed(buildProblem(findAttention(*module), bindings)));
  EXPECT_NE(messages.find("expected output of sizes 2x4x3x2, found 2x4x5x2"),
            std::string::npos)
      << messages;
  // A scalar that is not bound, and one of the wrong kind.
  bindings[3] = {};
  bindings[4] = {};
  messages.clear();
  EXPECT_TRUE(failed(buildProblem(findAttention(*module), bindings)));
  EXPECT_NE(messages.find("nothing is bound"), std::string::npos) << messages;
  bindings[4].scalar = ScalarValue::getFloat(7);
  messages.clear();
  EXPECT_TRUE(failed(buildProblem(findAttention(*module), bindings)));
  EXPECT_NE(messages.find("expected a scalar of type 'i32', found a float"),
            std::string::npos)
      << messages;
}

TEST_F(BuilderTest, NeedsArguments) {
  auto module = parse(R"(
    func.func @f(%q: memref<1x1x4x4xf32>, %k: memref<1x1x4x4xf32>,
                 %o: memref<1x1x4x4xf32>) {
      %v = memref.alloc() : memref<1x1x4x4xf32>
      attn.attention ins(%q, %k, %v : memref<1x1x4x4xf32>, memref<1x1x4x4xf32>,
                         memref<1x1x4x4xf32>)
        outs(%o : memref<1x1x4x4xf32>)
      return
    })");
  Inputs inputs(DType::F32, {1, 1, 4, 4}, {1, 1, 4, 4}, 4);
  Binding bindings[3];
  bindings[0].array = inputs.query.view;
  bindings[1].array = inputs.key.view;
  EXPECT_TRUE(failed(buildProblem(findAttention(*module), bindings)));
  EXPECT_NE(messages.find("--check needs query, key and value to be arguments "
                          "of the entry function"),
            std::string::npos)
      << messages;
}

/// The known answers of Random123, of the paper's authors.
TEST(PhiloxTest, MatchesPublishedVectors) {
  using Words = std::array<uint32_t, 4>;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}),
            (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
                   {0xffffffff, 0xffffffff}),
            (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                   {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

/// A sink is a key whose value is 0.
TEST(OracleTest, SinkIsAKeyWithoutValue) {
  Inputs inputs = getCountingInputs(2, 3);
  AttentionProblem problem = inputs.getProblem();
  Array sink(DType::F32, {1});
  sink.view.store({0}, 0);
  problem.sink = sink.view;
  for (Precision precision :
       {Precision::Double, Precision::Single, Precision::Low}) {
    AttentionResult result = evaluate(problem, precision);
    EXPECT_NEAR(result.output[1], (1 + 2 + 3) / 4.0, 1e-6);
    EXPECT_NEAR(result.lse[1], std::log(4.0), 1e-6);
  }
  // Nothing else in the row: the sink to the bit, if it is finite.
  problem.lengthQuery = 1;
  sink.view.store({0}, 0.1);
  EXPECT_EQ(evaluate(problem, Precision::Single).lse[1], double(0.1f));
  sink.view.store({0}, kInfinity);
  EXPECT_EQ(evaluate(problem, Precision::Single).lse[1], -kInfinity);
  sink.view.store({0}, -kInfinity);
  EXPECT_NEAR(evaluate(problem, Precision::Single).lse[0], std::log(3.0), 1e-6);
  EXPECT_EQ(evaluate(problem, Precision::Single).output[0], 2);
}

/// Half of the pairs are kept, with twice their weight, and lse is that of all.
TEST(OracleTest, DropoutScalesWhatItKeeps) {
  constexpr int64_t kRows = 64, kKeys = 256;
  Inputs inputs(DType::F32, {1, 2, kRows, 1}, {1, 2, kKeys, 1}, 1);
  inputs.query.fillWith(0);
  inputs.value.fillWith(1);
  AttentionProblem problem = inputs.getProblem();
  problem.dropoutThreshold = 1 << 15;
  problem.dropoutHeads = 2;
  problem.seed = 1;
  AttentionResult result = evaluate(problem, Precision::Double);
  double sum = 0;
  for (int64_t row = 0; row < 2 * kRows; ++row) {
    EXPECT_NEAR(result.lse[row], std::log(double(kKeys)), 1e-9);
    sum += result.output[row];
  }
  // A standard deviation of the mean is 1 / sqrt(2 kRows kKeys).
  EXPECT_NEAR(sum / (2 * kRows), 1, 5 / std::sqrt(2.0 * kRows * kKeys));
  AttentionProblem other = problem;
  other.origin[1] = 1;
  EXPECT_EQ(evaluate(other, Precision::Double).output[0], result.output[kRows]);
  other.offset = 1;
  EXPECT_NE(evaluate(other, Precision::Double).output, result.output);
}
