//===- attnc.cpp - The driver ---------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attnc.h"
#include "Tosa.h"

#include "attn/Driver/ParseModule.h"
#include "attn/Driver/SilentFailures.h"
#include "attn/Pipelines/Pipelines.h"
#include "attn/Raise/Passes.h"
#include "attn/Support/CrashReport.h"
#include "attn/Support/WholeFile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace attnc;
using namespace mlir::attn;

int attnc::reportError(llvm::Error error) {
  llvm::handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    if (info.isA<DiagnosedError>())
      return;
    llvm::WithColor::error(llvm::errs(), "attnc") << info.message() << "\n";
  });
  return 1;
}

llvm::Error attnc::checkLineinfo(const llvm::cl::opt<std::string> &lineinfo) {
  if (lineinfo.getNumOccurrences() && (lineinfo.empty() || lineinfo == "-"))
    return llvm::createStringError(
        "expected the name of a file for --lineinfo, found '" + lineinfo + "'");
  return llvm::Error::success();
}

static mlir::DialectRegistry getDialects() {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  return registry;
}

LoadedModule::LoadedModule()
    : context(getDialects()), handler(sources, &context) {
  context.printOpOnDiagnostic(false);
  shortenMessages(sources, llvm::errs());
}
LoadedModule::~LoadedModule() = default;

bool LoadedModule::load(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  module = parseModule(sources, &context);
  return static_cast<bool>(module);
}

bool LoadedModule::loadFile(llvm::StringRef path, bool raises) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(path, /*IsText=*/true);
  if (!buffer) {
    reportError(llvm::createStringError("cannot read '" + path +
                                        "': " + buffer.getError().message()));
    return false;
  }
  context.allowUnregisteredDialects(raises);
  if (raises) {
    mlir::DialectRegistry registry;
    registerTosaDialect(registry);
    context.appendDialectRegistry(registry);
  }
  return load(std::move(*buffer)) && (!raises || raise());
}

/// Lowers TOSA, and runs attn-raise on the module. Then reports the first
/// remaining op of an unregistered dialect as an error, since nothing lowers
/// such ops. Returns whether there was no error.
bool LoadedModule::raise() {
  // The dialect is loaded if the module has ops of it.
  bool hasTosa = context.getLoadedDialect("tosa");
  if (!lowerTo(*module, [=](mlir::OpPassManager &pm) {
        if (hasTosa)
          buildTosaLowering(pm);
        pm.addPass(createAttnRaisePass());
        pm.addPass(createAttnTorchBordersPass());
      }))
    return false;
  return !module
              ->walk([](mlir::Operation *op) {
                if (op->isRegistered())
                  return mlir::WalkResult::advance();
                bool isStableHLO =
                    op->getName().getDialectNamespace() == "stablehlo";
                op->emitError("expected ops of dialects of MLIR around "
                              "attention, found '")
                    << op->getName() << "'; lower "
                    << (isStableHLO
                            ? "the module first, as by stablehlo-opt "
                              "--stablehlo-legalize-to-linalg: attention is "
                              "found in linalg, too"
                            : "it first");
                return mlir::WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool LoadedModule::loadText(llvm::StringRef text, llvm::StringRef name) {
  return load(llvm::MemoryBuffer::getMemBufferCopy(text, name));
}

bool LoadedModule::loadFunctions(llvm::StringRef path, bool raises) {
  if (!loadFile(path, raises))
    return false;
  for (auto func : module->getOps<mlir::func::FuncOp>())
    if (func.isPublic() && !func.isDeclaration())
      return true;
  reportError(llvm::createStringError(
      "expected a public function with a body in '" + path + "', found none"));
  return false;
}

bool attnc::lowerTo(
    mlir::ModuleOp module,
    llvm::function_ref<void(mlir::OpPassManager &)> buildPipeline,
    PassDumps *dumps) {
  mlir::PassManager pm(module.getContext());
  reportSilentFailures(pm);
  if (dumps)
    dumps->watch(pm);
  buildPipeline(pm);
  return mlir::succeeded(pm.run(module));
}

/// Returns an error if writing to standard output has failed, and clears LLVM's
/// record of it. Otherwise LLVM would end the process with an error of its own
/// at exit.
static llvm::Error checkOutput() {
  llvm::outs().flush();
  std::error_code code = llvm::outs().error();
  if (!code)
    return llvm::Error::success();
  llvm::outs().clear_error();
  return llvm::createStringError("cannot write to standard output: " +
                                 code.message());
}

llvm::Error attnc::checkOutputPaths(const llvm::cl::list<std::string> &paths) {
  llvm::StringSet<> known;
  for (const std::string &path : paths) {
    if (!known.insert(path).second)
      return llvm::createStringError(
          "expected -o to name different files, found '" + path + "' twice");
    if (llvm::Error error = checkWritable(path))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error attnc::writeFile(llvm::StringRef path, llvm::StringRef contents) {
  if (path == "-") {
    llvm::outs() << contents;
    return checkOutput();
  }
  return writeWholeFile(path, [&](llvm::raw_ostream &os) { os << contents; });
}

/// Returns the command line in the form that LLVM's parser expects. A negative
/// number gets a space before it, so that it is not parsed as an option. An
/// unknown option that begins with "h" is an error here, since LLVM's parser
/// would take it for -h.
static llvm::Expected<std::vector<std::string>> readArguments(int argc,
                                                              char **argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  // Whether the previous argument was an option whose value is the next
  // argument.
  bool isValueNext = false;
  for (std::string &argument : arguments) {
    double number;
    llvm::StringRef text = argument;
    if (text == "--")
      break;
    bool isNumber =
        text.size() > 1 && text.front() == '-' &&
        (llvm::isDigit(text[1]) || !text.drop_front().getAsDouble(number));
    bool isOption = text.size() > 1 && text.front() == '-' && !isNumber;
    bool isValue =
        std::exchange(isValueNext, isOption && text.ltrim('-') != "check" &&
                                       !text.contains('='));
    if (isNumber) {
      if (!isValue)
        argument.insert(0, " ");
      continue;
    }
    llvm::StringRef name = text.ltrim('-').split('=').first;
    if (isOption && name.starts_with("h") &&
        !llvm::is_contained({"h", "help", "help-hidden", "help-list",
                             "help-list-hidden", "heads", "head-dim"},
                            name))
      return llvm::createStringError("unknown command line argument '" + text +
                                     "'; see attnc --help");
  }
  return arguments;
}

static void printVersion(llvm::raw_ostream &os) {
  os << "attnc " ATTN_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
}

static int runChosenCommand() {
  if (genCommand)
    return runGen();
  if (compileCommand)
    return runCompile();
  if (inspectCommand)
    return runInspect();
  if (runCommand)
    return runRun();
  if (bisectCommand)
    return runBisect();
  if (sweepCommand)
    return runSweep();
  if (benchCommand)
    return runBench();
  if (cacheCommand)
    return runCache();
  return reportError(llvm::createStringError(
      "expected a command, one of gen, compile, inspect, run, bisect, sweep, "
      "bench and cache; see attnc --help"));
}

static const char kOverview[] =
    "compiles attention ops and runs them\n\n"
    "  attnc gen       prints a module with one attention op\n"
    "  attnc compile   compiles a module to a stage of the pipeline\n"
    "  attnc inspect   shows what kernels take, why, and the IR after passes\n"
    "  attnc run       compiles a module, runs it and checks its results\n"
    "  attnc bisect    names the pass after which results are wrong\n"
    "  attnc sweep     runs random attention problems and checks them\n"
    "  attnc bench     times attention of many shapes\n"
    "  attnc cache     shows or clears the cache of compiled programs\n";

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  reportCrashes("attnc");
  llvm::Expected<std::vector<std::string>> arguments =
      readArguments(argc, argv);
  if (!arguments)
    return reportError(arguments.takeError());
  std::vector<const char *> pointers;
  for (const std::string &argument : *arguments)
    pointers.push_back(argument.c_str());
  // Hides the options of LLVM's libraries from --help.
  for (auto &entry : llvm::cl::getRegisteredOptions())
    if (!entry.first.starts_with("help") && entry.first != "version")
      entry.second->setHiddenFlag(llvm::cl::ReallyHidden);
  llvm::cl::SetVersionPrinter(printVersion);
  bool isBisect =
      pointers.size() > 1 && llvm::StringRef(pointers[1]) == "bisect";
  llvm::cl::ParseCommandLineOptions(pointers.size(), pointers.data(),
                                    isBisect ? kBisectOverview : kOverview);
  int status = runChosenCommand();
  if (llvm::Error error = checkOutput())
    return reportError(std::move(error));
  return status;
}
