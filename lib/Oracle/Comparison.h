//===- Comparison.h - What accuracy rules have in common --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_COMPARISON_H
#define ATTN_LIB_ORACLE_COMPARISON_H

#include "attn/Oracle/Accuracy.h"

namespace mlir::attn {

inline bool isFloat8(DType dtype) {
  return dtype == DType::F8E4M3FN || dtype == DType::F8E5M2;
}

/// The distance of neighbouring numbers of `dtype` around `magnitude`.
double getSpacing(DType dtype, double magnitude);

/// Says in `failure`, unless it says something already, if `array` cannot be
/// compared at all.
bool hasForm(const ArrayView &array, llvm::StringRef name,
             llvm::ArrayRef<int64_t> sizes, DType dtype, std::string &failure);

/// Says in `failure`, unless it says something already, what is wrong with an
/// element.
void noteFailure(std::string &failure, llvm::StringRef name,
                 llvm::ArrayRef<int64_t> index, double expected, double found);

/// Calls `function` with each index into `sizes` in row-major order.
void forEachIndex(
    llvm::ArrayRef<int64_t> sizes,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit);

enum class Verdict {
  /// Both are finite; the error decides.
  Compare,
  /// The same infinity, or NaN where it belongs.
  Same,
  WrongInfinity,
  UnexpectedNaN,
  MissingNaN
};

Verdict classify(double expected, double found);

/// Counts an element that is not finite on both sides. Returns whether it is
/// where it belongs.
bool count(MisplacedValues &misplaced, Verdict verdict);

/// A line with a result's error.
void printError(llvm::raw_ostream &os, llvm::StringRef name, double error,
                double limit, bool isPass);
/// A line with what is not finite, if anything is; `columns` names the array
/// that makes some of it tolerable.
void printMisplaced(llvm::raw_ostream &os, const MisplacedValues &misplaced,
                    llvm::StringRef columns);
/// A line with the first failure, if there is any.
void printFailure(llvm::raw_ostream &os, llvm::StringRef failure);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_COMPARISON_H
