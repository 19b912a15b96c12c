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

/// In the order of the clause.
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

/// A row of the table.
struct ExtraDeclaration {
  /// The operand's name in the clause `with`, in messages and in interfaces.
  StringLiteral name;
  /// The name of the array that the operand scales, extends or adds to, from
  /// which its sizes follow.
  StringLiteral of;
  /// The shapes that the operand may have, each of another rank, with a letter
  /// for each dimension:
  ///
  ///   b  batch entries of the array, or pages
  ///   h  its heads
  ///   s  its rows, or groups of as many rows as `per` says
  ///   d  its head dim; for further columns, their number
  ///   1  one element
  ///
  /// A dimension whose type has size 1 has one element for the whole dimension
  /// of the array.
  ArrayRef<StringLiteral> forms;
  /// Whether several rows may share an element.
  bool takesBlocks;
  /// Whether the operand holds further columns of the array, of its element
  /// type; else its elements are f32.
  bool hasColumns = false;

  /// Whether the operand's sizes follow those of keys and values, which may be
  /// in pages.
  bool isOfKeys() const { return of == "key" || of == "value"; }
};

const ExtraDeclaration &getDeclaration(Extra which);
std::optional<Extra> findExtra(StringRef name);

/// An operand of an op, or none.
struct ExtraOperand {
  Value value;
  /// A letter for each dimension, as in ExtraDeclaration.
  StringRef form;
  /// The number of rows of the array that share an element along dimension `s`.
  int64_t block = 1;

  explicit operator bool() const { return value != nullptr; }
  /// Returns the index of the operand's dimension that has this letter in
  /// `form`; none if there is no such dimension or its type has size 1.
  std::optional<int64_t> findDim(char letter) const;
};

/// Returns the one of the operand's forms (ExtraDeclaration::forms) that has
/// the given rank, or none if no form has it.
std::optional<StringRef> findForm(Extra which, int64_t rank);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H
