//===- ScoreDerivativeTest.cpp - The compiler's derivatives ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares the derivatives that deriveScore adds to a region, evaluated in
// fp64, with central differences of the region itself.
//
//===----------------------------------------------------------------------===//

#include "OracleFixtures.h"

#include "attn/Dialect/Attn/Transforms/ScoreDerivative.h"

#include "mlir/IR/Verifier.h"

#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::attn;

namespace {

/// A fixture for regions with two captures: %c, a number of f32, and %w, a
/// number of f16.
class ScoreDerivativeTest : public IRTest {
protected:
  static constexpr double kNumber = 1.5, kHalf = -0.75;
  /// The step of finite differences. The captured numbers plus or minus it are
  /// exact in their types.
  static constexpr double kStep = 0x1p-8;

  Region &parseRegion(const std::string &body) {
    modules.push_back(parse(getScoreModule(
        body, "%x: f32, %y: f16", "%x, %y : f32, f16", ", %c: f32, %w: f16")));
    return findAttention(*modules.back()).getScore();
  }

  double evaluate(Region &region, double score, double number, double half) {
    auto program = ScoreProgram::compile(
        region, {ScalarValue::getFloat(number), ScalarValue::getFloat(half)});
    EXPECT_TRUE(succeeded(program)) << messages;
    if (failed(program))
      return kNaN;
    double value = score;
    program->evaluateRow(Precision::Double, 1, 2, 3, 4, value);
    return value;
  }

  /// Returns the derivative at 0 by Richardson extrapolation of two central
  /// differences, whose error is two orders smaller than that of one.
  template <typename Function> static double differentiate(Function value) {
    auto slope = [&](double step) {
      return (value(step) - value(-step)) / (2 * step);
    };
    return (4 * slope(kStep / 2) - slope(kStep)) / 3;
  }

  void expectDifferences(const std::string &body) {
    Region &plain = parseRegion(body);
    for (unsigned variable : {0, 5, 6}) {
      Region &derived = parseRegion(body);
      Block &block = derived.front();
      auto found = deriveScore(block, block.getArgument(variable));
      ASSERT_TRUE(succeeded(found)) << body << messages;
      ASSERT_EQ(found->size(), 1u);
      Value derivative = found->front();
      if (derivative)
        block.getTerminator()->setOperand(0, derivative);
      ASSERT_TRUE(succeeded(verify(*modules.back()))) << body << messages;
      for (double score : {-2.25, -0.625, 0.375, 1.75}) {
        double expected = differentiate([&](double step) {
          return evaluate(plain, score + (variable == 0 ? step : 0),
                          kNumber + (variable == 5 ? step : 0),
                          kHalf + (variable == 6 ? step : 0));
        });
        double value =
            derivative ? evaluate(derived, score, kNumber, kHalf) : 0;
        EXPECT_NEAR(value, expected, 1e-6 * std::max(1.0, std::fabs(expected)))
            << body << "\nwith respect to argument " << variable << " at "
            << score;
      }
    }
  }
};

} // namespace

TEST_F(ScoreDerivativeTest, AgreesWithDifferences) {
  const char *bodies[] = {
      // A soft cap, whose cap is the captured number.
      "%0 = arith.divf %s, %c : f32\n%1 = math.tanh %0 : f32\n"
      "%r = arith.mulf %1, %c : f32",
      // ALiBi, whose slope is the captured number.
      "%0 = arith.subi %j, %i : index\n%1 = arith.index_cast %0 : index to "
      "i32\n"
      "%2 = arith.sitofp %1 : i32 to f32\n%3 = arith.mulf %c, %2 : f32\n"
      "%r = arith.addf %s, %3 : f32",
      // The sigmoid function.
      "%0 = arith.mulf %s, %c : f32\n%1 = arith.negf %0 : f32\n"
      "%2 = math.exp %1 : f32\n%3 = arith.addf %one, %2 : f32\n"
      "%r = arith.divf %one, %3 : f32",
      // ReLU of a shifted score.
      "%0 = arith.subf %s, %c : f32\n%r = arith.maximumf %0, %zero : f32",
      "%0 = arith.cmpf ogt, %s, %zero : f32\n"
      "%r = arith.select %0, %s, %c : f32",
      "%r = math.exp %s : f32", "%r = math.exp2 %s : f32",
      "%r = math.expm1 %s : f32",
      "%0 = arith.mulf %s, %s : f32\n%r = math.log %0 : f32",
      "%0 = arith.mulf %s, %s : f32\n%r = math.log2 %0 : f32",
      "%0 = arith.mulf %s, %s : f32\n%r = math.log10 %0 : f32",
      "%0 = arith.mulf %s, %s : f32\n%r = math.log1p %0 : f32",
      "%r = math.erf %s : f32", "%r = math.erfc %s : f32",
      // Polynomials.
      "%0 = math.fma %s, %s, %c : f32\n%r = math.fma %0, %s, %one : f32",
      "%i3 = arith.constant 3 : i32\n%r = math.fpowi %s, %i3 : f32, i32",
      "%r = arith.minimumf %s, %c : f32", "%r = arith.maxnumf %c, %s : f32",
      "%r = arith.minnumf %s, %zero : f32",
      "%r = math.clampf %s to [%zero, %c] : f32", "%r = math.absf %s : f32",
      "%r = math.sin %s : f32", "%r = math.cos %s : f32",
      "%0 = arith.mulf %s, %s : f32\n%1 = arith.addf %0, %one : f32\n"
      "%r = math.sqrt %1 : f32",
      "%0 = arith.mulf %s, %s : f32\n%1 = arith.addf %0, %one : f32\n"
      "%r = math.rsqrt %1 : f32",
      "%r = math.cbrt %s : f32", "%r = math.atan %s : f32",
      "%r = math.sinh %s : f32", "%r = math.cosh %s : f32",
      "%r = math.asinh %s : f32", "%r = math.atan2 %s, %c : f32",
      "%r = math.copysign %s, %c : f32",
      "%0 = arith.mulf %s, %s : f32\n%r = math.powf %0, %c : f32",
      "%r = arith.divf %c, %s : f32", "%r = arith.subf %c, %s : f32",
      "%r = arith.remf %s, %c : f32", "%r = math.floor %s : f32",
      // Regions that use the f16 capture, and regions that do not use all
      // variables.
      "%0 = arith.extf %w : f16 to f32\n%r = arith.mulf %s, %0 : f32",
      "%r = arith.mulf %s, %s : f32", "%r = arith.mulf %c, %c : f32",
      // Many ops in one region.
      "%0 = arith.divf %s, %c : f32\n%1 = math.tanh %0 : f32\n"
      "%2 = arith.mulf %1, %c : f32\n%3 = math.exp %2 : f32\n"
      "%w1 = arith.extf %w : f16 to f32\n%4 = math.fma %3, %w1, %s : f32\n"
      "%5 = math.log1p %3 : f32\n%6 = arith.maximumf %4, %5 : f32\n"
      "%7 = math.erf %6 : f32\n%r = arith.addf %7, %6 : f32"};
  for (const char *body : bodies)
    expectDifferences(std::string("%zero = arith.constant 0.0 : f32\n"
                                  "%one = arith.constant 1.0 : f32\n") +
                      body + "\nattn.yield %r : f32");
}

/// Where a factor of the derivative overflows although the region's value does
/// not, the derivative is 0.
TEST_F(ScoreDerivativeTest, SaturatedValues) {
  const char *bodies[] = {
      "%r = arith.divf %one, %d : f32",
      "%r = arith.divf %s, %d : f32",
      "%r = math.rsqrt %d : f32",
      "%r = math.atan %d : f32",
      "%0 = math.sqrt %d : f32\n%r = arith.divf %one, %0 : f32",
      "%0 = arith.negf %e : f32\n%r = math.exp %0 : f32",
      "%r = math.powf %d, %minus : f32",
      "%r = math.atan2 %one, %d : f32",
      "%r = math.tanh %d : f32",
      "%r = arith.minimumf %d, %one : f32"};
  for (const char *body : bodies) {
    Block &block =
        parseRegion(std::string("%one = arith.constant 1.0 : f32\n"
                                "%minus = arith.constant -1.5 : f32\n"
                                "%n = arith.negf %s : f32\n"
                                "%e = math.exp %n : f32\n"
                                "%d = arith.addf %one, %e : f32\n") +
                    body + "\nattn.yield %r : f32")
            .front();
    auto found = deriveScore(block, block.getArgument(0));
    ASSERT_TRUE(succeeded(found)) << body << messages;
    block.getTerminator()->setOperand(0, found->front());
    EXPECT_EQ(evaluate(*block.getParent(), -1000.0, kNumber, kHalf), 0.0)
        << body;
  }
}

/// Derivatives by several variables that are requested together are the same as
/// those requested alone.
TEST_F(ScoreDerivativeTest, SeveralAtOnce) {
  const char *body = "%0 = arith.divf %s, %c : f32\n%1 = math.tanh %0 : f32\n"
                     "%2 = arith.mulf %1, %c : f32\nattn.yield %2 : f32";
  for (unsigned i : {0, 1}) {
    Block &block = parseRegion(body).front();
    auto all = deriveScore(block, {block.getArgument(0), block.getArgument(5)});
    ASSERT_TRUE(succeeded(all)) << messages;
    block.getTerminator()->setOperand(0, (*all)[i]);
    Block &other = parseRegion(body).front();
    auto one = deriveScore(other, other.getArgument(i == 0 ? 0 : 5));
    ASSERT_TRUE(succeeded(one)) << messages;
    other.getTerminator()->setOperand(0, one->front());
    EXPECT_EQ(evaluate(*block.getParent(), 0.7, kNumber, kHalf),
              evaluate(*other.getParent(), 0.7, kNumber, kHalf));
  }
}

TEST_F(ScoreDerivativeTest, NoDerivative) {
  Block &block = parseRegion("%0 = arith.bitcast %c : f32 to i32\n"
                             "%1 = arith.sitofp %0 : i32 to f32\n"
                             "%2 = arith.addf %1, %s : f32\n"
                             "attn.yield %2 : f32")
                     .front();
  EXPECT_TRUE(succeeded(deriveScore(block, block.getArgument(0))));
  EXPECT_TRUE(failed(deriveScore(block, block.getArgument(5))));
  EXPECT_NE(messages.find("'arith.bitcast' op has no derivative with respect "
                          "to its operands"),
            std::string::npos)
      << messages;
}
