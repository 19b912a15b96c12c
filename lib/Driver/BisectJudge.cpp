//===- BisectJudge.cpp - Checks of a stage's results ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectJudge.h"

#include "attn/Driver/Runner.h"
#include "attn/Oracle/Accuracy.h"
#include "attn/Oracle/GradientAccuracy.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using Verdict = BisectStage::Verdict;

BisectJudge::Results BisectJudge::getResults(const Execution &execution) {
  Results results;
  for (const Execution::Parameter &parameter : execution.getParameters())
    if (parameter.buffer)
      llvm::append_range(results, getElements(parameter.buffer->view()));
  return results;
}

/// Returns the largest error |reference - found| / (1 + |reference|) of an
/// element. It is infinite if one of the two numbers is NaN or infinite and the
/// other one is not the same.
static double getError(const BisectJudge::Results &reference,
                       const BisectJudge::Results &found) {
  double error = 0;
  for (auto [e, f] : llvm::zip_equal(reference, found)) {
    if (e == f || (std::isnan(e) && std::isnan(f)))
      continue;
    double difference = std::fabs(e - f) / (1 + std::fabs(e));
    error = std::max(error, std::isnan(difference) ? INFINITY : difference);
  }
  return error;
}

/// Returns the largest error that is accepted. It is the option `tolerance` if
/// that is set, else kBisectBf16Tolerance if an array is of bf16, and else
/// kBisectTolerance.
static double getTolerance(const BisectOptions &options,
                           const Execution &execution) {
  if (options.tolerance)
    return *options.tolerance;
  bool hasBf16 =
      llvm::any_of(execution.getParameters(), [](const auto &parameter) {
        return parameter.buffer &&
               parameter.buffer->view().dtype == DType::BF16;
      });
  return hasBf16 ? kBisectBf16Tolerance : kBisectTolerance;
}

static Operation *getOperation(const AttentionBinding &binding) {
  AttentionInterface op = binding.op;
  return op.getOperation();
}

LogicalResult BisectJudge::beginForward(const AttentionBinding &binding) {
  struct Oracle {
    std::unique_ptr<BuiltProblem> built;
    AttentionResult exact, low;
  };
  auto built = buildProblem(binding.op, arrays->getBindings());
  if (failed(built))
    return failure();
  auto oracle = std::make_shared<Oracle>();
  oracle->built = std::move(*built);
  const AttentionProblem &problem = oracle->built->problem;
  oracle->exact = evaluate(problem, Precision::Double);
  oracle->low = evaluate(problem, getReferencePrecision(problem));
  compare = [oracle, &binding](const Execution &execution, BisectStage &stage) {
    int lse = binding.getPosition("lse");
    AccuracyReport report =
        checkAccuracy(oracle->built->problem, oracle->exact, oracle->low,
                      execution.getArray(binding.getPosition("output")),
                      lse < 0 ? nullptr : &execution.getArray(lse));
    stage.error = report.maxError;
    stage.limit = report.errorLimit;
    stage.verdict = report.passed ? Verdict::Passed : Verdict::Failed;
    if (!report.passed)
      stage.note = report.firstFailure;
  };
  return success();
}

LogicalResult BisectJudge::beginBackward(const AttentionBinding &binding) {
  struct Oracle {
    std::unique_ptr<BuiltGradientProblem> built;
    GradientResult exact, low;
  };
  auto built = buildGradientProblem(
      cast<AttentionBackwardOp>(getOperation(binding)), arrays->getBindings());
  if (failed(built))
    return failure();
  auto oracle = std::make_shared<Oracle>();
  oracle->built = std::move(*built);
  const GradientProblem &problem = oracle->built->problem;
  oracle->exact = evaluateGradients(problem, Precision::Double);
  oracle->low =
      evaluateGradients(problem, getReferencePrecision(problem.forward));
  compare = [oracle, &binding](const Execution &execution, BisectStage &stage) {
    GradientReport report =
        checkGradients(oracle->built->problem, oracle->exact, oracle->low,
                       findGradients(binding, execution));
    // The bisection's report shows the error and the limit of the gradient for
    // which error divided by limit is largest.
    double most = -1;
    for (const GradientReport::Entry &entry : report.entries) {
      double share = entry.maxError / entry.errorLimit;
      if (!(share > most))
        continue;
      most = share;
      stage.error = entry.maxError;
      stage.limit = entry.errorLimit;
    }
    stage.verdict = report.passed ? Verdict::Passed : Verdict::Failed;
    if (!report.passed)
      stage.note = report.firstFailure;
  };
  return success();
}

/// Whether the entry function only computes one attention op, so that the
/// oracle can judge its results: all of the op's arrays are parameters, and no
/// other op has side effects.
static bool isEntryOfOneAttention(const EntryPoint &entry) {
  if (entry.attentions.size() != 1)
    return false;
  const AttentionBinding &binding = entry.attentions.front();
  Operation *attention = getOperation(binding);
  func::FuncOp func = entry.func;
  bool isOnEntry = attention->getParentOp() == func &&
                   llvm::all_of(binding.positions, [](const auto &array) {
                     return array.second >= 0;
                   });
  return isOnEntry && llvm::all_of(func.getBody().front(), [&](Operation &op) {
           return &op == attention || op.hasTrait<OpTrait::IsTerminator>() ||
                  isMemoryEffectFree(&op);
         });
}

llvm::Error BisectJudge::begin() {
  llvm::Expected<Execution> execution = prepare();
  if (!execution)
    return execution.takeError();
  if (llvm::Error error = execution->checkSequences(entry))
    return error;
  arrays = std::move(*execution);
  if (!isEntryOfOneAttention(entry))
    return llvm::Error::success();
  const AttentionBinding &binding = entry.attentions.front();
  bool isBackward = isa<AttentionBackwardOp>(getOperation(binding));
  if (failed(isBackward ? beginBackward(binding) : beginForward(binding)))
    return llvm::make_error<DiagnosedError>();
  return llvm::Error::success();
}

void BisectJudge::judge(const Execution &execution, BisectStage &stage) const {
  if (llvm::Error error = execution.checkMargins()) {
    stage.verdict = Verdict::Failed;
    stage.note = llvm::toString(std::move(error));
    return;
  }
  if (compare)
    return compare(execution, stage);
  Results found = getResults(execution);
  stage.error = reference ? getError(*reference, found) : 0;
  stage.limit = getTolerance(options, execution);
  stage.verdict =
      stage.error <= stage.limit ? Verdict::Passed : Verdict::Failed;
}
