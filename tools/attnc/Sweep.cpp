//===- Sweep.cpp - attnc sweep --------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `attnc sweep`. It draws attention problems, compiles and runs
// each on arrays with margins of NaN, and applies the accuracy rule. A case
// depends only on the seed and its number, so that one command repeats a
// failure.
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "SweepBackward.h"
#include "SweepCases.h"
#include "SweepCompile.h"
#include "SweepScales.h"
#include "SweepServing.h"
#include "SweepVariants.h"
#include "SweepWide.h"

#include "attn/Driver/BlockMap.h"
#include "attn/Driver/Runner.h"
#include "attn/Driver/SilentFailures.h"
#include "attn/Oracle/Accuracy.h"
#include "attn/Pipelines/Pipelines.h"

#include "mlir/Parser/Parser.h"
#include "llvm/Support/Format.h"

#include <cmath>

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;
namespace cl = llvm::cl;

cl::SubCommand attnc::sweepCommand("sweep",
                                   "Run random attention problems and check "
                                   "their results");

namespace attnc::sweep_command {

static cl::opt<uint64_t> seed("seed", cl::sub(sweepCommand), cl::init(1),
                              cl::desc("Seed of the problems (default 1)"));
static cl::opt<uint64_t>
    first("first", cl::sub(sweepCommand), cl::init(0),
          cl::desc("Number of the first problem (default 0)"));
static cl::opt<unsigned> count("count", cl::sub(sweepCommand), cl::init(10),
                               cl::desc("Number of problems (default 10)"));
static cl::opt<std::string> target("target", cl::sub(sweepCommand),
                                   cl::value_desc(kTargets), cl::init("host"),
                                   cl::desc("What runs the code (default "
                                            "host)"));
static cl::opt<std::string>
    cpu("cpu", cl::sub(sweepCommand), cl::value_desc("NAME"),
        cl::desc("CPU of the host target, as LLVM names it (default: this "
                 "machine's)"));
static cl::opt<std::string>
    chip("chip", cl::sub(sweepCommand), cl::value_desc("sm_..."),
         cl::desc("Chip of the cuda target (default: the GPU's own), or of the "
                  "simulate target (default: sm_90a)"));
static cl::opt<unsigned>
    repeat("repeat", cl::sub(sweepCommand), cl::value_desc("N"), cl::init(1),
           cl::desc("Run each problem N times more after the first, which must "
                    "give the same bits (default 1)"));
static cl::opt<bool> compileOnly(
    "compile-only", cl::sub(sweepCommand),
    cl::desc("Compile random schedules, chips, types, masks and score regions "
             "to PTX, and run nothing: what does not fit must be one error at "
             "the op, before anything is lowered"));
static cl::opt<bool>
    backward("backward", cl::sub(sweepCommand),
             cl::desc("Gradients of random attention problems"));
static cl::opt<bool>
    variants("variants", cl::sub(sweepCommand),
             cl::desc("Also mask regions, and regions that read captured "
                      "arrays"));
static cl::opt<bool> serving(
    "serving", cl::sub(sweepCommand),
    cl::desc(
        "Also lengths of batch entries, packed sequences and pages, and the "
        "variants of --variants; elements that must not be read are NaN"));
static cl::opt<bool>
    wide("wide", cl::sub(sweepCommand),
         cl::desc("Head dims above 256, and values that are columns of the "
                  "key"));
static cl::opt<bool> parts("parts", cl::sub(sweepCommand),
                           cl::desc("Query and key in two arrays each: "
                                    "query_rope and key_rope, too"));
static cl::opt<bool> narrow(
    "narrow", cl::sub(sweepCommand),
    cl::desc("Types of 8 bits or 4 in each problem, values with a mean, and "
             "values along keys"));
static cl::opt<bool> verbose("v", cl::sub(sweepCommand),
                             cl::desc("Print each problem and its figures"));

/// Returns the elements of all outputs as doubles, so that two runs of a
/// program can be compared.
static std::vector<double> getResults(const Execution &execution) {
  std::vector<double> results;
  for (unsigned position : execution.getOutputs())
    llvm::append_range(results, getElements(execution.getArray(position)));
  return results;
}

static bool areSame(ArrayRef<double> lhs, ArrayRef<double> rhs) {
  return lhs.size() == rhs.size() &&
         std::memcmp(lhs.data(), rhs.data(), lhs.size() * sizeof(double)) == 0;
}

/// Compares the results of a forward op with the oracle's by checkAccuracy().
/// Sets `passed` to whether the accuracy rule holds, and `figures` to a text
/// with the errors and their limits. Returns false, and sets neither, if the
/// oracle's problem cannot be built for the op and its arguments.
static bool checkForwardCase(const EntryPoint &entry,
                             const Execution &execution, std::string &figures,
                             bool &passed) {
  const AttentionBinding &binding = entry.attentions.front();
  auto problem = buildProblem(binding.op, execution.getBindings());
  if (failed(problem))
    return false;
  int lse = binding.getPosition("lse");
  AccuracyReport report = checkAccuracy(
      (*problem)->problem, execution.getArray(binding.getPosition("output")),
      lse < 0 ? nullptr : &execution.getArray(lse));
  passed = report.passed;
  figures.clear();
  llvm::raw_string_ostream os(figures);
  report.print(os);
  return true;
}

namespace {
/// Sums over all cases: the number of blocks of scores, of skipped blocks, and
/// of blocks that were treated as full. `needless` counts blocks that were
/// visited although none of their pairs counts, or masked although all count.
struct BlockTotals {
  int64_t blocks = 0, skipped = 0, full = 0, needless = 0;
};
} // namespace

/// Classifies the blocks of a problem's scores, of 16 rows and 32 keys, and
/// adds their numbers to `totals`. Fails if the kind of a block (skipped,
/// partial, full) contradicts the mask of one of its pairs.
static llvm::Error checkBlocks(ModuleOp module, const EntryPoint &entry,
                               Execution &execution, BlockTotals &totals) {
  constexpr int64_t kRows = 16, kKeys = 32;
  FailureOr<BlockMap> map =
      deriveBlockMap(module, entry, execution, kRows, kKeys);
  if (failed(map))
    return llvm::createStringError("its map of blocks cannot be derived");
  totals.blocks += map->kinds.size();
  totals.skipped += llvm::count(map->kinds, BlockMap::Kind::Skipped);
  totals.full += llvm::count(map->kinds, BlockMap::Kind::Full);
  totals.needless += map->emptyPartial + map->fullPartial;
  if (map->wronglySkipped || map->wronglyFull)
    return llvm::createStringError(
        llvm::Twine(map->wronglySkipped) +
        " blocks are skipped that have a pair, and " +
        llvm::Twine(map->wronglyFull) + " taken as full that lack one");
  return llvm::Error::success();
}

static llvm::Error runCase(const SweepCase &drawn,
                           const DialectRegistry &registry, Runner &runner,
                           std::string &figures, BlockTotals &totals) {
  llvm::Expected<std::string> text = generateModule(drawn.generate);
  if (!text)
    return text.takeError();
  auto fail = [&](const Twine &what) {
    return llvm::createStringError(what + " of this module failed:\n" + *text);
  };
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  auto module = parseSourceString<ModuleOp>(*text, &context);
  if (!module)
    return fail("parsing");
  FailureOr<EntryPoint> entry = analyzeEntryPoint(*module, "main");
  if (failed(entry))
    return fail("analysis");
  llvm::Expected<Execution> execution =
      Execution::prepare(*entry, drawn.execute);
  if (!execution)
    return execution.takeError();

  OwningOpRef<ModuleOp> lowered = module->clone();
  PassManager pm(&context);
  reportSilentFailures(pm);
  runner.buildPipeline(pm);
  if (failed(pm.run(*lowered)))
    return fail("lowering");
  if (llvm::Error error = runner.load(*lowered, "main"))
    return error;

  auto runOnce = [&]() -> llvm::Error {
    if (llvm::Error error = runner.begin(*execution))
      return error;
    if (auto seconds = runner.run(); !seconds)
      return seconds.takeError();
    return runner.end();
  };
  if (llvm::Error error = runOnce())
    return error;
  if (llvm::Error error = execution->checkMargins())
    return error;
  bool passed = false;
  auto check = [&]() -> llvm::Error {
    bool isRead = drawn.generate.backward
                      ? checkGradientCase(*entry, *execution, figures, passed)
                      : checkForwardCase(*entry, *execution, figures, passed);
    if (!isRead)
      return fail("the oracle's reading");
    if (!passed)
      return llvm::createStringError("the accuracy rule does not hold");
    return llvm::Error::success();
  };
  if (llvm::Error error = check())
    return error;

  std::vector<double> results = getResults(*execution);
  // In problems with lengths, packed sequences or pages, elements that must not
  // be read contain NaN. A result that is NaN is then an error, even if the
  // oracle's result is NaN, too.
  if (drawn.generate.hasSequences() &&
      llvm::any_of(results, [](double value) { return std::isnan(value); }))
    return llvm::createStringError(
        "a result is NaN, like elements that must not be read");
  for (unsigned i = 0; i < repeat; ++i) {
    execution->poisonOutputs();
    if (llvm::Error error = runOnce())
      return error;
    if (drawn.generate.backward && !drawn.generate.deterministic) {
      if (llvm::Error error = check())
        return error;
    } else if (!areSame(results, getResults(*execution))) {
      return llvm::createStringError("runs differ");
    }
  }
  // Without keys, no program loops over blocks, so there are no blocks to
  // check.
  if (variants && !serving && !backward && drawn.keys != 0)
    return checkBlocks(*module, *entry, *execution, totals);
  return llvm::Error::success();
}

static llvm::Expected<ChosenRunner> createRunner() {
  llvm::Expected<TargetChoice> choice = readTarget(target, chip);
  if (!choice)
    return choice.takeError();
  if (choice->kind == TargetChoice::Kind::Simulate) {
    SimulatingRunnerOptions options;
    if (!choice->chip.empty())
      options.chip = choice->chip;
    options.seed = seed;
    return createSimulatingRunner(options);
  }
  return createRunnerOn(*choice, CudaRunnerOptions(), cpu);
}

static SweepCase drawProblem(uint64_t number) {
  SweepKind kind = serving    ? SweepKind::Serving
                   : variants ? SweepKind::Variants
                              : SweepKind::Plain;
  if (backward)
    return drawBackwardCase(seed, number, kind, wide, parts, narrow);
  SizesOf drawSizes = wide ? drawWideSizes : drawPlainSizes;
  SweepCase drawn =
      serving ? drawServingCase(seed, number,
                                wide ? drawWideServingSizes : drawServingSizes)
      : variants ? drawVariantCase(seed, number, drawSizes)
                 : drawCase(seed, number, drawSizes);
  if (variants && !serving)
    drawSinkAndDropout(seed, number, drawn);
  drawNarrow(seed, number, drawn, narrow);
  if (parts)
    drawParts(seed, number, drawn);
  return drawn;
}

static int run() {
  if (compileOnly) {
    if (target.getNumOccurrences() || cpu.getNumOccurrences() ||
        repeat.getNumOccurrences())
      return reportError(llvm::createStringError(
          "expected --compile-only without --target, --cpu and --repeat"));
    return runCompileSweep({seed, first, count, chip, verbose, serving});
  }
  auto runner = createRunner();
  if (!runner)
    return reportError(runner.takeError());
  if (!runner->whyNoGPU.empty())
    llvm::outs() << "target     " << runner->describe() << "\n";
  DialectRegistry registry;
  registerDialects(registry);
  unsigned numFailed = 0;
  BlockTotals totals;
  for (unsigned i = 0; i < count; ++i) {
    uint64_t number = first + i;
    SweepCase drawn = drawProblem(number);
    std::string figures;
    llvm::Error error = runCase(drawn, registry, **runner, figures, totals);
    bool hasFailed = static_cast<bool>(error);
    numFailed += hasFailed;
    if (hasFailed || verbose) {
      llvm::outs() << (hasFailed ? "FAIL " : "pass ") << number << ": ";
      printCase(drawn, llvm::outs());
      if (backward)
        printBackward(drawn, llvm::outs());
      llvm::outs() << "\n" << figures;
    }
    if (hasFailed)
      llvm::outs() << llvm::toString(std::move(error))
                   << "\nrepeat with: attnc sweep -v"
                   << (backward ? " --backward" : "")
                   << (variants ? " --variants" : "")
                   << (serving ? " --serving" : "") << (wide ? " --wide" : "")
                   << (parts ? " --parts" : "") << (narrow ? " --narrow" : "")
                   << " --seed " << seed << " --first " << number
                   << " --count 1"
                   << " --target " << target
                   << (cpu.empty() ? "" : " --cpu " + cpu)
                   << (chip.empty() ? "" : " --chip " + chip) << "\n";
  }
  if (totals.blocks > 0) {
    auto share = [&](int64_t part) {
      return llvm::format("%.1f %%", 100.0 * part / totals.blocks);
    };
    llvm::outs() << totals.blocks << " blocks: " << share(totals.skipped)
                 << " skipped, " << share(totals.full) << " full, "
                 << share(totals.needless) << " undecided without need\n";
  }
  llvm::outs() << count - numFailed << " of " << count
               << " configurations passed\n";
  return numFailed != 0;
}

} // namespace attnc::sweep_command

int attnc::runSweep() { return sweep_command::run(); }
