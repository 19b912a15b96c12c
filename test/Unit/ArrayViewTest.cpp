//===- ArrayViewTest.cpp - Tests of element types and views ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/ArrayView.h"

#include "Numbers.h"

#include "llvm/ADT/bit.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>

using namespace mlir::attn;

static uint16_t toBits(DType dtype, double value) {
  uint16_t bits = 0;
  storeElement(&bits, dtype, 0, value);
  return bits;
}

static double fromBits(DType dtype, uint16_t bits) {
  return loadElement(&bits, dtype, 0);
}

TEST(ArrayViewTest, NamesAndSizes) {
  EXPECT_EQ(getName(DType::F16), "f16");
  EXPECT_EQ(getName(DType::BF16), "bf16");
  EXPECT_EQ(getName(DType::F32), "f32");
  EXPECT_EQ(getByteSize(DType::F16), 2);
  EXPECT_EQ(getByteSize(DType::BF16), 2);
  EXPECT_EQ(getByteSize(DType::F32), 4);
  EXPECT_EQ(getName(DType::F8E4M3FN), "f8E4M3FN");
  EXPECT_EQ(getName(DType::F8E5M2), "f8E5M2");
  EXPECT_EQ(getByteSize(DType::F8E4M3FN), 1);
  EXPECT_EQ(getByteSize(DType::F8E5M2), 1);
  EXPECT_EQ(getName(DType::I1), "i1");
  EXPECT_EQ(getName(DType::I8), "i8");
  EXPECT_EQ(getName(DType::I16), "i16");
  EXPECT_EQ(getName(DType::I32), "i32");
  EXPECT_EQ(getName(DType::I64), "i64");
  EXPECT_EQ(getByteSize(DType::I1), 1);
  EXPECT_EQ(getByteSize(DType::I8), 1);
  EXPECT_EQ(getByteSize(DType::I16), 2);
  EXPECT_EQ(getByteSize(DType::I32), 4);
  EXPECT_EQ(getByteSize(DType::I64), 8);
  for (DType dtype :
       {DType::F16, DType::BF16, DType::F32, DType::F8E4M3FN, DType::F8E5M2})
    EXPECT_FALSE(isInteger(dtype));
  for (DType dtype : {DType::I1, DType::I8, DType::I16, DType::I32, DType::I64})
    EXPECT_TRUE(isInteger(dtype));
}

TEST(ArrayViewTest, HalvesOfBytes) {
  EXPECT_EQ(getName(DType::I4), "i4");
  EXPECT_EQ(getNumBytes(DType::I4, 10), 5);
  EXPECT_EQ(getNumBytes(DType::F16, 10), 20);
  EXPECT_TRUE(isInteger(DType::I4));
  // Two i4 elements share a byte: that of the even column is in the low half.
  uint8_t bytes[4] = {0x8f, 0x70, 0xff, 0xff};
  ArrayView array = {bytes, DType::I4, {2, 2}, {4, 1}};
  EXPECT_EQ(array.load({0, 0}), -1);
  EXPECT_EQ(array.load({0, 1}), -8);
  array.store({1, 0}, 2.5);
  array.store({1, 1}, -100);
  EXPECT_EQ(bytes[2], 0x82);
  EXPECT_EQ(bytes[1], 0x70);
  EXPECT_EQ(bytes[3], 0xff);
  ArrayView stored = array.getBytes();
  EXPECT_EQ(stored.load({0, 0}), static_cast<int8_t>(0x8f));
  EXPECT_EQ(stored.load({1, 0}), static_cast<int8_t>(0x82));
  array.advance(2);
  EXPECT_EQ(array.load({0, 1}), 7);
  for (int value = -8; value <= 7; ++value)
    EXPECT_EQ(roundTo(DType::I4, value), value);
  EXPECT_EQ(roundTo(DType::I4, 3.5), 4);
  EXPECT_EQ(roundTo(DType::I4, 8), 7);
  EXPECT_EQ(roundTo(DType::I4, std::nan("")), 0);
}

TEST(ArrayViewTest, EveryNarrowNumberSurvives) {
  for (DType dtype : {DType::F16, DType::BF16})
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      double value = fromBits(dtype, bits);
      if (std::isnan(value))
        EXPECT_TRUE(std::isnan(roundTo(dtype, value))) << bits;
      else
        EXPECT_EQ(toBits(dtype, value), bits);
    }
}

// For each two neighbouring numbers of a 16-bit type, rounds the numbers just
// below, at, and just above their middle.
TEST(ArrayViewTest, RoundsToNearestEven) {
  for (DType dtype : {DType::F16, DType::BF16}) {
    uint16_t infinityBits = dtype == DType::F16 ? 0x7c00 : 0x7f80;
    for (uint16_t bits = 0; bits + 1 < infinityBits; ++bits) {
      double low = fromBits(dtype, bits), high = fromBits(dtype, bits + 1);
      double tie = low + (high - low) / 2;
      uint16_t even = bits % 2 == 0 ? bits : bits + 1;
      ASSERT_EQ(toBits(dtype, std::nextafter(tie, 0)), bits);
      ASSERT_EQ(toBits(dtype, tie), even);
      ASSERT_EQ(toBits(dtype, std::nextafter(tie, kInfinity)), bits + 1);
      ASSERT_EQ(toBits(dtype, -tie), even | 0x8000);
    }
  }
}

TEST(ArrayViewTest, FloatsOf8Bits) {
  for (DType dtype : {DType::F8E4M3FN, DType::F8E5M2}) {
    bool isE4M3 = dtype == DType::F8E4M3FN;
    int largestBits = isE4M3 ? 0x7e : 0x7b;
    auto fromByte = [&](uint8_t byte) { return loadElement(&byte, dtype, 0); };
    auto toByte = [&](double value) -> int {
      uint8_t byte = 0;
      storeElement(&byte, dtype, 0, value);
      return byte;
    };
    EXPECT_EQ(fromByte(0x01), isE4M3 ? 0x1p-9 : 0x1p-16);
    EXPECT_EQ(fromByte(largestBits), isE4M3 ? 448 : 57344);
    EXPECT_EQ(toByte(1), isE4M3 ? 0x38 : 0x3c);
    for (int bits = 0; bits <= largestBits; ++bits) {
      EXPECT_EQ(toByte(fromByte(bits)), bits);
      EXPECT_EQ(toByte(-fromByte(bits)), bits | 0x80);
      if (bits == largestBits)
        continue;
      double low = fromByte(bits), high = fromByte(bits + 1);
      double tie = (low + high) / 2;
      EXPECT_LT(low, high);
      EXPECT_EQ(toByte(std::nextafter(tie, 0)), bits);
      EXPECT_EQ(toByte(tie), bits + bits % 2);
      EXPECT_EQ(toByte(std::nextafter(tie, kInfinity)), bits + 1);
    }
    // Numbers beyond the largest one are rounded to it, and a NaN becomes 0x7f.
    EXPECT_EQ(toByte(1e6), largestBits);
    EXPECT_EQ(toByte(-kInfinity), largestBits | 0x80);
    EXPECT_EQ(toByte(NAN), 0x7f);
    EXPECT_TRUE(std::isnan(fromByte(0x7f)));
    EXPECT_TRUE(std::isnan(fromByte(0xff)));
    EXPECT_EQ(std::isinf(fromByte(0x7c)), !isE4M3);
  }
}

TEST(ArrayViewTest, Integers) {
  int32_t words[2] = {};
  storeElement(words, DType::I32, 1, -70000.4);
  EXPECT_EQ(words[0], 0);
  EXPECT_EQ(words[1], -70000);
  EXPECT_EQ(loadElement(words, DType::I32, 1), -70000);
  EXPECT_EQ(roundTo(DType::I32, 1e30), 2147483647);
  EXPECT_EQ(roundTo(DType::I32, -1e30), -2147483648.0);
  EXPECT_EQ(roundTo(DType::I16, -1e30), -32768);
  EXPECT_EQ(roundTo(DType::I64, 1e30), 0x1p63);
  EXPECT_EQ(roundTo(DType::I64, -1e30), -0x1p63);
  EXPECT_EQ(roundTo(DType::I64, 4294967297.0), 4294967297.0);
  EXPECT_EQ(roundTo(DType::I8, 2.5), 2);
  EXPECT_EQ(roundTo(DType::I8, 200), 127);
  EXPECT_EQ(roundTo(DType::I8, -200), -128);
  EXPECT_EQ(roundTo(DType::I1, 7), 1);
  EXPECT_EQ(roundTo(DType::I1, -1), 0);
  EXPECT_EQ(roundTo(DType::I8, NAN), 0);
}

TEST(ArrayViewTest, Overflow) {
  EXPECT_EQ(roundTo(DType::F16, 65504), 65504);
  EXPECT_EQ(roundTo(DType::F16, std::nextafter(65520.0, 0)), 65504);
  EXPECT_EQ(roundTo(DType::F16, 65520), kInfinity);
  EXPECT_EQ(roundTo(DType::F16, -65520), -kInfinity);
  EXPECT_EQ(roundTo(DType::F16, 1e300), kInfinity);

  double largest = 0x1.fep127, tie = 0x1.ffp127;
  EXPECT_EQ(roundTo(DType::BF16, largest), largest);
  EXPECT_EQ(roundTo(DType::BF16, std::nextafter(tie, 0)), largest);
  EXPECT_EQ(roundTo(DType::BF16, tie), kInfinity);
  EXPECT_EQ(roundTo(DType::BF16, -tie), -kInfinity);
  EXPECT_EQ(roundTo(DType::BF16, 1e300), kInfinity);

  EXPECT_EQ(roundTo(DType::F32, 0x1.fffffep127), 0x1.fffffep127);
  EXPECT_EQ(roundTo(DType::F32, 0x1.ffffffp127), kInfinity);
  for (DType dtype : {DType::F16, DType::BF16, DType::F32}) {
    EXPECT_EQ(roundTo(dtype, kInfinity), kInfinity);
    EXPECT_EQ(roundTo(dtype, -kInfinity), -kInfinity);
  }
}

TEST(ArrayViewTest, Subnormals) {
  EXPECT_EQ(roundTo(DType::F16, 0x1p-24), 0x1p-24);
  EXPECT_EQ(roundTo(DType::F16, 0x1p-25), 0);
  EXPECT_EQ(roundTo(DType::F16, 0x1.0000000000001p-25), 0x1p-24);
  EXPECT_EQ(roundTo(DType::F16, 0x1.8p-24), 0x1p-23);
  EXPECT_EQ(roundTo(DType::BF16, 0x1p-133), 0x1p-133);
  EXPECT_EQ(roundTo(DType::BF16, 0x1p-134), 0);
  EXPECT_EQ(roundTo(DType::BF16, 0x1.0000000000001p-134), 0x1p-133);
  // Numbers at or below the smallest float, such as 2^-200, must not be rounded
  // to float first.
  EXPECT_EQ(roundTo(DType::BF16, 0x1p-200), 0);
  EXPECT_EQ(roundTo(DType::F32, 0x1p-149), 0x1p-149);
  EXPECT_EQ(roundTo(DType::F32, 0x1p-150), 0);
  EXPECT_TRUE(std::signbit(roundTo(DType::F16, -0.0)));
  EXPECT_TRUE(std::signbit(roundTo(DType::BF16, -0x1p-200)));
}

TEST(ArrayViewTest, NaN) {
  for (DType dtype : {DType::F16, DType::BF16, DType::F32})
    EXPECT_TRUE(
        std::isnan(roundTo(dtype, std::numeric_limits<double>::quiet_NaN())));
  // bf16 drops all payload bits of this NaN, which must nevertheless stay a
  // NaN.
  EXPECT_TRUE(std::isnan(
      roundTo(DType::BF16, llvm::bit_cast<double>(0x7ff0000000000001ull))));
}

// Rounds numbers that differ from a tie by less than a float can represent. If
// they were rounded to float first, they would become the tie.
TEST(ArrayViewTest, RoundsOnce) {
  double tie = 1 + 0x1p-8;
  EXPECT_EQ(roundTo(DType::BF16, tie), 1);
  EXPECT_EQ(roundTo(DType::BF16, tie + 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(roundTo(DType::BF16, tie - 0x1p-40), 1);
  EXPECT_EQ(roundTo(DType::BF16, 1 + 0x3p-8 - 0x1p-40), 1 + 0x1p-7);
  EXPECT_EQ(roundTo(DType::BF16, -(tie + 0x1p-40)), -(1 + 0x1p-7));
  tie = 1 + 0x1p-11;
  EXPECT_EQ(roundTo(DType::F16, tie), 1);
  EXPECT_EQ(roundTo(DType::F16, tie + 0x1p-40), 1 + 0x1p-10);
  EXPECT_EQ(roundTo(DType::F16, 1 + 0x3p-11 - 0x1p-40), 1 + 0x1p-10);
}

TEST(ArrayViewTest, StridesAndOffsets) {
  float memory[24];
  for (int i = 0; i < 24; ++i)
    memory[i] = i;
  ArrayView view{memory, DType::F32, {2, 3}, {12, 2}};
  EXPECT_EQ(view.getRank(), 2);
  EXPECT_EQ(view.getNumElements(), 6);
  EXPECT_EQ(view.load({1, 2}), 16);
  view.store({0, 1}, 0.1);
  EXPECT_EQ(memory[2], 0.1f);
  EXPECT_EQ(memory[1], 1);

  ArrayView empty{nullptr, DType::F16, {4, 0, 2}, {0, 2, 1}};
  EXPECT_EQ(empty.getNumElements(), 0);
  ArrayView large{nullptr, DType::F16, {3, 5}, {int64_t(1) << 40, 1}};
  EXPECT_EQ(large.getOffset({2, 3}), (int64_t(1) << 41) + 3);
}
