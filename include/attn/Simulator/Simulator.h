//===- Simulator.h - Runs programs of the GPU level -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs programs of the GPU level on the host: warps, elected threads, copies
// and MMAs as agents of which one runs at a time, in an order that a seed
// decides. Values are calculated, and what the program breaks of the GPU's
// rules is an error at the op.
//
// Programs of the levels above run, too, and those that passes leave in
// between: attention by its formula, tile programs with whole tiles, tiles in
// shared memory by their elements alone where they have no place yet, rings as
// queues where slots have no numbers yet.
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
  /// Whether an op that the simulator does not run is told of by the result
  /// and not by an error at the op.
  bool returnsRefusals = false;
  /// Of the order in which agents run.
  uint64_t seed = 1;
  /// SMs of the GPU, each with one CTA at a time. Few, or small problems would
  /// have no CTA with more than one tile.
  int64_t numSms = 3;
};

/// What a parameter of the simulated function is bound to.
struct SimulatorArgument {
  /// An array, with its aligned address and sizes and strides, or a number.
  std::variant<ArrayView, int64_t, double> value;
  /// For messages.
  std::string name;
  /// Whether the function has to write all elements.
  bool isOutput = false;
};

/// What came of a run.
struct SimulatorResult {
  /// The message of a run-time check of the function that did not hold.
  std::string failedCheck;
  /// With `returnsRefusals`, why the function was not run.
  std::string refusal;
};

/// Calls a function on buffers whose launches, if it has any, are as they are
/// before convert-attn-gpu-to-nvvm. Fails with one error at the op that broke a
/// rule.
FailureOr<SimulatorResult> simulate(func::FuncOp func,
                                    ArrayRef<SimulatorArgument> arguments,
                                    const SimulatorOptions &options);

} // namespace mlir::attn

#endif // ATTN_SIMULATOR_SIMULATOR_H
