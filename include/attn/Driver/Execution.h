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

/// The user's options for one run of an entry function.
struct ExecutionOptions {
  /// The argument for each array and scalar that the entry takes, in the
  /// entry's order.
  SmallVector<ArgumentSpec> arguments;
  /// The sizes of arrays whose type has dynamic sizes, by the index of the
  /// parameter.
  std::map<uint64_t, SmallVector<int64_t>> shapes;
  /// The strides of arrays whose type has dynamic strides, by the index of the
  /// parameter.
  std::map<uint64_t, SmallVector<int64_t>> strides;
  /// The order of dimensions in memory, outermost first. It applies to arrays
  /// of rank 4 whose type has only dynamic strides.
  std::array<int64_t, 4> layout = {0, 1, 2, 3};
};

/// The arguments for a run of an entry function. Arrays are in the memory
/// layout that the function's types require.
class Execution {
public:
  struct Parameter {
    EntryParameter::Role role;
    std::string name;
    std::optional<Buffer> buffer;
    /// The fields of an array's memref descriptor, or the bits of a scalar in
    /// its type.
    std::vector<int64_t> words;
    std::optional<ScalarValue> scalar;
  };

  /// Prepares the arguments. It reads files, makes random arrays, computes the
  /// arrays that are given as `forward`, and fills outputs with NaN. If
  /// lengths, packed sequences or pages exclude rows of an attention op's
  /// random array, so that the kernel must not read them, these rows are NaN.
  /// The user may omit sizes that follow from other operands of an attention
  /// op.
  static llvm::Expected<Execution> prepare(const EntryPoint &entry,
                                           const ExecutionOptions &options);

  /// Returns an error that names the first length, cumulative length or page
  /// number of an attention op that is out of range, if there is one. Kernels
  /// do not report such numbers: they clamp lengths, and mask the keys of pages
  /// that do not exist.
  llvm::Error checkSequences(const EntryPoint &entry) const;

  /// Fills all outputs with NaN, as before the first run.
  void poisonOutputs();
  /// Returns an error if the run wrote to memory around an array, or to gaps
  /// between its elements.
  llvm::Error checkMargins() const;

  const std::vector<Parameter> &getParameters() const { return parameters; }
  /// Returns the arguments in the form in which the packed version of a host
  /// entry takes them.
  SmallVector<void *> getHostArguments();
  /// Returns a text with the sizes of all arrays, for the end of an error
  /// message: "; argument 0 has sizes 1x2x3x4; ...".
  std::string describeSizes() const;

  /// Returns each parameter's value in the form that the oracle takes.
  SmallVector<Binding> getBindings() const;
  const ArrayView &getArray(unsigned position) const {
    return parameters[position].buffer->view();
  }
  /// Returns the indices of those parameters that are outputs, in ascending
  /// order.
  SmallVector<unsigned> getOutputs() const;

private:
  llvm::Error computeForward(const EntryPoint &entry,
                             const ExecutionOptions &options);
  void drawSequences(const EntryPoint &entry, const ExecutionOptions &options);
  void poisonUnused(const EntryPoint &entry, const ExecutionOptions &options);

  std::vector<Parameter> parameters;
};

/// Returns the gradients of a backward op that are results of the entry, as
/// arrays.
FoundGradients findGradients(const AttentionBinding &binding,
                             const Execution &execution);

} // namespace mlir::attn

#endif // ATTN_DRIVER_EXECUTION_H
