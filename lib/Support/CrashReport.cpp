//===- CrashReport.cpp - A crash as an error ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Not llvm::CrashRecoveryContext: that goes on in a process whose heap may be
// broken, and knows nothing of crashes in other threads or of a full stack.
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

/// Calls only what a handler may.
static void report(int signal) {
  auto say = [](StringRef text) {
    // There is nobody left to tell of a failure.
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
  // Temporary files.
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
  // LLVM has given the main thread a stack for handlers.
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (auto entry : kSignals)
    sigaction(entry.number, &action, nullptr);
}
