//===- ExtraTable.h - The table of extra operands ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of the operands that the clause `with` of attention ops names, one
// row for each. Everything else that depends on which operands there are is
// derived from it: the enum of them, the verifier, tiling, checks of shapes,
// the options of `attnc gen`, the oracle, and the Python package. Python's
// module in C++ and the oracle have nothing of MLIR, and so has this file.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_EXTRATABLE_H
#define ATTN_DIALECT_ATTN_IR_EXTRATABLE_H

#include <array>

namespace mlir::attn {

/// Properties of an extra operand, one bit each.
enum ExtraTraits : unsigned {
  /// Several rows of the array may share an element of the operand (`per`).
  kTakesBlocks = 1,
  /// The operand holds further columns of the array, with the array's element
  /// type. Otherwise the operand's elements are f32.
  kHasColumns = 2,
  /// attn.attention_backward does not take the operand.
  kForwardOnly = 4,
  /// An op with the operand has no dropout, with which the operand's share in a
  /// row's output would depend on which of the row's pairs are kept.
  kExcludesDropout = 8
};

/// Calls X(ID, NAME, OF, TRAITS, FORMS...) for each extra operand, in the order
/// of the clause `with`:
///
///   ID      the operand's name in the enum Extra
///   NAME    its name in the clause `with`, in error messages and in interfaces
///   OF      the name of the array that the operand scales, to which it adds,
///           or which it extends by further columns. The operand's sizes follow
///           from those of this array.
///   TRAITS  a sum of ExtraTraits
///   FORMS   the shapes that the operand may have. Each has another rank, and a
///           letter for each dimension:
///
///             b  batch entries of the array, or pages
///             h  heads of the array
///             s  rows of the array, or groups of as many rows as `per` says
///             d  head dim of the array; for further columns, their number
///             1  one element
///
///           A dimension whose type has size 1 has a single element for the
///           whole dimension of the array.
#define ATTN_EXTRA_OPERANDS(X)                                                 \
  X(QueryScale, "query_scale", "query", kTakesBlocks, "", "bh", "bhs")         \
  X(KeyScale, "key_scale", "key", kTakesBlocks, "", "bh", "bhs")               \
  X(ValueScale, "value_scale", "value", kTakesBlocks, "", "bh", "bhs", "bh1d") \
  X(ValueMean, "value_mean", "value", kExcludesDropout, "bh1d")                \
  X(OutputScale, "output_scale", "output", kForwardOnly, "", "bh")             \
  X(QueryRope, "query_rope", "query", kHasColumns, "bhsd")                     \
  X(KeyRope, "key_rope", "key", kHasColumns, "bhsd")

/// The extra operands of an op.
enum class Extra : unsigned {
#define ATTN_EXTRA(ID, ...) ID,
  ATTN_EXTRA_OPERANDS(ATTN_EXTRA)
#undef ATTN_EXTRA
};

#define ATTN_EXTRA(ID, ...) Extra::ID,
inline constexpr std::array kExtras = {ATTN_EXTRA_OPERANDS(ATTN_EXTRA)};
#undef ATTN_EXTRA
inline constexpr unsigned kNumExtras = kExtras.size();

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_EXTRATABLE_H
