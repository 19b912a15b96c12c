//===- Simulator.h - Runs programs of the GPU level -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs programs of the GPU level on the host. Each warp, elected thread, copy
// and MMA is an agent; one agent runs at a time, in an order that a seed
// determines. The simulator computes all values, and reports each violation of
// the GPU's rules as an error at the op.
//
// It also runs programs of the levels above, and the intermediate programs
// between passes: attention by its formula; tile programs whose tiles have no
// layout; tiles in shared memory that have no offset yet (it keeps their
// elements, not addresses); and rings whose slots have no numbers yet (as
// queues).
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SIMULATOR_SIMULATOR_H
#define ATTN_SIMULATOR_SIMULATOR_H

#include "attn/Support/ArrayView.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <variant>

namespace mlir::attn {

struct SimulatorOptions {
  /// Whether an op that the simulator does not support is reported in
  /// SimulatorResult::refusal, rather than as an error at the op.
  bool returnsRefusals = false;
  /// The seed that determines the order in which agents run.
  uint64_t seed = 1;
  /// The number of SMs of the simulated GPU, each of which runs one CTA at a
  /// time. The default is small, so that even for small problems a CTA has
  /// several tiles.
  int64_t numSms = 3;
};

/// The value that is passed for a parameter of the simulated function.
struct SimulatorArgument {
  /// The argument: an array (the address of its first element, its sizes and
  /// its strides) or a number.
  std::variant<ArrayView, int64_t, double> value;
  /// The name of the argument in error messages.
  std::string name;
  /// Whether the function must write every element of the array.
  bool isOutput = false;
};

/// The result of a simulated run.
struct SimulatorResult {
  /// The message of the function's run-time check that failed. It is empty if
  /// no check failed.
  std::string failedCheck;
  /// The reason why the function was not run, if `returnsRefusals` is set. It
  /// is empty if the function was run.
  std::string refusal;
};

/// Runs a function, and the kernels that it launches, on the given arguments.
/// Returns the message of the run-time check that failed or, with
/// `returnsRefusals`, the reason why the function was not run; both are empty
/// after a complete run. Fails with one error at the op that broke a rule or,
/// without `returnsRefusals`, at the op that the simulator does not support.
FailureOr<SimulatorResult> simulate(func::FuncOp func,
                                    ArrayRef<SimulatorArgument> arguments,
                                    const SimulatorOptions &options);

} // namespace mlir::attn

#endif // ATTN_SIMULATOR_SIMULATOR_H
