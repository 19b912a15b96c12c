//===- ArraySizes.h - Sizes and strides of a run's arrays -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DRIVER_ARRAYSIZES_H
#define ATTN_LIB_DRIVER_ARRAYSIZES_H

#include "attn/Driver/Execution.h"

namespace mlir::attn {

/// Finds the sizes and strides of the arrays that a run of an entry function
/// needs.
class ArraySizes {
public:
  ArraySizes(const EntryPoint &entry, const ExecutionOptions &options)
      : entry(entry), options(options), sizes(entry.parameters.size()) {}

  /// Sets the sizes of the parameter number `position` to `found`. Fails if
  /// these do not fit its type, or differ from sizes that were set before.
  /// `source` says in messages where the sizes are from.
  llvm::Error set(unsigned position, ArrayRef<int64_t> found,
                  const Twine &source);
  /// Sets the sizes of all arrays: those that the user gives, those of static
  /// types, and those that follow from other arrays of an attention op. Fails
  /// if the sizes of an array are still unknown then, or if the number of bytes
  /// of an array does not fit in 63 bits.
  llvm::Error resolve();
  ArrayRef<int64_t> get(unsigned position) const { return *sizes[position]; }
  /// Returns the strides of the array number `position`: those that its type
  /// fixes, else those that the user gave, else those of a contiguous array. An
  /// array of rank 4 is contiguous in the layout that its type or the user
  /// chooses. Fails if the user gave a stride that differs from the type's.
  llvm::Expected<SmallVector<int64_t>> getStrides(unsigned position) const;

private:
  ShapedType getType(unsigned position) const {
    return cast<ShapedType>(entry.parameters[position].type);
  }
  void derive();
  void deriveSequences(const AttentionBinding &binding);
  void deriveExtras(const AttentionBinding &binding);

  const EntryPoint &entry;
  const ExecutionOptions &options;
  SmallVector<std::optional<SmallVector<int64_t>>> sizes;
};

} // namespace mlir::attn

#endif // ATTN_LIB_DRIVER_ARRAYSIZES_H
