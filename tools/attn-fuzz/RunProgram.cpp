//===- RunProgram.cpp - A program on the host and in the simulator -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "attn/Driver/Execution.h"
#include "attn/Driver/ParseModule.h"
#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Support/Random.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"

#include <cmath>

using namespace attn_fuzz;
using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

/// Makes the arguments of a case: inputs and outputs are arrays of random
/// numbers, since a program may leave some elements of outputs unwritten.
/// Integers are from 0 to 3, and scalars 0.125 or 3.
static llvm::Expected<Execution> prepare(const EntryPoint &entry,
                                         const ProgramCase &given) {
  ExecutionOptions options;
  for (auto [i, parameter] : llvm::enumerate(entry.parameters)) {
    if (parameter.role == EntryParameter::Role::Scalar) {
      options.arguments.push_back(isa<FloatType>(parameter.type)
                                      ? NumberArgument{"0.125", 0.125, {}}
                                      : NumberArgument{"3", 3, 3});
      continue;
    }
    auto type = cast<MemRefType>(parameter.type);
    ArrayRef<int64_t> sizes = given.sizes[i];
    options.shapes[i] = SmallVector<int64_t>(sizes);
    // If an array's type has strides, its rows are followed by gaps in a third
    // of the cases. Unless the schedule copies single elements, the stride of
    // rows is a multiple of 16 bytes.
    if (!type.getLayout().isIdentity()) {
      SmallVector<int64_t> padded(sizes);
      padded.back() += given.arrays % 3 == 0 ? 9 : 0;
      if (!StringRef(given.text).contains("copy = element"))
        padded.back() = llvm::alignTo(std::max<int64_t>(padded.back(), 1),
                                      128 / type.getElementTypeBitWidth());
      options.strides[i] = getContiguousStrides(padded);
    }
    if (parameter.role == EntryParameter::Role::Input)
      options.arguments.push_back(
          type.getElementType().isInteger()
              ? ArgumentSpec(IntegersArgument{given.arrays + i, 0, 3, false})
              : ArgumentSpec(RandomArgument{given.arrays, 1.0}));
  }
  llvm::Expected<Execution> execution = Execution::prepare(entry, options);
  if (execution)
    for (unsigned i : execution->getOutputs())
      fillRandom(execution->getArray(i), given.arrays + i, 1.0);
  return execution;
}

/// The elements of each array of a program, as doubles; empty for scalars.
using Results = std::vector<std::vector<double>>;

static Results getResults(const Execution &execution) {
  Results results;
  for (const Execution::Parameter &parameter : execution.getParameters()) {
    results.emplace_back();
    if (parameter.buffer)
      results.back() = getElements(parameter.buffer->view());
  }
  return results;
}

/// Returns a description of the first element whose error is larger than
/// `tolerance` times (1 + its magnitude) and that is not NaN in both results,
/// or "" if there is none.
static std::string findDifference(const Results &expected, const Results &found,
                                  double tolerance) {
  for (auto [number, pair] : llvm::enumerate(llvm::zip(expected, found))) {
    auto &[lhs, rhs] = pair;
    for (size_t i = 0; i < lhs.size(); ++i) {
      double e = lhs[i], f = rhs[i];
      if (e == f || (std::isnan(e) && std::isnan(f)) ||
          std::fabs(e - f) <= tolerance * (1 + std::fabs(e)))
        continue;
      std::string text;
      llvm::raw_string_ostream(text)
          << "element " << i << " of argument " << number << " is "
          << llvm::format("%g", f) << ", on the host " << llvm::format("%g", e);
      return text;
    }
  }
  return "";
}

/// Returns a text that identifies the results of the host: the program without
/// its schedule, which the host ignores, followed by the seed of its arrays.
static std::string withoutSchedule(const ProgramCase &given) {
  auto [before, rest] = StringRef(given.text).split("#attn_gpu.schedule<");
  return (before + rest.split('>').second).str() + std::to_string(given.arrays);
}

std::string ProgramRunner::runHost(ModuleOp module, const EntryPoint &entry,
                                   const ProgramCase &given) {
  std::string text = withoutSchedule(given);
  if (text == hostText)
    return "";
  OwningOpRef<ModuleOp> lowered = module.clone();
  auto describe = [](llvm::Error error) {
    return "the host: " + llvm::toString(std::move(error));
  };
  auto runner = createHostRunner("");
  if (!runner)
    return describe(runner.takeError());
  PassManager pm(module.getContext());
  (*runner)->buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return "the host's pipeline fails";
  llvm::Expected<Execution> execution = prepare(entry, given);
  if (!execution)
    return describe(execution.takeError());
  llvm::Error error = (*runner)->load(*lowered, given.entry);
  if (!error)
    error = (*runner)->begin(*execution);
  if (!error)
    error = (*runner)->run().takeError();
  if (!error)
    error = execution->checkMargins();
  if (error)
    return describe(std::move(error));
  expected = getResults(*execution);
  hostText = std::move(text);
  return "";
}

std::pair<ProgramOutcome, std::string>
ProgramRunner::run(const ProgramCase &given) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  SmallVector<std::string> errors;
  llvm::DenseSet<Location> locations;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error) {
      errors.push_back(diagnostic.str());
      locations.insert(diagnostic.getLocation());
    }
    return success();
  });
  auto fail = [&](StringRef what) -> std::pair<ProgramOutcome, std::string> {
    // The case is refused if all errors have different locations (each kernel
    // may have an error), and no error is at an op that passes create. Any
    // other failure is wrong, since its message does not help a user.
    llvm::Regex ofPasses("^'(nvvm|llvm|vector|memref|cf)\\.");
    bool isUsers = !errors.empty() && errors.size() == locations.size() &&
                   llvm::none_of(errors, [&](const std::string &error) {
                     return ofPasses.match(error);
                   });
    if (isUsers)
      return {Refused, errors.front()};
    return {Wrong, (what + " fails with " + Twine(errors.size()) + " errors" +
                    (errors.empty() ? "" : ": " + errors.front()))
                       .str()};
  };
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(given.text, "program"), llvm::SMLoc());
  auto module = parseModule(sources, &context);
  if (!module) {
    // A random schedule may have values out of range, which the parser refuses.
    if (errors.size() == 1 && StringRef(errors.front()).contains("to be from"))
      return fail("parsing");
    return {Wrong, "invalid: " + (errors.empty() ? "" : errors.front())};
  }
  FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, given.entry);
  if (failed(entry))
    return {Wrong, "no entry: " + (errors.empty() ? "" : errors.front())};

  OwningOpRef<ModuleOp> lowered = module->clone();
  TilePipelineOptions options;
  options.chip = given.chip;
  PassManager pm(&context);
  buildAttnToGPUPipeline(pm, options);
  if (failed(pm.run(*lowered)))
    return fail("the pipeline");
  if (!errors.empty())
    return {Wrong, "an error without a failure: " + errors.front()};

  llvm::Expected<Execution> execution = prepare(*entry, given);
  if (!execution)
    return {Wrong, "no arguments: " + llvm::toString(execution.takeError())};
  SmallVector<SimulatorArgument> arguments = getSimulatorArguments(*execution);
  // A program may leave elements of outputs unwritten. The simulator must not
  // report them, since they are compared with the host's, too.
  for (SimulatorArgument &argument : arguments)
    argument.isOutput = false;
  SimulatorOptions simulator;
  simulator.returnsRefusals = true;
  simulator.seed = given.simulation;
  FailureOr<SimulatorResult> result = simulate(
      lowered->lookupSymbol<func::FuncOp>(given.entry), arguments, simulator);
  if (failed(result))
    return {Wrong, "the simulator: " + (errors.empty() ? "" : errors.front())};
  if (!result->failedCheck.empty())
    return {Refused, "at run time: " + result->failedCheck};
  if (llvm::Error error = execution->checkMargins())
    return {Wrong, llvm::toString(std::move(error))};
  bool isSimulated = result->refusal.empty();
  if (isSimulated) {
    std::string host = runHost(*module, *entry, given);
    if (!host.empty())
      return {Wrong, host + (errors.empty() ? "" : ": " + errors.front())};
    double tolerance = StringRef(given.text).contains("bf16") ? 4e-2 : 4e-3;
    std::string difference =
        findDifference(expected, getResults(*execution), tolerance);
    if (!difference.empty())
      return {Wrong, difference};
  }
  if (given.toPTX) {
    PassManager toPTX(&context);
    buildGPUToNVVMPipeline(toPTX, options);
    buildNVVMToPTXPipeline(toPTX);
    if (failed(toPTX.run(*lowered)))
      return fail("the pipeline to PTX");
  }
  return {isSimulated ? Agreed : NotRun, result->refusal};
}
