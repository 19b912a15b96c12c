//===- EntryPoint.h - The signature of an entry function --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_ENTRYPOINT_H
#define ATTN_DRIVER_ENTRYPOINT_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {

/// A parameter of the compiled function: an argument of the entry or, after all
/// arguments, one of its tensor results.
struct EntryParameter {
  enum class Role {
    /// An array that the caller fills.
    Input,
    /// An array whose contents are results.
    Output,
    /// An array that the function writes, but that is no result for the caller.
    Scratch,
    /// A number.
    Scalar
  };
  Role role;
  Type type;
  /// The parameter's name in error messages, such as "argument 2" or "result
  /// 0".
  std::string name;
  /// Whether an input is also written.
  bool isUpdated = false;
};

/// The i32 arrays of an attention op that give lengths, sequences and pages, in
/// the order of its operands.
enum class SequenceArray {
  QueryLengths,
  KeyLengths,
  CumulativeQuery,
  CumulativeKey,
  PageTable
};
inline constexpr unsigned kNumSequenceArrays = 5;
/// Returns the array's name in messages.
StringRef getName(SequenceArray array);

/// Which parameters of the entry are the operands and results of an attention
/// op.
struct AttentionBinding {
  AttentionInterface op;
  /// For each of the op's arrays, in their order: its name, and the index of
  /// the entry's parameter, or -1 if the array is no parameter.
  SmallVector<std::pair<StringRef, int>> positions;
  /// For each capture, the index of the entry's parameter, or -1.
  SmallVector<int> captures;
  /// For each SequenceArray, the index of the entry's parameter, or -1 if it is
  /// no parameter or the op has no such array.
  std::array<int, kNumSequenceArrays> sequences = {-1, -1, -1, -1, -1};

  /// Returns the index of the parameter that is the array called `name`, or -1.
  int getPosition(StringRef name) const {
    for (auto [other, position] : positions)
      if (other == name)
        return position;
    return -1;
  }
  int getPosition(SequenceArray array) const {
    return sequences[static_cast<unsigned>(array)];
  }
  /// Whether the values are a range of the key's columns.
  bool hasValueDims() const {
    return AttentionInterface(op).getFirstValueDim() >= 0;
  }
  /// Whether query, key and value are all parameters.
  bool hasInputs() const {
    return getPosition("query") >= 0 && getPosition("key") >= 0 &&
           (getPosition("value") >= 0 || hasValueDims());
  }
};

/// The signature of an entry function.
struct EntryPoint {
  func::FuncOp func;
  SmallVector<EntryParameter> parameters;
  /// The attention ops in the function, in order.
  SmallVector<AttentionBinding> attentions;
};

/// Reads the signature of function `name`. Fails with a diagnostic if there is
/// no such function, or if a parameter has a type that cannot be passed.
FailureOr<EntryPoint> analyzeEntryPoint(ModuleOp module, StringRef name);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ENTRYPOINT_H
