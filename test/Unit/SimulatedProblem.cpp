//===- SimulatedProblem.cpp - Attention on no GPU -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimulatedProblem.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Oracle/Accuracy.h"
#include "attn/Oracle/GradientAccuracy.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::attn;

static DialectRegistry getDialects() {
  DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

SimulatedModule::SimulatedModule(const SimulatedProblem &problem)
    : problem(problem),
      context(getDialects(), MLIRContext::Threading::DISABLED) {
  // Tests create schedules, which are attributes of this dialect, before
  // anything is parsed.
  context.loadDialect<attn_gpu::AttnGPUDialect>();
  context.getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics += "error: " + diagnostic.str() + "\n";
  });
  module = parseSourceString<ModuleOp>(
      llvm::cantFail(generateModule(problem.generate)), &context);
}

AttentionInterface SimulatedModule::getOp() {
  AttentionInterface found;
  if (module)
    module->walk([&](AttentionInterface op) { found = op; });
  return found;
}

static llvm::Error fail(const char *what) {
  return llvm::createStringError(what);
}

/// Returns the text of the oracle's report as an error, or success if the
/// report has passed.
template <typename Report> static llvm::Error asError(const Report &report) {
  if (report.passed)
    return llvm::Error::success();
  std::string text;
  llvm::raw_string_ostream os(text);
  report.print(os);
  return llvm::createStringError(text);
}

static llvm::Error checkFoundGradients(AttentionBinding binding,
                                       const Execution &execution) {
  auto built =
      buildGradientProblem(cast<AttentionBackwardOp>(binding.op.getOperation()),
                           execution.getBindings());
  if (failed(built))
    return fail("expected gradients that the oracle knows");
  GradientReport report =
      checkGradients((*built)->problem, findGradients(binding, execution));
  return asError(report);
}

static llvm::Error checkResults(const AttentionBinding &binding,
                                const Execution &execution) {
  auto built = buildProblem(binding.op, execution.getBindings());
  if (failed(built))
    return fail("expected a problem that the oracle knows");
  int lse = binding.getPosition("lse");
  AccuracyReport report = checkAccuracy(
      (*built)->problem, execution.getArray(binding.getPosition("output")),
      lse < 0 ? nullptr : &execution.getArray(lse));
  return asError(report);
}

llvm::Error SimulatedModule::tryRun() {
  if (!module)
    return fail("expected a module");
  const GenerateOptions &options = problem.generate;
  ExecutionOptions execute;
  for (uint64_t seed = 1; seed <= 3; ++seed)
    execute.arguments.push_back(RandomArgument{seed, 1.0});
  if (options.backward) {
    execute.arguments.append(
        {ForwardArgument(), ForwardArgument(), RandomArgument{4, 1.0}});
    if (options.dLse)
      execute.arguments.push_back(RandomArgument{5, 1.0});
  }
  if (options.queryLength == kDynamicSize)
    execute.shapes[0] = {options.batch, options.queryHeads, problem.queryLength,
                         options.headDim};
  if (options.queryLength == kDynamicSize && options.backward)
    execute.shapes[3] = {options.batch, options.queryHeads, problem.queryLength,
                         options.valueHeadDim};
  if (options.kvLength == kDynamicSize) {
    execute.shapes[1] = {options.batch, options.kvHeads, problem.kvLength,
                         options.headDim};
    execute.shapes[2] = {options.batch, options.kvHeads, problem.kvLength,
                         options.valueHeadDim};
  }
  FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, "main");
  if (failed(entry))
    return fail("expected an entry");
  llvm::Expected<Execution> execution = Execution::prepare(*entry, execute);
  if (!execution)
    return execution.takeError();
  auto runner = createSimulatingRunner(problem.runner);
  if (!runner)
    return runner.takeError();

  lowered = module->clone();
  PassManager pm(&context);
  (*runner)->buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return fail("the pipeline failed");
  if (llvm::Error error = (*runner)->load(*lowered, "main"))
    return error;
  if (llvm::Error error = (*runner)->begin(*execution))
    return error;
  if (auto seconds = (*runner)->run(); !seconds)
    return seconds.takeError();
  if (llvm::Error error = execution->checkMargins())
    return error;

  const AttentionBinding &binding = entry->attentions.front();
  return options.backward ? checkFoundGradients(binding, *execution)
                          : checkResults(binding, *execution);
}

std::string SimulatedModule::describe() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "attnc run --target simulate --chip " << problem.runner.chip
     << " --access " << problem.runner.access << " --seed "
     << problem.runner.seed << " --sms " << problem.runner.numSms
     << " --check main.mlir random:1 random:2 random:3";
  const GenerateOptions &options = problem.generate;
  if (options.backward)
    os << " forward forward random:4" << (options.dLse ? " random:5" : "");
  if (options.queryLength == kDynamicSize && options.backward)
    os << " --shape 3=" << options.batch << "x" << options.queryHeads << "x"
       << problem.queryLength << "x" << options.valueHeadDim;
  if (options.queryLength == kDynamicSize)
    os << " --shape 0=" << options.batch << "x" << options.queryHeads << "x"
       << problem.queryLength << "x" << options.headDim;
  if (options.kvLength == kDynamicSize)
    for (auto [position, dim] :
         {std::pair(1, options.headDim), {2, options.valueHeadDim}})
      os << " --shape " << position << "=" << options.batch << "x"
         << options.kvHeads << "x" << problem.kvLength << "x" << dim;
  os << "\n";
  if (module)
    module->print(os);
  return text;
}

std::string SimulatedModule::run() {
  llvm::Error error = tryRun();
  if (!error)
    return "";
  return llvm::toString(std::move(error)) + "\n" + diagnostics + describe();
}

SmallVector<std::string> SimulatedModule::getReasons() {
  SmallVector<std::string> reasons;
  if (lowered)
    lowered->walk([&](attn_gpu::KernelOp kernel) {
      if (std::optional<ArrayAttr> given = kernel.getReasons())
        for (auto reason : given->getAsRange<StringAttr>())
          reasons.push_back(reason.str());
    });
  return reasons;
}
