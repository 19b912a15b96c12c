//===- FileCheck.cpp - Checks a tool's output for the test suite ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A static executable around LLVM's FileCheck library, so that the test suite
// runs where LLVM is not installed. It has those options of LLVM's tool that
// the suite uses, under the same names, and its exit statuses: 0 if the input
// matches, 1 if it does not, 2 if it could not be checked.
//
//===----------------------------------------------------------------------===//

#include "llvm/FileCheck/FileCheck.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace llvm;

static cl::opt<std::string> checkPath(cl::Positional, cl::Required,
                                      cl::desc("<check file>"));
static cl::opt<std::string> inputPath("input-file", cl::init("-"),
                                      cl::desc("File to check"));
static cl::list<std::string>
    checkPrefixes("check-prefix", cl::CommaSeparated,
                  cl::desc("Prefixes of the checks (default CHECK)"));
static cl::alias checkPrefixesAlias("check-prefixes", cl::CommaSeparated,
                                    cl::aliasopt(checkPrefixes), cl::NotHidden);
static cl::list<std::string>
    commentPrefixes("comment-prefixes", cl::CommaSeparated,
                    cl::desc("Prefixes of comments (default COM, RUN)"));
static cl::list<std::string>
    implicitCheckNot("implicit-check-not",
                     cl::desc("A pattern that must be absent between checks"));
static cl::list<std::string> defines("D", cl::Prefix,
                                     cl::desc("Define a variable"),
                                     cl::value_desc("name=value"));
static cl::opt<bool> allowEmpty("allow-empty",
                                cl::desc("Accept an empty input"));
static cl::opt<bool>
    allowUnusedPrefixes("allow-unused-prefixes",
                        cl::desc("Accept prefixes without a check"));
static cl::opt<bool> matchFullLines("match-full-lines",
                                    cl::desc("Match whole lines"));
static cl::opt<bool>
    strictWhitespace("strict-whitespace",
                     cl::desc("Tell horizontal whitespace apart"));
static cl::opt<bool> ignoreCase("ignore-case", cl::desc("Ignore case"));
static cl::opt<bool>
    enableVarScope("enable-var-scope",
                   cl::desc("Forget variables without $ at each label"));
static cl::opt<bool> verbose("v", cl::desc("Print good matches"));
static cl::opt<bool> veryVerbose("vv", cl::desc("Print all that was tried"));

namespace {
enum class Dump { never, fail, always };
} // namespace
static cl::opt<Dump> dumpInput(
    "dump-input", cl::init(Dump::fail), cl::desc("Print the input"),
    cl::values(clEnumValN(Dump::never, "never", "not at all"),
               clEnumValN(Dump::fail, "fail",
                          "the lines about the first failure"),
               clEnumValN(Dump::always, "always", "always, and all of it")));

static constexpr int noMatch = 1, badUse = 2;

static int reportError(const Twine &message) {
  WithColor::error(errs(), "FileCheck") << message << "\n";
  return badUse;
}

static std::vector<StringRef> toRefs(const cl::list<std::string> &list) {
  return {list.begin(), list.end()};
}

/// Returns a message for the first option that would make LLVM's library abort:
/// -D without a name or a value, or --implicit-check-not with an empty pattern.
/// Returns "" if there is none.
static std::string findBadOption() {
  for (StringRef define : defines) {
    StringRef name = define.split('=').first;
    if (!define.contains('='))
      return ("expected name=value after -D, found '" + define + "'").str();
    if (name.empty())
      return ("expected a name after -D, found '" + define + "'").str();
  }
  for (StringRef pattern : implicitCheckNot)
    if (pattern.empty())
      return "expected a pattern after --implicit-check-not";
  return "";
}

/// Prints the lines of the input from number `first` to `last`, counted from 1.
static void printLines(StringRef input, unsigned first, unsigned last) {
  SmallVector<StringRef> lines;
  input.split(lines, '\n');
  if (!lines.empty() && lines.back().empty())
    lines.pop_back();
  last = std::min<size_t>(last, lines.size());
  for (unsigned line = first; line <= last; ++line)
    errs() << format("%6u: ", line) << lines[line - 1] << "\n";
}

static void dump(StringRef input, ArrayRef<FileCheckDiag> diagnostics,
                 bool matches) {
  if (dumpInput == Dump::never || (matches && dumpInput == Dump::fail))
    return;
  errs() << "\nInput:\n";
  unsigned first = 1, last = ~0u;
  if (dumpInput == Dump::fail) {
    const auto *failure = find_if(diagnostics, [](const FileCheckDiag &diag) {
      return diag.MatchTy != FileCheckDiag::MatchFoundAndExpected &&
             diag.MatchTy != FileCheckDiag::MatchFoundButDiscarded &&
             diag.MatchTy != FileCheckDiag::MatchNoneAndExcluded;
    });
    unsigned line = failure == diagnostics.end() ? 1 : failure->InputStartLine;
    first = line > 5 ? line - 5 : 1;
    last = line + 20;
  }
  printLines(input, first, last);
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "checks a tool's output\n", nullptr,
                              nullptr, "FILECHECK_OPTS");
  if (std::string message = findBadOption(); !message.empty())
    return reportError(message);

  FileCheckRequest request;
  request.CheckPrefixes = toRefs(checkPrefixes);
  request.CommentPrefixes = toRefs(commentPrefixes);
  request.ImplicitCheckNot = toRefs(implicitCheckNot);
  request.GlobalDefines = toRefs(defines);
  request.AllowEmptyInput = allowEmpty;
  request.AllowUnusedPrefixes = allowUnusedPrefixes;
  request.MatchFullLines = matchFullLines;
  request.NoCanonicalizeWhiteSpace = strictWhitespace;
  request.IgnoreCase = ignoreCase;
  request.EnableVarScope = enableVarScope;
  request.VerboseVerbose = veryVerbose;
  request.Verbose = verbose || veryVerbose;
  FileCheck checker(request);
  if (!checker.ValidateCheckPrefixes())
    return badUse;

  // The source manager owns the file with the checks and the input file, since
  // its diagnostics quote both.
  SourceMgr sources;
  auto add = [&](std::unique_ptr<MemoryBuffer> &file) {
    SmallString<4096> text;
    auto copy = MemoryBuffer::getMemBufferCopy(
        checker.CanonicalizeFile(*file, text), file->getBufferIdentifier());
    StringRef contents = copy->getBuffer();
    sources.AddNewSourceBuffer(std::move(copy), SMLoc());
    return contents;
  };

  auto checks = MemoryBuffer::getFileOrSTDIN(checkPath, /*IsText=*/true);
  if (!checks)
    return reportError("cannot read '" + checkPath +
                       "': " + checks.getError().message());
  if (checker.readCheckFile(sources, add(*checks)))
    return badUse;

  auto input = MemoryBuffer::getFileOrSTDIN(inputPath, /*IsText=*/true);
  if (!input)
    return reportError("cannot read '" + inputPath +
                       "': " + input.getError().message());
  if ((*input)->getBufferSize() == 0 && !allowEmpty)
    return reportError("expected something to check, found '" + inputPath +
                       "' empty");
  StringRef text = add(*input);
  std::vector<FileCheckDiag> diagnostics;
  bool matches = checker.checkInput(sources, text, &diagnostics);
  dump(text, diagnostics, matches);
  return matches ? 0 : noMatch;
}
