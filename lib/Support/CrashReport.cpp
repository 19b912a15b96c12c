//===- CrashReport.cpp - A crash as an error ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::CrashRecoveryContext is not used, since it continues in a process whose
// heap may be corrupt, and does not catch crashes in other threads or stack
// overflows.
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

/// A signal handler. It only calls functions that are safe there.
static void report(int signal) {
  auto say = [](StringRef text) {
    // If this fails, there is no way to report it.
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
  // This removes temporary files.
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
  // LLVM has set up an alternate signal stack for the main thread.
  action.sa_flags = SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  sigemptyset(&action.sa_mask);
  for (auto entry : kSignals)
    sigaction(entry.number, &action, nullptr);
}
