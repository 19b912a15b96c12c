//===- ParallelFor.h - Loops on all cores -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_PARALLELFOR_H
#define ATTN_SUPPORT_PARALLELFOR_H

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>

namespace mlir::attn {

/// Calls `body` with each number below `count`, on the calling thread and on
/// threads of the process that all such loops share, and waits for all. A
/// forked process starts threads of its own when it first has a loop.
void parallelFor(int64_t count, llvm::function_ref<void(int64_t)> body);

/// How many threads a loop has at most.
unsigned getParallelThreadCount();

} // namespace mlir::attn

#endif // ATTN_SUPPORT_PARALLELFOR_H
