//===- HostRunner.cpp - Runs on the host's CPU ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Runner.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Support/ParallelFor.h"
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
    auto created = HostProgram::create(lowered, cpu);
    if (!created)
      return created.takeError();
    program = std::move(*created);
    auto found = program->lookup(name);
    if (!found)
      return found.takeError();
    entry = *found;
    return llvm::Error::success();
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
  // More than the caches hold, a part for each thread.
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
  // An unknown CPU is better reported before anything is compiled.
  if (auto machine = createHostTargetMachine(cpu); !machine)
    return machine.takeError();
  if (llvm::Error error = checkHostRuns(cpu))
    return std::move(error);
  return std::make_unique<HostRunner>(cpu);
}
