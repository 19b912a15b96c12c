//===- BisectRun.h - Runs a stage of a bisection ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_BISECTRUN_H
#define ATTN_LIB_DRIVER_BISECTRUN_H

#include "BisectJudge.h"

namespace mlir::attn {

/// Each runs a stage in a process of its own, within the limits, and sets its
/// verdict. The first results become the reference where there is no oracle.

/// By the simulator.
void runSimulatedStage(ModuleOp module, BisectJudge &judge,
                       const BisectOptions &options, BisectStage &stage);
/// The LLVM dialect for the host, by the JIT.
void runCompiledStage(ModuleOp module, BisectJudge &judge,
                      const BisectOptions &options, BisectStage &stage);

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_BISECTRUN_H
