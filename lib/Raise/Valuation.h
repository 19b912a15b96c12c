//===- Valuation.h - Elements by values at random points --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two expressions are the same function if they agree at random points. What
// has no formula here is a point's coordinate: elements of memory, sums, and
// conditions, which are true or false.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_VALUATION_H
#define ATTN_LIB_RAISE_VALUATION_H

#include "Factors.h"

#include <random>

namespace mlir::attn::raise {

/// A value, and its derivative with respect to one node.
struct Slope {
  double value = 0, slope = 0;
};

class Valuation {
public:
  explicit Valuation(Elements &elements) : elements(elements) {}

  /// The node has this value at the point, and so has what equals it.
  void bind(Node *node, Slope value);
  /// Goes to another point: conditions get all combinations, one after another.
  void next();
  /// Whether there were as many points as are enough.
  bool hasEnough() const;

  /// None where a formula is missing that has a bound node within.
  std::optional<Slope> get(Node *node);
  /// None where there are too many conditions.
  std::optional<bool> getCondition(Node *node);

private:
  std::optional<Slope> compute(Node *node);
  std::optional<Slope> apply(Node *node);
  Node *findBound(Node *node);
  bool hasBound(Node *node);
  double getCoordinate(Node *node);

  Elements &elements;
  std::mt19937 random{1};
  unsigned point = 0;
  SmallVector<std::pair<Node *, Slope>> bound;
  llvm::DenseMap<Node *, Node *> boundOf;
  /// Those of which others are equals, and values at this point.
  SmallVector<Node *> coordinates, conditions;
  llvm::DenseMap<Node *, unsigned> coordinateOf;
  llvm::DenseMap<Node *, std::pair<unsigned, bool>> conditionOf;
  SmallVector<double> values;
  llvm::DenseMap<Node *, std::optional<Slope>> known;
};

/// What a gradient of scores is made of: the exponential of a score and the sum
/// of those of all keys, the product of values and the output's gradient, and
/// what the gradient is of.
struct ScoreGradient {
  Node *weight, *sum, *ofOutput, *score, *variable;
  ArrayRef<unsigned> keys;
  ArrayRef<Node *> masks;
};

/// Whether the node is, for all pairs that count, a multiple `factor` of
///   P (dP - sum over keys of P dP) d score / d variable     P = weight / sum
/// and 0 for all others.
bool isScoreGradient(Elements &elements, const ScoreGradient &parts, Node *node,
                     double factor);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_VALUATION_H
