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

/// The value of an expression, and its derivative with respect to one node, the
/// variable.
struct Slope {
  double value = 0, slope = 0;
};

class Valuation {
public:
  explicit Valuation(Elements &elements) : elements(elements) {}

  /// Sets the value and derivative of `node`, and of all nodes that equal it,
  /// at the present point.
  void bind(Node *node, Slope value);
  /// As bind(), for a node without a derivative that is at least 0 wherever it
  /// is a number. Its magnitude is itself, then, and it is not below 0.
  void bindFromZero(Node *node, double value);
  /// Goes to another point, at which coordinates (nodes without a formula) have
  /// new random values. The conditions take all combinations of true and false,
  /// one combination after the other.
  void next();
  /// Whether enough points have been visited to trust the comparison of two
  /// expressions: at least 12, and at least three for each combination of
  /// conditions.
  bool hasEnough() const;

  /// Returns the value and derivative of a node at the present point. Returns
  /// nothing if one of them is NaN, or if an op without a formula depends on a
  /// bound node.
  std::optional<Slope> get(Node *node);
  /// Returns the value of a condition at the present point, or nothing if there
  /// are more than six different conditions.
  std::optional<bool> getCondition(Node *node);

private:
  std::optional<Slope> compute(Node *node);
  std::optional<Slope> apply(Node *node);
  Node *findBound(Node *node);
  bool isFromZero(Node *node);
  std::optional<bool> compareWithZero(Node *condition);
  bool hasBound(Node *node);
  double getCoordinate(Node *node);

  Elements &elements;
  std::mt19937 random{1};
  unsigned point = 0;
  SmallVector<std::pair<Node *, Slope>> bound;
  llvm::SmallPtrSet<Node *, 4> fromZero;
  llvm::DenseMap<Node *, Node *> boundOf;
  /// Equal nodes form a class. `coordinates` and `conditions` have one node of
  /// each class. `coordinateOf` and `conditionOf` map a node to the index of
  /// its class and, for a condition, to whether it is the inverse of the
  /// class's node. `values` are those of the coordinates at the present point.
  SmallVector<Node *> coordinates, conditions;
  llvm::DenseMap<Node *, unsigned> coordinateOf;
  llvm::DenseMap<Node *, std::pair<unsigned, bool>> conditionOf;
  SmallVector<double> values;
  llvm::DenseMap<Node *, std::optional<Slope>> known;
};

/// The parts of a gradient of scores. `weight` is the exponential of a score,
/// `sum` the sum of these over all keys, and `ofOutput` dP, the product of
/// values and the output's gradient. `variable` is the node with respect to
/// which the derivative of `score` is taken. `others` are further exponentials
/// of the same scores and their sums, which differ from `weight` and `sum` by a
/// factor of the row. `ofLse` is the gradient of the lse, or null. `divided` is
/// dP / `sum`, or null. `hasSink` says that `sum` has a term besides those of
/// keys, and `ofSink` is that term, or null if it is a number.
struct ScoreGradient {
  Node *weight, *sum, *ofOutput, *score, *variable;
  ArrayRef<unsigned> keys;
  ArrayRef<Node *> masks;
  ArrayRef<std::pair<Node *, Node *>> others = {};
  Node *ofLse = nullptr;
  Node *divided = nullptr;
  bool hasSink = false;
  Node *ofSink = nullptr;
};

/// Whether the node is, for all pairs that are kept, `factor` times
///   P (dP - sum over keys of P dP + ofLse) d score / d variable
/// where P = weight / sum, and 0 for all others.
bool isScoreGradient(Elements &elements, const ScoreGradient &parts, Node *node,
                     double factor);

/// Whether the node is, for each row,
///   -(ofSink / sum) * sum over keys of P dP      P = weight / sum
/// where `ofSink` is not null.
bool isSinkGradient(Elements &elements, const ScoreGradient &parts, Node *node);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_VALUATION_H
