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
/// helper threads, and waits for all calls. All parallel loops of the process
/// share the helper threads. A forked process starts helper threads of its own
/// at its first loop.
void parallelFor(int64_t count, llvm::function_ref<void(int64_t)> body);

/// Returns the largest number of threads that run the calls of one parallel
/// loop.
unsigned getParallelThreadCount();

} // namespace mlir::attn

#endif // ATTN_SUPPORT_PARALLELFOR_H
