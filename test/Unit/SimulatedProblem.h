//===- SimulatedProblem.h - Attention on no GPU -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_SIMULATEDPROBLEM_H
#define ATTN_TEST_UNIT_SIMULATEDPROBLEM_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Driver/Generate.h"
#include "attn/Driver/Runner.h"

#include "mlir/IR/OwningOpRef.h"

namespace mlir::attn {

/// An attention problem with the sizes of its arrays, and what simulates it.
struct SimulatedProblem {
  GenerateOptions generate;
  /// The lengths of arrays whose types have dynamic lengths.
  int64_t queryLength = 0, kvLength = 0;
  SimulatingRunnerOptions runner;
};

/// A module with one attention op, or one op for its gradients. Keeps the
/// diagnostics.
class SimulatedModule {
public:
  explicit SimulatedModule(const SimulatedProblem &problem);

  AttentionInterface getOp();
  /// Lowers the op, simulates it and applies the accuracy rule. Returns an
  /// error message and how to repeat it, or "".
  std::string run();
  /// The reasons that launches give for their schedules, after `run`.
  SmallVector<std::string> getReasons();

  MLIRContext &getContext() { return context; }

private:
  llvm::Error tryRun();
  std::string describe();

  SimulatedProblem problem;
  MLIRContext context;
  std::string diagnostics;
  OwningOpRef<ModuleOp> module, lowered;
};

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_SIMULATEDPROBLEM_H
