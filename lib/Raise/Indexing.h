//===- Indexing.h - Index expressions over variables ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_INDEXING_H
#define ATTN_LIB_RAISE_INDEXING_H

#include "Sizes.h"

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallBitVector.h"

namespace mlir::attn::raise {

/// A linear combination in index expressions: a constant plus multiples of
/// atoms. An atom is an index variable, a symbol of a dynamic size, or the
/// quotient or remainder of such a sum by a positive number.
struct Sum {
  llvm::MapVector<AffineExpr, int64_t> terms;
  int64_t constant = 0;

  void add(AffineExpr atom, int64_t factor);
  void add(const Sum &other, int64_t factor);
  bool isConstant() const { return terms.empty(); }
};

/// Index expressions of variables, each of which takes the values from 0 to its
/// size less 1. They are affine expressions in which dimension n is variable n.
///
/// A variable may be split, for a reshape: it is then replaced by high * unit +
/// low, a sum of two other variables, its digits in a mixed radix.
class Indexing {
public:
  explicit Indexing(MLIRContext *context) : context(context) {}

  MLIRContext *getContext() const { return context; }

  /// Adds an index variable with the given size, which may be dynamic; `extent`
  /// is then its symbolic size, if that is known. Returns the variable as an
  /// expression, or the constant 0 if the size is 1.
  AffineExpr addVariable(int64_t size,
                         std::optional<Extent> extent = std::nullopt);
  int64_t getSize(unsigned variable) const { return sizes[variable]; }
  /// Whether two index variables are known to have the same size.
  bool haveSameSize(unsigned lhs, unsigned rhs) const;
  std::optional<Extent> getExtent(unsigned variable) const;
  /// Returns how many values, from 0 on, an expression takes that is an index
  /// variable or the quotient of one by a constant. Returns nothing for other
  /// expressions, or if the number is not known.
  std::optional<Extent> getExtentOf(AffineExpr expr) const;
  Sizes &getSymbolicSizes() { return symbolic; }
  const Sizes &getSymbolicSizes() const { return symbolic; }
  AffineExpr getConstant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }

  Sum flatten(AffineExpr expr) const;
  AffineExpr build(const Sum &sum) const;
  AffineExpr simplify(AffineExpr expr) const {
    return isa<AffineBinaryOpExpr>(expr) ? build(flatten(expr)) : expr;
  }
  AffineExpr floorDiv(AffineExpr expr, int64_t divisor) const;
  AffineExpr mod(AffineExpr expr, int64_t divisor) const;
  bool areEqual(AffineExpr lhs, AffineExpr rhs) const;
  /// Returns bounds of the values of an expression, the lower one and the upper
  /// one, both inclusive. Returns nothing if none are known.
  std::optional<std::pair<int64_t, int64_t>> getRange(AffineExpr expr) const;

  /// Returns `expr` with each index variable that `by` maps to an expression
  /// replaced by that expression.
  AffineExpr replace(AffineExpr expr,
                     const llvm::DenseMap<unsigned, AffineExpr> &by) const;

  /// Splits index variables into digits until `expr` has no quotient or
  /// remainder, and returns `expr` as an expression of digits. Returns null if
  /// there is no such split.
  AffineExpr resolve(AffineExpr expr);
  /// Returns the expression with each index variable that was split replaced by
  /// its digits.
  AffineExpr getDigits(AffineExpr expr) const;
  void getVariables(AffineExpr expr, llvm::SmallBitVector &found) const;
  bool dependsOn(AffineExpr expr, unsigned variable) const;
  unsigned getNumVariables() const { return sizes.size(); }

private:
  Sum divide(AffineExpr expr, int64_t divisor, bool remainder) const;
  std::optional<std::pair<int64_t, int64_t>> getRange(const Sum &sum) const;
  bool split(AffineExpr quotient);
  bool splitVariable(unsigned variable, int64_t unit);

  MLIRContext *context;
  SmallVector<int64_t> sizes;
  SmallVector<std::optional<Extent>> extents;
  Sizes symbolic;
  llvm::DenseMap<unsigned, AffineExpr> digits;
};

/// Returns the number of the index variable if the expression is a variable,
/// and nothing for other expressions.
std::optional<unsigned> getVariable(AffineExpr expr);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_INDEXING_H
