//===- ProblemBuilderTest.cpp - Tests of the problems of ops --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OracleExpectations.h"

#include "attn/Oracle/ProblemBuilder.h"

using namespace mlir;
using namespace mlir::attn;

using BuilderTest = IRTest;

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

  // The score region multiplies by 1.5, so a larger scale without a region
  // gives the same results.
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
  // Errors are reported for a captured scalar to which nothing is bound, and
  // for one of the wrong kind.
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
