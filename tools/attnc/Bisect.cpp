//===- Bisect.cpp - attnc bisect ------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/Bisect.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand
    attnc::bisectCommand("bisect",
                         "Name the pass after which results are wrong");

const char attnc::kBisectOverview[] =
    "names the pass after which results are wrong\n\n"
    "The IR after each pass is executed and its result compared: attention by "
    "its\n"
    "formula in fp64, tile programs and kernels by the simulator, which shares "
    "no\n"
    "code with the passes. For the host, IR below tile programs is only "
    "executed at\n"
    "the end, by the JIT. The guilty pass is the first one after which the "
    "accuracy\n"
    "rule does not hold or a rule of the GPU is broken. If IR before it could "
    "not be\n"
    "executed or judged, all passes since the last right result are suspects. "
    "Use\n"
    "small sizes. Exit status: 0 if all is right, 1 if a pass is guilty, 2 if "
    "the\n"
    "input is wrong\n";

namespace attnc::bisect_command {

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(bisectCommand), cl::desc("FILE"));
static cl::list<std::string> arguments(
    cl::Positional, cl::sub(bisectCommand),
    cl::desc("ARG... (FILE.npy, random[:SEED[:SCALE[:MEAN]]] or a number)"));
static cl::opt<std::string> entryName("entry", cl::sub(bisectCommand),
                                      cl::value_desc("NAME"), cl::init("main"),
                                      cl::desc("Function to run (default "
                                               "main)"));
static cl::opt<std::string>
    target("target", cl::sub(bisectCommand),
           cl::value_desc("all|host|simulate|sm_..."), cl::init("all"),
           cl::desc("Whose passes to check: those for host code, those for GPU "
                    "kernels, or both (default)"));
static cl::opt<std::string> chip("chip", cl::sub(bisectCommand),
                                 cl::value_desc("sm_..."), cl::init("sm_90a"),
                                 cl::desc("Chip of the kernels (default "
                                          "sm_90a)"));
static cl::opt<std::string> access("access", cl::sub(bisectCommand),
                                   cl::value_desc("auto|tma|async16|narrow"),
                                   cl::init("auto"),
                                   cl::desc("Access class of the kernels "
                                            "(default: auto)"));
static cl::opt<std::string>
    passPipeline("pass-pipeline", cl::sub(bisectCommand),
                 cl::value_desc("builtin.module(...)"),
                 cl::desc("Passes to run instead, as attn-opt takes them"));
static cl::opt<uint64_t>
    simulationSeed("seed", cl::sub(bisectCommand), cl::init(1),
                   cl::desc("Seed of the random order in which the simulator "
                            "runs warps, copies and MMAs (default 1)"));
static cl::opt<unsigned> numSms("sms", cl::sub(bisectCommand),
                                cl::value_desc("N"), cl::init(3),
                                cl::desc("SMs of the simulator (default 3)"));
static cl::list<std::string>
    shapes("shape", cl::sub(bisectCommand), cl::value_desc("K=4x12x1024x64"),
           cl::desc("Sizes of argument K, counted from 0"));
static cl::list<std::string>
    strides("strides", cl::sub(bisectCommand), cl::value_desc("K=AxBxCx1"),
            cl::desc("Strides of argument K in elements, where its type "
                     "leaves them open"));
static cl::opt<double>
    tolerance("rtol", cl::sub(bisectCommand), cl::init(kBisectTolerance),
              cl::desc("Without an attention op: largest |x - r| / (1 + |r|), "
                       "r being the first result (default 0.004, and 0.016 "
                       "where an array is of bf16)"));
static cl::opt<double>
    timeLimit("time-limit", cl::sub(bisectCommand), cl::value_desc("SECONDS"),
              cl::init(BisectLimits().seconds),
              cl::desc("Time limit for running a stage; a stage that takes "
                       "longer is not judged (default 30)"));
static cl::opt<unsigned>
    memoryLimit("memory-limit", cl::sub(bisectCommand), cl::value_desc("MIB"),
                cl::init(BisectLimits().bytes >> 20),
                cl::desc("Memory limit for running a stage (default 4096)"));
static cl::opt<std::string>
    outputDir("output-dir", cl::sub(bisectCommand), cl::value_desc("DIR"),
              cl::init("."),
              cl::desc("Where to write the IR before and after the guilty pass "
                       "(default: the current directory)"));

static constexpr int kBadInput = 2;

static int reportBadInput(llvm::Error error) {
  reportError(std::move(error));
  return kBadInput;
}

static llvm::Expected<BisectOptions> getOptions() {
  if (numSms < 1)
    return llvm::createStringError("expected at least 1 SM, found 0");
  if (!(tolerance >= 0))
    return llvm::createStringError("expected --rtol of at least 0");
  if (!(timeLimit > 0) || memoryLimit < 1)
    return llvm::createStringError(
        "expected --time-limit above 0 and --memory-limit of at least 1 MiB");
  llvm::Expected<ExecutionOptions> execution =
      readExecutionOptions(arguments, shapes, strides);
  if (!execution)
    return execution.takeError();
  BisectOptions options;
  options.entry = entryName;
  options.execution = std::move(*execution);
  options.simulator.seed = simulationSeed;
  options.simulator.numSms = numSms;
  options.limits = {timeLimit, uint64_t(memoryLimit) << 20};
  if (tolerance.getNumOccurrences())
    options.tolerance = tolerance;
  return options;
}

static llvm::Expected<std::vector<BisectPipeline>> getPipelines() {
  if (!passPipeline.empty()) {
    if (target.getNumOccurrences() || chip.getNumOccurrences() ||
        access.getNumOccurrences())
      return llvm::createStringError("expected --pass-pipeline without "
                                     "--target, --chip and --access");
    registerPasses();
    registerPipelines();
    std::string message;
    llvm::raw_string_ostream os(message);
    FailureOr<OpPassManager> pm = parsePassPipeline(passPipeline, os);
    if (failed(pm))
      return llvm::createStringError("--pass-pipeline: " + message);
    if (pm->getOpAnchorName() != ModuleOp::getOperationName())
      return llvm::createStringError(
          "expected passes on builtin.module in --pass-pipeline, found on " +
          pm->getOpAnchorName());
    return std::vector<BisectPipeline>{{"own", [pm = *pm](OpPassManager &to) {
                                          to = pm;
                                          return success();
                                        }}};
  }
  // The targets `cuda`, `simulate` and names of chips all select the pipeline
  // for kernels, which the simulator runs.
  llvm::Expected<TargetChoice> choice =
      readTarget(target == "all" ? "auto" : StringRef(target),
                 chip.getNumOccurrences() ? StringRef(chip) : "", "all, ");
  if (!choice)
    return choice.takeError();
  if (!choice->chip.empty())
    chip = choice->chip;
  using Kind = TargetChoice::Kind;
  bool hasHost = choice->kind == Kind::Host, isAll = choice->kind == Kind::Auto;
  std::vector<BisectPipeline> pipelines;
  if (hasHost || isAll)
    pipelines.push_back({"host",
                         [](OpPassManager &pm) {
                           buildAttnToHostPipeline(pm);
                           return success();
                         },
                         /*endsWithHostCode=*/true});
  if (!hasHost)
    pipelines.push_back({chip, [](OpPassManager &pm) {
                           TilePipelineOptions options;
                           options.chip = chip;
                           options.access = access;
                           buildAttnToGPUPipeline(pm, options);
                           return success();
                         }});
  return pipelines;
}

/// Prints a line with the name of one stage (pipeline, level, pass) and the
/// verdict on its results.
static void printStage(const BisectStage &stage) {
  using Verdict = BisectStage::Verdict;
  raw_ostream &os = llvm::outs();
  os << llvm::left_justify(stage.pipeline, 8)
     << llvm::left_justify(stage.level, 6) << llvm::left_justify(stage.pass, 34)
     << " ";
  switch (stage.verdict) {
  case Verdict::Passed:
    os << llvm::format("error %.3g (limit %.3g): pass", stage.error,
                       stage.limit);
    if (stage.isPartial)
      os << ", rules of rings not judged";
    break;
  case Verdict::Failed:
    if (stage.limit > 0)
      os << llvm::format("error %.3g (limit %.3g): ", stage.error, stage.limit);
    os << "FAIL";
    break;
  case Verdict::Unchanged:
    os << "no change";
    break;
  case Verdict::NotRun:
    os << "not run";
    break;
  }
  if (!stage.note.empty())
    os << ": " << stage.note;
  os << "\n";
  // Flushes the output, since the next stage may take long.
  os.flush();
}

/// Writes the IR before and after the wrong pass to files, and prints which
/// pass it is, or between which passes it lies, and the paths. Returns exit
/// status 1, or that of bad input if the files cannot be written.
static int printGuilty(const BisectResult &result) {
  StringRef stem =
      input == "-" ? "module" : llvm::sys::path::stem(StringRef(input));
  auto write = [&](StringRef when,
                   StringRef text) -> llvm::Expected<std::string> {
    llvm::SmallString<128> path(outputDir);
    llvm::sys::path::append(path, stem + "." + when + ".mlir");
    if (llvm::Error error = writeFile(path, text))
      return std::move(error);
    return std::string(path);
  };
  if (std::error_code code = llvm::sys::fs::create_directories(outputDir))
    return reportBadInput(llvm::createStringError("cannot make '" + outputDir +
                                                  "': " + code.message()));
  llvm::Expected<std::string> before = write("before", result.before),
                              after = write("after", result.after);
  if (!before || !after)
    return reportBadInput(
        llvm::joinErrors(before.takeError(), after.takeError()));
  raw_ostream &os = llvm::outs();
  os << "guilty: ";
  if (result.guilty.empty())
    os << "none of the passes of " << result.pipeline
       << ": what runs the module";
  else if (result.guilty.size() == 1)
    os << result.guilty.front() << " of " << result.pipeline;
  else
    os << "one of " << result.pipeline << ", between " << result.guilty.front()
       << " and " << result.guilty.back() << ": "
       << llvm::join(result.guilty, ", ");
  os << "\nbefore: " << *before << "\nafter: " << *after << "\n";
  return 1;
}

static int run() {
  llvm::Expected<BisectOptions> options = getOptions();
  if (!options)
    return reportBadInput(options.takeError());
  llvm::Expected<std::vector<BisectPipeline>> pipelines = getPipelines();
  if (!pipelines)
    return reportBadInput(pipelines.takeError());
  LoadedModule module;
  if (!module.loadFile(input))
    return kBadInput;
  // Disables multithreading, since printing a stage prints the whole module,
  // which no other thread may modify meanwhile.
  module.getContext().disableMultithreading();
  llvm::Expected<BisectResult> result =
      bisect(module.get(), *pipelines, *options, printStage);
  if (!result)
    return reportBadInput(result.takeError());
  llvm::outs() << "compared with: " << result->reference << "\n";
  if (result->isGuilty)
    return printGuilty(*result);
  llvm::outs() << "guilty: none\n";
  for (const auto &[pipeline, passes] : result->unjudged)
    llvm::outs() << "not judged: " << pipeline << " from " << passes.front()
                 << " on\n";
  return 0;
}

} // namespace attnc::bisect_command

int attnc::runBisect() { return bisect_command::run(); }
