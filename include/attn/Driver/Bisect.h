//===- Bisect.h - The pass after which results are wrong --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a module after each pass of a pipeline, and names the first pass after
// which its results are no longer right.
//
// The simulator runs the IR. It shares no code with the pipeline, so its
// results after a pass do not depend on later passes. It runs attention by its
// formula (the oracle), programs on tiles, and kernels at each stage of the GPU
// level. It does not run the IR that the host's pipeline makes of tile programs
// (linalg, vectors, the LLVM dialect). Of that pipeline only the final code is
// run, by the JIT. If a result is wrong, the passes that are named are all
// those since the last IR that was run and was right.
//
// IR that the simulator cannot run, or that takes too much time or memory, is
// not judged. As long as the slots of rings have no numbers, kernels give right
// results even if they break a rule of rings. If a rule is found broken after
// slots were numbered, the wrong pass may therefore be any since the one that
// made the rings.
//
// Each stage runs in a child process, a fork of the calling one. When a stage
// begins, threads of parallelFor may exist, but must be idle. The child process
// starts threads of its own.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_BISECT_H
#define ATTN_DRIVER_BISECT_H

#include "attn/Driver/Execution.h"
#include "attn/Simulator/Simulator.h"

#include "mlir/Pass/PassManager.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::attn {

/// The largest error |x - reference| / (1 + |reference|) that is accepted if no
/// attention op in the module has an accuracy rule. kBisectBf16Tolerance is the
/// limit if an array is of bf16, and kBisectTolerance otherwise.
inline constexpr double kBisectTolerance = 4e-3, kBisectBf16Tolerance = 1.6e-2;

/// Limits of the time and of the memory for the run of one stage. A stage that
/// exceeds a limit is not judged.
struct BisectLimits {
  double seconds = 30;
  uint64_t bytes = uint64_t(4) << 30;
};

struct BisectOptions {
  std::string entry = "main";
  ExecutionOptions execution;
  SimulatorOptions simulator;
  BisectLimits limits;
  /// A limit of the error that replaces both kBisectTolerance and
  /// kBisectBf16Tolerance.
  std::optional<double> tolerance;
};

/// A pipeline of passes. It is run on a clone of the module.
struct BisectPipeline {
  /// The target of the pipeline: "host", or the name of a chip.
  std::string name;
  std::function<LogicalResult(OpPassManager &)> build;
  /// Whether the pipeline ends with host code that the JIT can run.
  bool endsWithHostCode = false;
};

/// The outcome of a stage: of the check of the IR after one pass.
struct BisectStage {
  enum class Verdict {
    Passed,
    Failed,
    /// The pass did not change the IR, so the IR was not run again.
    Unchanged,
    /// The IR was not run, for a reason that `note` states.
    NotRun
  };
  std::string pipeline;
  /// The level of the IR: "L0", "L1", "L2", or "host" for the levels below L1
  /// on the host.
  std::string level;
  /// The name of the pass as a command-line flag. It is "input" for the module
  /// before all passes, and "JIT" for the final host code.
  std::string pass;
  Verdict verdict = Verdict::NotRun;
  /// Whether the stage failed because the IR broke a rule of the GPU, rather
  /// than because of wrong results.
  bool breaksRule = false;
  /// Whether the IR has rings whose slots have no numbers yet. Rules of rings
  /// cannot be judged then.
  bool isPartial = false;
  double error = 0, limit = 0;
  std::string note;
};

/// The result of a bisection.
struct BisectResult {
  /// A description of the reference results with which the results of stages
  /// are compared.
  std::string reference;
  std::vector<BisectStage> stages;
  /// Whether a stage failed. If so, one of the passes `guilty`, which are in
  /// their order, is wrong. `before` is the last IR that was right, before
  /// these passes, and `after` the IR after them. If the module is wrong before
  /// all passes, `guilty` and `before` are empty.
  bool isGuilty = false;
  std::string pipeline;
  std::vector<std::string> guilty;
  std::string before, after;
  /// For each pipeline, its name and those passes at its end after which no
  /// stage could be judged by both its results and all rules.
  std::vector<std::pair<std::string, std::vector<std::string>>> unjudged;
};

/// Runs the module after each pass of the pipelines, until its results are
/// wrong or it breaks a rule of the GPU. Calls `report` for each stage when the
/// stage is done. Returns an error if the arguments are wrong, or a
/// DiagnosedError if diagnostics were emitted, as by a pass that fails. The
/// module's context must be single-threaded.
llvm::Expected<BisectResult>
bisect(ModuleOp module, ArrayRef<BisectPipeline> pipelines,
       const BisectOptions &options,
       llvm::function_ref<void(const BisectStage &)> report);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BISECT_H
