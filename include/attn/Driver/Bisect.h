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
// The simulator runs the IR. It shares no code with the pipeline, so what it
// finds after a pass does not depend on later passes: it runs attention by its
// formula (the oracle), programs on tiles, and kernels at each stage of the GPU
// level. It does not run the IR that the host's pipeline makes of tile programs
// (linalg, vectors, the LLVM dialect); of that pipeline, only the final code is
// run, by the JIT. If a result is wrong, all passes since the last IR that was
// run and right are named.
//
// IR that the simulator cannot run, or that takes too long or too much memory,
// is not judged. Kernels whose rings have no slot numbers yet give right
// results even if they break a rule of rings. So if a rule is broken after
// slots were numbered, any pass since the one that made the rings may be wrong.
//
// Each stage runs in a child process, a fork of the calling one. Threads of
// parallelFor may exist then, but must be idle; the child starts its own.
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
/// attention op in the module has an accuracy rule: the second one if an array
/// is of bf16, else the first.
inline constexpr double kBisectTolerance = 4e-3, kBisectBf16Tolerance = 1.6e-2;

/// Limits of the time and the memory of the run of one stage. A stage that
/// exceeds them is not judged.
struct BisectLimits {
  double seconds = 30;
  uint64_t bytes = uint64_t(4) << 30;
};

struct BisectOptions {
  std::string entry = "main";
  ExecutionOptions execution;
  SimulatorOptions simulator;
  BisectLimits limits;
  /// Replaces the two constants above.
  std::optional<double> tolerance;
};

/// A pipeline of passes, which is run on a clone of the module.
struct BisectPipeline {
  /// "host", or the name of a chip.
  std::string name;
  std::function<LogicalResult(OpPassManager &)> build;
  /// Whether the pipeline ends with host code that the JIT can run.
  bool endsWithHostCode = false;
};

/// The result of the check of the IR after one pass.
struct BisectStage {
  enum class Verdict {
    Passed,
    Failed,
    /// The pass did not change the IR.
    Unchanged,
    /// The IR was not run; `note` says why.
    NotRun
  };
  std::string pipeline;
  /// The IR's level: "L0", "L1", "L2", or "host" below L1.
  std::string level;
  /// The pass's flag, "input" for the module before all passes, or "JIT".
  std::string pass;
  Verdict verdict = Verdict::NotRun;
  /// Whether the stage failed because it broke a rule of the GPU, and not by
  /// wrong results.
  bool breaksRule = false;
  /// Whether the IR has rings without slot numbers, so that the rules of rings
  /// cannot be judged.
  bool isPartial = false;
  double error = 0, limit = 0;
  std::string note;
};

/// The result of a bisection.
struct BisectResult {
  /// The description of the reference with which results are compared.
  std::string reference;
  std::vector<BisectStage> stages;
  /// Whether a stage failed. If so, `guilty` are the passes, in order, of which
  /// one is wrong, `before` is the IR before them, which was right, and `after`
  /// the IR after them. If the module itself is wrong, `guilty` and `before`
  /// are empty.
  bool isGuilty = false;
  std::string pipeline;
  std::vector<std::string> guilty;
  std::string before, after;
  /// For each pipeline, its name and the passes at its end after which no stage
  /// could be judged by both results and all rules.
  std::vector<std::pair<std::string, std::vector<std::string>>> unjudged;
};

/// Runs pipelines until the IR after a pass gives wrong results or breaks a
/// rule of the GPU, and calls `report` with each stage when it is done. Returns
/// an error if the arguments are wrong, and a DiagnosedError if diagnostics
/// were emitted, as by a pass that fails. The module's context must be
/// single-threaded.
llvm::Expected<BisectResult>
bisect(ModuleOp module, ArrayRef<BisectPipeline> pipelines,
       const BisectOptions &options,
       llvm::function_ref<void(const BisectStage &)> report);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BISECT_H
