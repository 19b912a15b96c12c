//===- Valuation.h - Elements by values at random points --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two expressions are taken to be the same function if they agree at random
// points. Nodes without a formula here (elements of memory, sums, conditions)
// are coordinates of the point and get random values; a condition is true or
// false.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_VALUATION_H
#define ATTN_LIB_RAISE_VALUATION_H

#include "Factors.h"

#include <random>

namespace mlir::attn::raise {

/// A value, and its derivative with respect to one node, the variable.
struct Slope {
  double value = 0, slope = 0;
};

class Valuation {
public:
  explicit Valuation(Elements &elements) : elements(elements) {}

  /// Sets the value and derivative of the node, and of all nodes that equal it,
  /// at the present point.
  void bind(Node *node, Slope value);
  /// Goes to another point, where coordinates have new random values.
  /// Conditions take all combinations of true and false, one after the other.
  void next();
  /// Whether enough points have been visited to trust the comparison: at least
  /// 12, and three for each combination of conditions.
  bool hasEnough() const;

  /// Returns the value and derivative of a node at the present point. None if
  /// it is NaN, or if an op without a formula contains a bound node.
  std::optional<Slope> get(Node *node);
  /// Returns a condition's value at the present point; none if there are more
  /// than six different conditions.
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
  /// One node of each class of equal nodes, for coordinates and for conditions;
  /// the index of a node's class (and for a condition, whether it is the
  /// inverse of the class's node); and the coordinates' values at the present
  /// point.
  SmallVector<Node *> coordinates, conditions;
  llvm::DenseMap<Node *, unsigned> coordinateOf;
  llvm::DenseMap<Node *, std::pair<unsigned, bool>> conditionOf;
  SmallVector<double> values;
  llvm::DenseMap<Node *, std::optional<Slope>> known;
};

/// The parts of a gradient of scores: the exponential of a score, the sum of
/// these over all keys, dP (the product of values and the output's gradient),
/// the score, and the node with respect to which the gradient is.
struct ScoreGradient {
  Node *weight, *sum, *ofOutput, *score, *variable;
  ArrayRef<unsigned> keys;
  ArrayRef<Node *> masks;
};

/// Whether the node is, for all pairs that are kept, `factor` times
///   P (dP - sum over keys of P dP) d score / d variable     P = weight / sum
/// and 0 for all others.
bool isScoreGradient(Elements &elements, const ScoreGradient &parts, Node *node,
                     double factor);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_VALUATION_H
