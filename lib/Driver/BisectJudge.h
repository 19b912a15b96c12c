//===- BisectJudge.h - Whether a stage's results are right ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_BISECTJUDGE_H
#define ATTN_LIB_DRIVER_BISECTJUDGE_H

#include "attn/Driver/Bisect.h"

namespace mlir::attn {

/// Compares results with the oracle's, or with those of the first stage that
/// ran.
class BisectJudge {
public:
  /// The elements of all arrays, one array after the other: programs may add to
  /// what they are given.
  using Results = std::vector<double>;

  BisectJudge(const EntryPoint &entry, const BisectOptions &options)
      : entry(entry), options(options) {}

  /// Evaluates the oracle. Fails with diagnostics, or with a message, where the
  /// arguments are wrong.
  llvm::Error begin();
  llvm::Expected<Execution> prepare() const {
    return Execution::prepare(entry, options.execution);
  }
  bool hasOracle() const { return bool(compare); }
  /// Whether the next results are what others are compared with.
  bool needsReference() const { return !compare && !reference; }
  void setReference(Results results) { reference = std::move(results); }
  static Results getResults(const Execution &execution);

  /// Sets the stage's verdict.
  void judge(const Execution &execution, BisectStage &stage) const;

private:
  LogicalResult beginForward(const AttentionBinding &binding);
  LogicalResult beginBackward(const AttentionBinding &binding);

  const EntryPoint &entry;
  const BisectOptions &options;
  /// The arrays that the oracle's problem points to.
  std::optional<Execution> arrays;
  std::function<void(const Execution &, BisectStage &)> compare;
  std::optional<Results> reference;
};

/// Each runs a stage in a process of its own, within the limits, and sets its
/// verdict. The first results become the reference where there is no oracle.

/// By the simulator.
void runSimulatedStage(ModuleOp module, BisectJudge &judge,
                       const BisectOptions &options, BisectStage &stage);
/// The LLVM dialect for the host, by the JIT.
void runCompiledStage(ModuleOp module, BisectJudge &judge,
                      const BisectOptions &options, BisectStage &stage);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_BISECTJUDGE_H
