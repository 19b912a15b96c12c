//===- Attnc.h - Declarations of the commands of attnc ----------*- C++ -*-===//
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

/// Each command returns the exit status, after printing its errors. The options
/// of a command are in its own namespace, since several commands have options
/// of the same name.
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

/// Fails unless the option is absent or names a file.
llvm::Error checkLineinfo(const llvm::cl::opt<std::string> &lineinfo);

/// A parsed module with its context, and with the source that diagnostics
/// quote.
class LoadedModule {
public:
  LoadedModule();
  ~LoadedModule();
  /// These functions print errors and return false. With `raises`, the module
  /// may be another compiler's and have ops of unregistered dialects:
  /// attn-raise first replaces attention that is written in general ops.
  bool loadFile(llvm::StringRef path, bool raises = false);
  bool loadText(llvm::StringRef text, llvm::StringRef name);
  /// The same as loadFile, but the module must have something to compile.
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

/// Runs a pipeline on the module, and collects dumps after passes if `dumps` is
/// given. Returns false if it failed, after its diagnostics were printed.
bool lowerTo(mlir::ModuleOp module,
             llvm::function_ref<void(mlir::OpPassManager &)> buildPipeline,
             mlir::attn::PassDumps *dumps = nullptr);

/// The values of --target that --help lists.
inline constexpr char kTargets[] = "auto|host|cuda|simulate|sm_...";

/// The meaning of --target and --chip, the same in all commands.
struct TargetChoice {
  /// Auto is the GPU if one can be used, and else the host.
  enum class Kind { Auto, Host, Cuda, Simulate } kind;
  /// Empty for the chip of the GPU, or the simulator's default.
  std::string chip;
};

/// Parses --target and --chip. The name of a chip as `target` means cuda with
/// that chip. `others` are further targets that the command accepts, each with
/// a comma, for the error message.
llvm::Expected<TargetChoice> readTarget(llvm::StringRef target,
                                        llvm::StringRef chip,
                                        llvm::StringRef others = "");

/// Returns the chip to compile for, or std::nullopt for the host.
llvm::Expected<std::optional<mlir::attn::Chip>>
findTarget(llvm::StringRef target, llvm::StringRef chip);

/// Creates a runner on the GPU, or on the host with code for `cpu`. If the
/// target is auto and there is no GPU, it is the host's; `isHost` says so.
llvm::Expected<std::unique_ptr<mlir::attn::Runner>>
createRunnerOn(const TargetChoice &target,
               mlir::attn::CudaRunnerOptions options, llvm::StringRef cpu,
               bool &isHost);

/// Parses the arguments of an entry as `attnc run` takes them.
llvm::Expected<mlir::attn::ExecutionOptions>
readExecutionOptions(const llvm::cl::list<std::string> &arguments,
                     const llvm::cl::list<std::string> &shapes,
                     const llvm::cl::list<std::string> &strides);

/// Writes all of `contents` or, on an error, nothing. The path "-" is standard
/// output.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// Measures the time since construction or the last lap.
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
