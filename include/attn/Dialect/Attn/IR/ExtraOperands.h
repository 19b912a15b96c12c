//===- ExtraOperands.h - Operands that are declared once --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optional arrays of attention ops that the clause `with` names. The table
// in ExtraTable.h has a row for each such operand; the verifier, checks of
// shapes at run time, tiling, the driver, the oracle and Python handle all
// operands by that table. A new operand needs a row, and code in programs and
// in the oracle that uses its elements.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H
#define ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H

#include "attn/Dialect/Attn/IR/ExtraTable.h"

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace mlir::attn {

/// The declaration of an extra operand: one row of the table, whose columns
/// ExtraTable.h describes.
struct ExtraDeclaration {
  StringLiteral name, of;
  unsigned traits;
  ArrayRef<StringLiteral> forms;

  bool takesBlocks() const { return traits & kTakesBlocks; }
  bool hasColumns() const { return traits & kHasColumns; }
  bool isForwardOnly() const { return traits & kForwardOnly; }
  bool excludesDropout() const { return traits & kExcludesDropout; }
  /// Whether the operand's sizes follow those of keys or values, which may be
  /// in pages.
  bool isOfKeys() const { return of == "key" || of == "value"; }
};

const ExtraDeclaration &getDeclaration(Extra which);
std::optional<Extra> findExtra(StringRef name);

/// Returns the dimension of an array that has the letter `letter` in the forms
/// of its extra operands. Returns none for '1'.
inline std::optional<int64_t> findArrayDim(char letter) {
  size_t dim = StringRef("bhsd").find(letter);
  return dim == StringRef::npos ? std::nullopt : std::optional<int64_t>(dim);
}

/// An extra operand of an op; `value` is null if the op does not have the
/// operand.
struct ExtraOperand {
  Value value;
  /// A letter for each dimension of the operand, as in ExtraDeclaration::forms.
  StringRef form;
  /// The number of rows of the array that share an element of the operand, if
  /// the operand has a dimension `s`.
  int64_t block = 1;

  explicit operator bool() const { return value != nullptr; }
  /// Returns the index of the operand's dimension that has the letter `letter`
  /// in `form`. Returns none if there is no such dimension or if its static
  /// size is 1.
  std::optional<int64_t> findDim(char letter) const;
};

/// Returns the one of the operand's shapes (ExtraDeclaration::forms) that has
/// the given rank. Returns none if no shape has it.
std::optional<StringRef> findForm(Extra which, int64_t rank);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H
