//===- Sizes.h - Dynamic sizes as polynomials -------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_SIZES_H
#define ATTN_LIB_RAISE_SIZES_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

#include <map>

namespace mlir::attn::raise {

/// A symbolic size: a sum of products of symbols, each with an integer factor.
/// The keys of the map are the products, lists of symbols. A symbol stands for
/// a dynamic size or for an integer that the module computes.
using Extent = std::map<SmallVector<unsigned, 2>, int64_t>;

/// Expresses the sizes of tensors, and integers, as symbolic sizes. Two sizes
/// are equal if they are the same sum of products of symbols, also after
/// replacements that follow from equalities which ops of the module require;
/// see unite().
class Sizes {
public:
  static Extent getConstant(int64_t value);
  static std::optional<int64_t> getConstantValue(const Extent &extent);
  static Extent add(const Extent &lhs, const Extent &rhs, int64_t factor);
  static Extent multiply(const Extent &lhs, const Extent &rhs);
  /// Returns the quotient of two sizes if it is exact, and nothing otherwise.
  static std::optional<Extent> divide(const Extent &lhs, const Extent &rhs);

  Extent getDim(Value array, int64_t dim);
  /// Returns an integer, or the integer in a tensor of one element, as a
  /// symbolic size.
  Extent get(Value number);
  /// Returns element `index` of `list`, a tensor that is a list of sizes, as a
  /// symbolic size.
  Extent getElement(Value list, int64_t index);

  bool areEqual(const Extent &lhs, const Extent &rhs) const;
  /// Records that two sizes are equal: a symbol is then replaced by an
  /// expression of earlier symbols. Nothing is recorded unless, after the
  /// removal of common terms and factors, one of the two sizes is a multiple of
  /// a single symbol.
  void unite(const Extent &lhs, const Extent &rhs);
  std::optional<bool> compare(arith::CmpIPredicate predicate, const Extent &lhs,
                              const Extent &rhs) const;

  /// Returns the size as an affine expression of symbols, or nothing if it
  /// contains a product of two or more symbols.
  std::optional<AffineExpr> getAffine(const Extent &extent,
                                      MLIRContext *context) const;
  /// Returns what a symbol stands for, as a value and a number n. It is
  /// dimension n of a tensor, an integer (if n is -1), or element -2 - n of a
  /// list of sizes (if n is below -1).
  std::pair<Value, int64_t> getSymbol(unsigned symbol) const {
    return symbols[symbol];
  }

private:
  Extent makeSymbol(Value value, int64_t dim);
  Extent computeDim(Value array, int64_t dim);
  Extent computeNumber(Value number);
  std::optional<Extent> computeStableHLODim(Operation *op, int64_t dim);
  std::optional<Extent> computeStableHLONumber(Operation *op);
  Extent resolve(const Extent &extent) const;

  SmallVector<std::pair<Value, int64_t>> symbols;
  llvm::DenseMap<unsigned, Extent> bound;
  llvm::DenseMap<std::pair<Value, int64_t>, Extent> known;
};

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_SIZES_H
