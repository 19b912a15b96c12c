//===- ExtraOperands.h - Operands that are declared once --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optional arrays of attention ops that the clause `with` names. A table
// has a row for each such operand; the verifier, checks of shapes at run time,
// tiling, the driver and the oracle handle all operands by that table. A new
// operand needs a row, and code in programs and in the oracle that uses its
// elements.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H
#define ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>

namespace mlir::attn {

/// The extra operands of an op, in the order of the clause `with`.
enum class Extra : unsigned {
  QueryScale,
  KeyScale,
  ValueScale,
  ValueMean,
  OutputScale,
  QueryRope,
  KeyRope
};
inline constexpr unsigned kNumExtras = 7;
inline constexpr std::array<Extra, kNumExtras> kExtras = {
    Extra::QueryScale,  Extra::KeyScale,  Extra::ValueScale, Extra::ValueMean,
    Extra::OutputScale, Extra::QueryRope, Extra::KeyRope};

/// The declaration of an extra operand: one row of the table.
struct ExtraDeclaration {
  /// The operand's name in the clause `with`, in error messages and in
  /// interfaces.
  StringLiteral name;
  /// The name of the array that the operand scales, to which it adds, or which
  /// it extends by further columns. The operand's sizes follow from those of
  /// this array.
  StringLiteral of;
  /// The shapes that the operand may have. Each has another rank, and a letter
  /// for each dimension:
  ///
  ///   b  batch entries of the array, or pages
  ///   h  heads of the array
  ///   s  rows of the array, or groups of as many rows as `per` says
  ///   d  head dim of the array; for further columns, their number
  ///   1  one element
  ///
  /// A dimension whose type has size 1 has a single element for the whole
  /// dimension of the array.
  ArrayRef<StringLiteral> forms;
  /// Whether several rows of the array may share an element of the operand.
  bool takesBlocks;
  /// Whether the operand holds further columns of the array, with the array's
  /// element type. Otherwise the operand's elements are f32.
  bool hasColumns = false;

  /// Whether the operand's sizes follow those of keys or values, which may be
  /// in pages.
  bool isOfKeys() const { return of == "key" || of == "value"; }
};

const ExtraDeclaration &getDeclaration(Extra which);
std::optional<Extra> findExtra(StringRef name);

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
