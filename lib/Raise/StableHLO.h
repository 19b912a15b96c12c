//===- StableHLO.h - Attributes of StableHLO's ops --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads ops of StableHLO without that dialect being registered: ops are
// recognised by their names, and attributes that belong to the dialect are read
// as text.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_STABLEHLO_H
#define ATTN_LIB_RAISE_STABLEHLO_H

#include "Elements.h"

#include "mlir/IR/Operation.h"

namespace mlir::attn::raise {

/// Whether the op, which may be null, is the op of StableHLO with the name and
/// has one result.
bool isStableHLO(Operation *op, StringRef name);
/// Returns the integers of an array attribute of StableHLO.
SmallVector<int64_t> getNumbers(Attribute attribute);
std::string getText(Attribute attribute);
/// Returns the numbers of a list `name = [1, 2]` in the text of an attribute.
/// The result is empty if the text has no list of that name.
SmallVector<int64_t> getList(StringRef text, StringRef name);
/// Whether all of `dims` are dimensions of a tensor of rank `rank`, and no two
/// of them are equal.
bool areDims(ArrayRef<int64_t> dims, int64_t rank);

/// The batch dimensions and the contracted dimensions of both operands of a
/// matrix product.
struct DotDims {
  SmallVector<int64_t> lhsBatch, rhsBatch, lhsSummed, rhsSummed;
};
/// Returns the dimensions of a stablehlo.dot_general or stablehlo.dot, or
/// nothing if the op is not valid.
std::optional<DotDims> getDotDims(Operation *op);

/// An element of the operand of a stablehlo.gather that one of its result is.
struct GatheredElement {
  /// The index in each dimension of the operand; that of a window's element if
  /// there is a number.
  SmallVector<AffineExpr> indices;
  /// The number from the start indices to which the index is added, or null if
  /// that is an index expression that is part of the index. The op limits the
  /// number so that the window is in the operand.
  SmallVector<Node *> numbers;
  /// The largest number in each dimension for which the window is in it.
  SmallVector<int64_t> limits;
};
/// Returns what the element at `indices` of a stablehlo.gather is, or nothing
/// for one with batching dimensions, or whose sizes or element types do not fit
/// each other.
std::optional<GatheredElement> getGathered(Elements &elements, Operation *op,
                                           ArrayRef<AffineExpr> indices);

/// Whether the results of an op of StableHLO are its operands: those of
/// stablehlo.optimization_barrier are, and that of stablehlo.reduce_precision
/// is if it has all bits of the element type, as from jax.checkpoint.
bool isIdentity(Operation *op);

/// Whether two sizes may be equal: they are, or one of them is dynamic.
bool mayEqual(int64_t lhs, int64_t rhs);

/// Whether an op of StableHLO has one result, its operands and result are
/// tensors of known rank, and their static sizes and element types fit each
/// other as the op defines.
bool areTypesValid(Operation *op);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_STABLEHLO_H
