//===- SimulatorArguments.h - Arguments of the simulator --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_SIMULATORARGUMENTS_H
#define ATTN_DRIVER_SIMULATORARGUMENTS_H

#include "attn/Driver/Execution.h"
#include "attn/Simulator/Simulator.h"

namespace mlir::attn {

/// Returns the arrays and scalars of an execution in the form that the
/// simulator takes. The execution must exist as long as these are used.
SmallVector<SimulatorArgument>
getSimulatorArguments(const Execution &execution);

} // namespace mlir::attn

#endif // ATTN_DRIVER_SIMULATORARGUMENTS_H
