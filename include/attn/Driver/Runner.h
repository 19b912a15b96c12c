//===- Runner.h - What runs a compiled entry --------------------*- C++ -*-===//
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

/// A machine for compiled entries: the host's CPU or a GPU. One entry and one
/// execution at a time.
class Runner {
public:
  virtual ~Runner() = default;

  /// "host, znver4, 2 threads" or "cuda, NVIDIA H200, sm_90a".
  virtual std::string getDescription() const = 0;

  /// The passes that `load` expects to have run.
  virtual void buildPipeline(OpPassManager &pm) const = 0;

  /// Compiles function `entry` of a lowered module. What a runner loaded before
  /// is gone.
  virtual llvm::Error load(ModuleOp lowered, StringRef entry) = 0;

  /// Makes the arrays of `execution`, which must outlive the runs, those of the
  /// runs that follow.
  virtual llvm::Error begin(Execution &execution) = 0;

  /// Calls the entry once and waits for its end; returns how long it took, in
  /// seconds. An error is the message of a run-time check or of the machine.
  virtual llvm::Expected<double> run() = 0;

  /// Calls the entry `count` times, each right after the other and with what
  /// the one before left in the caches; returns how long all took, in seconds.
  virtual llvm::Expected<double> runBackToBack(unsigned count) = 0;

  /// Brings all arrays, with their margins, back to the execution's memory.
  virtual llvm::Error end() = 0;

  /// Copies from memory to memory `count` times; returns for each how many
  /// bytes were read and written a second.
  virtual llvm::Expected<SmallVector<double>> measureCopies(unsigned count) = 0;
};

/// Runs on this machine's CPU, with code for `cpu` as LLVM names it; empty is
/// this machine's own.
llvm::Expected<std::unique_ptr<Runner>> createHostRunner(StringRef cpu);

struct CudaRunnerOptions {
  /// The chip to compile for; empty is the GPU's own.
  std::string chip;
  /// As attn-gpu-multiversion takes it.
  std::string access = "auto";
  /// Where to write what line tables point at; empty is for none.
  std::string lineinfo;
  /// The driver's library; empty is the system's.
  std::string driver;
  /// Writes to as much other memory before each run: the caches are cold then,
  /// and the run's time is without that of the host's part of the launch.
  uint64_t bytesBeforeRun = 0;
};

/// `bytesBeforeRun` for timed runs: several times what the caches hold.
inline constexpr uint64_t kBytesBeforeTimedRun = 256 << 20;

/// Runs on the first GPU. An error says what this machine lacks.
llvm::Expected<std::unique_ptr<Runner>>
createCudaRunner(const CudaRunnerOptions &options);

/// A failure that diagnostics at ops have told of.
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
  /// As attn-gpu-multiversion takes it.
  std::string access = "auto";
  /// Of the order in which agents run, and the SMs; see SimulatorOptions.
  uint64_t seed = 1;
  int64_t numSms = 3;
  /// Whether modules are given as attn-to-gpu leaves them.
  bool isLowered = false;
};

/// Runs programs of the GPU level on the host, and checks their order. An error
/// says that the chip is unknown.
llvm::Expected<std::unique_ptr<Runner>>
createSimulatingRunner(const SimulatingRunnerOptions &options);

} // namespace mlir::attn

#endif // ATTN_DRIVER_RUNNER_H
