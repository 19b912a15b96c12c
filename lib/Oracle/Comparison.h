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

#include <cmath>
#include <optional>

namespace mlir::attn {

inline bool isFloat8(DType dtype) {
  return dtype == DType::F8E4M3FN || dtype == DType::F8E5M2;
}

/// Returns the distance between neighboring numbers of `dtype` that have the
/// exponent of `magnitude`.
double getSpacing(DType dtype, double magnitude);

/// Returns the smaller of `magnitude` and the largest finite number of `dtype`,
/// which must have 16 or 32 bits.
double clampToType(DType dtype, double magnitude);

/// Whether `array`, called `name` in messages, has the given sizes and type, so
/// that its elements can be compared. If it does not, sets `failure` to a
/// description, unless `failure` already has a text.
bool hasForm(const ArrayView &array, llvm::StringRef name,
             llvm::ArrayRef<int64_t> sizes, DType dtype, std::string &failure);

/// Calls `visit` for each element of an array of the given sizes, in row-major
/// order. The arguments are the element's indices and its number in that order.
void forEachIndex(
    llvm::ArrayRef<int64_t> sizes,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit);

enum class Verdict {
  /// The expected and the found value are finite, so whether they agree depends
  /// on their difference.
  Compare,
  /// The expected and the found value are infinite with the same sign, so they
  /// agree.
  Same,
  BothNaN,
  WrongInfinity,
  UnexpectedNaN,
  MissingNaN
};

/// An element of an array that is compared.
struct Element {
  llvm::ArrayRef<int64_t> index;
  /// Its number in row-major order.
  int64_t position;
  double expected, found;
  Verdict verdict = Verdict::Compare;

  double getError() const { return std::fabs(found - expected); }
};

/// Whether the found value is an infinity, with the sign of the expected finite
/// one, because `dtype` cannot hold the expected value or one that differs from
/// it by at most `limit`.
bool isOverflow(DType dtype, const Element &element, double limit);

/// Compares the elements of the array `name` of the given sizes to those in
/// `expected`, and returns whether all pass. `judge` says whether an element
/// passes, or returns nothing for one with a value that is not finite, which is
/// then counted in `misplaced`. `failure` gets a description of the first
/// element that fails, unless it already has a text.
bool compare(llvm::StringRef name, llvm::ArrayRef<int64_t> sizes,
             llvm::ArrayRef<double> expected, const ArrayView &found,
             MisplacedValues &misplaced, std::string &failure,
             llvm::function_ref<std::optional<bool>(const Element &)> judge);

/// Prints a line with the error of the array `name`, its limit, and whether the
/// array passes.
void printError(llvm::raw_ostream &os, llvm::StringRef name, double error,
                double limit, bool isPass);
/// Prints a line with the counts of elements that are NaN or infinite, unless
/// all counts are 0. `columns` names the array whose NaN and infinities allow
/// some of them.
void printMisplaced(llvm::raw_ostream &os, const MisplacedValues &misplaced,
                    llvm::StringRef columns);
/// Prints a line with the first failure of a check, unless `failure` is empty.
void printFailure(llvm::raw_ostream &os, llvm::StringRef failure);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_COMPARISON_H
