//===- FuzzModules.cpp - attn-fuzz modules --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Mutates a module of the corpus, in memory or as text, then prints, parses and
// verifies it like a user's module, and runs a pipeline, a pass, or the passes
// that followed in the module's pipeline. A crash or a hang is a finding; so is
// a pipeline that fails without an error. Crashes in verifiers of MLIR's own
// ops, and those listed in KnownFaults.cpp, are counted separately, since this
// project cannot mend them.
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "attn/Driver/ParseModule.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Target/Chips.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <map>
#include <sys/mman.h>

using namespace attn_fuzz;
using namespace mlir;
using namespace mlir::attn;
using llvm::StringRef;

namespace {
enum ModuleOutcome : unsigned {
  ModulePassed,
  ModuleInvalid,
  ModuleRefused,
  ModuleSilent
};
constexpr const char *kModuleOutcomes[] = {"passed", "invalid", "refused",
                                           "failed without an error"};

struct Mutant {
  std::string text;
  /// The passes to run, as text in the form of attn-opt's --pass-pipeline,
  /// without the anchor op.
  std::string passes;
};
} // namespace

//===----------------------------------------------------------------------===//
// The code that runs
//===----------------------------------------------------------------------===//

/// The name of what is running, such as a pass or an op's verifier. It is in
/// memory that a child process shares with its parent, which reads it after a
/// crash.
static char *place = nullptr;
static constexpr size_t kPlaceBytes = 256;
static constexpr StringRef kVerifier = "the verifier of ";

static void setPlace(const Twine &what) {
  std::string text = what.str();
  std::strncpy(place, text.c_str(), kPlaceBytes - 1);
}

/// Whether the case crashed in a verifier of an op of MLIR's dialects, and not
/// of this project's.
static bool isUpstreamsVerifier() {
  StringRef op = place;
  return op.consume_front(kVerifier) && !op.starts_with("attn");
}

namespace {
class PlaceOfPasses : public PassInstrumentation {
  void runBeforePass(Pass *pass, Operation *) override {
    if (!pass->getArgument().empty())
      setPlace("pass " + pass->getArgument());
  }
};
} // namespace

/// Verifies an op and all ops in its regions as MLIR's verifier does. Before
/// each op, records its name, which says after a crash which verifier crashed.
static LogicalResult verifyEach(Operation *op) {
  setPlace(kVerifier + op->getName().getStringRef());
  if (failed(op->getName().verifyInvariants(op)))
    return failure();
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (failed(verifyEach(&inner)))
        return failure();
  setPlace(kVerifier + op->getName().getStringRef());
  return op->getName().verifyRegionInvariants(op);
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static std::string mutateInMemory(const CorpusEntry &entry,
                                  const DialectRegistry &registry, Dice &dice) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  auto module = parseSourceString<ModuleOp>(entry.text, config);
  if (!module)
    return "";
  // A module is mutated once. After each mutation, another one follows in a
  // quarter of the cases; more would make it likelier that the verifier rejects
  // the module.
  do
    mutateModule(*module, dice);
  while (dice.oneIn(4));
  // A module with a null operand cannot be printed, so it is not tested.
  bool lacksOperand =
      module
          ->walk([](Operation *op) {
            return llvm::is_contained(op->getOperands(), Value())
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (lacksOperand)
    return "";
  std::string text;
  llvm::raw_string_ostream os(text);
  // The module is printed in generic form, since custom printers of ops may
  // crash if ops are invalid.
  module->print(os, OpPrintingFlags().printGenericOpForm());
  return text;
}

static std::string drawPasses(const CorpusEntry &entry,
                              llvm::ArrayRef<std::string> passes, Dice &dice) {
  if (!entry.rest.empty() && !dice.oneIn(3)) {
    size_t count =
        dice.oneIn(2) ? entry.rest.size() : 1 + dice.below(entry.rest.size());
    return llvm::join(llvm::ArrayRef(entry.rest).take_front(count), ",");
  }
  if (dice.oneIn(2)) {
    StringRef chip = dice.pickOf(getChips()).name;
    if (dice.oneIn(3))
      chip = "sm_90a";
    switch (dice.below(4)) {
    case 0:
      return "attn-to-host";
    case 1:
      return ("attn-to-gpu{chip=" + chip + "}").str();
    case 2:
      return ("attn-to-nvvm{chip=" + chip + "}").str();
    default:
      return ("attn-to-ptx{chip=" + chip + "}").str();
    }
  }
  std::string chosen = dice.pickOf(passes);
  return dice.oneIn(2) ? chosen : chosen + "," + dice.pickOf(passes);
}

static Mutant draw(const Options &options, uint64_t number,
                   llvm::ArrayRef<CorpusEntry> corpus,
                   llvm::ArrayRef<std::string> passes,
                   const DialectRegistry &registry) {
  Dice dice(options.seed, number);
  const CorpusEntry &entry = dice.pickOf(corpus);
  Mutant mutant;
  mutant.passes = drawPasses(entry, passes, dice);
  if (!dice.oneIn(3))
    mutant.text = mutateInMemory(entry, registry, dice);
  if (mutant.text.empty()) {
    mutant.text = entry.text;
    do
      mutant.text = mutateText(mutant.text, corpus, dice);
    while (dice.oneIn(4));
  }
  return mutant;
}

static ModuleOutcome run(const Mutant &mutant,
                         const DialectRegistry &registry) {
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  unsigned numErrors = 0;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    // The diagnostic is formatted as well, since many messages print an op, and
    // printing may crash.
    numErrors += diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                 !diagnostic.str().empty();
    return success();
  });
  setPlace("the parser");
  // The mutated text is parsed in the same way as the modules of users.
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer(mutant.text, "module"), llvm::SMLoc());
  auto module = parseModule(sources, &context, /*isVerified=*/false);
  if (!module || failed(verifyEach(*module)))
    return numErrors ? ModuleInvalid : ModuleSilent;
  setPlace("the verifier");
  if (failed(verify(*module)))
    return numErrors ? ModuleInvalid : ModuleSilent;
  PassManager pm(&context);
  pm.addInstrumentation(std::make_unique<PlaceOfPasses>());
  if (failed(parsePassPipeline(mutant.passes, pm)))
    return ModuleRefused;
  if (failed(pm.run(*module)))
    return numErrors ? ModuleRefused : ModuleSilent;
  setPlace("the printer");
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os);
  return ModulePassed;
}

static constexpr StringRef kModuleCommand =
    "// attn-opt --pass-pipeline='builtin.module(";

static std::string getFindingText(const Mutant &mutant) {
  return (kModuleCommand + mutant.passes + ")'\n" + mutant.text).str();
}

/// Reads a file that an earlier run wrote as a finding. The command in the
/// file's first line gives the passes, and the other lines are the module. A
/// file without a command is a module without passes.
static Mutant readMutant(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    llvm::report_fatal_error("cannot read '" + path + "'", false);
  auto [command, text] = (*buffer)->getBuffer().split('\n');
  if (!command.consume_front(kModuleCommand))
    return {(*buffer)->getBuffer().str(), ""};
  return {text.str(), command.rsplit(")'").first.str()};
}

int attn_fuzz::fuzzModules(const Options &options) {
  DialectRegistry registry;
  registerDialects(registry);
  registerPasses();
  registerPipelines();
  std::vector<CorpusEntry> corpus;
  if (!options.repeat)
    corpus = readCorpus(options.corpus, registry);
  std::vector<std::string> passes = getPasses();
  if (!options.repeat)
    llvm::outs() << corpus.size() << " modules in the corpus\n";
  llvm::outs().flush();

  uint64_t numFindings = 0;
  Findings findings(options, "modules");
  GuardedCases cases;
  cases.first = options.first;
  cases.count = options.count;
  if (options.repeat) {
    cases.first = 0;
    cases.count = options.corpus.size();
  }
  cases.seconds = options.seconds;
  cases.run = [&](uint64_t number) -> unsigned {
    setPlace("the mutator");
    Mutant mutant = options.repeat
                        ? readMutant(options.corpus[number])
                        : draw(options, number, corpus, passes, registry);
    findings.begin(getFindingText(mutant));
    ModuleOutcome outcome = run(mutant, registry);
    if (outcome == ModuleSilent)
      findings.report(number, "a failure without an error");
    return outcome;
  };
  std::map<std::string, unsigned> upstreams;
  cases.onDeath = [&](uint64_t number, const std::string &how) {
    std::vector<std::string> functions = takeCrash();
    if (isUpstreamsVerifier()) {
      ++upstreams[place];
      return;
    }
    if (const char *fault = findKnownFault(place, functions)) {
      ++upstreams[fault];
      return;
    }
    ++numFindings;
    findings.report(number, how + " in " + place);
  };
  place = static_cast<char *>(mmap(nullptr, kPlaceBytes, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  if (place == MAP_FAILED || !watchCrashes()) {
    llvm::errs() << "attn-fuzz: no shared memory\n";
    return 1;
  }
  if (options.print) {
    llvm::outs() << getFindingText(
        draw(options, options.first, corpus, passes, registry));
    return 0;
  }
  GuardedTotals totals = runGuarded(cases);
  for (const auto &[what, count] : upstreams)
    llvm::outs() << "upstream: " << count << " crashes in " << what << "\n";
  numFindings += totals.outcomes[ModuleSilent];
  return summarize(totals, numFindings, kModuleOutcomes);
}
