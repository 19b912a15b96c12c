//===- CrashReport.cpp - A crash as an error ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handles crashes by signal handlers. llvm::CrashRecoveryContext would go on in
// a process whose heap may be corrupt, and catches neither crashes in other
// threads nor stack overflows.
//
//===----------------------------------------------------------------------===//

#include "attn/Support/CrashReport.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstdlib>
#include <unistd.h>

using llvm::StringRef;

static const char *toolName = nullptr;

static constexpr struct {
  int number;
  StringRef name;
} kSignals[] = {{SIGSEGV, "segmentation fault"}, {SIGABRT, "abort"},
                {SIGBUS, "bus error"},           {SIGFPE, "arithmetic fault"},
                {SIGILL, "illegal instruction"}, {SIGTRAP, "trap"}};

/// Handles a fatal signal. It calls only functions that are async-signal-safe.
static void report(int signal) {
  auto say = [](StringRef text) {
    // If writing to stderr fails, there is no way to report the crash.
    if (write(STDERR_FILENO, text.data(), text.size()) < 0)
      _exit(1);
  };
  StringRef name;
  for (auto entry : kSignals)
    if (entry.number == signal)
      name = entry.name;
  say(toolName);
  say(": error: a fault of the compiler ended it (");
  say(name);
  say("); ATTN_CRASH=signal in the environment shows where\n");
  // RunInterruptHandlers() removes LLVM's temporary files.
  llvm::sys::RunInterruptHandlers();
  _exit(1);
}

void mlir::attn::reportCrashes(const char *tool) {
  const char *wanted = std::getenv("ATTN_CRASH");
  if (wanted && StringRef(wanted) == "signal")
    return;
  toolName = tool;
  struct sigaction action = {};
  action.sa_handler = report;
  // SA_ONSTACK: the handler runs on the alternate signal stack that LLVM has
  // set up for the main thread, since after a stack overflow the thread's own
  // stack has no room.
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (auto entry : kSignals)
    sigaction(entry.number, &action, nullptr);
}
