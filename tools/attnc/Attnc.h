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

/// The subcommand `gen`. Its options are global variables of several files. The
/// inline definition constructs the subcommand before the options that register
/// with it.
inline llvm::cl::SubCommand genCommand("gen",
                                       "Print a module with one attention op");
extern llvm::cl::SubCommand compileCommand, inspectCommand, runCommand,
    bisectCommand, sweepCommand, benchCommand, cacheCommand;

/// The text at the beginning of `attnc bisect --help`. It is not the
/// description of the subcommand, which `attnc --help` prints in one line.
extern const char kBisectOverview[];

/// The functions that run attnc's commands. Each returns the exit status of the
/// process, after printing its errors. The options of a command are in a
/// namespace named for the command, since several commands have options of the
/// same name.
int runGen();
int runCompile();
int runInspect();
int runRun();
int runBisect();
int runSweep();
int runBench();
int runCache();

/// Counts the floating-point operations of an attention op by the field's
/// convention: 2 * B * Hq * Sq * Skv * (D + Dv), and half of that if it is
/// causal. For gradients, D + Dv is replaced by D (to compute the scores), Dv
/// (their gradients) and the head dim of each gradient that is computed.
double countFlops(mlir::attn::AttentionInterface op,
                  llvm::ArrayRef<int64_t> querySizes,
                  llvm::ArrayRef<int64_t> keySizes);

/// Prints a description of what is compiled: a line for the entry function, and
/// one for each attention op in it.
void printProblems(llvm::StringRef entryName,
                   const mlir::attn::EntryPoint &entry,
                   const mlir::attn::Execution &execution);

/// Prints "attnc: error: ..." and returns 1.
int reportError(llvm::Error error);

/// Returns an error if the option --lineinfo is given without the name of a
/// file to write, or with `-`, which would be the standard output.
llvm::Error checkLineinfo(const llvm::cl::opt<std::string> &lineinfo);

/// Returns an error if two of the paths after -o are the same, or one of the
/// files cannot be written.
llvm::Error checkOutputPaths(const llvm::cl::list<std::string> &paths);

/// A parsed module with its MLIR context, and with the source that diagnostics
/// quote.
class LoadedModule {
public:
  LoadedModule();
  ~LoadedModule();
  /// loadFile() and loadText() load a module from a file or a text. On failure
  /// they print errors and return false. With `raises`, the module may come
  /// from another compiler and have ops of unregistered dialects: attn-raise
  /// first replaces attention that is written in general ops.
  bool loadFile(llvm::StringRef path, bool raises = false);
  bool loadText(llvm::StringRef text, llvm::StringRef name);
  /// As loadFile(), but fails if the module has no function to compile.
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

/// Runs a pipeline on the module. If `dumps` is given, it collects the IR after
/// passes. Returns false if the pipeline failed, after its diagnostics were
/// printed.
bool lowerTo(mlir::ModuleOp module,
             llvm::function_ref<void(mlir::OpPassManager &)> buildPipeline,
             mlir::attn::PassDumps *dumps = nullptr);

/// The values of --target that --help lists.
inline constexpr char kTargets[] = "auto|host|cuda|simulate|sm_...";

/// The target that --target and --chip select, in all commands.
struct TargetChoice {
  /// The kind of target. Auto means the GPU if one can be used, else the host.
  enum class Kind { Auto, Host, Cuda, Simulate } kind;
  /// The name of the chip; empty for that of the GPU, or for the simulator's
  /// default.
  std::string chip;
};

/// Parses --target and --chip. If `target` is the name of a chip, it means cuda
/// with that chip. `others` lists further targets that the command accepts,
/// each with a comma, for the error message.
llvm::Expected<TargetChoice> readTarget(llvm::StringRef target,
                                        llvm::StringRef chip,
                                        llvm::StringRef others = "");

/// Returns the chip to compile for, or std::nullopt if that is the host. If
/// target auto is the host, prints a note that says why.
llvm::Expected<std::optional<mlir::attn::Chip>>
findTarget(llvm::StringRef target, llvm::StringRef chip);

/// A runner, and why target auto did not choose one on the GPU.
struct ChosenRunner {
  ChosenRunner(std::unique_ptr<mlir::attn::Runner> runner)
      : runner(std::move(runner)) {}
  mlir::attn::Runner *operator->() const { return runner.get(); }
  mlir::attn::Runner &operator*() const { return *runner; }
  /// Returns the runner's description, followed by `whyNoGPU`.
  std::string describe() const;

  std::unique_ptr<mlir::attn::Runner> runner;
  bool isHost = false;
  /// The error of the GPU for which target auto chose the host; else empty.
  std::string whyNoGPU;
};

/// Creates a runner on the GPU, or on the host with code for `cpu`. If the
/// target is auto and no GPU can be used, it is a runner on the host.
llvm::Expected<ChosenRunner>
createRunnerOn(const TargetChoice &target,
               mlir::attn::CudaRunnerOptions options, llvm::StringRef cpu);

/// Parses the arguments for an entry, in the form that `attnc run` takes.
llvm::Expected<mlir::attn::ExecutionOptions>
readExecutionOptions(const llvm::cl::list<std::string> &arguments,
                     const llvm::cl::list<std::string> &shapes,
                     const llvm::cl::list<std::string> &strides);

/// Writes all of `contents` to a file. On an error, leaves no partly written
/// file. The path "-" is standard output.
llvm::Error writeFile(llvm::StringRef path, llvm::StringRef contents);

/// A clock: lap() returns the seconds since its construction or the last call
/// of lap().
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
