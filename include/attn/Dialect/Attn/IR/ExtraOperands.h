//===- ExtraOperands.h - Operands that are declared once --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The optional arrays of attention ops that their clause `with` names. All that
// is general about one is its row of a table: the verifier, the checks of
// shapes at run time, tiling, the driver and the oracle ask it. Besides the
// row, a new operand needs what programs and the oracle do with it.
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
  OutputScale,
  QueryRope,
  KeyRope
};
inline constexpr unsigned kNumExtras = 6;
inline constexpr std::array<Extra, kNumExtras> kExtras = {
    Extra::QueryScale,  Extra::KeyScale,  Extra::ValueScale,
    Extra::OutputScale, Extra::QueryRope, Extra::KeyRope};

/// A row of the table.
struct ExtraDeclaration {
  /// The operand's name in `with`, in messages and in interfaces.
  StringLiteral name;
  /// The name of the array that it scales, whose sizes it has.
  StringLiteral of;
  /// The shapes it may have, of different ranks, with a letter for each
  /// dimension:
  ///
  ///   b  batch entries of the array, or pages
  ///   h  its heads
  ///   s  its rows, or parts of so many of them as `per` says
  ///   d  its head dim; of further columns, as many as these are
  ///   1  one element
  ///
  /// Where a type has the size 1, the element is that of the whole dimension.
  ArrayRef<StringLiteral> forms;
  /// Whether several rows may share an element.
  bool takesBlocks;
  /// Whether it has further columns of that array, of whose type it is, else
  /// its elements are of f32.
  bool hasColumns = false;

  /// Whether its sizes are those of keys and values, which may be in pages.
  bool isOfKeys() const { return of == "key" || of == "value"; }
};

const ExtraDeclaration &getDeclaration(Extra which);
std::optional<Extra> findExtra(StringRef name);

/// An operand of an op, or none.
struct ExtraOperand {
  Value value;
  /// A letter for each dimension, as in ExtraDeclaration.
  StringRef form;
  /// The number of rows that share an element of dimension `s`.
  int64_t block = 1;

  explicit operator bool() const { return value != nullptr; }
  /// Returns the dimension with a letter, if elements differ along it.
  std::optional<int64_t> findDim(char letter) const;
};

/// Returns the form that an operand has with the given rank, if any.
std::optional<StringRef> findForm(Extra which, int64_t rank);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_EXTRAOPERANDS_H
