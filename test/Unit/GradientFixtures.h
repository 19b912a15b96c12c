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

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_GRADIENTFIXTURES_H
