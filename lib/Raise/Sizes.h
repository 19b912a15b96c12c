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

/// A symbolic size: a sum of products of symbols (the keys of the map) times
/// integers. Each symbol is a dynamic size or an integer that the module
/// computes.
using Extent = std::map<SmallVector<unsigned, 2>, int64_t>;

/// Expresses sizes of tensors, and integers, as sums of products of symbols.
/// Two sizes are equal if their sums are, or if an op of the module requires it
/// (unite).
class Sizes {
public:
  static Extent getConstant(int64_t value);
  static std::optional<int64_t> getConstantValue(const Extent &extent);
  static Extent add(const Extent &lhs, const Extent &rhs, int64_t factor);
  static Extent multiply(const Extent &lhs, const Extent &rhs);
  /// The exact quotient, or none.
  static std::optional<Extent> divide(const Extent &lhs, const Extent &rhs);

  Extent getDim(Value array, int64_t dim);
  /// Returns an integer, or the integer in a tensor of one element, as a
  /// symbolic size.
  Extent get(Value number);
  /// An element of a list of sizes.
  Extent getElement(Value list, int64_t index);

  bool areEqual(const Extent &lhs, const Extent &rhs) const;
  /// Notes that two sizes are equal, from which a symbol is replaced by earlier
  /// ones; nothing is noted if neither is a multiple of a single symbol, after
  /// common factors of two products are removed.
  void unite(const Extent &lhs, const Extent &rhs);
  std::optional<bool> compare(arith::CmpIPredicate predicate, const Extent &lhs,
                              const Extent &rhs) const;

  /// Returns the size as an affine expression of symbols, or none if it
  /// contains products of two or more symbols.
  std::optional<AffineExpr> getAffine(const Extent &extent,
                                      MLIRContext *context) const;
  /// Returns what a symbol stands for: a tensor and one of its dimensions, an
  /// integer and -1, or a list of sizes and -2 less the index of the element.
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
