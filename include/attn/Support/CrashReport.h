//===- CrashReport.h - A crash as an error ----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_CRASHREPORT_H
#define ATTN_SUPPORT_CRASHREPORT_H

namespace mlir::attn {

/// Makes a crash of a tool print one line, which says that it is a fault of the
/// compiler, and exit with status 1. If the environment has ATTN_CRASH=signal,
/// the signal instead ends the process with a stack trace, for tests and
/// debuggers. `tool`, the tool's name, must stay valid. Call this function
/// after llvm::InitLLVM, whose handlers it replaces.
void reportCrashes(const char *tool);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_CRASHREPORT_H
