//===- Run.cpp - attnc run ------------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Enum.h"

#include "attn/Driver/Timing.h"
#include "attn/Oracle/GradientAccuracy.h"
#include "attn/Support/Npy.h"

#include "mlir/Transforms/Passes.h"

#include "llvm/Support/Format.h"

#include <cmath>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

llvm::Expected<ExecutionOptions>
attnc::readExecutionOptions(const cl::list<std::string> &arguments,
                            const cl::list<std::string> &shapes,
                            const cl::list<std::string> &strides) {
  ExecutionOptions options;
  for (const std::string &text : arguments) {
    llvm::Expected<ArgumentSpec> spec = parseArgument(StringRef(text).ltrim());
    if (!spec)
      return spec.takeError();
    options.arguments.push_back(std::move(*spec));
  }
  for (auto [name, list, numbers] :
       {std::tuple("shape", &shapes, &options.shapes),
        std::tuple("strides", &strides, &options.strides)})
    for (const std::string &text : *list) {
      llvm::Expected<ShapeSpec> shape = parseShape(text);
      if (!shape)
        return shape.takeError();
      if (!numbers->emplace(shape->index, shape->sizes).second)
        return llvm::createStringError("expected one --" + Twine(name) +
                                       " for argument " + Twine(shape->index) +
                                       ", found several");
    }
  return options;
}

cl::SubCommand attnc::runCommand("run",
                                 "Compile a module, run it and check its "
                                 "results");

namespace attnc::run_command {

static cl::opt<std::string> input(cl::Positional, cl::Required,
                                  cl::sub(runCommand), cl::desc("FILE"));
static cl::opt<bool>
    raises("raise", cl::sub(runCommand),
           cl::desc("Find attention in IR of other compilers first, as "
                    "attn-opt's -attn-raise does; their dialects need not be "
                    "known"));
static cl::list<std::string> arguments(
    cl::Positional, cl::sub(runCommand),
    cl::desc(
        "ARG... (FILE.npy, random[:SEED[:SCALE[:MEAN]]] or a number; random is "
        "also for lengths, cumulative lengths and tables of pages; "
        "forward for the output and lse that a backward op takes: what "
        "attn.attention gives in fp64 for the other arguments)"));
static cl::opt<std::string> entryName("entry", cl::sub(runCommand),
                                      cl::value_desc("NAME"), cl::init("main"),
                                      cl::desc("Function to run (default "
                                               "main)"));
static cl::opt<std::string> target("target", cl::sub(runCommand),
                                   cl::value_desc(kTargets), cl::init("auto"),
                                   cl::desc("What runs the code; simulate runs "
                                            "kernels of a chip on the host, "
                                            "and reports races, deadlocks and "
                                            "misused rings at the op "
                                            "(default: auto)"));
static cl::opt<std::string>
    cpu("cpu", cl::sub(runCommand), cl::value_desc("NAME"),
        cl::desc("CPU of the host target, as LLVM names it (default: this "
                 "machine's)"));
static cl::opt<std::string>
    chip("chip", cl::sub(runCommand), cl::value_desc("sm_..."),
         cl::desc("Chip of the cuda target (default: the GPU's own), or of the "
                  "simulate target (default: sm_90a)"));
static cl::opt<std::string>
    access("access", cl::sub(runCommand),
           cl::value_desc("auto|tma|async16|narrow"), cl::init("auto"),
           cl::desc("Access class of the cuda and simulate targets (default: "
                    "auto)"));
static cl::opt<uint64_t>
    simulationSeed("seed", cl::sub(runCommand), cl::init(1),
                   cl::desc("Seed of the random order in which the simulate "
                            "target runs warps, copies and MMAs (default 1)"));
static cl::opt<unsigned>
    numSms("sms", cl::sub(runCommand), cl::value_desc("N"), cl::init(3),
           cl::desc("SMs of the simulate target (default 3)"));
static cl::opt<bool>
    isLowered("lowered", cl::sub(runCommand),
              cl::desc("For the simulate target: FILE is as attn-opt "
                       "--attn-to-gpu writes it"));
static cl::opt<std::string> source(
    "source", cl::sub(runCommand), cl::value_desc("FILE"),
    cl::desc("With --lowered: the module before lowering, which determines "
             "what --check compares with and which arrays are results"));
static cl::opt<std::string>
    lineinfo("lineinfo", cl::sub(runCommand), cl::value_desc("FILE"),
             cl::desc("For the cuda target: write the tile programs to FILE, "
                      "which a profiler then shows as the kernels' source"));
static cl::list<std::string>
    outputs("o", cl::sub(runCommand), cl::value_desc("FILE.npy"),
            cl::desc("Where to write the next result"));
static cl::list<std::string>
    shapes("shape", cl::sub(runCommand), cl::value_desc("K=4x12x1024x64"),
           cl::desc("Sizes of argument K, counted from 0"));
static cl::list<std::string>
    strides("strides", cl::sub(runCommand), cl::value_desc("K=AxBxCx1"),
            cl::desc("Strides of argument K in elements, where its type "
                     "leaves them open"));
namespace {
enum class Layout { BHSD, BSHD };
} // namespace
static EnumOption<Layout> layout(
    "layout", cl::sub(runCommand),
    cl::desc("Order in memory of arrays whose type leaves strides open"),
    cl::values(clEnumValN(Layout::BHSD, "bhsd",
                          "batch, head, row, head dim (default)"),
               clEnumValN(Layout::BSHD, "bshd", "batch, row, head, head dim")),
    cl::init(Layout::BHSD));
static cl::opt<bool>
    check("check", cl::sub(runCommand),
          cl::desc("Compare the results of the entry's one attention op with "
                   "attention, or its gradients, in fp64"));
static cl::opt<bool> noCheckIndices(
    "no-check-indices", cl::sub(runCommand),
    cl::desc("Allow lengths, cumulative lengths and page numbers out of range, "
             "which kernels clamp or mask"));
static cl::opt<double>
    absoluteTolerance("atol", cl::sub(runCommand), cl::init(0),
                      cl::desc("With --check, also require |o - o64| <= "
                               "atol + rtol |o64|"));
static cl::opt<double> relativeTolerance("rtol", cl::sub(runCommand),
                                         cl::init(0), cl::desc("See --atol"));
static cl::opt<unsigned> repeat(
    "repeat", cl::sub(runCommand), cl::value_desc("N"), cl::init(1),
    cl::desc("Run N times after the first run and report the median time"));

static llvm::Expected<std::unique_ptr<Runner>> createSimulator(StringRef chip) {
  if (cpu.getNumOccurrences() || lineinfo.getNumOccurrences())
    return llvm::createStringError("expected neither --cpu nor --lineinfo for "
                                   "target simulate");
  SimulatingRunnerOptions options;
  if (!chip.empty())
    options.chip = chip.str();
  options.access = access;
  options.seed = simulationSeed;
  options.numSms = numSms;
  options.isLowered = isLowered;
  return createSimulatingRunner(options);
}

static llvm::Expected<ChosenRunner> createRunner() {
  if (!source.empty() && !isLowered)
    return llvm::createStringError("expected --source together with --lowered");
  llvm::Expected<TargetChoice> choice = readTarget(target, chip);
  if (!choice)
    return choice.takeError();
  using Kind = TargetChoice::Kind;
  if (choice->kind == Kind::Simulate)
    return createSimulator(choice->chip);
  if (simulationSeed.getNumOccurrences() || numSms.getNumOccurrences() ||
      isLowered)
    return llvm::createStringError("expected --seed, --sms and --lowered for "
                                   "target simulate alone, found target " +
                                   target);
  bool isForHost = choice->kind == Kind::Host || cpu.getNumOccurrences();
  if (choice->kind == Kind::Cuda && cpu.getNumOccurrences())
    return llvm::createStringError("expected --cpu for the host alone, found "
                                   "--target " +
                                   target);
  bool isForGPU = choice->kind == Kind::Cuda || chip.getNumOccurrences() ||
                  access.getNumOccurrences() || lineinfo.getNumOccurrences();
  if (isForHost && isForGPU)
    return llvm::createStringError("expected --chip, --access and --lineinfo "
                                   "for a GPU alone, found target host");
  if (llvm::Error error = checkLineinfo(lineinfo))
    return std::move(error);
  CudaRunnerOptions options;
  options.access = access;
  options.lineinfo = lineinfo;
  if (repeat.getNumOccurrences())
    options.bytesBeforeRun = kBytesBeforeTimedRun;
  if (isForHost || isForGPU)
    choice->kind = isForHost ? Kind::Host : Kind::Cuda;
  return createRunnerOn(*choice, options, cpu);
}

static llvm::Expected<ExecutionOptions> getOptions() {
  for (const auto *tolerance : {&absoluteTolerance, &relativeTolerance})
    if (tolerance->getNumOccurrences() &&
        (!check || !(*tolerance >= 0) || !std::isfinite(*tolerance)))
      return llvm::createStringError("expected a finite --" +
                                     tolerance->ArgStr +
                                     " of at least 0, together with --check");
  if (repeat.getNumOccurrences() && repeat == 0)
    return llvm::createStringError("expected --repeat of at least 1, found 0");
  if (llvm::Error error = checkOutputPaths(outputs))
    return std::move(error);
  llvm::Expected<ExecutionOptions> options =
      readExecutionOptions(arguments, shapes, strides);
  if (options && layout == Layout::BSHD)
    options->layout = {0, 2, 1, 3};
  return options;
}

/// Returns how many elements of the array differ from `exact` by more than
/// --atol + --rtol * |exact|. A NaN equals only another NaN.
static int64_t countOutside(const ArrayView &array,
                            const std::vector<double> &exact) {
  int64_t numOutside = 0;
  for (auto [found, expected] : llvm::zip(getElements(array), exact)) {
    bool isClose = std::fabs(found - expected) <=
                   absoluteTolerance + relativeTolerance * std::fabs(expected);
    numOutside += !isClose && !(std::isnan(found) && std::isnan(expected));
  }
  return numOutside;
}

/// Prints the number of elements outside of the tolerances --atol and --rtol,
/// and returns whether it is 0. Returns true if neither option is given.
static bool checkTolerance(llvm::function_ref<int64_t()> count) {
  if (!absoluteTolerance.getNumOccurrences() &&
      !relativeTolerance.getNumOccurrences())
    return true;
  int64_t numOutside = count();
  llvm::outs() << "tolerance  atol " << absoluteTolerance << ", rtol "
               << relativeTolerance << ": " << numOutside
               << " elements outside, " << (numOutside ? "fail" : "pass")
               << "\n";
  return numOutside == 0;
}

/// Compares gradients with the oracle's. Returns whether all pass.
static bool checkGradientResults(const AttentionBinding &binding,
                                 const Execution &execution, Stopwatch &watch) {
  AttentionInterface op = binding.op;
  auto problem = buildGradientProblem(
      cast<AttentionBackwardOp>(op.getOperation()), execution.getBindings());
  if (failed(problem))
    return false;
  const GradientProblem &p = (*problem)->problem;
  FoundGradients found = findGradients(binding, execution);
  GradientResult exact = evaluateGradients(p, Precision::Double);
  GradientResult low = evaluateGradients(p, getReferencePrecision(p.forward));
  GradientReport report = checkGradients(p, exact, low, found);
  llvm::outs() << llvm::format("check      %.3f s\n", watch.lap());
  report.print(llvm::outs());
  return checkTolerance([&] {
           int64_t numOutside = 0;
           auto count = [&](const auto &array, const auto &expected) {
             if (array)
               numOutside += countOutside(*array, expected.values);
           };
           for (auto [array, expected] : llvm::zip(found.arrays, exact.arrays))
             count(array, expected);
           count(found.sink, exact.sink);
           for (auto [array, expected] :
                llvm::zip(found.captures, exact.captures))
             count(array, expected);
           return numOutside;
         }) &&
         report.passed;
}

/// Compares the results of the entry's only attention op with the oracle's and
/// returns whether they pass the accuracy rule and the given tolerances.
static bool checkResults(const EntryPoint &entry, const Execution &execution,
                         Stopwatch &watch) {
  const AttentionBinding &binding = entry.attentions.front();
  if (isa<AttentionBackwardOp>(binding.op))
    return checkGradientResults(binding, execution, watch);
  auto problem = buildProblem(binding.op, execution.getBindings());
  if (failed(problem))
    return false;
  const ArrayView &output = execution.getArray(binding.getPosition("output"));
  int lsePosition = binding.getPosition("lse");
  const ArrayView *lse =
      lsePosition >= 0 ? &execution.getArray(lsePosition) : nullptr;

  const AttentionProblem &p = (*problem)->problem;
  AttentionResult exact = evaluate(p, Precision::Double);
  AttentionResult low = evaluate(p, getReferencePrecision(p));
  AccuracyReport report = checkAccuracy(p, exact, low, output, lse);
  llvm::outs() << llvm::format("check      %.3f s\n", watch.lap());
  report.print(llvm::outs());
  return checkTolerance([&] { return countOutside(output, exact.output); }) &&
         report.passed;
}

static llvm::Error checkEntry(const EntryPoint &entry,
                              const Execution &execution) {
  if (isLowered && source.empty() && (check || !outputs.empty()))
    return llvm::createStringError(
        "expected --source FILE, the module that was lowered, for --check and "
        "-o: a lowered one does not say what its results are");
  if (outputs.size() > execution.getOutputs().size())
    return llvm::createStringError(
        "expected at most " + Twine(execution.getOutputs().size()) +
        " times -o, one for each result, found " + Twine(outputs.size()));
  if (!check)
    return llvm::Error::success();
  if (entry.attentions.size() != 1)
    return llvm::createStringError(
        "--check expects an entry with one attention op, found " +
        Twine(entry.attentions.size()));
  const AttentionBinding &binding = entry.attentions.front();
  for (const NamedArray &array : AttentionInterface(binding.op).getArrays())
    if (array.isOut && binding.getPosition(array.name) < 0)
      return llvm::createStringError(
          "--check expects the attention op's results to be results of the "
          "entry");
  return llvm::Error::success();
}

/// Runs the entry `repeat` more times and prints the median time and, if the
/// operations of all attention ops can be counted, TFLOP/s.
static llvm::Error measure(const EntryPoint &entry, const Execution &execution,
                           Runner &runner) {
  if (!repeat)
    return llvm::Error::success();
  llvm::Expected<SmallVector<double>> seconds = timeRuns(runner, repeat);
  if (!seconds)
    return seconds.takeError();
  double median = summarize(*seconds).median;
  double flops = 0;
  bool isCounted = !entry.attentions.empty();
  for (const AttentionBinding &binding : entry.attentions) {
    AttentionInterface op = binding.op;
    isCounted &= binding.hasInputs() && !op.isRagged() && !op.getPages();
    if (isCounted)
      flops += countFlops(
          binding.op, execution.getArray(binding.getPosition("query")).sizes,
          execution.getArray(binding.getPosition("key")).sizes);
  }
  llvm::outs() << llvm::format("median     %.3f ms of %u runs", median * 1e3,
                               unsigned(repeat));
  if (isCounted && median > 0)
    llvm::outs() << llvm::format(", %.4f TFLOP/s", flops / median * 1e-12);
  llvm::outs() << "\n";
  return llvm::Error::success();
}

static int run() {
  llvm::Expected<ExecutionOptions> options = getOptions();
  if (!options)
    return reportError(options.takeError());
  auto runner = createRunner();
  if (!runner)
    return reportError(runner.takeError());

  Stopwatch watch;
  LoadedModule module, original;
  if (!module.loadFile(input, raises) ||
      (!source.empty() && !original.loadFile(source)))
    return 1;
  LoadedModule &described = source.empty() ? module : original;
  // Inlines private functions, which may contain the attention op or checks of
  // the entry's arguments. Not if the entry is private, since the inliner would
  // remove it. Before the pipeline, the IR must not change in any other way.
  auto function = described.get().lookupSymbol<func::FuncOp>(entryName);
  bool isCallable = function && function.isPublic();
  if (isCallable && !lowerTo(described.get(), [](OpPassManager &pm) {
        pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
      }))
    return 1;
  FailureOr<EntryPoint> entry = analyzeEntryPoint(described.get(), entryName);
  if (failed(entry))
    return 1;
  double parseTime = watch.lap();

  llvm::Expected<Execution> execution = Execution::prepare(*entry, *options);
  if (!execution)
    return reportError(execution.takeError());
  if (llvm::Error error = checkEntry(*entry, *execution))
    return reportError(std::move(error));
  if (!noCheckIndices)
    if (llvm::Error error = execution->checkSequences(*entry))
      return reportError(std::move(error));
  double inputTime = watch.lap();

  OwningOpRef<ModuleOp> lowered = module.get().clone();
  if (!lowerTo(*lowered,
               [&](OpPassManager &pm) { (*runner)->buildPipeline(pm); }))
    return 1;
  double lowerTime = watch.lap();
  if (llvm::Error error = (*runner)->load(*lowered, entryName))
    return reportError(std::move(error));
  double codeTime = watch.lap();

  if (llvm::Error error = (*runner)->begin(*execution))
    return reportError(std::move(error));
  watch.lap();
  if (auto seconds = (*runner)->run(); !seconds)
    return reportError(seconds.takeError());
  double runTime = watch.lap();
  if (llvm::Error error = (*runner)->end())
    return reportError(std::move(error));
  if (llvm::Error error = execution->checkMargins())
    return reportError(std::move(error));

  printProblems(entryName, *entry, *execution);
  llvm::outs() << "target     " << runner->describe() << "\n"
               << llvm::format("compile    parse %.1f ms, lower %.1f ms, "
                               "code %.1f ms\n",
                               parseTime * 1e3, lowerTime * 1e3, codeTime * 1e3)
               << llvm::format("inputs     %.1f ms\n", inputTime * 1e3)
               << llvm::format("first run  %.3f ms\n", runTime * 1e3);
  if (repeat.getNumOccurrences()) {
    if (llvm::Error error = measure(*entry, *execution, **runner))
      return reportError(std::move(error));
    watch.lap();
  }
  if (check && !checkResults(*entry, *execution, watch))
    return 1;

  SmallVector<unsigned> positions = execution->getOutputs();
  for (auto [path, position] : llvm::zip(outputs, positions))
    if (llvm::Error error = writeNpy(path, execution->getArray(position)))
      return reportError(std::move(error));
  return 0;
}

} // namespace attnc::run_command

int attnc::runRun() { return run_command::run(); }
