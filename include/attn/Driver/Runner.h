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

/// A machine that runs compiled entry functions: the host's CPU, a GPU, or the
/// simulator. It has at most one loaded entry and one execution at a time.
class Runner {
public:
  virtual ~Runner() = default;

  /// Returns a description of the machine, for example "host, znver4, 2
  /// threads" or "cuda, NVIDIA H200, sm_90a".
  virtual std::string getDescription() const = 0;

  /// Adds to a pass manager the passes that must have run on a module before
  /// load() gets it.
  virtual void buildPipeline(OpPassManager &pm) const = 0;

  /// Compiles the function `entry` of a lowered module, and loads it. The entry
  /// that was loaded before is unloaded.
  virtual llvm::Error load(ModuleOp lowered, StringRef entry) = 0;

  /// Makes the following runs use the arrays of `execution`, which must exist
  /// until end() is called.
  virtual llvm::Error begin(Execution &execution) = 0;

  /// Calls the entry once and waits for its end. Returns the time in seconds.
  /// If the run fails, the returned error has the message of a run-time check
  /// or of the machine.
  virtual llvm::Expected<double> run() = 0;

  /// Calls the entry `count` times without a pause, so that the caches are
  /// warm. Returns the total time of all calls in seconds.
  virtual llvm::Expected<double> runBackToBack(unsigned count) = 0;

  /// Copies all arrays, with their margins, from the machine back to the memory
  /// of the execution.
  virtual llvm::Error end() = 0;

  /// Measures the memory bandwidth by `count` copies. Returns, for each copy,
  /// the sum of the bytes read and the bytes written, divided by the seconds
  /// that it took.
  virtual llvm::Expected<SmallVector<double>> measureCopies(unsigned count) = 0;
};

/// Creates a runner on this machine's CPU. `cpu` is LLVM's name of the CPU for
/// which code is compiled; if it is empty, that is this machine's CPU.
llvm::Expected<std::unique_ptr<Runner>> createHostRunner(StringRef cpu);

struct CudaRunnerOptions {
  /// The chip for which code is compiled. If it is empty, that is the chip of
  /// the machine's first GPU.
  std::string chip;
  /// The option `access` of the pass attn-gpu-multiversion: the access class of
  /// all attention ops (narrow, async16 or tma), or auto.
  std::string access = "auto";
  /// The path of the file to which line tables refer. If it is empty, there are
  /// no line tables.
  std::string lineinfo;
  /// The path of the CUDA driver's library. If it is empty, the system's
  /// library is used.
  std::string driver;
  /// The number of bytes of other memory that are written before each run, so
  /// that the caches are cold. If it is not 0, the measured time excludes the
  /// host's part of the launch. If it is 0, nothing is written.
  uint64_t bytesBeforeRun = 0;
};

/// The value of `bytesBeforeRun` for timed runs. It is several times the size
/// of a GPU's caches.
inline constexpr uint64_t kBytesBeforeTimedRun = 256 << 20;

/// Creates a runner on the first GPU. If it fails, the returned error says what
/// this machine lacks.
llvm::Expected<std::unique_ptr<Runner>>
createCudaRunner(const CudaRunnerOptions &options);

/// An error whose cause has been reported by diagnostics at ops before.
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
  /// The option `access` of the pass attn-gpu-multiversion: the access class of
  /// all attention ops (narrow, async16 or tma), or auto.
  std::string access = "auto";
  /// The seed that determines the order in which agents run, and the number of
  /// simulated SMs (see SimulatorOptions).
  uint64_t seed = 1;
  int64_t numSms = 3;
  /// Whether the modules that load() gets have been lowered by attn-to-gpu
  /// already.
  bool isLowered = false;
};

/// Creates a runner that simulates the GPU level on the host, and checks the
/// synchronisation of kernels. Fails if the chip is unknown.
llvm::Expected<std::unique_ptr<Runner>>
createSimulatingRunner(const SimulatingRunnerOptions &options);

} // namespace mlir::attn

#endif // ATTN_DRIVER_RUNNER_H
