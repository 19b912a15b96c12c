//===- BisectJudge.h - Checks of a stage's results --------------*- C++ -*-===//
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

/// Compares the results of a stage with the oracle's or, without an oracle,
/// with those of the first stage that ran.
class BisectJudge {
public:
  /// The elements of all arrays, one array after the other. Inputs are
  /// included, since a program may add to them.
  using Results = std::vector<double>;

  BisectJudge(const EntryPoint &entry, const BisectOptions &options)
      : entry(entry), options(options) {}

  /// Prepares the arguments and evaluates the oracle. Fails with diagnostics or
  /// a message if the arguments are wrong.
  llvm::Error begin();
  llvm::Expected<Execution> prepare() const {
    return Execution::prepare(entry, options.execution);
  }
  bool hasOracle() const { return bool(compare); }
  /// Whether there is neither an oracle nor a reference yet, so that the next
  /// results become the reference.
  bool needsReference() const { return !compare && !reference; }
  void setReference(Results results) { reference = std::move(results); }
  static Results getResults(const Execution &execution);

  /// Sets the stage's verdict. It is Failed if the run wrote outside of an
  /// array; otherwise compares the results with the oracle's or, without an
  /// oracle, with the reference. Without either, the stage passes.
  void judge(const Execution &execution, BisectStage &stage) const;

private:
  LogicalResult beginForward(const AttentionBinding &binding);
  LogicalResult beginBackward(const AttentionBinding &binding);

  const EntryPoint &entry;
  const BisectOptions &options;
  /// The arrays to which the oracle's problem refers.
  std::optional<Execution> arrays;
  std::function<void(const Execution &, BisectStage &)> compare;
  std::optional<Results> reference;
};

/// The following functions run a stage in a child process within the limits and
/// set its verdict. Without an oracle, the first results become the reference.

/// Runs the stage in the simulator.
void runSimulatedStage(ModuleOp module, BisectJudge &judge,
                       const BisectOptions &options, BisectStage &stage);
/// Compiles host code in the LLVM dialect by the JIT and runs it.
void runCompiledStage(ModuleOp module, BisectJudge &judge,
                      const BisectOptions &options, BisectStage &stage);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_BISECTJUDGE_H
