//===- RandomTest.cpp - Reproducible random arrays ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/Random.h"

#include "attn/Support/Buffer.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::attn;
using llvm::ArrayRef;
using llvm::cantFail;
using llvm::errorToBool;
using llvm::SmallVector;

static Buffer makeRandom(DType dtype, ArrayRef<int64_t> sizes,
                         ArrayRef<int64_t> strides, uint64_t seed,
                         double scale = 1.0) {
  Buffer buffer = cantFail(Buffer::allocate(dtype, sizes, strides));
  fillRandom(buffer.view(), seed, scale);
  EXPECT_FALSE(errorToBool(buffer.checkMargins()));
  return buffer;
}

TEST(RandomTest, values) {
  // The expected numbers were computed in Python from the formulas in the
  // header of fillRandom().
  SmallVector<double> zero = {-0.292031706, 0.876791688, 0.807785254,
                              -0.239525983, 1.369919986};
  SmallVector<double> seven = {-0.807544988, 0.026348002, 0.279216394,
                               0.885727937, 0.276016511};
  Buffer first = makeRandom(DType::F32, {5}, {1}, /*seed=*/0);
  Buffer second = makeRandom(DType::F32, {5}, {1}, /*seed=*/7, /*scale=*/0.5);
  for (int64_t i = 0; i < 5; ++i) {
    EXPECT_NEAR(first.view().load({i}), zero[i], 1e-6);
    EXPECT_NEAR(second.view().load({i}), 0.5 * seven[i], 1e-6);
  }
}

TEST(RandomTest, moments) {
  for (uint64_t seed : {0, 1, 2, 1234567}) {
    int64_t count = 1000001;
    Buffer buffer = makeRandom(DType::F32, {count}, {1}, seed);
    double sums[5] = {}, neighbours = 0, previous = 0, largest = 0;
    int64_t inner = 0;
    for (double value : getElements(buffer.view())) {
      for (int power = 1; power <= 4; ++power)
        sums[power] += std::pow(value, power) / count;
      neighbours += value * previous / count;
      previous = value;
      largest = std::max(largest, std::fabs(value));
      inner += std::fabs(value) < 1;
    }
    // The tolerance is five standard deviations of each estimate.
    double deviation = 5 / std::sqrt(count);
    EXPECT_NEAR(sums[1], 0, deviation);
    EXPECT_NEAR(sums[2], 1, deviation * std::sqrt(2));
    EXPECT_NEAR(sums[3], 0, deviation * std::sqrt(15));
    EXPECT_NEAR(sums[4], 3, deviation * std::sqrt(96));
    EXPECT_NEAR(neighbours, 0, deviation);
    EXPECT_NEAR(double(inner) / count, 0.6826895, deviation / 2);
    EXPECT_GT(largest, 4);
    EXPECT_LT(largest, 6.8);
  }
}

TEST(RandomTest, seedsAreIndependent) {
  int64_t count = 100000;
  Buffer first = makeRandom(DType::F32, {count}, {1}, /*seed=*/0);
  for (uint64_t seed :
       {uint64_t(1), uint64_t(2), uint64_t(0x9e3779b97f4a7c15), ~uint64_t(0)}) {
    Buffer second = makeRandom(DType::F32, {count}, {1}, seed);
    double product = 0;
    for (int64_t i = 0; i < count; ++i)
      product += first.view().load({i}) * second.view().load({i}) / count;
    EXPECT_NEAR(product, 0, 5 / std::sqrt(count));
  }
}

TEST(RandomTest, layoutDoesNotMatter) {
  // The array is so large that several tasks fill it, and rows cross the
  // boundaries between their parts.
  SmallVector<int64_t> sizes = {3, 5, 1, 1667, 3};
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    std::vector<double> expected = getElements(
        makeRandom(dtype, sizes, getContiguousStrides(sizes), 5).view());
    for (SmallVector<int64_t> order :
         {SmallVector<int64_t>{4, 3, 2, 1, 0}, {0, 2, 3, 1, 4}}) {
      SmallVector<int64_t> strides = getStridesFor(order, sizes);
      EXPECT_EQ(getElements(makeRandom(dtype, sizes, strides, 5).view()),
                expected);
      for (int64_t &stride : strides)
        stride *= 2;
      EXPECT_EQ(getElements(makeRandom(dtype, sizes, strides, 5).view()),
                expected);
    }
    SmallVector<int64_t> flat = {3 * 5 * 1667 * 3};
    EXPECT_EQ(getElements(makeRandom(dtype, flat, {1}, 5).view()), expected);
  }
}

TEST(RandomTest, roundedOnce) {
  Buffer single = makeRandom(DType::F32, {1000}, {1}, /*seed=*/3);
  for (DType dtype : {DType::F16, DType::BF16}) {
    Buffer half = makeRandom(dtype, {1000}, {1}, /*seed=*/3);
    for (int64_t i = 0; i < 1000; ++i)
      EXPECT_NEAR(half.view().load({i}), single.view().load({i}),
                  std::fabs(single.view().load({i})) / 256);
  }
}

TEST(RandomTest, scale) {
  Buffer zero = makeRandom(DType::F16, {100}, {1}, /*seed=*/0, /*scale=*/0.0);
  for (double value : getElements(zero.view()))
    EXPECT_EQ(value, 0.0);
}

TEST(RandomTest, smallArrays) {
  Buffer one = makeRandom(DType::F32, {1}, {1}, /*seed=*/9);
  Buffer scalar = makeRandom(DType::F32, {}, {}, /*seed=*/9);
  EXPECT_EQ(one.view().load({0}), scalar.view().load({}));
  makeRandom(DType::F32, {0}, {1}, /*seed=*/9);
  makeRandom(DType::F32, {3, 0}, {1, 1}, /*seed=*/9);
}
