//===- Comparison.cpp - What accuracy rules have in common ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir::attn;

double mlir::attn::getSpacing(DType dtype, double magnitude) {
  int digits = 24, minExponent = -126;
  if (dtype == DType::F16) {
    digits = 11;
    minExponent = -14;
  } else if (dtype == DType::BF16) {
    digits = 8;
  }
  int exponent = magnitude > 0 ? std::ilogb(magnitude) : minExponent;
  return std::ldexp(1.0, std::max(exponent, minExponent) - (digits - 1));
}

static void printNumber(llvm::raw_ostream &os, double value) {
  os << llvm::format("%.9g", value);
}

static std::string describeSizes(llvm::ArrayRef<int64_t> sizes, DType dtype) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleave(sizes, os, "x");
  os << "x" << getName(dtype);
  return text;
}

bool mlir::attn::hasForm(const ArrayView &array, llvm::StringRef name,
                         llvm::ArrayRef<int64_t> sizes, DType dtype,
                         std::string &failure) {
  if (llvm::ArrayRef<int64_t>(array.sizes) == sizes && array.dtype == dtype)
    return true;
  if (failure.empty())
    failure = (name + ": expected " + describeSizes(sizes, dtype) + ", found " +
               describeSizes(array.sizes, array.dtype))
                  .str();
  return false;
}

void mlir::attn::noteFailure(std::string &failure, llvm::StringRef name,
                             llvm::ArrayRef<int64_t> index, double expected,
                             double found) {
  if (!failure.empty())
    return;
  llvm::raw_string_ostream os(failure);
  os << name << '[';
  llvm::interleaveComma(index, os);
  os << "]: expected ";
  printNumber(os, expected);
  os << ", found ";
  printNumber(os, found);
}

void mlir::attn::forEachIndex(
    llvm::ArrayRef<int64_t> sizes,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>, int64_t)> visit) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  llvm::SmallVector<int64_t, 4> index(sizes.size(), 0);
  for (int64_t position = 0; position < count; ++position) {
    visit(index, position);
    for (size_t dim = sizes.size(); dim-- > 0;) {
      if (++index[dim] < sizes[dim])
        break;
      index[dim] = 0;
    }
  }
}

Verdict mlir::attn::classify(double expected, double found) {
  if (std::isnan(expected) || std::isnan(found)) {
    if (std::isnan(expected) && std::isnan(found))
      return Verdict::Same;
    return std::isnan(found) ? Verdict::UnexpectedNaN : Verdict::MissingNaN;
  }
  if (std::isinf(expected) || std::isinf(found))
    return expected == found ? Verdict::Same : Verdict::WrongInfinity;
  return Verdict::Compare;
}

bool mlir::attn::count(MisplacedValues &misplaced, Verdict verdict) {
  misplaced.numMismatchedInfinities += verdict == Verdict::WrongInfinity;
  misplaced.numUnexpectedNaN += verdict == Verdict::UnexpectedNaN;
  misplaced.numMissingNaN += verdict == Verdict::MissingNaN;
  return verdict == Verdict::Same;
}

void mlir::attn::printError(llvm::raw_ostream &os, llvm::StringRef name,
                            double error, double limit, bool isPass) {
  os << llvm::left_justify(name, 11)
     << llvm::format("largest error %9.3e, limit %9.3e: ", error, limit)
     << (isPass ? "pass" : "FAIL") << '\n';
}

void mlir::attn::printMisplaced(llvm::raw_ostream &os,
                                const MisplacedValues &misplaced,
                                llvm::StringRef columns) {
  if (!misplaced.numUnexpectedNaN && !misplaced.numMissingNaN &&
      !misplaced.numMismatchedInfinities && !misplaced.numToleratedNaN)
    return;
  os << "           ";
  llvm::ListSeparator separator;
  auto printCount = [&](int64_t number, const llvm::Twine &what) {
    if (number)
      os << separator << number << ' ' << what;
  };
  printCount(misplaced.numUnexpectedNaN, "unexpected NaN");
  printCount(misplaced.numMissingNaN, "missing NaN");
  printCount(misplaced.numMismatchedInfinities, "misplaced infinities");
  printCount(misplaced.numToleratedNaN,
             "NaN tolerated for NaN or infinity in " + columns);
  os << '\n';
}

void mlir::attn::printFailure(llvm::raw_ostream &os, llvm::StringRef failure) {
  if (!failure.empty())
    os << "           first failure: " << failure << '\n';
}
