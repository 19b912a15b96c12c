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

/// Query, key and value.
inline constexpr unsigned kNumArrays = 3;

/// Inputs of a forward and a backward op. The forward problem may be changed
/// before `runForward`.
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

/// The oracle's gradients in the types of a program's.
struct FoundArrays {
  FoundArrays(const GradientProblem &problem, const GradientResult &result) {
    // A copy's view would be that of the first.
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

/// Compares the gradients, in f32, with the loss's central differences.
inline void expectDifferences(const GradientProblem &problem) {
  GradientResult result = evaluateGradients(problem, Precision::Double);
  for (unsigned of = 0; of < kNumArrays; ++of) {
    const ArrayView &input = problem.getInput(of);
    // Exact in f32 beside what `roundInputs` leaves.
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
      // The op's lse and output are those of f32.
      EXPECT_NEAR(found, expected, 1e-5)
          << kGradientNames[of].str() << " " << n;
      magnitude = std::max(magnitude, std::fabs(found));
    }
    // The bound is one.
    EXPECT_GE(result.arrays[of].magnitude, magnitude);
  }
}

/// Few digits, so that steps are exact.
inline void roundInputs(GradientInputs &inputs) {
  for (Array *array : {&inputs.query, &inputs.key, &inputs.value})
    array->fill([view = array->view](ArrayRef<int64_t> index) {
      return std::round(view.load(index) * 64) / 64;
    });
  inputs.problem = inputs.getProblem();
}

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_GRADIENTFIXTURES_H
