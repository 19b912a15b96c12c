//===- ChildProcess.h - Runs with limits of time and memory -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_CHILDPROCESS_H
#define ATTN_LIB_DRIVER_CHILDPROCESS_H

#include "attn/Driver/Bisect.h"

namespace mlir::attn {

/// How a run in a process of its own ended.
struct ChildRun {
  enum class End { Returned, OutOfTime, OutOfMemory, Crashed };
  End end = End::Returned;
  /// What the run returned, if it did.
  std::string output;
  /// The signal that ended a run that crashed.
  int signal = 0;
};

/// Calls `run` in a copy of this process, which is ended at the limits. Other
/// threads of this process must be idle, as those of parallelFor are: locks
/// that one holds stay locked in the copy.
llvm::Expected<ChildRun> runInChild(llvm::function_ref<std::string()> run,
                                    const BisectLimits &limits);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_CHILDPROCESS_H
