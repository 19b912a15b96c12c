//===- Runner.h - Machines that run a compiled entry ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_RUNNER_H
#define ATTN_DRIVER_RUNNER_H

#include "attn/Driver/Execution.h"

#include "mlir/Pass/PassManager.h"

#include <memory>
#include <string>

namespace mlir::attn {

/// A machine that runs compiled entries: the host's CPU, a GPU, or the
/// simulator. It has at most one loaded entry and one execution at a time.
class Runner {
public:
  virtual ~Runner() = default;

  /// Returns for example "host, znver4, 2 threads" or "cuda, NVIDIA H200,
  /// sm_90a".
  virtual std::string getDescription() const = 0;

  /// Adds the passes that load() expects to have run on the module.
  virtual void buildPipeline(OpPassManager &pm) const = 0;

  /// Compiles function `entry` of a lowered module. Unloads the entry that was
  /// loaded before.
  virtual llvm::Error load(ModuleOp lowered, StringRef entry) = 0;

  /// Makes the following runs use the arrays of `execution`, which must outlive
  /// them.
  virtual llvm::Error begin(Execution &execution) = 0;

  /// Calls the entry once and waits for its end. Returns the time in seconds.
  /// An error has the message of a run-time check or of the machine.
  virtual llvm::Expected<double> run() = 0;

  /// Calls the entry `count` times without a pause, so that caches are warm.
  /// Returns the time of all calls in seconds.
  virtual llvm::Expected<double> runBackToBack(unsigned count) = 0;

  /// Copies all arrays, with their margins, back to the memory of the
  /// execution.
  virtual llvm::Error end() = 0;

  /// Measures the bandwidth of memory by `count` copies. Returns, for each of
  /// them, the bytes read and written per second.
  virtual llvm::Expected<SmallVector<double>> measureCopies(unsigned count) = 0;
};

/// Creates a runner on this machine's CPU. `cpu` is LLVM's name of the CPU to
/// compile for; if it is empty, this machine's.
llvm::Expected<std::unique_ptr<Runner>> createHostRunner(StringRef cpu);

struct CudaRunnerOptions {
  /// The chip to compile for; if empty, the GPU's.
  std::string chip;
  /// The option of attn-gpu-multiversion.
  std::string access = "auto";
  /// The path of the file to which line tables refer; empty for no line tables.
  std::string lineinfo;
  /// The path of the driver's library; if empty, the system's.
  std::string driver;
  /// If not 0, so many bytes of other memory are written before each run, so
  /// that the caches are cold. The measured time then excludes the host's part
  /// of the launch.
  uint64_t bytesBeforeRun = 0;
};

/// The value of `bytesBeforeRun` for timed runs: several times the size of the
/// GPU's caches.
inline constexpr uint64_t kBytesBeforeTimedRun = 256 << 20;

/// Creates a runner on the first GPU. An error says what this machine lacks.
llvm::Expected<std::unique_ptr<Runner>>
createCudaRunner(const CudaRunnerOptions &options);

/// An error whose cause diagnostics at ops have already reported.
class DiagnosedError : public llvm::ErrorInfo<DiagnosedError> {
public:
  static char ID;
  void log(raw_ostream &os) const override { os << "see the error above"; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

struct SimulatingRunnerOptions {
  std::string chip = "sm_90a";
  /// The option of attn-gpu-multiversion.
  std::string access = "auto";
  /// The seed of the order in which agents run, and the number of simulated
  /// SMs; see SimulatorOptions.
  uint64_t seed = 1;
  int64_t numSms = 3;
  /// Whether load() gets modules that are already in the form after
  /// attn-to-gpu.
  bool isLowered = false;
};

/// Creates a runner that simulates the GPU level on the host and checks its
/// synchronisation. Fails if the chip is unknown.
llvm::Expected<std::unique_ptr<Runner>>
createSimulatingRunner(const SimulatingRunnerOptions &options);

} // namespace mlir::attn

#endif // ATTN_DRIVER_RUNNER_H
