//===- attn-fuzz.cpp - Random inputs, against crashes ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fuzz.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace attn_fuzz;
using namespace mlir::attn;
namespace cl = llvm::cl;

static cl::opt<std::string>
    what(cl::Positional, cl::Required,
         cl::desc("modules|programs|npy|capi: MLIR modules, through parsers, "
                  "verifiers and passes; programs on tiles with schedules, on "
                  "the host and in the simulator; files of NumPy; arguments of "
                  "the C interface, by attn-fuzz-capi"));
static cl::list<std::string>
    corpus(cl::Positional, cl::desc("[FILE or DIRECTORY of .mlir files]..."));
static cl::opt<uint64_t>
    seed("seed", cl::desc("Seed of the cases (default: a new one)"));
static cl::opt<uint64_t> first("first", cl::init(0),
                               cl::desc("Number of the first case"));
static cl::opt<uint64_t> count("count", cl::init(1000),
                               cl::desc("Number of cases (default 1000)"));
static cl::opt<double>
    seconds("seconds", cl::init(0),
            cl::desc("Begin no case later than after so many seconds"));
static cl::opt<std::string>
    findings("findings", cl::init("."),
             cl::desc("The directory for what broke something"));
static cl::opt<bool>
    repeat("repeat", cl::desc("Run the modules of findings, as they are"));
static cl::opt<bool> print("print",
                           cl::desc("Print the first case, and run nothing"));

Findings::Findings(const Options &options, llvm::StringRef what)
    : options(options), what(what),
      current(options.findings + "/" + what.str() + "-" +
              std::to_string(options.seed) + ".current") {}

Findings::~Findings() { llvm::sys::fs::remove(current); }

void Findings::begin(llvm::StringRef text) const {
  std::error_code code;
  llvm::raw_fd_ostream file(current, code);
  if (!code)
    file << text;
}

void Findings::report(uint64_t number, const llvm::Twine &how) const {
  llvm::outs() << "FAIL " << number << ": " << how << "\n";
  if (options.repeat) {
    llvm::outs() << "it is in " << options.corpus[number] << "\n";
  } else {
    std::string path = options.findings + "/" + what + "-" +
                       std::to_string(options.seed) + "-" +
                       std::to_string(number) + ".mlir";
    llvm::outs() << "repeat with: attn-fuzz " << what << " --seed "
                 << options.seed << " --first " << number << " --count 1 "
                 << llvm::join(options.corpus, " ") << "\n";
    if (!llvm::sys::fs::rename(current, path))
      llvm::outs() << "or with: attn-fuzz " << what << " --repeat " << path
                   << "\n";
  }
  llvm::outs().flush();
}

int attn_fuzz::summarize(const GuardedTotals &totals, uint64_t numFindings,
                         llvm::ArrayRef<const char *> outcomes) {
  llvm::outs() << totals.numRun << " cases:";
  for (auto [i, outcome] : llvm::enumerate(outcomes))
    llvm::outs() << " " << totals.outcomes[i] << " " << outcome << ",";
  llvm::outs() << " " << totals.numDied << " crashed or hung; "
               << uint64_t(totals.numRun / std::max(totals.seconds, 1e-3))
               << " a second\n";
  // The run fails if there are findings. It also fails if none of at least 1000
  // cases passed, since most of the code was then not tested.
  return numFindings != 0 || (totals.numRun >= 1000 && totals.outcomes[0] == 0);
}

/// Runs attn-fuzz-capi, which must be in the directory of this program, and
/// returns whether it failed. It is a separate executable, since the shared
/// library of the C API contains another copy of MLIR.
static int fuzzCapi(const char *program, const Options &options) {
  llvm::SmallString<128> path(
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable(
          program, reinterpret_cast<void *>(&fuzzCapi))));
  llvm::sys::path::append(path, "attn-fuzz-capi");
  std::string numbers[] = {
      std::to_string(options.seed), std::to_string(options.first),
      std::to_string(options.count), std::to_string(options.seconds)};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(
      path, {path, numbers[0], numbers[1], numbers[2], numbers[3]},
      std::nullopt, {}, 0, 0, &message);
  if (status < 0)
    llvm::WithColor::error(llvm::errs(), "attn-fuzz") << message << "\n";
  return status != 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  for (auto &entry : cl::getRegisteredOptions())
    if (!llvm::is_contained({"help", "seed", "first", "count", "seconds",
                             "findings", "print", "repeat"},
                            entry.first))
      entry.second->setHiddenFlag(cl::ReallyHidden);
  cl::ParseCommandLineOptions(argc, argv,
                              "puts random inputs through the compiler: none "
                              "may crash it or make it hang\n");
  Options options;
  options.seed = seed.getNumOccurrences() ? seed : std::random_device()();
  options.first = first;
  options.count = count;
  options.seconds = seconds;
  options.corpus = corpus;
  options.findings = findings;
  options.print = print;
  options.repeat = repeat;
  if (!print)
    llvm::outs() << "seed " << options.seed << "\n";
  llvm::outs().flush();
  if (what == "modules")
    return fuzzModules(options);
  if (what == "programs")
    return fuzzPrograms(options);
  if (what == "npy")
    return fuzzNpy(options);
  if (what == "capi")
    return fuzzCapi(argv[0], options);
  llvm::WithColor::error(llvm::errs(), "attn-fuzz")
      << "expected modules, programs, npy or capi, found '" << what << "'\n";
  return 2;
}
