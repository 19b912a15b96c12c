//===- BisectRun.cpp - Runs a stage of a bisection ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BisectJudge.h"

#include "attn/Driver/Runner.h"
#include "attn/Driver/SimulatorArguments.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/Format.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::attn;
using Verdict = BisectStage::Verdict;
using Results = BisectJudge::Results;

//===----------------------------------------------------------------------===//
// Child processes
//===----------------------------------------------------------------------===//

namespace {
/// How a run in a child process ended, and what it returned.
struct ChildRun {
  enum class End { Returned, OutOfTime, OutOfMemory, Crashed };
  End end = End::Returned;
  /// The result of the run, or empty if the run did not return.
  std::string output;
  /// If the run crashed, the signal that ended it; else 0.
  int signal = 0;
};
} // namespace

/// Returns the resident memory of a process in bytes, or 0 if the system does
/// not report it.
static uint64_t getResidentBytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Ends the child process after writing `output` to the pipe. The exit status
/// is 0, or 1 if writing fails. Destructors are not run, since the objects
/// belong to the parent process.
[[noreturn]] static void finishChild(int pipe, const std::string &output) {
  size_t done = 0;
  while (done < output.size()) {
    ssize_t count = write(pipe, output.data() + done, output.size() - done);
    if (count < 0 && errno != EINTR)
      _exit(1);
    done += std::max<ssize_t>(count, 0);
  }
  _exit(0);
}

/// Reads what the child process writes to the pipe, and appends it to `output`.
/// Returns Returned when the child closes the pipe, OutOfTime or OutOfMemory as
/// soon as the child exceeds that limit.
static ChildRun::End readOutput(pid_t child, int pipe, std::string &output,
                                const BisectLimits &limits) {
  using Clock = std::chrono::steady_clock;
  constexpr int kPollMilliseconds = 20;
  Clock::time_point start = Clock::now();
  uint64_t bytesBefore = getResidentBytes(getpid());
  while (true) {
    pollfd waited = {pipe, POLLIN, 0};
    if (poll(&waited, 1, kPollMilliseconds) > 0) {
      char buffer[65536];
      ssize_t count = read(pipe, buffer, sizeof(buffer));
      if (count == 0 || (count < 0 && errno != EINTR))
        return ChildRun::End::Returned;
      output.append(buffer, std::max<ssize_t>(count, 0));
    }
    if (std::chrono::duration<double>(Clock::now() - start).count() >
        limits.seconds)
      return ChildRun::End::OutOfTime;
    if (getResidentBytes(child) > bytesBefore + limits.bytes)
      return ChildRun::End::OutOfMemory;
  }
}

/// Calls `run` in a forked copy of this process, and kills the copy if it
/// exceeds the limits. Other threads of this process must be idle, as those of
/// parallelFor() are. A lock that another thread held at the fork would stay
/// locked in the copy.
static llvm::Expected<ChildRun>
runInChild(llvm::function_ref<std::string()> run, const BisectLimits &limits) {
  int ends[2];
  if (pipe(ends) != 0)
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  pid_t child = fork();
  if (child < 0) {
    std::error_code code = llvm::errnoAsErrorCode();
    close(ends[0]);
    close(ends[1]);
    return llvm::errorCodeToError(code);
  }
  if (child == 0) {
    close(ends[0]);
    // The default signal handlers are restored in the child process, since the
    // parent process reports a crash.
    for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
      std::signal(signal, SIG_DFL);
    finishChild(ends[1], run());
  }
  close(ends[1]);
  ChildRun result;
  result.end = readOutput(child, ends[0], result.output, limits);
  close(ends[0]);
  if (result.end != ChildRun::End::Returned)
    kill(child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (result.end == ChildRun::End::Returned &&
      !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
    result.end = ChildRun::End::Crashed;
    result.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// In the child process
//===----------------------------------------------------------------------===//

namespace {

/// A child process returns the verdict on its stage as bytes: first this header
/// of fixed size, then the note, and then the results.
struct Header {
  Verdict verdict;
  bool breaksRule;
  double error, limit;
  uint64_t noteSize, numResults;
};

} // namespace

static std::string pack(const BisectStage &stage, const Results &results) {
  Header header = {};
  header.verdict = stage.verdict;
  header.breaksRule = stage.breaksRule;
  header.error = stage.error;
  header.limit = stage.limit;
  header.noteSize = stage.note.size();
  header.numResults = results.size();
  std::string text(reinterpret_cast<const char *>(&header), sizeof(header));
  text += stage.note;
  text.append(reinterpret_cast<const char *>(results.data()),
              results.size() * sizeof(double));
  return text;
}

static bool unpack(StringRef text, BisectStage &stage, Results &results) {
  Header header;
  if (text.size() < sizeof(header))
    return false;
  std::memcpy(&header, text.data(), sizeof(header));
  text = text.drop_front(sizeof(header));
  if (text.size() != header.noteSize + header.numResults * sizeof(double))
    return false;
  stage.verdict = header.verdict;
  stage.breaksRule = header.breaksRule;
  stage.error = header.error;
  stage.limit = header.limit;
  stage.note = text.take_front(header.noteSize).str();
  text = text.drop_front(header.noteSize);
  results.resize(header.numResults);
  std::memcpy(results.data(), text.data(), text.size());
  return true;
}

/// Runs a stage in the simulator. Returns true if there are results to judge.
/// If the program breaks a rule, sets the verdict to Failed and the note to the
/// simulator's first diagnostic. If the simulator does not support the program,
/// or the program rejects its arguments, only sets the note.
static bool simulateStage(func::FuncOp func, const BisectOptions &options,
                          Execution &execution, BisectStage &stage) {
  SimulatorOptions simulator = options.simulator;
  simulator.returnsRefusals = true;
  std::string message;
  ScopedDiagnosticHandler handler(
      func.getContext(), [&](Diagnostic &diagnostic) {
        if (message.empty())
          llvm::raw_string_ostream(message)
              << diagnostic.getLocation() << ": " << diagnostic;
        return success();
      });
  FailureOr<SimulatorResult> simulated =
      simulate(func, getSimulatorArguments(execution), simulator);
  if (failed(simulated)) {
    stage.verdict = Verdict::Failed;
    stage.breaksRule = true;
    stage.note = message;
    return false;
  }
  stage.note = simulated->refusal;
  // If the program rejects its arguments by a check at run time, no pass of the
  // pipeline is at fault.
  if (!simulated->failedCheck.empty())
    stage.note = "the program refuses its arguments: " + simulated->failedCheck;
  return stage.note.empty();
}

/// Compiles the host code of a stage by the JIT and runs it. Returns true if
/// there are results to judge; otherwise sets the note to the error.
static bool runCode(ModuleOp module, const BisectOptions &options,
                    Execution &execution, BisectStage &stage) {
  auto runner = createHostRunner("");
  llvm::Error error =
      runner ? (*runner)->load(module, options.entry) : runner.takeError();
  if (!error)
    error = (*runner)->begin(execution);
  if (!error)
    error = (*runner)->run().takeError();
  if (!error)
    return true;
  stage.note = llvm::toString(std::move(error));
  return false;
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

/// Prepares arguments and, in a child process, calls `run` with them. If `run`
/// returns true, the child judges the results, and its verdict is copied to
/// `stage`. If the judge has no reference yet, the results become the
/// reference. If the child ends in another way, the note says how; a crash is a
/// failure of the stage if `crashIsFailure`.
static void runBounded(BisectJudge &judge, const BisectLimits &limits,
                       BisectStage &stage, StringRef what, bool crashIsFailure,
                       llvm::function_ref<bool(Execution &)> run) {
  llvm::Expected<Execution> execution = judge.prepare();
  if (!execution) {
    stage.note = llvm::toString(execution.takeError());
    return;
  }
  auto runChild = [&]() -> std::string {
    Results results;
    if (run(*execution)) {
      judge.judge(*execution, stage);
      if (judge.needsReference())
        results = BisectJudge::getResults(*execution);
    }
    return pack(stage, results);
  };
  llvm::Expected<ChildRun> child = runInChild(runChild, limits);
  if (!child) {
    stage.note = llvm::toString(child.takeError());
    return;
  }
  llvm::raw_string_ostream note(stage.note);
  switch (child->end) {
  case ChildRun::End::Returned: {
    Results results;
    if (!unpack(child->output, stage, results))
      note << what << " ended early";
    else if (!results.empty())
      judge.setReference(std::move(results));
    return;
  }
  case ChildRun::End::OutOfTime:
    note << llvm::format("%s takes more than %g seconds", what.str().c_str(),
                         limits.seconds);
    return;
  case ChildRun::End::OutOfMemory:
    note << what << " takes more than " << (limits.bytes >> 20)
         << " MiB of memory";
    return;
  case ChildRun::End::Crashed:
    note << what << " ended with signal " << child->signal;
    if (crashIsFailure)
      stage.verdict = Verdict::Failed;
    return;
  }
}

void mlir::attn::runSimulatedStage(ModuleOp module, BisectJudge &judge,
                                   const BisectOptions &options,
                                   BisectStage &stage) {
  auto func = module.lookupSymbol<func::FuncOp>(options.entry);
  if (!func) {
    stage.note = "no function on buffers";
    return;
  }
  runBounded(judge, options.limits, stage, "the simulator",
             /*crashIsFailure=*/false, [&](Execution &execution) {
               return simulateStage(func, options, execution, stage);
             });
}

void mlir::attn::runCompiledStage(ModuleOp module, BisectJudge &judge,
                                  const BisectOptions &options,
                                  BisectStage &stage) {
  runBounded(judge, options.limits, stage, "the code",
             /*crashIsFailure=*/true, [&](Execution &execution) {
               return runCode(module, options, execution, stage);
             });
}
