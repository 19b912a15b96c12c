//===- LargeStack.h - Room for what recurses --------------------*- C++ -*-===//
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

/// Runs `body` to its end on a thread with a stack of 16 MiB, since parsers and
/// passes recurse and the calling thread may have little. Fails without having
/// run it if there is no such thread to be had.
llvm::Error runOnLargeStack(llvm::function_ref<void()> body);

/// Calls `body` with each number below `count`, on as many threads with such
/// stacks as the machine runs at once, and waits for all. Without threads the
/// calling one does it.
void runOnLargeStacks(size_t count, llvm::function_ref<void(size_t)> body);

} // namespace mlir::attn

#endif // ATTN_SUPPORT_LARGESTACK_H
