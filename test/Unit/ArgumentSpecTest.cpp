//===- ArgumentSpecTest.cpp - Arguments of attnc run ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/ArgumentSpec.h"

#include "ExpectContains.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::attn;
using llvm::ArrayRef;
using llvm::Expected;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::toString;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Parses the text of an argument and returns the argument if it is a `T`.
/// Otherwise the test fails.
template <class T> static std::optional<T> parseAs(StringRef text) {
  Expected<ArgumentSpec> spec = parseArgument(text);
  if (!spec) {
    ADD_FAILURE() << text.str() << ": " << toString(spec.takeError());
    return std::nullopt;
  }
  if (const T *argument = std::get_if<T>(&*spec))
    return *argument;
  ADD_FAILURE() << text.str() << " is parsed as another kind of argument";
  return std::nullopt;
}

template <class T> static std::string getError(Expected<T> value) {
  return value ? "" : toString(value.takeError());
}

TEST(ArgumentTest, files) {
  for (StringRef path :
       {"q.npy", "/a b/q.npy", ".npy", "random.npy", "random:7.npy", "5.npy"}) {
    auto argument = parseAs<NpyArgument>(path);
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->path, path);
  }
}

TEST(ArgumentTest, random) {
  auto expect = [](StringRef text, uint64_t seed, double scale) {
    auto argument = parseAs<RandomArgument>(text);
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->seed, seed) << text.str();
    EXPECT_EQ(argument->scale, scale) << text.str();
  };
  expect("random", 0, 1);
  expect("random:7", 7, 1);
  expect("random:7:0.5", 7, 0.5);
  expect("random:0x10:2", 16, 2);
  expect("random:010:0", 10, 0);
  expect("random:18446744073709551615:1e-3", UINT64_MAX, 1e-3);
  for (StringRef text : {"random:", "random:x", "random:-1", "random:+1",
                         "random: 1", "random:1.5", "random:0x", "random:0xg",
                         "random::1", "random:18446744073709551616"})
    EXPECT_CONTAINS(getError(parseArgument(text)),
                    "expected a seed of at most 64 bits that is not negative");
  for (StringRef text : {"random:1:", "random:1:x", "random:1:-1",
                         "random:1:inf", "random:1:nan", "random:1: 2"})
    EXPECT_CONTAINS(getError(parseArgument(text)),
                    "expected a scale that is finite and not negative");
  for (StringRef text : {"random:1:2:", "random:1:2:x", "random:1:2:inf",
                         "random:1:2:nan", "random:1:2:3:4"})
    EXPECT_CONTAINS(getError(parseArgument(text)),
                    "expected a mean that is finite");
  EXPECT_EQ(parseAs<RandomArgument>("random:1:2:-3")->mean, -3);
}

TEST(ArgumentTest, integers) {
  auto expect = [](StringRef text, double value,
                   std::optional<int64_t> integer) {
    auto argument = parseAs<NumberArgument>(text);
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->text, text);
    EXPECT_EQ(argument->value, value) << text.str();
    EXPECT_EQ(argument->integer, integer) << text.str();
  };
  expect("0", 0, 0);
  expect("12", 12, 12);
  expect("+12", 12, 12);
  expect("-12", -12, -12);
  expect("010", 10, 10);
  expect("0x1F", 31, 31);
  expect("0X1f", 31, 31);
  expect("-0x10", -16, -16);
  expect("9223372036854775807", 9223372036854775807.0, INT64_MAX);
  expect("-9223372036854775808", -9223372036854775808.0, INT64_MIN);
  expect("-0x8000000000000000", -9223372036854775808.0, INT64_MIN);
  // Numbers beyond the range of signed 64-bit integers have a value as a
  // double, but none as an integer.
  expect("9223372036854775808", 9223372036854775808.0, std::nullopt);
  expect("-9223372036854775809", -9223372036854775808.0, std::nullopt);
  expect("0xffffffffffffffff", 18446744073709551616.0, std::nullopt);
  expect("100000000000000000000000", 1e23, std::nullopt);
  EXPECT_CONTAINS(getError(parseArgument("0x10000000000000000")),
                  "expected a hexadecimal integer of at most 64 bits");
}

TEST(ArgumentTest, fractions) {
  auto expect = [](StringRef text, double value) {
    auto argument = parseAs<NumberArgument>(text);
    ASSERT_TRUE(argument);
    EXPECT_EQ(argument->value, value) << text.str();
    EXPECT_FALSE(argument->integer) << text.str();
  };
  expect("0.125", 0.125);
  expect("-.5", -0.5);
  expect("3.", 3);
  expect("3.0", 3);
  expect("1e3", 1000);
  expect("1E+3", 1000);
  expect("+1.5e-3", 1.5e-3);
  expect("1e-999", 0);
  expect("0e99999999999999999999", 0);
  expect("inf", infinity);
  expect("+inf", infinity);
  expect("-inf", -infinity);
  for (StringRef text : {"nan", "-nan"}) {
    auto argument = parseAs<NumberArgument>(text);
    ASSERT_TRUE(argument);
    EXPECT_TRUE(std::isnan(argument->value));
  }
  auto zero = parseAs<NumberArgument>("-0.0");
  ASSERT_TRUE(zero);
  EXPECT_TRUE(std::signbit(zero->value));
  for (StringRef text : {"1e999", "-1e999", "1e99999999999999999999"})
    EXPECT_CONTAINS(getError(parseArgument(text)),
                    "expected a number in the range of f64");
}

TEST(ArgumentTest, others) {
  for (StringRef text :
       {"",         " ",      "q",     "q.np",  "q.NPY", "Random",   "random7",
        "forwards", "--5",    "+-5",   "-",     "+",     ".",        "e5",
        "1e",       "1e+",    "1.2.3", "1,5",   "1_000", " 1",       "1 ",
        "0x",       "0xg",    "0x1p3", "0x1.8", "1f",    "infinity", "INF",
        "NaN",      "nan(1)", "1e5x"})
    EXPECT_EQ(
        getError(parseArgument(text)),
        "expected a .npy file, 'random[:SEED[:SCALE[:MEAN]]]', 'forward' or a "
        "number, found '" +
            text.str() + "'");
}

TEST(ArgumentTest, forward) {
  Expected<ArgumentSpec> argument = parseArgument("forward");
  ASSERT_TRUE(bool(argument)) << toString(argument.takeError());
  EXPECT_TRUE(std::holds_alternative<ForwardArgument>(*argument));
}

TEST(SizesTest, sizes) {
  auto expect = [](StringRef text, bool allowDynamic,
                   ArrayRef<int64_t> expected) {
    Expected<SmallVector<int64_t>> sizes = parseSizes(text, allowDynamic);
    ASSERT_TRUE(bool(sizes)) << toString(sizes.takeError());
    EXPECT_EQ(ArrayRef(*sizes), expected);
  };
  expect("4x12x1024x64", false, {4, 12, 1024, 64});
  expect("4x12x1024x64", true, {4, 12, 1024, 64});
  expect("7", false, {7});
  expect("0x1", false, {0, 1});
  expect("08x10", false, {8, 10});
  expect("4x?x64", true, {4, kDynamicSize, 64});
  expect("?", true, {kDynamicSize});
  expect("9223372036854775807", false, {INT64_MAX});
  for (StringRef text :
       {"", "x", "4x", "x4", "4xx4", "4X4", "-4x2", "4x-2", "+4", "4x?", "?",
        "4x2 ", " 4x2", "4*2", "4x2f32", "4.0", "9223372036854775808",
        "-9223372036854775808", "99999999999999999999999"})
    EXPECT_CONTAINS(getError(parseSizes(text, /*allowDynamic=*/false)),
                    "expected sizes such as 4x12x1024x64, each");
  for (StringRef text : {"??", "4x?8", "?x", "-1x?"})
    EXPECT_CONTAINS(getError(parseSizes(text, /*allowDynamic=*/true)),
                    "expected sizes such as 4x12x?x64, each");
}

TEST(ShapeTest, shape) {
  Expected<ShapeSpec> shape = parseShape("10=4x12x1024x64");
  ASSERT_TRUE(bool(shape)) << toString(shape.takeError());
  EXPECT_EQ(shape->index, 10u);
  EXPECT_EQ(ArrayRef(shape->sizes), ArrayRef<int64_t>({4, 12, 1024, 64}));
  for (StringRef text : {"", "=", "=4x2", "K=4x2", "-1=4x2", "+1=4x2", " 1=4",
                         "4x2", "0x1=4", "18446744073709551616=4"})
    EXPECT_CONTAINS(getError(parseShape(text)),
                    "expected the position of an argument, '=' and sizes");
  for (StringRef text : {"0=", "0=4x", "0=4x?", "0=4x-2", "0=4=2", "0=4x2 "})
    EXPECT_CONTAINS(getError(parseShape(text)), "expected sizes such as");
}
