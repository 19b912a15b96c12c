//===- LargeStack.h - Threads with large stacks -----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_LARGESTACK_H
#define ATTN_SUPPORT_LARGESTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace mlir::attn {

/// Runs `body` on a new thread with a stack of 16 MiB, and waits for its end.
/// Parsers and passes recurse deeply, and the calling thread may have a small
/// stack. Fails without running `body` if no thread can be created.
llvm::Error runOnLargeStack(llvm::function_ref<void()> body);

/// Calls `body` with each number below `count`, and waits for all calls. The
/// calls run on threads with stacks of 16 MiB, as many as the machine runs at
/// once. If no thread can be created, the calling thread makes the calls.
void runOnLargeStacks(size_t count, llvm::function_ref<void(size_t)> body);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_LARGESTACK_H
