//===- OracleTest.cpp - Tests of the oracle's evaluation ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include "attn/Oracle/Accuracy.h"

#include <cmath>
#include <sys/mman.h>

using namespace mlir;
using namespace mlir::attn;

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
  // Query i has a large score only with key i + 1.
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

  // With more queries than keys and a bottom-right diagonal, the first rows
  // attend to no key.
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

  // Rows also count as masked if infinite inputs make all of their scores -inf.
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
  // The same problem without groups: each key and value head is repeated three
  // times.
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
    // Strided copies of query, key and value have their dimensions in another
    // order in memory, and NaN between elements.
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

  // Under a causal mask, a NaN of key 2 reaches only rows from 2 on.
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
  // A row with a score of NaN and otherwise only -inf is not fully masked: its
  // results are NaN.
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

// A row with two keys, whose unnormalised probabilities are 1 and w = 1/e.
// Precision::Low rounds w for the product with values, but not for the sum of
// probabilities.
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

/// A sink acts like a key whose value is 0.
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
  // In a row without keys, the lse is exactly the sink if that is finite, else
  // -inf.
  problem.lengthQuery = 1;
  sink.view.store({0}, 0.1);
  EXPECT_EQ(evaluate(problem, Precision::Single).lse[1], double(0.1f));
  sink.view.store({0}, kInfinity);
  EXPECT_EQ(evaluate(problem, Precision::Single).lse[1], -kInfinity);
  sink.view.store({0}, -kInfinity);
  EXPECT_NEAR(evaluate(problem, Precision::Single).lse[0], std::log(3.0), 1e-6);
  EXPECT_EQ(evaluate(problem, Precision::Single).output[0], 2);
}

/// Dropout keeps half of the pairs and doubles their weight. The lse is that of
/// all pairs.
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
  // The standard deviation of the mean output is 1 / sqrt(2 kRows kKeys), five
  // of which are allowed.
  EXPECT_NEAR(sum / (2 * kRows), 1, 5 / std::sqrt(2.0 * kRows * kKeys));
  AttentionProblem other = problem;
  other.origin[1] = 1;
  EXPECT_EQ(evaluate(other, Precision::Double).output[0], result.output[kRows]);
  other.offset = 1;
  EXPECT_NE(evaluate(other, Precision::Double).output, result.output);
}
