//===- Bisect.cpp - The pass after which results are wrong ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Bisect.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"
#include "attn/Oracle/Accuracy.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using Verdict = BisectStage::Verdict;

namespace {

/// The elements of all arrays: programs may add to what they are given.
using Results = std::vector<std::vector<double>>;

Results getResults(const Execution &execution) {
  Results results;
  for (const Execution::Parameter &parameter : execution.getParameters()) {
    results.emplace_back();
    if (!parameter.buffer)
      continue;
    const ArrayView &array = parameter.buffer->view();
    IndexWalk walk(array.sizes, array.strides);
    for (int64_t i = 0, e = array.getNumElements(); i < e; ++i, walk.advance())
      results.back().push_back(
          loadElement(array.data, array.dtype, walk.getOffset()));
  }
  return results;
}

/// Infinity where one alone is NaN, or infinite.
double getError(const Results &reference, const Results &found) {
  double error = 0;
  for (auto [expected, own] : llvm::zip(reference, found))
    for (auto [e, f] : llvm::zip(expected, own)) {
      if (e == f || (std::isnan(e) && std::isnan(f)))
        continue;
      double difference = std::fabs(e - f) / (1 + std::fabs(e));
      error = std::max(error, std::isnan(difference) ? INFINITY : difference);
    }
  return error;
}

/// Says whether results are right.
class Judge {
public:
  Judge(const EntryPoint &entry, const BisectOptions &options)
      : entry(entry), options(options) {}

  /// Fails with diagnostics, or with a message, where the arguments are wrong.
  llvm::Error begin();
  void judge(const Execution &execution, BisectStage &stage);
  llvm::Expected<Execution> prepare() const {
    return Execution::prepare(entry, options.execution);
  }
  bool hasOracle() const { return problem != nullptr; }

private:
  const EntryPoint &entry;
  const BisectOptions &options;
  /// The arrays that the problem points to.
  std::optional<Execution> arrays;
  std::unique_ptr<BuiltProblem> problem;
  AttentionResult exact, low;
  std::optional<Results> reference;
};

llvm::Error Judge::begin() {
  llvm::Expected<Execution> execution = prepare();
  if (!execution)
    return execution.takeError();
  arrays = std::move(*execution);
  if (entry.attentions.size() != 1)
    return llvm::Error::success();
  AttentionBinding binding = entry.attentions.front();
  bool hasArrays = llvm::all_of(
      binding.positions, [](const auto &array) { return array.second >= 0; });
  if (!isa<AttentionOp>(binding.op.getOperation()) || !hasArrays)
    return llvm::Error::success();
  auto built = buildProblem(binding.op, arrays->getBindings());
  if (failed(built))
    return llvm::make_error<DiagnosedError>();
  problem = std::move(*built);
  exact = evaluate(problem->problem, Precision::Double);
  low = evaluate(problem->problem, getReferencePrecision(problem->problem));
  return llvm::Error::success();
}

void Judge::judge(const Execution &execution, BisectStage &stage) {
  if (llvm::Error error = execution.checkMargins()) {
    stage.verdict = Verdict::Failed;
    stage.note = llvm::toString(std::move(error));
    return;
  }
  if (problem) {
    const AttentionBinding &binding = entry.attentions.front();
    int lse = binding.getPosition("lse");
    AccuracyReport report =
        checkAccuracy(problem->problem, exact, low,
                      execution.getArray(binding.getPosition("output")),
                      lse < 0 ? nullptr : &execution.getArray(lse));
    stage.error = report.maxError;
    stage.limit = report.errorLimit;
    stage.verdict = report.passed ? Verdict::Passed : Verdict::Failed;
    if (!report.passed)
      stage.note = report.firstFailure;
    return;
  }
  Results found = getResults(execution);
  if (!reference)
    reference = found;
  stage.error = getError(*reference, found);
  stage.limit = options.tolerance;
  stage.verdict =
      stage.error <= stage.limit ? Verdict::Passed : Verdict::Failed;
}

/// Runs the stages of one pipeline.
class Bisection {
public:
  Bisection(Judge &judge, const BisectPipeline &pipeline,
            const BisectOptions &options, BisectResult &result,
            llvm::function_ref<void(const BisectStage &)> report)
      : judge(judge), pipeline(pipeline), options(options), result(result),
        report(report) {}

  llvm::Error run(ModuleOp module);
  /// Of the IR after a pass.
  void runStage(ModuleOp module, StringRef pass);
  void notePass(StringRef pass) { lastPass = pass.str(); }
  bool isOver() const { return result.isGuilty; }

private:
  void simulateStage(ModuleOp module, BisectStage &stage);
  void runJit(ModuleOp module);
  void finishStage(BisectStage stage, std::string text);

  Judge &judge;
  const BisectPipeline &pipeline;
  const BisectOptions &options;
  BisectResult &result;
  llvm::function_ref<void(const BisectStage &)> report;
  /// The IR after the last pass, and that of which results were right.
  std::string text, lastGood;
  /// Passes after that.
  std::vector<std::string> suspects;
  std::string lastPass;
};

class StageInstrumentation : public PassInstrumentation {
public:
  explicit StageInstrumentation(Bisection &bisection) : bisection(bisection) {}

  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      bisection.notePass(pass->getArgument());
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // What runs passes on nested ops has no name.
    if (pass->getArgument().empty() || bisection.isOver())
      return;
    auto module = dyn_cast<ModuleOp>(op);
    while (!module || module->getParentOp()) {
      op = op->getParentOp();
      module = dyn_cast<ModuleOp>(op);
    }
    bisection.runStage(module, pass->getArgument());
  }

private:
  Bisection &bisection;
};

std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  os << "\n";
  return text;
}

std::string getLevel(ModuleOp module) {
  bool hasAttention = false, hasTiles = false, hasKernels = false;
  module.walk([&](Operation *op) {
    hasAttention |= isa<AttentionInterface>(op);
    hasKernels |= isa<gpu::LaunchOp>(op);
    hasTiles |= isa_and_nonnull<attn_tile::AttnTileDialect>(op->getDialect());
  });
  return hasAttention ? "L0" : hasKernels ? "L2" : hasTiles ? "L1" : "host";
}

} // namespace

void Bisection::finishStage(BisectStage stage, std::string after) {
  if (stage.verdict == Verdict::Passed) {
    lastGood = std::move(after);
    suspects.clear();
  } else if (stage.verdict == Verdict::Failed) {
    result.isGuilty = true;
    result.pipeline = pipeline.name;
    result.guilty = suspects;
    result.before = lastGood;
    result.after = std::move(after);
  }
  report(stage);
  result.stages.push_back(std::move(stage));
}

/// Diagnostics of the run become the stage's note.
void Bisection::simulateStage(ModuleOp module, BisectStage &stage) {
  auto func = module.lookupSymbol<func::FuncOp>(options.entry);
  if (!func) {
    stage.note = "no function on buffers";
    return;
  }
  llvm::Expected<Execution> execution = judge.prepare();
  if (!execution) {
    stage.note = llvm::toString(execution.takeError());
    return;
  }
  SimulatorOptions simulator = options.simulator;
  simulator.returnsRefusals = true;
  std::string message;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        if (message.empty())
          llvm::raw_string_ostream(message)
              << diagnostic.getLocation() << ": " << diagnostic;
        return success();
      });
  FailureOr<SimulatorResult> simulated =
      simulate(func, getSimulatorArguments(*execution), simulator);
  if (failed(simulated)) {
    stage.verdict = Verdict::Failed;
    stage.note = message;
  } else if (!simulated->failedCheck.empty()) {
    stage.verdict = Verdict::Failed;
    stage.note = simulated->failedCheck;
  } else if (!simulated->refusal.empty()) {
    stage.note = simulated->refusal;
  } else {
    judge.judge(*execution, stage);
  }
}

void Bisection::runStage(ModuleOp module, StringRef pass) {
  BisectStage stage;
  stage.pipeline = pipeline.name;
  stage.level = getLevel(module);
  stage.pass = pass.str();
  bool isInput = pass == "input";
  std::string after = print(module);
  if (!isInput && after == text) {
    stage.verdict = Verdict::Unchanged;
    return finishStage(std::move(stage), std::move(after));
  }
  text = after;
  if (!isInput)
    suspects.push_back(stage.pass);
  // A program may have to be cloned to be run, since a pass holds its ops.
  simulateStage(module, stage);
  // The module as it is given is what the oracle, too, takes for right.
  if (isInput && stage.verdict == Verdict::NotRun && judge.hasOracle())
    lastGood = after;
  finishStage(std::move(stage), std::move(after));
}

void Bisection::runJit(ModuleOp module) {
  BisectStage stage;
  stage.pipeline = pipeline.name;
  stage.level = "host";
  stage.pass = "JIT";
  auto execution = judge.prepare();
  auto runner = createHostRunner("");
  llvm::Error error = llvm::joinErrors(
      execution ? llvm::Error::success() : execution.takeError(),
      runner ? llvm::Error::success() : runner.takeError());
  if (!error)
    error = (*runner)->load(module, options.entry);
  if (error) {
    stage.note = llvm::toString(std::move(error));
    return finishStage(std::move(stage), print(module));
  }
  llvm::cantFail((*runner)->begin(*execution));
  if (auto seconds = (*runner)->run()) {
    judge.judge(*execution, stage);
  } else {
    stage.verdict = Verdict::Failed;
    stage.note = llvm::toString(seconds.takeError());
  }
  finishStage(std::move(stage), print(module));
}

llvm::Error Bisection::run(ModuleOp module) {
  runStage(module, "input");
  if (isOver())
    return llvm::Error::success();
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  pm.addInstrumentation(std::make_unique<StageInstrumentation>(*this));
  if (failed(pipeline.build(pm)))
    return llvm::make_error<DiagnosedError>();
  if (failed(pm.run(*lowered))) {
    // Its diagnostics have told why.
    BisectStage stage;
    stage.pipeline = pipeline.name;
    stage.pass = lastPass;
    stage.note = "the pass fails";
    report(stage);
    return llvm::make_error<DiagnosedError>();
  }
  if (!isOver() && pipeline.endsWithHostCode)
    runJit(*lowered);
  return llvm::Error::success();
}

llvm::Expected<BisectResult>
mlir::attn::bisect(ModuleOp module, ArrayRef<BisectPipeline> pipelines,
                   const BisectOptions &options,
                   llvm::function_ref<void(const BisectStage &)> report) {
  FailureOr<EntryPoint> entry = analyzeEntryPoint(module, options.entry);
  if (failed(entry))
    return llvm::make_error<DiagnosedError>();
  Judge judge(*entry, options);
  if (llvm::Error error = judge.begin())
    return std::move(error);
  BisectResult result;
  result.reference = judge.hasOracle()
                         ? "attention in fp64"
                         : "the first stage that runs, since there is no "
                           "attention op whose results are the entry's";
  for (const BisectPipeline &pipeline : pipelines) {
    Bisection bisection(judge, pipeline, options, result, report);
    if (llvm::Error error = bisection.run(module))
      return std::move(error);
    if (result.isGuilty)
      break;
  }
  return result;
}
