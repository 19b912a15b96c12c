//===- BisectRun.cpp - Runs a stage of a bisection ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectJudge.h"
#include "ChildProcess.h"

#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"

#include "llvm/Support/Format.h"

#include <cstring>

using namespace mlir;
using namespace mlir::attn;
using Verdict = BisectStage::Verdict;
using Results = BisectJudge::Results;

//===----------------------------------------------------------------------===//
// In the child process
//===----------------------------------------------------------------------===//

namespace {

/// What the child tells of a stage, before its note and its results.
struct Header {
  Verdict verdict;
  bool breaksRule;
  double error, limit;
  uint64_t noteSize, numResults;
};

} // namespace

static std::string pack(const BisectStage &stage, const Results &results) {
  Header header = {};
  header.verdict = stage.verdict;
  header.breaksRule = stage.breaksRule;
  header.error = stage.error;
  header.limit = stage.limit;
  header.noteSize = stage.note.size();
  header.numResults = results.size();
  std::string text(reinterpret_cast<const char *>(&header), sizeof(header));
  text += stage.note;
  text.append(reinterpret_cast<const char *>(results.data()),
              results.size() * sizeof(double));
  return text;
}

static bool unpack(StringRef text, BisectStage &stage, Results &results) {
  Header header;
  if (text.size() < sizeof(header))
    return false;
  std::memcpy(&header, text.data(), sizeof(header));
  text = text.drop_front(sizeof(header));
  if (text.size() != header.noteSize + header.numResults * sizeof(double))
    return false;
  stage.verdict = header.verdict;
  stage.breaksRule = header.breaksRule;
  stage.error = header.error;
  stage.limit = header.limit;
  stage.note = text.take_front(header.noteSize).str();
  text = text.drop_front(header.noteSize);
  results.resize(header.numResults);
  std::memcpy(results.data(), text.data(), text.size());
  return true;
}

/// Diagnostics of the run become the stage's note. False if there is nothing to
/// judge.
static bool simulateStage(func::FuncOp func, const BisectOptions &options,
                          Execution &execution, BisectStage &stage) {
  SimulatorOptions simulator = options.simulator;
  simulator.returnsRefusals = true;
  std::string message;
  ScopedDiagnosticHandler handler(
      func.getContext(), [&](Diagnostic &diagnostic) {
        if (message.empty())
          llvm::raw_string_ostream(message)
              << diagnostic.getLocation() << ": " << diagnostic;
        return success();
      });
  FailureOr<SimulatorResult> simulated =
      simulate(func, getSimulatorArguments(execution), simulator);
  if (failed(simulated)) {
    stage.verdict = Verdict::Failed;
    stage.breaksRule = true;
    stage.note = message;
    return false;
  }
  stage.note = simulated->refusal;
  // What the program does not take is no fault of a pass.
  if (!simulated->failedCheck.empty())
    stage.note = "the program refuses its arguments: " + simulated->failedCheck;
  return stage.note.empty();
}

/// The same of code for the host.
static bool runCode(ModuleOp module, const BisectOptions &options,
                    Execution &execution, BisectStage &stage) {
  auto runner = createHostRunner("");
  llvm::Error error =
      runner ? (*runner)->load(module, options.entry) : runner.takeError();
  if (!error)
    error = (*runner)->begin(execution);
  if (!error)
    error = (*runner)->run().takeError();
  if (!error)
    return true;
  stage.note = llvm::toString(std::move(error));
  return false;
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

/// `run` returns whether there are results to judge.
static void runBounded(BisectJudge &judge, const BisectLimits &limits,
                       BisectStage &stage, StringRef what, bool crashIsFailure,
                       llvm::function_ref<bool(Execution &)> run) {
  llvm::Expected<Execution> execution = judge.prepare();
  if (!execution) {
    stage.note = llvm::toString(execution.takeError());
    return;
  }
  auto runChild = [&]() -> std::string {
    Results results;
    if (run(*execution)) {
      judge.judge(*execution, stage);
      if (judge.needsReference())
        results = BisectJudge::getResults(*execution);
    }
    return pack(stage, results);
  };
  llvm::Expected<ChildRun> child = runInChild(runChild, limits);
  if (!child) {
    stage.note = llvm::toString(child.takeError());
    return;
  }
  llvm::raw_string_ostream note(stage.note);
  switch (child->end) {
  case ChildRun::End::Returned: {
    Results results;
    if (!unpack(child->output, stage, results))
      note << what << " ended early";
    else if (!results.empty())
      judge.setReference(std::move(results));
    return;
  }
  case ChildRun::End::OutOfTime:
    note << llvm::format("%s takes more than %g seconds", what.str().c_str(),
                         limits.seconds);
    return;
  case ChildRun::End::OutOfMemory:
    note << what << " takes more than " << (limits.bytes >> 20)
         << " MiB of memory";
    return;
  case ChildRun::End::Crashed:
    note << what << " ended with signal " << child->signal;
    if (crashIsFailure)
      stage.verdict = Verdict::Failed;
    return;
  }
}

void mlir::attn::runSimulatedStage(ModuleOp module, BisectJudge &judge,
                                   const BisectOptions &options,
                                   BisectStage &stage) {
  auto func = module.lookupSymbol<func::FuncOp>(options.entry);
  if (!func) {
    stage.note = "no function on buffers";
    return;
  }
  runBounded(judge, options.limits, stage, "the simulator",
             /*crashIsFailure=*/false, [&](Execution &execution) {
               return simulateStage(func, options, execution, stage);
             });
}

void mlir::attn::runCompiledStage(ModuleOp module, BisectJudge &judge,
                                  const BisectOptions &options,
                                  BisectStage &stage) {
  runBounded(judge, options.limits, stage, "the code",
             /*crashIsFailure=*/true, [&](Execution &execution) {
               return runCode(module, options, execution, stage);
             });
}
