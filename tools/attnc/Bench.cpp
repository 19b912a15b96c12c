//===- Bench.cpp - attnc bench --------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times plain attention of many shapes. Each shape is compiled, run once,
// checked against the oracle on some rows, and then timed.
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"

#include "attn/Driver/BenchShapes.h"
#include "attn/Driver/Generate.h"
#include "attn/Driver/Timing.h"
#include "attn/Oracle/SpotCheck.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/Process.h"

#include <thread>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::benchCommand("bench", "Time attention of many shapes");

static cl::list<std::string> names(
    "shapes", cl::sub(benchCommand),
    cl::value_desc("gpt2|llama|flux|grid|decode|all|B,H[:HK],S[:SK],D"),
    cl::desc("Shapes to time; may be given several times (default: all on "
             "a GPU, gpt2 on the host)"));
static cl::opt<DType>
    dtype("dtype", cl::sub(benchCommand),
          cl::desc("Element type (default: as listed, bf16 for given shapes)"),
          cl::values(clEnumValN(DType::F32, "f32", "32-bit float"),
                     clEnumValN(DType::F16, "f16", "16-bit float"),
                     clEnumValN(DType::BF16, "bf16", "bfloat16")));
static cl::opt<BenchMasks>
    causal("causal", cl::sub(benchCommand),
           cl::desc("Causal mask (default: as listed, no for given shapes)"),
           cl::values(clEnumValN(BenchMasks::Full, "no", "Without"),
                      clEnumValN(BenchMasks::Causal, "yes", "With"),
                      clEnumValN(BenchMasks::Both, "both", "Each in turn")),
           cl::init(BenchMasks::AsListed));
static cl::opt<std::string> target("target", cl::sub(benchCommand),
                                   cl::value_desc("auto|host|cuda"),
                                   cl::init("auto"),
                                   cl::desc("What runs the code"));
static cl::opt<unsigned>
    rounds("rounds", cl::sub(benchCommand), cl::value_desc("N"), cl::init(4),
           cl::desc("Rounds of ten runs, each after 60 ms without work "
                    "(default 4)"));
static cl::opt<bool> sustained(
    "sustained", cl::sub(benchCommand),
    cl::desc("Instead of rounds: back to back for a second, with warm "
             "caches; the second half counts"));
static cl::opt<std::string> csv("csv", cl::sub(benchCommand),
                                cl::value_desc("FILE"),
                                cl::desc("Also write the figures to a file"));
static cl::opt<bool> list("list", cl::sub(benchCommand),
                          cl::desc("Print the shapes and do nothing else"));

namespace {

/// What is known of one shape in the end.
struct Figures {
  Timing timing;
  double flops = 0, bytes = 0;

  double getTeraflops() const { return flops / timing.median * 1e-12; }
  double getBytesPerSecond() const { return bytes / timing.median; }
};

} // namespace

static llvm::Expected<std::unique_ptr<Runner>> createRunner(bool &isHost) {
  if (llvm::Error error = checkRunTarget(target))
    return std::move(error);
  CudaRunnerOptions options;
  options.bytesBeforeRun = kBytesBeforeTimedRun;
  return createRunnerOn(target, options, /*cpu=*/"", isHost);
}

static llvm::Expected<std::string> generate(const BenchShape &shape) {
  GenerateOptions options;
  options.dtype = shape.dtype;
  options.batch = shape.batch;
  options.queryHeads = shape.queryHeads;
  options.kvHeads = shape.kvHeads;
  options.queryLength = shape.queryLength;
  options.kvLength = shape.kvLength;
  options.headDim = options.valueHeadDim = shape.headDim;
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

/// Compiles, runs, checks and times. Fails without an error where diagnostics
/// have been printed.
static llvm::Expected<FailureOr<Figures>> benchmark(const BenchShape &shape,
                                                    Runner &runner) {
  llvm::Expected<std::string> text = generate(shape);
  if (!text)
    return text.takeError();
  LoadedModule module;
  if (!module.loadText(*text, shape.describe()))
    return failure();
  FailureOr<EntryPoint> entry = analyzeEntryPoint(module.get(), "main");
  if (failed(entry))
    return failure();
  ExecutionOptions options;
  options.arguments = {RandomArgument{1}, RandomArgument{2}, RandomArgument{3}};
  llvm::Expected<Execution> execution = Execution::prepare(*entry, options);
  if (!execution)
    return execution.takeError();
  OwningOpRef<ModuleOp> lowered = module.get().clone();
  if (!lowerTo(*lowered, [&](OpPassManager &pm) { runner.buildPipeline(pm); }))
    return failure();
  if (llvm::Error error = runner.load(*lowered, "main"))
    return std::move(error);

  if (llvm::Error error = runner.begin(*execution))
    return std::move(error);
  if (auto seconds = runner.run(); !seconds)
    return seconds.takeError();
  if (llvm::Error error = runner.end())
    return std::move(error);
  const AttentionBinding &binding = entry->attentions.front();
  auto problem = buildProblem(binding.op, execution->getBindings());
  if (failed(problem))
    return failure();
  AccuracyReport report =
      checkSpots((*problem)->problem, execution->getArray(binding.output));
  if (!report.passed)
    return llvm::createStringError("wrong result, not timed: " +
                                   report.firstFailure);

  llvm::Expected<SmallVector<double>> seconds = measure(runner);
  if (!seconds)
    return seconds.takeError();
  Figures figures;
  figures.timing = summarize(*seconds);
  figures.flops =
      countFlops(binding.op, execution->getArray(binding.query).sizes,
                 execution->getArray(binding.value).sizes);
  for (int position :
       {binding.query, binding.key, binding.value, binding.output}) {
    const ArrayView &array = execution->getArray(position);
    figures.bytes += double(array.getNumElements()) * getByteSize(array.dtype);
  }
  return figures;
}

static void printRow(const BenchShape &shape, const Figures &figures,
                     double copyRate) {
  llvm::outs() << llvm::format(
      "%-40s %9.3f %6.1f%% %9.4g %9.1f %7.1f%%\n", shape.describe().c_str(),
      figures.timing.median * 1e3, figures.timing.spread * 100,
      figures.getTeraflops(), figures.getBytesPerSecond() * 1e-9,
      figures.getBytesPerSecond() / copyRate * 100);
  llvm::outs().flush();
}

/// The columns are those of `python -m attn_mlir.bench`.
static constexpr char kHeader[] =
    "peer,pass,dtype,B,Hq,Hkv,Sq,Skv,D,causal,ms,tflops,spread,runs,mode,gbs,"
    "matmul_share,copy_share,note\n";

static void writeCopy(llvm::raw_ostream &os, double copyRate) {
  os << "copy,copy,,,,,,,,,,,,,burst," << llvm::format("%.2f", copyRate * 1e-9)
     << ",,,\n";
}

static void writeRow(llvm::raw_ostream &os, const BenchShape &shape,
                     const Figures &figures, double copyRate) {
  os << "attn-mlir,fwd," << getName(shape.dtype);
  for (int64_t size :
       {shape.batch, shape.queryHeads, shape.kvHeads, shape.queryLength,
        shape.kvLength, shape.headDim, int64_t(shape.causal)})
    os << "," << size;
  os << llvm::format(
      ",%.6f,%.6g,%.4f,%u,%s,%.2f,,%.4f,\n", figures.timing.median * 1e3,
      figures.getTeraflops(), figures.timing.spread, figures.timing.numRuns,
      sustained ? "sustained" : "burst", figures.getBytesPerSecond() * 1e-9,
      figures.getBytesPerSecond() / copyRate);
}

/// A line on the terminal that the next row overwrites.
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

int attnc::runBench() {
  if (!sustained && rounds == 0)
    return reportError(
        llvm::createStringError("expected --rounds of at least 1, found 0"));
  if (sustained && rounds.getNumOccurrences())
    return reportError(llvm::createStringError(
        "expected --rounds or --sustained, found both"));
  std::unique_ptr<Runner> runner;
  bool isHost = target == "host";
  if (!list) {
    auto created = createRunner(isHost);
    if (!created)
      return reportError(created.takeError());
    runner = std::move(*created);
  }
  std::vector<std::string> chosen(names.begin(), names.end());
  if (chosen.empty())
    chosen = {isHost ? "gpt2" : "all"};
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
  llvm::outs() << "target     " << runner->getDescription() << "\n"
               << llvm::format("copy       %.1f GB/s read and written\n",
                               copyRate * 1e-9)
               << "product    not measured: attnc has no matrix product to "
                  "compare with; python -m attn_mlir.bench has\n"
               << llvm::format("%-40s %9s %7s %9s %9s %8s\n", "shape", "ms",
                               "spread", "TFLOP/s", "GB/s", "of copy");
  std::string rows;
  llvm::raw_string_ostream os(rows);
  os << kHeader;
  writeCopy(os, copyRate);
  int status = 0;
  for (auto [i, shape] : llvm::enumerate(*shapes)) {
    showProgress(i, shapes->size(), shape);
    llvm::Expected<FailureOr<Figures>> figures = benchmark(shape, *runner);
    clearProgress();
    if (!figures)
      status = reportError(llvm::createStringError(
          shape.describe() + ": " + llvm::toString(figures.takeError())));
    else if (failed(*figures))
      status = 1;
    // What was measured before is kept.
    if (status) {
      if (i == 0)
        return status;
      break;
    }
    printRow(shape, **figures, copyRate);
    writeRow(os, shape, **figures, copyRate);
  }
  if (!csv.empty())
    if (llvm::Error error = writeFile(csv, rows))
      return reportError(std::move(error));
  return status;
}
