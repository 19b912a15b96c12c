//===- Fuzz.h - Declarations of attn-fuzz -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNFUZZ_FUZZ_H
#define ATTN_TOOLS_ATTNFUZZ_FUZZ_H

#include "attn/Support/Dice.h"
#include "attn/Support/GuardedRun.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace attn_fuzz {

struct Options {
  uint64_t seed = 1, first = 0, count = 1000;
  double seconds = 0;
  std::vector<std::string> corpus;
  /// The directory, which must exist, to which modules and files that caused a
  /// fault are written.
  std::string findings = ".";
  /// If true, the paths in `corpus` are findings of earlier runs, whose cases
  /// are run again unchanged.
  bool repeat = false;
  /// If true, the case is printed and not run.
  bool print = false;
};

/// A module that the fuzzer mutates.
struct CorpusEntry {
  std::string name;
  std::string text;
  /// If the module is the result of the first passes of a pipeline, the text of
  /// each pass that follows. Empty for modules from files.
  std::vector<std::string> rest;
};

/// Returns the modules in the .mlir files below the directories, and for some
/// attention ops the module after each pass of the pipelines. The order is
/// always the same.
std::vector<CorpusEntry> readCorpus(llvm::ArrayRef<std::string> paths,
                                    const mlir::DialectRegistry &registry);

/// Returns the top-level passes of all pipelines as text, without duplicates.
std::vector<std::string> getPasses();

/// Draws a number at which errors are likely, such as the ends of the range of
/// a type.
int64_t pickEdge(mlir::attn::Dice &dice);

/// Returns the text with random changes of its tokens and lines.
std::string mutateText(llvm::StringRef text, llvm::ArrayRef<CorpusEntry> corpus,
                       mlir::attn::Dice &dice);

/// Changes some ops, operands, types and attributes of a module at random. The
/// result may be invalid, and may only be printable in generic form.
void mutateModule(mlir::ModuleOp module, mlir::attn::Dice &dice);

/// Makes child processes record the stack of a crash in memory that they share
/// with their parent. Returns false if such memory cannot be had.
bool watchCrashes();
/// Returns the functions on the stack of the last crash of a child process, the
/// innermost first, as far as the program has their symbols. Clears the record.
std::vector<std::string> takeCrash();
/// Returns a description of the fault if a crash with these functions on its
/// stack, in the pass, parser or printer that `place` names, is a known fault
/// of LLVM or MLIR, otherwise null; see CONTRIBUTING.md.
const char *findKnownFault(llvm::StringRef place,
                           llvm::ArrayRef<std::string> functions);

/// The subcommands of attn-fuzz. Each returns the exit status of the process.
int fuzzModules(const Options &options);
int fuzzNpy(const Options &options);
int fuzzPrograms(const Options &options);

/// Reports cases that crash or give wrong results: prints them, and writes
/// their texts to files.
class Findings {
public:
  /// `what` is the name of the subcommand, and begins the names of the files.
  Findings(const Options &options, llvm::StringRef what);
  ~Findings();
  /// Writes the text of the case that is about to run to a file, which remains
  /// if the process crashes.
  void begin(llvm::StringRef text) const;
  void report(uint64_t number, const llvm::Twine &how) const;

private:
  const Options &options;
  std::string what, current;
};

/// Prints a summary of a run of cases. Returns the exit status of the process.
int summarize(const mlir::attn::GuardedTotals &totals, uint64_t numFindings,
              llvm::ArrayRef<const char *> outcomes);

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_FUZZ_H
