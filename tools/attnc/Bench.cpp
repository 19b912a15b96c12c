//===- Bench.cpp - attnc bench --------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `attnc bench`. It times attention, or its gradients, for many
// shapes without score or mask regions. Each shape is compiled, run once,
// checked against the oracle on some rows, and then timed. Gradients are
// computed from the output and lse of a compiled forward op.
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Enum.h"
#include "Workspace.h"

#include "attn/Driver/BenchShapes.h"
#include "attn/Driver/Generate.h"
#include "attn/Driver/SilentFailures.h"
#include "attn/Driver/Timing.h"
#include "attn/Oracle/GradientAccuracy.h"
#include "attn/Oracle/SpotCheck.h"
#include "attn/Support/WholeFile.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <thread>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::benchCommand("bench", "Time attention of many shapes");

namespace attnc::bench_command {

static cl::list<std::string>
    names("shapes", cl::sub(benchCommand),
          cl::value_desc("gpt2|llama|flux|grid|decode|heldout|all|"
                         "B,H[:HK],S[:SK],D[:DV]"),
          cl::desc("Shapes to time; may be given several times (default: all "
                   "on a GPU, gpt2 on the host)"));
static EnumOption<DType>
    dtype("dtype", cl::sub(benchCommand),
          cl::desc("Element type (default: as listed, bf16 for given shapes)"),
          cl::values(clEnumValN(DType::F32, "f32", "32-bit float"),
                     clEnumValN(DType::F16, "f16", "16-bit float"),
                     clEnumValN(DType::BF16, "bf16", "bfloat16")));
static EnumOption<BenchMasks>
    causal("causal", cl::sub(benchCommand),
           cl::desc("Causal mask (default: as listed, no for given shapes)"),
           cl::values(clEnumValN(BenchMasks::Full, "no", "Without"),
                      clEnumValN(BenchMasks::Causal, "yes", "With"),
                      clEnumValN(BenchMasks::Both, "both", "Each in turn")),
           cl::init(BenchMasks::AsListed));
static cl::opt<std::string>
    target("target", cl::sub(benchCommand),
           cl::value_desc("auto|host|cuda|sm_..."), cl::init("auto"),
           cl::desc("Target that runs the code (default: auto)"));
static cl::opt<unsigned>
    rounds("rounds", cl::sub(benchCommand), cl::value_desc("N"), cl::init(4),
           cl::desc("Rounds of ten runs, each after 60 ms without work "
                    "(default 4)"));
static cl::opt<bool>
    sustained("sustained", cl::sub(benchCommand),
              cl::desc("Instead of rounds, run back to back for a second with "
                       "warm caches, and report the second half"));
static cl::opt<std::string> csv("csv", cl::sub(benchCommand),
                                cl::value_desc("FILE"),
                                cl::desc("Also write the figures to a file"));
static cl::opt<bool>
    backward("backward", cl::sub(benchCommand),
             cl::desc("Time the gradients of query, key and value"));
static cl::opt<bool>
    deterministic("deterministic", cl::sub(benchCommand),
                  cl::desc("With --backward: gradients that are the same bits "
                           "in each run"));
static cl::opt<bool> list("list", cl::sub(benchCommand),
                          cl::desc("Print the shapes and do nothing else"));

namespace {

/// The measurements of one shape that `attnc bench` runs.
struct Figures {
  Timing timing;
  double flops = 0, bytes = 0;
  std::optional<int64_t> workspace;

  double getTeraflops() const { return flops / timing.median * 1e-12; }
  double getBytesPerSecond() const { return bytes / timing.median; }
};

} // namespace

static llvm::Expected<ChosenRunner> createRunner() {
  llvm::Expected<TargetChoice> choice = readTarget(target, /*chip=*/"");
  if (!choice)
    return choice.takeError();
  if (choice->kind == TargetChoice::Kind::Simulate)
    return llvm::createStringError(
        "expected a target that takes time: auto, host, cuda or a chip, found "
        "'simulate'");
  CudaRunnerOptions options;
  options.bytesBeforeRun = kBytesBeforeTimedRun;
  return createRunnerOn(*choice, options, /*cpu=*/"");
}

static llvm::Expected<std::string> generate(const BenchShape &shape,
                                            bool isBackward) {
  GenerateOptions options;
  options.backward = isBackward;
  options.lse = backward && !isBackward;
  options.deterministic = deterministic;
  options.dtype = shape.dtype;
  options.batch = shape.batch;
  options.queryHeads = shape.queryHeads;
  options.kvHeads = shape.kvHeads;
  options.queryLength = shape.queryLength;
  options.kvLength = shape.kvLength;
  options.headDim = shape.headDim;
  options.valueHeadDim = shape.valueHeadDim;
  options.causal = shape.causal;
  options.layout = GenerateOptions::Layout::BSHD;
  return generateModule(options);
}

static llvm::Expected<SmallVector<double>> measure(Runner &runner) {
  constexpr unsigned kRunsOfRound = 10;
  constexpr std::chrono::milliseconds kIdle(60);
  if (sustained)
    return timeSustained(runner, /*duration=*/1);
  SmallVector<double> seconds;
  for (unsigned i = 0; i < rounds; ++i) {
    std::this_thread::sleep_for(kIdle);
    auto round = timeRuns(runner, kRunsOfRound);
    if (!round)
      return round.takeError();
    llvm::append_range(seconds, *round);
  }
  return seconds;
}

namespace {

/// A compiled module with the arrays of its arguments, and with an object that
/// counts the bytes of workspace that it allocates.
struct Program {
  LoadedModule module;
  EntryPoint entry;
  std::optional<Execution> execution;
  WorkspaceMeter workspace;

  const AttentionBinding &getBinding() const {
    return entry.attentions.front();
  }
  const ArrayView &getArray(StringRef name) const {
    return execution->getArray(getBinding().getPosition(name));
  }
};

} // namespace

static llvm::Error compile(Program &program, const BenchShape &shape,
                           bool isBackward, const ExecutionOptions &options,
                           Runner &runner) {
  llvm::Expected<std::string> text = generate(shape, isBackward);
  if (!text)
    return text.takeError();
  if (!program.module.loadText(*text, shape.describe()))
    return llvm::make_error<DiagnosedError>();
  ModuleOp module = program.module.get();
  FailureOr<EntryPoint> entry = analyzeEntryPoint(module, "main");
  if (failed(entry))
    return llvm::make_error<DiagnosedError>();
  program.entry = std::move(*entry);
  llvm::Expected<Execution> execution =
      Execution::prepare(program.entry, options);
  if (!execution)
    return execution.takeError();
  program.execution = std::move(*execution);
  OwningOpRef<ModuleOp> lowered = module.clone();
  PassManager pm(module.getContext());
  reportSilentFailures(pm);
  program.workspace.watch(pm);
  runner.buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return llvm::make_error<DiagnosedError>();
  return runner.load(*lowered, "main");
}

static llvm::Error runOnce(Program &program, Runner &runner) {
  if (llvm::Error error = runner.begin(*program.execution))
    return error;
  if (auto seconds = runner.run(); !seconds)
    return seconds.takeError();
  return runner.end();
}

static llvm::Error checkForward(const Program &program) {
  auto problem =
      buildProblem(program.getBinding().op, program.execution->getBindings());
  if (failed(problem))
    return llvm::make_error<DiagnosedError>();
  AccuracyReport report =
      checkSpots((*problem)->problem, program.getArray("output"));
  if (!report.passed)
    return llvm::createStringError("wrong result, not timed: " +
                                   report.firstFailure);
  return llvm::Error::success();
}

static llvm::Error checkBackward(const Program &program) {
  AttentionInterface op = program.getBinding().op;
  auto problem =
      buildGradientProblem(cast<AttentionBackwardOp>(op.getOperation()),
                           program.execution->getBindings());
  if (failed(problem))
    return llvm::make_error<DiagnosedError>();
  GradientReport report = checkGradientSpots(
      (*problem)->problem,
      findGradients(program.getBinding(), *program.execution));
  if (!report.passed)
    return llvm::createStringError("wrong gradients, not timed: " +
                                   report.firstFailure);
  return llvm::Error::success();
}

/// Prepares a program of the backward op for timing. Compiles and runs the
/// forward op, compiles the backward op, passes the forward op's output and lse
/// to it, and runs it once. Fails if the results of either op are wrong.
static llvm::Error prepareBackward(Program &program, const BenchShape &shape,
                                   Runner &runner) {
  ExecutionOptions options;
  options.arguments = {RandomArgument{1}, RandomArgument{2}, RandomArgument{3}};
  Program forward;
  if (llvm::Error error =
          compile(forward, shape, /*isBackward=*/false, options, runner))
    return error;
  if (llvm::Error error = runOnce(forward, runner))
    return error;
  if (llvm::Error error = checkForward(forward))
    return error;
  options.arguments.append(
      {RandomArgument{4}, RandomArgument{5}, RandomArgument{6}});
  if (llvm::Error error =
          compile(program, shape, /*isBackward=*/true, options, runner))
    return error;
  for (StringRef name : {"output", "lse"})
    if (llvm::Error error =
            copyElements(forward.getArray(name), program.getArray(name)))
      return error;
  if (llvm::Error error = runOnce(program, runner))
    return error;
  return checkBackward(program);
}

static llvm::Error prepareForward(Program &program, const BenchShape &shape,
                                  Runner &runner) {
  ExecutionOptions options;
  options.arguments = {RandomArgument{1}, RandomArgument{2}, RandomArgument{3}};
  if (llvm::Error error =
          compile(program, shape, /*isBackward=*/false, options, runner))
    return error;
  if (llvm::Error error = runOnce(program, runner))
    return error;
  return checkForward(program);
}

/// Compiles, runs, checks and times one shape.
static llvm::Expected<Figures> benchmark(const BenchShape &shape,
                                         Runner &runner) {
  Program program;
  if (llvm::Error error = backward ? prepareBackward(program, shape, runner)
                                   : prepareForward(program, shape, runner))
    return std::move(error);
  llvm::Expected<SmallVector<double>> seconds = measure(runner);
  if (!seconds)
    return seconds.takeError();
  Figures figures;
  figures.timing = summarize(*seconds);
  figures.flops =
      countFlops(program.getBinding().op, program.getArray("query").sizes,
                 program.getArray("key").sizes);
  for (auto [name, position] : program.getBinding().positions) {
    const ArrayView &array = program.execution->getArray(position);
    figures.bytes += double(array.getNumElements()) * getByteSize(array.dtype);
  }
  figures.workspace = program.workspace.getBytes();
  return figures;
}

static void printRow(const BenchShape &shape, const Figures &figures,
                     double copyRate) {
  llvm::outs() << llvm::format(
      "%-40s %9.3f %6.1f%% %9.4g %9.1f %7.1f%%", shape.describe().c_str(),
      figures.timing.median * 1e3, figures.timing.spread * 100,
      figures.getTeraflops(), figures.getBytesPerSecond() * 1e-9,
      figures.getBytesPerSecond() / copyRate * 100);
  if (backward)
    llvm::outs() << llvm::format_decimal(
        figures.workspace ? llvm::divideCeil(*figures.workspace, 1024) : -1,
        14);
  llvm::outs() << "\n";
  llvm::outs().flush();
}

/// The header of the CSV file, with the columns that `python -m
/// attn_mlir.bench` also writes.
static constexpr char kHeader[] =
    "peer,pass,dtype,B,Hq,Hkv,Sq,Skv,D,causal,ms,tflops,spread,runs,mode,gbs,"
    "matmul_share,copy_share,note\n";

static void writeCopy(llvm::raw_ostream &os, double copyRate) {
  os << "copy,copy,,,,,,,,,,,,,burst," << llvm::format("%.2f", copyRate * 1e-9)
     << ",,,\n";
}

static void writeRow(llvm::raw_ostream &os, const BenchShape &shape,
                     const Figures &figures, double copyRate) {
  os << "attn-mlir," << (backward ? "bwd," : "fwd,") << getName(shape.dtype);
  for (int64_t size : {shape.batch, shape.queryHeads, shape.kvHeads,
                       shape.queryLength, shape.kvLength})
    os << "," << size;
  os << "," << shape.describeHeadDims() << "," << int(shape.causal);
  os << llvm::format(
      ",%.6f,%.6g,%.4f,%u,%s,%.2f,,%.4f,", figures.timing.median * 1e3,
      figures.getTeraflops(), figures.timing.spread, figures.timing.numRuns,
      sustained ? "sustained" : "burst", figures.getBytesPerSecond() * 1e-9,
      figures.getBytesPerSecond() / copyRate);
  if (backward && figures.workspace)
    os << "workspace " << *figures.workspace << " bytes";
  os << "\n";
}

/// If standard error is a terminal, shows the progress in one line of it, which
/// the next row of the table overwrites.
static void showProgress(size_t done, size_t count, const BenchShape &shape) {
  constexpr size_t kWidth = 20;
  if (!llvm::sys::Process::StandardErrIsDisplayed())
    return;
  llvm::errs() << "\r\033[K[" << std::string(done * kWidth / count, '#')
               << std::string(kWidth - done * kWidth / count, '.') << "] "
               << done << "/" << count << " " << shape.describe();
}

static void clearProgress() {
  if (llvm::sys::Process::StandardErrIsDisplayed())
    llvm::errs() << "\r\033[K";
}

static int run() {
  if (!sustained && rounds == 0)
    return reportError(
        llvm::createStringError("expected --rounds of at least 1, found 0"));
  if (deterministic && !backward)
    return reportError(llvm::createStringError(
        "expected --deterministic together with --backward"));
  if (sustained && rounds.getNumOccurrences())
    return reportError(llvm::createStringError(
        "expected --rounds or --sustained, found both"));
  if (!csv.empty() && csv != "-")
    if (llvm::Error error = checkWritable(csv))
      return reportError(std::move(error));
  ChosenRunner runner(nullptr);
  if (!list) {
    auto created = createRunner();
    if (!created)
      return reportError(created.takeError());
    runner = std::move(*created);
  }
  std::vector<std::string> chosen(names.begin(), names.end());
  if (chosen.empty())
    chosen = {runner.isHost || target == "host" ? "gpt2" : "all"};
  auto shapes = selectBenchShapes(
      chosen,
      dtype.getNumOccurrences() ? std::optional<DType>(dtype) : std::nullopt,
      causal);
  if (!shapes)
    return reportError(shapes.takeError());
  if (list) {
    for (const BenchShape &shape : *shapes)
      llvm::outs() << shape.describe() << "\n";
    return 0;
  }

  constexpr unsigned kCopies = 10;
  auto copies = runner->measureCopies(kCopies);
  if (!copies)
    return reportError(copies.takeError());
  double copyRate = summarize(*copies).median;
  llvm::outs() << "target     " << runner.describe() << "\n"
               << llvm::format("copy       %.1f GB/s read and written\n",
                               copyRate * 1e-9)
               << "product    not measured: attnc has no matrix product to "
                  "compare with; python -m attn_mlir.bench has\n"
               << llvm::format("%-40s %9s %7s %9s %9s %8s%s\n", "shape", "ms",
                               "spread", "TFLOP/s", "GB/s", "of copy",
                               backward ? " workspace KiB" : "");
  std::string rows;
  llvm::raw_string_ostream os(rows);
  os << kHeader;
  writeCopy(os, copyRate);
  int status = 0;
  for (auto [i, shape] : llvm::enumerate(*shapes)) {
    showProgress(i, shapes->size(), shape);
    llvm::Expected<Figures> figures = benchmark(shape, *runner);
    clearProgress();
    if (!figures) {
      llvm::Error error = figures.takeError();
      status = error.isA<DiagnosedError>()
                   ? reportError(std::move(error))
                   : reportError(llvm::createStringError(
                         shape.describe() + ": " +
                         llvm::toString(std::move(error))));
    }
    // After an error, the loop ends, and the rows that were measured before the
    // error are still written.
    if (status) {
      if (i == 0)
        return status;
      break;
    }
    printRow(shape, *figures, copyRate);
    writeRow(os, shape, *figures, copyRate);
  }
  if (!csv.empty())
    if (llvm::Error error = writeFile(csv, rows))
      return reportError(std::move(error));
  return status;
}

} // namespace attnc::bench_command

int attnc::runBench() { return bench_command::run(); }
