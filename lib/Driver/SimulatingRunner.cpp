//===- SimulatingRunner.cpp - Runs on no GPU at all -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Simulator/Simulator.h"
#include "attn/Target/Chips.h"

#include <chrono>

using namespace mlir;
using namespace mlir::attn;

char DiagnosedError::ID = 0;

namespace {

class SimulatingRunner : public Runner {
public:
  explicit SimulatingRunner(const SimulatingRunnerOptions &options)
      : options(options) {}

  std::string getDescription() const override {
    return "simulator, " + options.chip + ", seed " +
           std::to_string(options.seed);
  }
  void buildPipeline(OpPassManager &pm) const override {
    TilePipelineOptions pipeline;
    pipeline.chip = options.chip;
    pipeline.access = options.access;
    if (!options.isLowered)
      buildAttnToGPUPipeline(pm, pipeline);
  }
  /// The module is run as it is, and has to live as long.
  llvm::Error load(ModuleOp lowered, StringRef name) override {
    entry = lowered.lookupSymbol<func::FuncOp>(name);
    if (!entry)
      return llvm::createStringError("expected a function '@" + name + "'");
    return llvm::Error::success();
  }
  llvm::Error begin(Execution &given) override;
  llvm::Expected<double> run() override { return runBackToBack(1); }
  llvm::Expected<double> runBackToBack(unsigned count) override;
  llvm::Error end() override { return llvm::Error::success(); }
  llvm::Expected<SmallVector<double>> measureCopies(unsigned) override {
    return llvm::createStringError("the simulator has no memory to measure");
  }

private:
  SimulatingRunnerOptions options;
  func::FuncOp entry;
  Execution *execution = nullptr;
  SmallVector<SimulatorArgument> arguments;
};

} // namespace

SmallVector<SimulatorArgument>
mlir::attn::getSimulatorArguments(const Execution &execution) {
  SmallVector<SimulatorArgument> arguments;
  for (const Execution::Parameter &parameter : execution.getParameters()) {
    SimulatorArgument argument;
    argument.name = parameter.name;
    argument.isOutput = parameter.role == EntryParameter::Role::Output;
    if (parameter.buffer)
      argument.value = parameter.buffer->view();
    else if (parameter.scalar->isFloat)
      argument.value = parameter.scalar->f;
    else
      argument.value = parameter.scalar->i;
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

llvm::Error SimulatingRunner::begin(Execution &given) {
  execution = &given;
  arguments = getSimulatorArguments(given);
  return llvm::Error::success();
}

llvm::Expected<double> SimulatingRunner::runBackToBack(unsigned count) {
  auto start = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < count; ++i) {
    SimulatorOptions simulation;
    simulation.seed = options.seed;
    simulation.numSms = options.numSms;
    FailureOr<SimulatorResult> result = simulate(entry, arguments, simulation);
    if (failed(result))
      return llvm::make_error<DiagnosedError>();
    if (!result->failedCheck.empty())
      return llvm::createStringError(result->failedCheck +
                                     execution->describeSizes());
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  return seconds.count();
}

llvm::Expected<std::unique_ptr<Runner>>
mlir::attn::createSimulatingRunner(const SimulatingRunnerOptions &options) {
  if (llvm::Expected<Chip> chip = findChip(options.chip); !chip)
    return chip.takeError();
  if (options.numSms < 1)
    return llvm::createStringError("expected at least 1 SM, found " +
                                   std::to_string(options.numSms));
  return std::make_unique<SimulatingRunner>(options);
}
