//===- ScalarOpsTest.cpp - Tests of the oracle's scalar ops ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleFixtures.h"

#include "attn/Oracle/ScoreEvaluator.h"

#include "mlir/IR/Builders.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;

using ScalarTest = IRTest;

// Compares integer ops with MLIR's constant folder, on values around the limits
// of each type. Where the folder declines, because behaviour is undefined,
// nothing is compared.
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
  // In the ops, the f32 values are %a = 0.6, %b = 2.5, %c = -1.25 and %n = NaN.
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
    // The C++ compiler may have computed the expected number at compile time
    // with another math library, so small differences are allowed.
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
      // The integer is 1 above the middle of two bf16 numbers. It must be
      // rounded up, in one step: rounding to f32 first would give the middle.
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

// Divisions that arith leaves undefined have results here: quotients and
// remainders by 0 are 0, and the smallest number divided by -1 is itself.
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
