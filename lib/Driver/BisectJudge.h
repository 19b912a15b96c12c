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

/// Judges the results of a stage of a bisection (the IR after a pass). Compares
/// them with those of the oracle or, without an oracle, with those of the first
/// stage that ran (the reference).
class BisectJudge {
public:
  /// The elements of all arrays after a run, one array after the other. Inputs
  /// are included, since a program may add to them.
  using Results = std::vector<double>;

  BisectJudge(const EntryPoint &entry, const BisectOptions &options)
      : entry(entry), options(options) {}

  /// Prepares the arguments of the runs, and evaluates the oracle if the entry
  /// is one that it can judge. Fails with diagnostics or a message if the
  /// arguments are wrong.
  llvm::Error begin();
  llvm::Expected<Execution> prepare() const {
    return Execution::prepare(entry, options.execution);
  }
  bool hasOracle() const { return bool(compare); }
  /// Whether there is neither an oracle nor a reference yet, so that the next
  /// results will become the reference.
  bool needsReference() const { return !compare && !reference; }
  void setReference(Results results) { reference = std::move(results); }
  static Results getResults(const Execution &execution);

  /// Sets the verdict of a stage. It is Failed if the run wrote outside of an
  /// array. Otherwise it follows from a comparison of the results with the
  /// oracle's or, without an oracle, with the reference; without either, the
  /// stage passes.
  void judge(const Execution &execution, BisectStage &stage) const;

private:
  LogicalResult beginForward(const AttentionBinding &binding);
  LogicalResult beginBackward(const AttentionBinding &binding);

  const EntryPoint &entry;
  const BisectOptions &options;
  /// The arrays of the inputs, to which the oracle's problem refers.
  std::optional<Execution> arrays;
  std::function<void(const Execution &, BisectStage &)> compare;
  std::optional<Results> reference;
};

/// The following functions run a stage of a bisection in a child process,
/// within the limits of time and memory, and set its verdict. Without an
/// oracle, the results of the first stage that returns some become the
/// reference.

/// Runs a stage of a bisection (the IR after a pass) in the simulator.
void runSimulatedStage(ModuleOp module, BisectJudge &judge,
                       const BisectOptions &options, BisectStage &stage);
/// Compiles a stage of a bisection that is host code in the LLVM dialect by the
/// JIT, and runs it.
void runCompiledStage(ModuleOp module, BisectJudge &judge,
                      const BisectOptions &options, BisectStage &stage);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_BISECTJUDGE_H
