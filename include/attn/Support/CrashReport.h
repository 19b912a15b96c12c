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

/// For tools: makes a crash an error in one line that says it is the compiler's
/// fault, and exit status 1. With ATTN_CRASH=signal in the environment the
/// process ends by the signal, with a stack, as tests and debuggers want it.
/// `tool` must stay. To be called behind llvm::InitLLVM, whose handlers this
/// takes the place of.
void reportCrashes(const char *tool);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_CRASHREPORT_H
