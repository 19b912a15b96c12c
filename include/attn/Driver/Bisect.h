//===- Bisect.h - The pass after which results are wrong --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Runs a module as it is after each pass of a pipeline, and names the first
// pass after which its results are no longer right.
//
// What runs the IR is the simulator, and nothing of the pipeline: it knows
// attention by its formula (the oracle's), programs on tiles, and kernels at
// each stage of the GPU level, so IR that it finds wrong is wrong whatever
// passes come later. It does not run what the host's pipeline makes of tile
// programs: linalg, vectors, the LLVM dialect. Of that the end alone is run, by
// the JIT. Where a result is wrong, and passes before it left IR that was not
// run, the guilty one is one of those.
//
// IR that the simulator cannot run, or that takes too long or too much memory,
// is not judged. Kernels whose rings have no slots yet have right results where
// they break a rule of rings: what breaks one once there are slots may be each
// pass since the one that made the rings.
//
// A stage runs in a process of its own, a copy of the calling one. Threads of
// parallelFor may exist, but must be idle: the copy starts its own.
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

/// Largest |x - reference| / (1 + |reference|) where there is no attention op
/// whose accuracy rule says what is right: of arrays of f16 and f32, and of
/// those with one of bf16 among them.
inline constexpr double kBisectTolerance = 4e-3, kBisectBf16Tolerance = 1.6e-2;

/// The time and the memory that the run of one stage may take: a stage that
/// takes more is not judged.
struct BisectLimits {
  double seconds = 30;
  uint64_t bytes = uint64_t(4) << 30;
};

struct BisectOptions {
  std::string entry = "main";
  ExecutionOptions execution;
  SimulatorOptions simulator;
  BisectLimits limits;
  /// In place of the constants above.
  std::optional<double> tolerance;
};

/// Passes that are run one after the other on a module of its own.
struct BisectPipeline {
  /// "host" or a chip's name.
  std::string name;
  std::function<LogicalResult(OpPassManager &)> build;
  /// Whether it ends with code for the host, which the JIT can run.
  bool endsWithHostCode = false;
};

/// What was found of the IR after a pass.
struct BisectStage {
  enum class Verdict {
    Passed,
    Failed,
    /// The pass changed nothing.
    Unchanged,
    /// Nothing runs the IR; `note` says why.
    NotRun
  };
  std::string pipeline;
  /// The IR's level: "L0", "L1", "L2", or "host" below L1.
  std::string level;
  /// The pass's flag, "input" of the module as it is given, or "JIT".
  std::string pass;
  Verdict verdict = Verdict::NotRun;
  /// Whether it failed by a rule of the GPU, and not by its results.
  bool breaksRule = false;
  /// Whether there are rings without slots, whose rules are not judged.
  bool isPartial = false;
  double error = 0, limit = 0;
  std::string note;
};

/// What came of a module.
struct BisectResult {
  /// What results are compared with.
  std::string reference;
  std::vector<BisectStage> stages;
  /// Set if a stage failed: the passes of which one is guilty, in order, and
  /// the IR that was right before them and is wrong after. There are none, and
  /// no IR before, where the module is wrong as it is given.
  bool isGuilty = false;
  std::string pipeline;
  std::vector<std::string> guilty;
  std::string before, after;
  /// The last passes of pipelines after which no stage judged the results and
  /// all rules: a pipeline's name and its passes.
  std::vector<std::pair<std::string, std::vector<std::string>>> unjudged;
};

/// Runs pipelines until one has a guilty pass, and calls `report` with each
/// stage as it is done. An error says what is wrong with the arguments, or that
/// diagnostics have told; a pass that fails is the last stage. The module's
/// context must be without threads.
llvm::Expected<BisectResult>
bisect(ModuleOp module, ArrayRef<BisectPipeline> pipelines,
       const BisectOptions &options,
       llvm::function_ref<void(const BisectStage &)> report);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BISECT_H
