//===- Execution.h - The arguments of one run -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_EXECUTION_H
#define ATTN_DRIVER_EXECUTION_H

#include "attn/Driver/ArgumentSpec.h"
#include "attn/Driver/EntryPoint.h"
#include "attn/Oracle/GradientAccuracy.h"
#include "attn/Oracle/ProblemBuilder.h"
#include "attn/Support/Buffer.h"

#include <map>

namespace mlir::attn {

/// The user's options for one run.
struct ExecutionOptions {
  /// An argument for each array and scalar that the entry takes, in order.
  SmallVector<ArgumentSpec> arguments;
  /// The sizes of parameters whose type has dynamic sizes, by the parameter's
  /// index.
  std::map<uint64_t, SmallVector<int64_t>> shapes;
  /// The strides of parameters whose type has dynamic strides, by the
  /// parameter's index.
  std::map<uint64_t, SmallVector<int64_t>> strides;
  /// The order of dimensions in memory, outermost first, for arrays of rank 4
  /// whose type has only dynamic strides.
  std::array<int64_t, 4> layout = {0, 1, 2, 3};
};

/// The arguments for a run of an entry function: arrays and scalars, in the
/// memory layout that the function's types require.
class Execution {
public:
  struct Parameter {
    EntryParameter::Role role;
    std::string name;
    std::optional<Buffer> buffer;
    /// The memref descriptor, or the bits of the scalar in its type.
    std::vector<int64_t> words;
    std::optional<ScalarValue> scalar;
  };

  /// Prepares the arguments: reads files, makes random arrays, computes the
  /// arrays that are given as `forward`, and fills outputs with NaN. In random
  /// arrays of an attention op, rows that the kernel must not read, because of
  /// lengths, packed sequences or pages, are NaN. Sizes that follow from an
  /// attention op's other operands may be omitted.
  static llvm::Expected<Execution> prepare(const EntryPoint &entry,
                                           const ExecutionOptions &options);

  /// Fails if a length, cumulative length or page number that an attention op
  /// reads is out of range, and names the first one. Kernels report no such
  /// number: they clamp lengths, and mask the keys of pages that do not exist.
  llvm::Error checkSequences(const EntryPoint &entry) const;

  /// Fills the outputs with NaN again.
  void poisonOutputs();
  /// Fails if the run wrote to the margins around an array.
  llvm::Error checkMargins() const;

  const std::vector<Parameter> &getParameters() const { return parameters; }
  /// Returns the arguments for a call of a host entry in its packed form.
  SmallVector<void *> getHostArguments();
  /// Returns the sizes of arrays for the end of a message: "; argument 0 has
  /// sizes 1x2x3x4; ...".
  std::string describeSizes() const;

  /// Returns the oracle's binding of each parameter.
  SmallVector<Binding> getBindings() const;
  const ArrayView &getArray(unsigned position) const {
    return parameters[position].buffer->view();
  }
  /// Returns the indices of the parameters that are outputs, in order.
  SmallVector<unsigned> getOutputs() const;

private:
  llvm::Error computeForward(const EntryPoint &entry,
                             const ExecutionOptions &options);
  void drawSequences(const EntryPoint &entry, const ExecutionOptions &options);
  void poisonUnused(const EntryPoint &entry, const ExecutionOptions &options);

  std::vector<Parameter> parameters;
};

/// Returns those gradients of a backward op that are results of the entry.
FoundGradients findGradients(const AttentionBinding &binding,
                             const Execution &execution);

} // namespace mlir::attn

#endif // ATTN_DRIVER_EXECUTION_H
