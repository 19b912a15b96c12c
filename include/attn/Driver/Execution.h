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

/// What a user says of one run.
struct ExecutionOptions {
  /// One for each input and scalar of the entry, in order.
  SmallVector<ArgumentSpec> arguments;
  /// Sizes by the position of the parameter, for those whose type leaves them
  /// open.
  std::map<uint64_t, SmallVector<int64_t>> shapes;
  /// Strides by the position of the parameter, for those whose type leaves
  /// them open.
  std::map<uint64_t, SmallVector<int64_t>> strides;
  /// The order in memory, outermost first, of 4-dimensional arrays whose type
  /// leaves all strides open.
  std::array<int64_t, 4> layout = {0, 1, 2, 3};
};

/// Arrays and scalars for an entry, in memory as its types ask.
class Execution {
public:
  struct Parameter {
    EntryParameter::Role role;
    std::string name;
    std::optional<Buffer> buffer;
    /// The memref descriptor, or the scalar in its own format.
    std::vector<int64_t> words;
    std::optional<ScalarValue> scalar;
  };

  /// Reads files, makes random arrays and what `forward` stands for, poisons
  /// outputs. Random arrays of an attention op are NaN where its lengths,
  /// packed sequences and pages say that nobody may read. Sizes that follow
  /// from an attention op's other operands need not be given.
  static llvm::Expected<Execution> prepare(const EntryPoint &entry,
                                           const ExecutionOptions &options);

  /// Fails if a length, a cumulative length or a page that an attention op
  /// reads is out of its range, and names the first: kernels mask those.
  llvm::Error checkSequences(const EntryPoint &entry) const;

  /// Makes the outputs NaN again.
  void poisonOutputs();
  /// Fails if the run wrote outside of an array.
  llvm::Error checkMargins() const;

  const std::vector<Parameter> &getParameters() const { return parameters; }
  /// What the packed form of a host entry takes.
  SmallVector<void *> getHostArguments();
  /// "; argument 0 has sizes 1x2x3x4; ...", the end of a message about them.
  std::string describeSizes() const;

  /// What is bound to each parameter.
  SmallVector<Binding> getBindings() const;
  const ArrayView &getArray(unsigned position) const {
    return parameters[position].buffer->view();
  }
  /// Positions of the outputs, in order.
  SmallVector<unsigned> getOutputs() const;

private:
  llvm::Error computeForward(const EntryPoint &entry,
                             const ExecutionOptions &options);
  void drawSequences(const EntryPoint &entry, const ExecutionOptions &options);
  void poisonUnused(const EntryPoint &entry, const ExecutionOptions &options);

  std::vector<Parameter> parameters;
};

/// The results of a backward op that are results of the entry.
FoundGradients findGradients(const AttentionBinding &binding,
                             const Execution &execution);

/// Floating-point operations of an attention op for these operands, by the
/// field's convention, half when causal: 2 * B * Hq * Sq * Skv * (D + Dv), and
/// for gradients the same with D for the scores, with Dv for their gradients
/// and with the head dim of each gradient that is asked for.
double countFlops(AttentionInterface op, ArrayRef<int64_t> querySizes,
                  ArrayRef<int64_t> keySizes);

} // namespace mlir::attn

#endif // ATTN_DRIVER_EXECUTION_H
