//===- ChildProcess.cpp - Runs with limits of time and memory -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChildProcess.h"

#include "llvm/Support/Error.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir;
using namespace mlir::attn;

/// The memory of a process, in bytes, or 0 where the system does not say.
static uint64_t getResidentBytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  uint64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

/// Writes all of it to the pipe and ends the process, without its destructors:
/// those are the parent's.
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

/// Reads what the child writes until it ends or has to be ended.
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

llvm::Expected<ChildRun>
mlir::attn::runInChild(llvm::function_ref<std::string()> run,
                       const BisectLimits &limits) {
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
    // The parent tells of a crash.
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
