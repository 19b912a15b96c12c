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

/// An attention problem to simulate: the options of its module, the sizes of
/// its arrays, and the options of the simulating runner.
struct SimulatedProblem {
  GenerateOptions generate;
  /// The numbers of rows of query and key, for types in which these are
  /// dynamic.
  int64_t queryLength = 0, kvLength = 0;
  SimulatingRunnerOptions runner;
};

/// A module with one attention op, or one op for its gradients, with the
/// diagnostics about it.
class SimulatedModule {
public:
  explicit SimulatedModule(const SimulatedProblem &problem);

  AttentionInterface getOp();
  /// Lowers the op, simulates its kernels and checks the results by the
  /// accuracy rule. Returns an error message that says how to repeat the
  /// problem, or "".
  std::string run();
  /// Returns the reasons that launches give for their schedules. Requires that
  /// `run` has been called.
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
