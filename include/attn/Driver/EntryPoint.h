//===- EntryPoint.h - What an entry function takes --------------*- C++ -*-===//
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

/// One parameter of the compiled function: an argument of the entry, or one of
/// its tensor results, which come last.
struct EntryParameter {
  enum class Role {
    /// An array that the caller fills.
    Input,
    /// An array whose contents are results.
    Output,
    /// An array that is only a destination whose contents nobody sees.
    Scratch,
    /// A number.
    Scalar
  };
  Role role;
  Type type;
  /// "argument 2" or "result 0".
  std::string name;
  /// Of an input: whether it is written, too.
  bool isUpdated = false;
};

/// The arrays of i32 of an attention op that say which rows and keys there are,
/// in the order of its operands.
enum class SequenceArray {
  QueryLengths,
  KeyLengths,
  CumulativeQuery,
  CumulativeKey,
  PageTable
};
inline constexpr unsigned kNumSequenceArrays = 5;
/// As messages call it.
StringRef getName(SequenceArray array);

/// Where an attention op's operands and results are passed.
struct AttentionBinding {
  AttentionInterface op;
  /// For each of the op's arrays, in their order: its name, and the position of
  /// the entry's parameter, or -1 if it is not a parameter itself.
  SmallVector<std::pair<StringRef, int>> positions;
  /// The same for each of its captures.
  SmallVector<int> captures;
  /// The same for each SequenceArray; -1 also where the op has none.
  std::array<int, kNumSequenceArrays> sequences = {-1, -1, -1, -1, -1};

  /// -1 also where the op has no array of that name.
  int getPosition(StringRef name) const {
    for (auto [other, position] : positions)
      if (other == name)
        return position;
    return -1;
  }
  int getPosition(SequenceArray array) const {
    return sequences[static_cast<unsigned>(array)];
  }
  /// Whether the value is columns of the key.
  bool hasValueDims() const {
    return AttentionInterface(op).getFirstValueDim() >= 0;
  }
  /// Whether query, key and value are all parameters.
  bool hasInputs() const {
    return getPosition("query") >= 0 && getPosition("key") >= 0 &&
           (getPosition("value") >= 0 || hasValueDims());
  }
};

/// An entry function as its caller sees it.
struct EntryPoint {
  func::FuncOp func;
  SmallVector<EntryParameter> parameters;
  /// The attention ops in the function, in order.
  SmallVector<AttentionBinding> attentions;
};

/// Reads the signature of function `name`. Fails with a diagnostic if there is
/// no such function or if it takes what cannot be passed.
FailureOr<EntryPoint> analyzeEntryPoint(ModuleOp module, StringRef name);

} // namespace mlir::attn

#endif // ATTN_DRIVER_ENTRYPOINT_H
