//===- Indexing.h - Index expressions over variables of known size -*- C++
//-*-===//
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

/// A sum of multiples of atoms and a number. Atoms are variables, quotients and
/// remainders of sums by positive numbers.
struct Sum {
  llvm::MapVector<AffineExpr, int64_t> terms;
  int64_t constant = 0;

  void add(AffineExpr atom, int64_t factor);
  void add(const Sum &other, int64_t factor);
  bool isConstant() const { return terms.empty(); }
};

/// Index expressions of variables, of which each goes from 0 to its size. They
/// are affine expressions whose dimension `n` is the variable `n`.
///
/// A variable may be divided: it is then a sum of others that are its digits in
/// a mixed radix, as a reshape asks for.
class Indexing {
public:
  explicit Indexing(MLIRContext *context) : context(context) {}

  MLIRContext *getContext() const { return context; }

  /// Adds a variable of a size, which may be dynamic and then has an extent if
  /// that is known. Returns the constant 0 if the size is 1.
  AffineExpr addVariable(int64_t size,
                         std::optional<Extent> extent = std::nullopt);
  int64_t getSize(unsigned variable) const { return sizes[variable]; }
  /// Whether two variables are known to have equally many values.
  bool haveSameSize(unsigned lhs, unsigned rhs) const;
  std::optional<Extent> getExtent(unsigned variable) const;
  /// The number of values of the expression, from 0 on, if it is a variable or
  /// the quotient of one.
  std::optional<Extent> getExtentOf(AffineExpr expr) const;
  Sizes &getSymbolicSizes() { return symbolic; }
  const Sizes &getSymbolicSizes() const { return symbolic; }
  AffineExpr getConstant(int64_t value) const {
    return getAffineConstantExpr(value, context);
  }

  Sum flatten(AffineExpr expr) const;
  AffineExpr build(const Sum &sum) const;
  AffineExpr simplify(AffineExpr expr) const { return build(flatten(expr)); }
  AffineExpr floorDiv(AffineExpr expr, int64_t divisor) const;
  AffineExpr mod(AffineExpr expr, int64_t divisor) const;
  bool areEqual(AffineExpr lhs, AffineExpr rhs) const;
  /// The range of values, or none where it is not known.
  std::optional<std::pair<int64_t, int64_t>> getRange(AffineExpr expr) const;

  /// The expression with another one for each of these variables.
  AffineExpr replace(AffineExpr expr,
                     const llvm::DenseMap<unsigned, AffineExpr> &by) const;

  /// Splits variables into digits until the expression has no quotient or
  /// remainder, and returns it as an expression of digits. Null if there is no
  /// such split.
  AffineExpr resolve(AffineExpr expr);
  /// The expression with each variable replaced by the digits that it was split
  /// into.
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

/// The number of the variable that the expression is, or none.
std::optional<unsigned> getVariable(AffineExpr expr);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_INDEXING_H
