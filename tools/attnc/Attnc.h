//===- Attnc.h - What the commands of attnc share ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_ATTNC_H
#define ATTN_TOOLS_ATTNC_ATTNC_H

#include "attn/Driver/PassDumps.h"
#include "attn/Driver/Runner.h"
#include "attn/Target/Chips.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/SourceMgr.h"

#include <chrono>
#include <memory>
#include <optional>

namespace attnc {

extern llvm::cl::SubCommand genCommand, compileCommand, inspectCommand,
    runCommand, bisectCommand, sweepCommand, benchCommand, cacheCommand;

/// Each returns the exit status; whatever is wrong has been printed. The
/// options of a command are in a namespace of its own: several have some of one
/// name.
int runGen();
int runCompile();
int runInspect();
int runRun();
int runBisect();
int runSweep();
int runBench();
int runCache();

/// Prints "attnc: error: ..." and returns 1.
int reportError(llvm::Error error);

/// Fails unless the option, if it is given, names a file.
llvm::Error checkLineinfo(const llvm::cl::opt<std::string> &lineinfo);

/// A module with the context and the source that its diagnostics quote.
class LoadedModule {
public:
  LoadedModule();
  ~LoadedModule();
  /// Each fails after printing what is wrong. With `raises`, attention in what
  /// other compilers wrote, whose dialects need not be known, is found first.
  bool loadFile(llvm::StringRef path, bool raises = false);
  bool loadText(llvm::StringRef text, llvm::StringRef name);
  /// As loadFile, of a module that must have something to compile.
  bool loadFunctions(llvm::StringRef path, bool raises = false);

  mlir::ModuleOp get() { return *module; }
  mlir::MLIRContext &getContext() { return context; }

private:
  bool load(std::unique_ptr<llvm::MemoryBuffer> buffer);
  bool raise();

  mlir::MLIRContext context;
  llvm::SourceMgr sources;
  mlir::SourceMgrDiagnosticHandler handler;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// Runs a pipeline, with dumps after its passes if there are any to make; its
/// diagnostics have been printed where it fails.
bool lowerTo(mlir::ModuleOp module,
             llvm::function_ref<void(mlir::OpPassManager &)> buildPipeline,
             mlir::attn::PassDumps *dumps = nullptr);

/// What --help says that --target takes.
inline constexpr char kTargets[] = "auto|host|cuda|simulate|sm_...";

/// What --target and --chip say, the same in all commands.
struct TargetChoice {
  /// auto is the GPU where there is one that can be used, and else the host.
  enum class Kind { Auto, Host, Cuda, Simulate } kind;
  /// Empty for the GPU's own chip, or the simulator's default.
  std::string chip;
};

/// The name of a chip as `target` is cuda with that chip. `others` are words
/// for the error that the command takes besides, each with a comma.
llvm::Expected<TargetChoice> readTarget(llvm::StringRef target,
                                        llvm::StringRef chip,
                                        llvm::StringRef others = "");

/// The chip that code is made for, or none for the host.
llvm::Expected<std::optional<mlir::attn::Chip>>
findTarget(llvm::StringRef target, llvm::StringRef chip);

/// A runner on the GPU or on the host's `cpu`.
llvm::Expected<std::unique_ptr<mlir::attn::Runner>>
createRunnerOn(const TargetChoice &target,
               mlir::attn::CudaRunnerOptions options, llvm::StringRef cpu,
               bool &isHost);

/// The arguments of an entry as `attnc run` takes them.
llvm::Expected<mlir::attn::ExecutionOptions>
readExecutionOptions(const llvm::cl::list<std::string> &arguments,
                     const llvm::cl::list<std::string> &shapes,
                     const llvm::cl::list<std::string> &strides);

/// Writes all of `contents` or, on an error, nothing. "-" is standard output.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// Time since construction or the last lap.
class Stopwatch {
public:
  double lap() {
    auto now = std::chrono::steady_clock::now();
    double seconds = std::chrono::duration<double>(now - last).count();
    last = now;
    return seconds;
  }

private:
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_ATTNC_H
