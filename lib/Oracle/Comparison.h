//===- Comparison.h - Common code of accuracy rules -------------*- C++ -*-===//
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

/// Returns the distance of neighboring numbers of `dtype` near `magnitude`.
double getSpacing(DType dtype, double magnitude);

/// Returns `magnitude`, but at most the largest finite number of `dtype`.
double clampToType(DType dtype, double magnitude);

/// Whether `array` has the given sizes and type, so that it can be compared. If
/// not, sets `failure` to the reason, unless `failure` has a text already.
bool hasForm(const ArrayView &array, llvm::StringRef name,
             llvm::ArrayRef<int64_t> sizes, DType dtype, std::string &failure);

/// Sets `failure` to a description of a wrong element, unless it has a text
/// already.
void noteFailure(std::string &failure, llvm::StringRef name,
                 llvm::ArrayRef<int64_t> index, double expected, double found);

/// Calls `visit` with each index tuple of an array of the given sizes, in
/// row-major order, and with its number in that order.
void forEachIndex(
    llvm::ArrayRef<int64_t> sizes,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit);

enum class Verdict {
  /// Both values are finite; their difference decides.
  Compare,
  /// Both are the same infinity.
  Same,
  BothNaN,
  WrongInfinity,
  UnexpectedNaN,
  MissingNaN
};

Verdict classify(double expected, double found);

/// Whether an infinity was found because `dtype` cannot hold the expected
/// number, which may be off by `limit`.
bool isOverflow(DType dtype, double expected, double found, double limit);

/// Counts an element of which the expected or the found value is not finite.
/// Returns true if the verdict is Same.
bool count(MisplacedValues &misplaced, Verdict verdict);

/// Prints a line with the error of a result and its limit.
void printError(llvm::raw_ostream &os, llvm::StringRef name, double error,
                double limit, bool isPass);
/// Prints a line with the counts of misplaced values, if there are any.
/// `columns` names the array whose NaN and infinities excuse some of them.
void printMisplaced(llvm::raw_ostream &os, const MisplacedValues &misplaced,
                    llvm::StringRef columns);
/// Prints a line with the first failure, if there is one.
void printFailure(llvm::raw_ostream &os, llvm::StringRef failure);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_COMPARISON_H
