//===- GuardedRun.cpp - Cases that may end the process --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Support/GuardedRun.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <poll.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace mlir::attn;

namespace {
/// A message from the child process: that a case begins, or the outcome of a
/// case.
struct Event {
  uint64_t number;
  int64_t outcome;
};
constexpr int64_t kBegins = -1;
/// The limit of a case's wall-clock time, as a multiple of its limit of CPU
/// time.
constexpr unsigned kPatience = 10;
} // namespace

static double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Memory cannot be limited with AddressSanitizer, which reserves terabytes of
// address space.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ATTN_HAS_SHADOW_MEMORY
#endif
#endif

static void limitMemory(uint64_t bytes) {
  rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef ATTN_HAS_SHADOW_MEMORY
  rlimit limit = {bytes, bytes};
  setrlimit(RLIMIT_AS, &limit);
#endif
}

/// Makes SIGPROF end the process after `seconds` seconds of its CPU time. A
/// limit of wall-clock time would depend on the load of the machine.
static void limitTime(unsigned seconds) {
  itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

/// Runs the cases from `number` to `end` - 1 in the child process, and then
/// ends the process.
[[noreturn]] static void runBatch(const GuardedCases &cases, uint64_t number,
                                  uint64_t end, int pipe) {
  limitMemory(cases.bytesOfMemory);
  std::signal(SIGPROF, SIG_DFL);
  auto tell = [&](Event event) {
    // If the pipe to the parent process is closed, the parent has ended.
    if (write(pipe, &event, sizeof event) != sizeof event)
      _exit(3);
  };
  for (; number < end; ++number) {
    tell({number, kBegins});
    limitTime(cases.secondsPerCase);
    unsigned outcome = cases.run(number);
    std::fflush(nullptr);
    tell({number, int64_t(outcome)});
  }
  // The child ends by _exit(), since exit() would run functions that the parent
  // has registered.
  _exit(0);
}

/// Reads a message from the child. Returns false at the end of the pipe, or if
/// none comes within `milliseconds`; only in the second case, sets `isLate` to
/// true.
static bool readEvent(int pipe, int milliseconds, Event &event, bool &isLate) {
  pollfd waiting = {pipe, POLLIN, 0};
  int found;
  do
    found = poll(&waiting, 1, milliseconds);
  while (found < 0 && errno == EINTR);
  isLate = found == 0;
  // Writes of an Event to a pipe are atomic, since it is small, so messages
  // arrive whole.
  return found > 0 && read(pipe, &event, sizeof event) == sizeof event;
}

static std::string describe(int status, unsigned secondsPerCase) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)
    return "no end within " + std::to_string(secondsPerCase) +
           " seconds of work";
  if (WIFSIGNALED(status))
    return "signal " + std::to_string(WTERMSIG(status)) + " (" +
           strsignal(WTERMSIG(status)) + ")";
  return "exit status " + std::to_string(WEXITSTATUS(status));
}

GuardedTotals mlir::attn::runGuarded(const GuardedCases &cases) {
  GuardedTotals totals;
  double begin = now();
  auto isTimeUp = [&] {
    return cases.seconds > 0 && now() - begin >= cases.seconds;
  };
  uint64_t next = cases.first, last = cases.first + cases.count;
  while (next < last && !isTimeUp()) {
    int ends[2];
    std::fflush(nullptr);
    if (pipe(ends) != 0) {
      std::perror("pipe");
      break;
    }
    pid_t child = fork();
    if (child < 0) {
      std::perror("fork");
      close(ends[0]);
      close(ends[1]);
      break;
    }
    uint64_t end = next + std::min<uint64_t>(cases.batch, last - next);
    if (child == 0) {
      close(ends[0]);
      runBatch(cases, next, end, ends[1]);
    }
    close(ends[1]);

    bool isRunning = false, isLate = false, isStopped = false;
    Event event;
    // A case that only waits uses no CPU time, so its wall-clock time is
    // limited as well.
    unsigned limit = kPatience * cases.secondsPerCase;
    while (readEvent(ends[0], limit * 1000, event, isLate)) {
      isRunning = event.outcome == kBegins;
      next = event.number + !isRunning;
      if (isRunning)
        continue;
      ++totals.numRun;
      ++totals.outcomes[event.outcome % kNumOutcomes];
      if ((isStopped = isTimeUp() && next < end))
        break;
    }
    if (isLate || isStopped)
      kill(child, SIGKILL);
    close(ends[0]);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
    if (isStopped)
      break;
    // Case `next` is reported as died if the child ended or was killed while it
    // ran that case. It is also reported if the child ended before the case
    // began although cases of the batch are left.
    if (isRunning || isLate || next < end) {
      ++totals.numRun;
      ++totals.numDied;
      cases.onDeath(next, isLate ? "no end within " + std::to_string(limit) +
                                       " seconds"
                                 : describe(status, cases.secondsPerCase));
      ++next;
    }
  }
  totals.seconds = now() - begin;
  return totals;
}
