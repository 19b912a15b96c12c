//===- GradientFixtures.h - Gradient problems of tests ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_GRADIENTFIXTURES_H
#define ATTN_TEST_UNIT_GRADIENTFIXTURES_H

#include "OracleFixtures.h"

#include "attn/Oracle/GradientAccuracy.h"

#include <cmath>

namespace mlir::attn {

/// The number of arrays with gradients: query, key and value.
inline constexpr unsigned kNumArrays = 3;

/// Inputs of a forward op and of the op for its gradients. A test may change
/// the forward problem before it calls `runForward`.
struct GradientInputs : Inputs {
  GradientInputs(DType dtype, ArrayRef<int64_t> q, ArrayRef<int64_t> k,
                 int64_t valueDim)
      : Inputs(dtype, q, k, valueDim),
        output(dtype, {q[0], q[1], q[2], valueDim}),
        dOutput(dtype, {q[0], q[1], q[2], valueDim}),
        lse(DType::F32, q.take_front(3)), dLse(DType::F32, q.take_front(3)),
        problem(getProblem()) {
    dOutput.fillRandom(4);
    dLse.fillRandom(5);
  }

  void runForward() {
    AttentionResult result = evaluate(problem, Precision::Double);
    int64_t n = 0, m = 0;
    output.fill([&](ArrayRef<int64_t>) { return result.output[n++]; });
    lse.fill([&](ArrayRef<int64_t>) { return result.lse[m++]; });
  }

  GradientProblem getGradients(bool hasDLse = false) const {
    GradientProblem gradients;
    gradients.forward = problem;
    gradients.output = output.view;
    gradients.lse = lse.view;
    gradients.dOutput = dOutput.view;
    if (hasDLse)
      gradients.dLse = dLse.view;
    for (unsigned of = 0; of < kNumArrays; ++of)
      gradients.types[of] = problem.inputType;
    return gradients;
  }

  Array output, dOutput, lse, dLse;
  AttentionProblem problem;
};

/// The oracle's gradients, stored in the types that a program's gradients have.
struct FoundArrays {
  FoundArrays(const GradientProblem &problem, const GradientResult &result) {
    // Room is reserved, so that elements are never copied: the view of a copy
    // would refer to the memory of the original.
    arrays.reserve(kNumArrays);
    for (unsigned of = 0; of < kNumArrays; ++of) {
      arrays.emplace_back(problem.types[of].value_or(DType::F32),
                          problem.getInput(of).sizes);
      size_t n = 0;
      if (problem.types[of])
        arrays.back().fill(
            [&](ArrayRef<int64_t>) { return result.arrays[of].values[n++]; });
    }
  }

  FoundGradients get() const {
    FoundGradients found;
    found.arrays = {arrays[0].view, arrays[1].view, arrays[2].view};
    return found;
  }

  std::vector<Array> arrays;
};

/// Returns the loss to which the gradients belong: the sum of output times
/// d_output and of lse times d_lse, over rows that attend to some key.
inline double getLoss(const GradientProblem &problem) {
  AttentionResult result = evaluate(problem.forward, Precision::Double);
  double loss = 0;
  size_t n = 0;
  for (int64_t b = 0; b < problem.lse.sizes[0]; ++b)
    for (int64_t h = 0; h < problem.lse.sizes[1]; ++h)
      for (int64_t i = 0; i < problem.lse.sizes[2]; ++i) {
        double lse =
            result
                .lse[(b * problem.lse.sizes[1] + h) * problem.lse.sizes[2] + i];
        if (problem.dLse && lse != -kInfinity)
          loss += lse * problem.dLse->load({b, h, i});
        for (int64_t d = 0; d < problem.output.sizes[3]; ++d)
          loss += result.output[n++] * problem.dOutput.load({b, h, i, d});
      }
  return loss;
}

/// Compares the oracle's gradients of f32 inputs with central differences of
/// the loss.
inline void expectDifferences(const GradientProblem &problem) {
  GradientResult result = evaluateGradients(problem, Precision::Double);
  for (unsigned of = 0; of < kNumArrays; ++of) {
    const ArrayView &input = problem.getInput(of);
    // After roundInputs(), inputs plus or minus this step are exact in f32.
    constexpr double kStep = 0x1p-11;
    double magnitude = 0;
    for (int64_t n = 0; n < input.getNumElements(); ++n) {
      auto *element = static_cast<float *>(input.data) + n;
      float before = *element;
      *element = before + kStep;
      double above = getLoss(problem);
      *element = before - kStep;
      double below = getLoss(problem);
      *element = before;
      double expected = (above - below) / (2 * kStep);
      double found = result.arrays[of].values[n];
      // The tolerance allows for lse and output of the op, which are rounded to
      // f32.
      EXPECT_NEAR(found, expected, 1e-5)
          << kGradientNames[of].str() << " " << n;
      magnitude = std::max(magnitude, std::fabs(found));
    }
    // The oracle's `magnitude` must be an upper bound of the gradient's
    // elements.
    EXPECT_GE(result.arrays[of].magnitude, magnitude);
  }
}

/// Rounds inputs to multiples of 1/64, so that steps of finite differences are
/// exact.
inline void roundInputs(GradientInputs &inputs) {
  for (Array *array : {&inputs.query, &inputs.key, &inputs.value})
    array->fill([view = array->view](ArrayRef<int64_t> index) {
      return std::round(view.load(index) * 64) / 64;
    });
  inputs.problem = inputs.getProblem();
}

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_GRADIENTFIXTURES_H
