//===- GradientBuilderTest.cpp - Gradient problems of ops -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GradientFixtures.h"

using namespace mlir;
using namespace mlir::attn;

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
  // The forward problem of the same op can be built from the same bindings.
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
