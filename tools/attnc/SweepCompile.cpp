//===- SweepCompile.cpp - attnc sweep --compile-only ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The command `attnc sweep --compile-only`. It compiles random schedules on
// random chips, for random types, masks and score regions, to PTX. A schedule
// that does not fit must give one error at the op, by attn-gpu-assign-schedule
// or an earlier pass. Every other case must give PTX: an error of a later pass,
// an error without a location, a crash or a hang is a failure.
//
//===----------------------------------------------------------------------===//

#include "SweepCompile.h"

#include "Attnc.h"
#include "RandomScore.h"
#include "SweepCases.h"
#include "SweepScales.h"
#include "SweepServing.h"

#include "attn/Conversion/Passes.h"
#include "attn/Driver/KernelResources.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Support/GuardedRun.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "llvm/Support/FormatVariadic.h"

using namespace attnc;
using namespace mlir;
using namespace mlir::attn;

namespace {
struct CompileCase {
  std::string chip;
  SweepCase problem;
};

enum Outcome : unsigned { Compiled, Misfit, Failed };

/// An instrumentation of the pass manager that records which pass began last,
/// and whether the pass that assigns schedules has ended.
class Progress : public PassInstrumentation {
public:
  struct State {
    std::string pass = "the parser";
    bool hasSchedule = false;
  };
  explicit Progress(State &state) : state(state) {}

  void runBeforePass(Pass *pass, Operation *) override {
    // Adaptor passes, which run nested pipelines, have no name on the command
    // line, and are not recorded.
    if (!pass->getArgument().empty())
      state.pass = pass->getArgument().str();
  }
  void runAfterPass(Pass *pass, Operation *) override {
    state.hasSchedule |= pass->getArgument() == "attn-gpu-assign-schedule";
  }

private:
  State &state;
};
} // namespace

/// Draws a schedule whose fields mostly are compatible, so that about half of
/// the drawn schedules are valid for their op.
static std::string drawSchedule(Dice &dice, const Chip &chip) {
  std::string mma = chip.hasWgmma && !dice.oneIn(4) ? "wgmma" : "mma_sync";
  std::string copy = dice.pick({"element", "cp_async"});
  if (chip.hasTma() && !dice.oneIn(3))
    copy = "tma";
  if (dice.oneIn(25))
    mma = dice.pick({"none", "wgmma"});
  if (dice.oneIn(25))
    copy = "tma";
  bool isWgmma = mma == "wgmma";
  int64_t warps = isWgmma ? dice.pick<int64_t>({4, 4, 8, 12})
                          : dice.pick<int64_t>({1, 2, 4, 4, 8, 16});
  int64_t rows = warps * 16 * (isWgmma ? 1 : dice.pick<int64_t>({1, 1, 2}));
  bool hasRoles = copy == "tma" && warps % 4 == 0 && !dice.oneIn(3);
  if (dice.oneIn(25))
    hasRoles = true;
  if (dice.oneIn(20))
    rows = 16 * (1 + dice.below(70));
  if (dice.oneIn(20))
    warps = 1 + dice.below(33);
  int64_t keys = dice.oneIn(10) ? 16 * (1 + dice.below(70))
                                : dice.pick<int64_t>({16, 32, 48, 64, 80, 128});
  bool overlap = dice.oneIn(2);
  std::string text =
      llvm::formatv("#attn_gpu.schedule<tile_q = {0}, tile_kv = {1}, warps = "
                    "{2}, mma = {3}, copy = {4}",
                    rows, keys, warps, mma, copy);
  if (!dice.oneIn(3))
    text += llvm::formatv(", stages = {0}",
                          dice.oneIn(20) ? dice.below(10)
                                         : dice.pick<uint64_t>({2, 2, 3, 4}));
  if (overlap)
    text += ", overlap = true";
  if ((overlap && hasRoles && dice.oneIn(2)) || dice.oneIn(40))
    text += ", ping_pong = true";
  if (dice.oneIn(2))
    text += std::string(", softmax = ") + dice.pick({"strict", "lazy"});
  if (hasRoles)
    text += ", roles = producer_consumer";
  if (dice.oneIn(2))
    text += std::string(", scheduler = ") +
            dice.pick({"static", "persistent", "dynamic"});
  return text + ">";
}

static CompileCase drawCompileCase(const CompileSweepOptions &options,
                                   uint64_t number) {
  Dice dice(options.seed ^ 0x5eed, number);
  CompileCase drawn;
  drawn.problem = options.serving ? drawServingCase(options.seed, number)
                                  : drawCase(options.seed, number);
  drawNarrow(options.seed, number, drawn.problem);
  GenerateOptions &generate = drawn.problem.generate;
  const Chip *chip = &dice.pickOf(getChips());
  // The chip sm_90a is drawn more often than others, since only it has wgmma.
  if (dice.oneIn(3))
    chip = llvm::find_if(
        getChips(), [](const Chip &other) { return other.name == "sm_90a"; });
  if (!options.chip.empty())
    chip = llvm::find_if(getChips(), [&](const Chip &other) {
      return other.name == options.chip;
    });
  drawn.chip = chip->name.str();
  // In half of the cases, only head dims and types are drawn that TMA and wgmma
  // accept.
  if (dice.oneIn(2)) {
    generate.headDim = dice.pick<int64_t>({16, 32, 64, 64, 96, 128});
    generate.valueHeadDim =
        dice.oneIn(4) ? dice.pick<int64_t>({32, 64, 128}) : generate.headDim;
    if (generate.dtype == DType::F32)
      generate.dtype = dice.pick({DType::F16, DType::BF16});
  }
  if (dice.oneIn(2)) {
    generate.softCap = std::nullopt;
    generate.alibi = false;
    generate.scoreText = drawScoreText(dice);
    drawn.problem.scoreName = "random";
  }
  if (!dice.oneIn(4))
    generate.schedule = drawSchedule(dice, *chip);
  return drawn;
}

static void print(const CompileCase &drawn, raw_ostream &os) {
  os << drawn.chip << " ";
  printCase(drawn.problem, os);
  const std::string &schedule = drawn.problem.generate.schedule;
  os << " " << (schedule.empty() ? "table" : schedule);
}

/// Compiles the module to PTX for the chip. Returns Misfit if the compilation
/// fails with exactly one error, which has a location and comes before
/// attn-gpu-assign-schedule has ended: the schedule or the problem does not fit
/// the chip. Any other failure is Failed, and `what` then describes it and
/// names the pass.
static Outcome compile(const std::string &text, const std::string &chip,
                       const DialectRegistry &registry, std::string &what) {
  llvm::raw_string_ostream os(what);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Progress::State state;
  unsigned numErrors = 0, numWithoutPlace = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    ++numErrors;
    numWithoutPlace += isa<UnknownLoc>(diagnostic.getLocation());
    os << diagnostic.getLocation() << ": " << diagnostic << "\n";
    return success();
  });
  auto fail = [&](const Twine &reason) {
    os << reason << ", by " << state.pass << "\n";
    return Failed;
  };
  auto judgeFailure = [&] {
    if (numErrors != 1)
      return fail("expected one error, found " + Twine(numErrors));
    if (numWithoutPlace)
      return fail("expected an error at an op, found one without a place");
    if (state.hasSchedule)
      return fail("expected what does not fit to be found with the schedule");
    return Misfit;
  };

  auto module = parseSourceString<ModuleOp>(text, &context, "sweep");
  if (!module)
    return judgeFailure();
  TilePipelineOptions options;
  options.chip = chip;
  auto run = [&](llvm::function_ref<void(OpPassManager &)> build) {
    PassManager pm(&context);
    pm.addInstrumentation(std::make_unique<Progress>(state));
    build(pm);
    return pm.run(*module);
  };
  if (failed(run([&](OpPassManager &pm) {
        buildAttnToNVVMPipeline(pm, options);
        buildNVVMToPTXPipeline(pm);
      })))
    return judgeFailure();
  if (getPTX(*module).find(".entry") == std::string::npos)
    return fail("expected PTX with a kernel");
  if (failed(run(buildLaunchToLLVMPipeline)))
    return judgeFailure();
  return numErrors ? fail("expected no error of a compilation that succeeds")
                   : Compiled;
}

int attnc::runCompileSweep(const CompileSweepOptions &options) {
  if (!options.chip.empty())
    if (auto chip = findChip(options.chip); !chip)
      return reportError(chip.takeError());
  DialectRegistry registry;
  registerDialects(registry);

  auto report = [&](uint64_t number, const Twine &what) {
    llvm::outs() << "FAIL " << number << ": ";
    print(drawCompileCase(options, number), llvm::outs());
    llvm::outs() << "\n"
                 << what << "\nrepeat with: attnc sweep --compile-only "
                 << "-v" << (options.serving ? " --serving" : "") << " --seed "
                 << options.seed << " --first " << number << " --count 1"
                 << (options.chip.empty() ? "" : " --chip " + options.chip)
                 << "\n";
    llvm::outs().flush();
  };

  GuardedCases cases;
  cases.first = options.first;
  cases.count = options.count;
  cases.batch = 50;
  cases.secondsPerCase = 60;
  cases.run = [&](uint64_t number) -> unsigned {
    CompileCase drawn = drawCompileCase(options, number);
    llvm::Expected<std::string> text = generateModule(drawn.problem.generate);
    std::string what;
    Outcome outcome = Failed;
    if (text)
      outcome = compile(*text, drawn.chip, registry, what);
    else
      what = llvm::toString(text.takeError());
    if (outcome == Failed) {
      report(number, StringRef(what).rtrim());
      if (options.verbose && text)
        llvm::outs() << *text;
    } else if (options.verbose) {
      llvm::outs() << (outcome == Compiled ? "pass " : "misfit ") << number
                   << ": ";
      print(drawn, llvm::outs());
      llvm::outs() << "\n" << what;
    }
    llvm::outs().flush();
    return outcome;
  };
  cases.onDeath = [&](uint64_t number, const std::string &how) {
    report(number, how);
  };
  llvm::outs().flush();
  GuardedTotals totals = runGuarded(cases);
  uint64_t numFailed = totals.outcomes[Failed] + totals.numDied;
  llvm::outs() << totals.outcomes[Compiled] << " compiled, "
               << totals.outcomes[Misfit] << " do not fit, " << numFailed
               << " failed; "
               << uint64_t(60 * totals.numRun / std::max(totals.seconds, 1e-3))
               << " a minute\n";
  // If none of at least 50 problems was compiled, the sweep has tested nothing,
  // so it counts as failed.
  return numFailed != 0 ||
         (totals.numRun >= 50 && totals.outcomes[Compiled] == 0);
}
