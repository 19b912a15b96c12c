//===- Fuzz.h - What the parts of attn-fuzz share ----------------*- C++ -*===//
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
  /// Where modules and files go that broke something; must exist.
  std::string findings = ".";
  /// The paths are of findings, whose modules run again as they are.
  bool repeat = false;
  /// Prints the case instead of running it.
  bool print = false;
};

/// A module to mutate.
struct CorpusEntry {
  std::string name;
  std::string text;
  /// The passes of a pipeline that are still to come, as text, for a module
  /// that others of it left.
  std::vector<std::string> rest;
};

/// The modules in the .mlir files below directories, and what each pass of the
/// pipelines makes of some attention ops. The order is always the same.
std::vector<CorpusEntry> readCorpus(llvm::ArrayRef<std::string> paths,
                                    const mlir::DialectRegistry &registry);

/// Top-level passes of the pipelines, as text, each once.
std::vector<std::string> getPasses();

/// Numbers at which things break.
int64_t pickEdge(mlir::attn::Dice &dice);

/// Changes tokens and lines of a text.
std::string mutateText(llvm::StringRef text, llvm::ArrayRef<CorpusEntry> corpus,
                       mlir::attn::Dice &dice);

/// Changes ops, operands, types and attributes of a module, which may then be
/// as invalid as can be, and can only be printed in generic form.
void mutateModule(mlir::ModuleOp module, mlir::attn::Dice &dice);

/// Makes a child note where it crashes, in memory that it shares with its
/// parent; false if there is none.
bool watchCrashes();
/// Functions under way where the last child crashed, the innermost first, as
/// far as the program has its symbols. Forgets them.
std::vector<std::string> takeCrash();
/// A known fault of upstream's that a crash in `place` is, or null; see
/// CONTRIBUTING.md.
const char *findKnownFault(llvm::StringRef place,
                           llvm::ArrayRef<std::string> functions);

/// Each returns the exit status.
int fuzzModules(const Options &options);
int fuzzNpy(const Options &options);
int fuzzPrograms(const Options &options);

/// Prints what cases break something, and keeps their texts.
class Findings {
public:
  /// `what` is the subcommand.
  Findings(const Options &options, llvm::StringRef what);
  ~Findings();
  /// Keeps the text of the case under way: another process may end with it.
  void begin(llvm::StringRef text) const;
  void report(uint64_t number, const llvm::Twine &how) const;

private:
  const Options &options;
  std::string what, current;
};

/// Prints how a run went; returns the exit status.
int summarize(const mlir::attn::GuardedTotals &totals, uint64_t numFindings,
              llvm::ArrayRef<const char *> outcomes);

} // namespace attn_fuzz

#endif // ATTN_TOOLS_ATTNFUZZ_FUZZ_H
