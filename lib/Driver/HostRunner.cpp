//===- HostRunner.cpp - Runs on the host's CPU ----------------------------===//
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
#include "attn/Support/ParallelFor.h"
#include "attn/Target/Chips.h"
#include "attn/Target/Host.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

#include <chrono>
#include <cstring>

using namespace mlir;
using namespace mlir::attn;

namespace {

class HostRunner : public Runner {
public:
  explicit HostRunner(StringRef cpu) : cpu(cpu) {}

  std::string getDescription() const override {
    StringRef name = cpu.empty() ? llvm::sys::getHostCPUName() : StringRef(cpu);
    return ("host, " + name + ", " + Twine(getParallelThreadCount()) +
            " threads")
        .str();
  }
  void buildPipeline(OpPassManager &pm) const override {
    buildAttnToHostPipeline(pm);
  }
  llvm::Error load(ModuleOp lowered, StringRef name) override {
    if (llvm::Error error = HostProgram::create(lowered, cpu).moveInto(program))
      return error;
    return program->lookup(name).moveInto(entry);
  }
  llvm::Error begin(Execution &given) override {
    execution = &given;
    args = execution->getHostArguments();
    return llvm::Error::success();
  }
  llvm::Expected<double> run() override { return runBackToBack(1); }
  llvm::Expected<double> runBackToBack(unsigned count) override {
    auto start = std::chrono::steady_clock::now();
    for (unsigned i = 0; i < count; ++i)
      if (const char *message = entry(args.data()))
        return llvm::createStringError(message + execution->describeSizes());
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    return seconds.count();
  }
  llvm::Error end() override { return llvm::Error::success(); }
  llvm::Expected<SmallVector<double>> measureCopies(unsigned count) override;

private:
  std::string cpu;
  std::unique_ptr<HostProgram> program;
  HostProgram::Entry entry = nullptr;
  Execution *execution = nullptr;
  SmallVector<void *> args;
};

} // namespace

llvm::Expected<SmallVector<double>> HostRunner::measureCopies(unsigned count) {
  // The bandwidth is measured by a copy of memory that is larger than all
  // caches. Each thread copies a part of it. Both the bytes that are read and
  // those that are written count.
  constexpr size_t kBytes = 256 << 20;
  std::vector<char> from(kBytes, 1), to(kBytes, 0);
  size_t parts = getParallelThreadCount();
  size_t part = llvm::divideCeil(kBytes, parts);
  SmallVector<double> rates;
  for (unsigned i = 0; i < count; ++i) {
    auto start = std::chrono::steady_clock::now();
    parallelFor(parts, [&](int64_t p) {
      size_t begin = std::min(p * part, kBytes);
      size_t end = std::min(begin + part, kBytes);
      std::memcpy(to.data() + begin, from.data() + begin, end - begin);
    });
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - start;
    rates.push_back(2.0 * kBytes / seconds.count());
  }
  return rates;
}

llvm::Expected<std::unique_ptr<Runner>>
mlir::attn::createHostRunner(StringRef cpu) {
  // An unknown CPU is reported here, before anything is compiled.
  if (auto machine = createHostTargetMachine(cpu); !machine)
    return machine.takeError();
  if (llvm::Error error = checkHostRuns(cpu))
    return std::move(error);
  return std::make_unique<HostRunner>(cpu);
}

//===----------------------------------------------------------------------===//
// The simulator
//===----------------------------------------------------------------------===//

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
  /// Keeps the function called `name` of the module. The simulator interprets
  /// the module, which must therefore outlive the runs.
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
