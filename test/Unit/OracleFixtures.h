//===- OracleFixtures.h - Arrays and problems of tests ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_ORACLEFIXTURES_H
#define ATTN_TEST_UNIT_ORACLEFIXTURES_H

#include "Numbers.h"

#include "attn/Oracle/Oracle.h"
#include "attn/Oracle/ProblemBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

#include <cmath>
#include <limits>
#include <random>

namespace mlir::attn {

/// An array with its own memory, whose elements are NaN until they are written.
struct Array {
  Array(DType dtype, ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides = {}) {
    view.dtype = dtype;
    view.sizes.assign(sizes.begin(), sizes.end());
    view.strides.assign(strides.begin(), strides.end());
    int64_t stride = 1;
    if (strides.empty())
      for (int64_t size : llvm::reverse(sizes)) {
        view.strides.insert(view.strides.begin(), stride);
        stride *= std::max<int64_t>(size, 1);
      }
    int64_t extent = 1;
    for (auto [size, step] : llvm::zip(view.sizes, view.strides))
      extent += std::max<int64_t>(size - 1, 0) * step;
    memory.resize(extent * getByteSize(dtype));
    view.data = memory.data();
    for (int64_t i = 0; i < extent; ++i)
      storeElement(view.data, dtype, i, kNaN);
  }

  /// Sets each element to `function(index)`, where `index` has a number for
  /// each dimension.
  template <typename Function> Array &fill(Function function) {
    SmallVector<int64_t, 4> index(view.getRank(), 0);
    for (int64_t n = view.getNumElements(); n > 0; --n) {
      view.store(index, function(ArrayRef<int64_t>(index)));
      for (size_t dim = index.size(); dim-- > 0;) {
        if (++index[dim] < view.sizes[dim])
          break;
        index[dim] = 0;
      }
    }
    return *this;
  }
  Array &fillWith(double value) {
    return fill([=](ArrayRef<int64_t>) { return value; });
  }
  Array &fillRandom(unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> distribution;
    return fill([&](ArrayRef<int64_t>) { return distribution(generator); });
  }

  std::vector<char> memory;
  ArrayView view;
};

/// Query, key and value of a problem, with random elements.
struct Inputs {
  Inputs(DType dtype, ArrayRef<int64_t> q, ArrayRef<int64_t> k,
         int64_t valueDim)
      : query(dtype, q), key(dtype, k),
        value(dtype, {k[0], k[1], k[2], valueDim}) {
    query.fillRandom(1);
    key.fillRandom(2);
    value.fillRandom(3);
  }

  AttentionProblem getProblem() const {
    AttentionProblem problem;
    problem.query = query.view;
    problem.key = key.view;
    problem.value = value.view;
    problem.scale = 1 / std::sqrt(double(query.view.sizes[3]));
    problem.lengthQuery = query.view.sizes[2];
    problem.lengthKv = key.view.sizes[2];
    problem.inputType = problem.outputType = query.view.dtype;
    return problem;
  }

  Array query, key, value;
};

class IRTest : public ::testing::Test {
protected:
  IRTest()
      : handler(&context, [this](Diagnostic &diag) {
          messages += diag.str() + "\n";
          return success();
        }) {
    context.loadDialect<AttnDialect, arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, memref::MemRefDialect,
                        tensor::TensorDialect>();
    context.allowUnregisteredDialects();
  }

  OwningOpRef<ModuleOp> parse(const std::string &text, bool verify = true) {
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
        text, ParserConfig(&context, /*verifyAfterParse=*/verify));
    EXPECT_TRUE(module) << messages;
    return module;
  }

  static AttentionOp findAttention(ModuleOp module) {
    AttentionOp found;
    module.walk([&](AttentionOp op) { found = op; });
    return found;
  }

  /// Returns the text of a module with one attention op that has this score
  /// region.
  std::string getScoreModule(const std::string &body,
                             const std::string &captures = "",
                             const std::string &captureTypes = "",
                             const std::string &captureArguments = "") {
    std::string result = "func.func @f(%q: memref<1x1x4x4xf32>, %k: "
                         "memref<1x1x4x4xf32>, %v: memref<1x1x4x4xf32>, %o: "
                         "memref<1x1x4x4xf32>";
    std::string declared = captures.empty() ? "" : ", " + captures;
    result += declared + ") {\n attn.attention ins(%q, %k, %v : "
                         "memref<1x1x4x4xf32>, memref<1x1x4x4xf32>, "
                         "memref<1x1x4x4xf32>) ";
    if (!captures.empty())
      result += "captures(" + captureTypes + ") ";
    result += "outs(%o : memref<1x1x4x4xf32>) score {\n"
              "^bb0(%s: f32, %b: index, %h: index, %i: index, %j: index" +
              captureArguments + "):\n" + body + "\n}\n return\n}";
    return result;
  }

  FailureOr<ScoreProgram> compile(const std::string &body, bool verify = true) {
    modules.push_back(parse(getScoreModule(body), verify));
    return ScoreProgram::compile(findAttention(*modules.back()).getScore(), {});
  }

  /// Returns the value of %r that the oracle computes for the ops in `text`.
  FailureOr<ScalarValue> evaluateText(const std::string &text,
                                      const std::string &type) {
    modules.push_back(parse("func.func @f() -> " + type + " {\n" + text +
                            "\nreturn %r : " + type + "\n}"));
    if (!modules.back())
      return failure();
    Value value;
    modules.back()->walk([&](func::ReturnOp op) { value = op.getOperand(0); });
    return evaluateScalar(value, [](Value) { return std::nullopt; });
  }

  MLIRContext context;
  std::string messages;
  ScopedDiagnosticHandler handler;
  SmallVector<OwningOpRef<ModuleOp>> modules;
};

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_ORACLEFIXTURES_H
