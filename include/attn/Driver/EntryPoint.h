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

/// A parameter of the compiled entry function. The arguments of the entry come
/// first, followed by its tensor results.
struct EntryParameter {
  enum class Role {
    /// An array that the caller fills.
    Input,
    /// An array whose contents are results for the caller.
    Output,
    /// An array that the function writes, but whose contents are not results
    /// for the caller.
    Scratch,
    /// A number.
    Scalar
  };
  Role role;
  Type type;
  /// The parameter's name in error messages, such as "argument 2" or "result
  /// 0".
  std::string name;
  /// Whether the parameter is an input that the function also writes.
  bool isUpdated = false;
};

/// The arrays of an attention op that give lengths, packed sequences and pages,
/// in the order of the op's operands. Their elements are i32.
enum class SequenceArray {
  QueryLengths,
  KeyLengths,
  CumulativeQuery,
  CumulativeKey,
  PageTable
};
inline constexpr unsigned kNumSequenceArrays = 5;
/// Returns the name of the array that error messages use.
StringRef getName(SequenceArray array);

/// A relation between an attention op and the parameters of the entry: which
/// parameters are the op's operands and results.
struct AttentionBinding {
  AttentionInterface op;
  /// The name of each array of the op, in the op's order, and the index of the
  /// parameter that is this array. The index is -1 if no parameter is the
  /// array.
  SmallVector<std::pair<StringRef, int>> positions;
  /// The index of the parameter that is each capture of the op, or -1 if no
  /// parameter is the capture.
  SmallVector<int> captures;
  /// The index of the parameter that is each SequenceArray of the op. It is -1
  /// if no parameter is the array, or the op has no such array.
  std::array<int, kNumSequenceArrays> sequences = {-1, -1, -1, -1, -1};

  /// Returns the index of the parameter that is the array with the given name,
  /// or -1 if there is none.
  int getPosition(StringRef name) const {
    for (auto [other, position] : positions)
      if (other == name)
        return position;
    return -1;
  }
  int getPosition(SequenceArray array) const {
    return sequences[static_cast<unsigned>(array)];
  }
  /// Whether the values are a range of the key's columns, so that the op has no
  /// value array.
  bool hasValueDims() const {
    return AttentionInterface(op).getFirstValueDim() >= 0;
  }
  /// Whether query, key and, unless values are columns of the key, value are
  /// all parameters.
  bool hasInputs() const {
    return getPosition("query") >= 0 && getPosition("key") >= 0 &&
           (getPosition("value") >= 0 || hasValueDims());
  }
};

/// The signature of an entry function.
struct EntryPoint {
  func::FuncOp func;
  SmallVector<EntryParameter> parameters;
  /// The attention ops in the function, in the order of their occurrence.
  SmallVector<AttentionBinding> attentions;
};

/// Reads the signature of the function `name`. Fails with a diagnostic if there
/// is no such function, or if a parameter has a type that a caller cannot pass.
FailureOr<EntryPoint> analyzeEntryPoint(ModuleOp module, StringRef name);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ENTRYPOINT_H
