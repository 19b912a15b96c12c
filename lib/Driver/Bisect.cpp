//===- Bisect.cpp - The pass after which results are wrong ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Driver/Bisect.h"

#include "BisectJudge.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Driver/Runner.h"
#include "attn/Driver/SilentFailures.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace mlir::attn;
using Verdict = BisectStage::Verdict;

namespace {

/// The passes among which a bisection looks for the wrong one: if the next
/// stage (the IR after a pass) fails, one of them must be wrong.
struct Suspects {
  /// The IR before the passes in `passes`, which was found to be right.
  std::string before;
  std::vector<std::string> passes;

  void clear(const std::string &text) {
    before = text;
    passes.clear();
  }
};

/// Runs the stages (the IR after each pass) of one pipeline, until one of them
/// fails.
class Bisection {
public:
  Bisection(BisectJudge &judge, const BisectPipeline &pipeline,
            const BisectOptions &options, BisectResult &result,
            llvm::function_ref<void(const BisectStage &)> report)
      : judge(judge), pipeline(pipeline), options(options), result(result),
        report(report) {}

  llvm::Error run(ModuleOp module);
  /// Runs the IR after the pass `pass` and judges its results.
  void runStage(ModuleOp module, StringRef pass);
  void notePass(StringRef pass) { lastPass = pass.str(); }
  bool isOver() const { return result.isGuilty; }

private:
  void runJit(ModuleOp module);
  void finishStage(BisectStage stage, std::string text);

  BisectJudge &judge;
  const BisectPipeline &pipeline;
  const BisectOptions &options;
  BisectResult &result;
  llvm::function_ref<void(const BisectStage &)> report;
  /// The text of the IR after the last pass, by which passes that change
  /// nothing are recognised.
  std::string text;
  /// `ofResults` has the passes since the last stage whose results were right.
  /// `ofRules` has those since the last stage in which the simulator could
  /// check all rules and found none broken.
  Suspects ofResults, ofRules;
  std::string lastPass;
};

class StageInstrumentation : public PassInstrumentation {
public:
  explicit StageInstrumentation(Bisection &bisection) : bisection(bisection) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (!pass->getArgument().empty())
      bisection.notePass(getName(pass, op));
  }
  void runAfterPass(Pass *pass, Operation *op) override {
    // The pass manager's adaptor, which runs passes on nested ops, is a pass
    // without a flag. It is no stage of the bisection.
    if (pass->getArgument().empty() || bisection.isOver())
      return;
    std::string name = getName(pass, op);
    auto module = dyn_cast<ModuleOp>(op);
    while (!module || module->getParentOp()) {
      op = op->getParentOp();
      module = dyn_cast<ModuleOp>(op);
    }
    bisection.runStage(module, name);
  }

private:
  /// Returns the pass's flag, followed by the kernel's name for a pass on a
  /// kernel, since such passes take one kernel after the other.
  static std::string getName(Pass *pass, Operation *op) {
    std::string name = pass->getArgument().str();
    if (auto kernel = dyn_cast<attn_gpu::KernelOp>(op))
      name += (" @" + kernel.getSymName()).str();
    return name;
  }

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
    hasKernels |= isa<attn_gpu::KernelOp>(op);
    hasTiles |= isa_and_nonnull<attn_tile::AttnTileDialect>(op->getDialect());
  });
  return hasAttention ? "L0" : hasKernels ? "L2" : hasTiles ? "L1" : "host";
}

bool hasRingsWithoutSlots(ModuleOp module) {
  return module
      .walk([](Operation *op) {
        Value index;
        if (auto acquire = dyn_cast<attn_gpu::AcquireOp>(op))
          index = acquire.getIndex();
        else if (auto fill = dyn_cast<attn_gpu::FillOp>(op))
          index = fill.getIndex();
        else if (auto put = dyn_cast<attn_gpu::PutOp>(op))
          index = put.getIndex();
        else
          return WalkResult::advance();
        return index ? WalkResult::advance() : WalkResult::interrupt();
      })
      .wasInterrupted();
}

} // namespace

void Bisection::finishStage(BisectStage stage, std::string after) {
  if (stage.verdict == Verdict::Passed) {
    ofResults.clear(after);
    if (!stage.isPartial)
      ofRules.clear(after);
  } else if (stage.verdict == Verdict::Failed) {
    Suspects &suspects =
        stage.breaksRule && !stage.isPartial ? ofRules : ofResults;
    result.isGuilty = true;
    result.pipeline = pipeline.name;
    result.guilty = suspects.passes;
    result.before = suspects.before;
    result.after = std::move(after);
  }
  report(stage);
  result.stages.push_back(std::move(stage));
}

void Bisection::runStage(ModuleOp module, StringRef pass) {
  BisectStage stage;
  stage.pipeline = pipeline.name;
  stage.level = getLevel(module);
  stage.pass = pass.str();
  stage.isPartial = hasRingsWithoutSlots(module);
  bool isInput = pass == "input";
  std::string after = print(module);
  if (!isInput && after == text) {
    stage.verdict = Verdict::Unchanged;
    return finishStage(std::move(stage), std::move(after));
  }
  text = after;
  if (!isInput) {
    ofResults.passes.push_back(stage.pass);
    ofRules.passes.push_back(stage.pass);
  }
  if (pipeline.endsWithHostCode && stage.level == "host")
    stage.note = "the host's code is run at its end";
  else
    runSimulatedStage(module, judge, options, stage);
  // If the module before all passes cannot be run, it is assumed to be right,
  // provided that an oracle judges the results of later stages.
  if (isInput && stage.verdict == Verdict::NotRun && judge.hasOracle())
    for (Suspects *suspects : {&ofResults, &ofRules})
      suspects->clear(after);
  finishStage(std::move(stage), std::move(after));
}

void Bisection::runJit(ModuleOp module) {
  BisectStage stage;
  stage.pipeline = pipeline.name;
  stage.level = "host";
  stage.pass = "JIT";
  runCompiledStage(module, judge, options, stage);
  finishStage(std::move(stage), print(module));
}

llvm::Error Bisection::run(ModuleOp module) {
  runStage(module, "input");
  if (isOver())
    return llvm::Error::success();
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  reportSilentFailures(pm);
  pm.addInstrumentation(std::make_unique<StageInstrumentation>(*this));
  if (failed(pipeline.build(pm)))
    return llvm::make_error<DiagnosedError>();
  if (failed(pm.run(*lowered))) {
    // The diagnostics of the pass that failed have been emitted already.
    BisectStage stage;
    stage.pipeline = pipeline.name;
    stage.pass = lastPass;
    stage.note = "the pass fails";
    report(stage);
    return llvm::make_error<DiagnosedError>();
  }
  if (!isOver() && pipeline.endsWithHostCode)
    runJit(*lowered);
  if (!isOver() && !ofRules.passes.empty())
    result.unjudged.emplace_back(pipeline.name, ofRules.passes);
  return llvm::Error::success();
}

llvm::Expected<BisectResult>
mlir::attn::bisect(ModuleOp module, ArrayRef<BisectPipeline> pipelines,
                   const BisectOptions &options,
                   llvm::function_ref<void(const BisectStage &)> report) {
  FailureOr<EntryPoint> entry = analyzeEntryPoint(module, options.entry);
  if (failed(entry))
    return llvm::make_error<DiagnosedError>();
  BisectJudge judge(*entry, options);
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
