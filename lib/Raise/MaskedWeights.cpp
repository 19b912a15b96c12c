//===- MaskedWeights.cpp - Masks after the softmax ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code may mask scores by a large number and, after the softmax, also set the
// probabilities of the same pairs to 0. In a row that keeps a key, that changes
// nothing. In other rows all probabilities become 0, as those of a mask of
// attn.attention are.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "Softmax.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// Values of conditions, by which conditions in expressions are replaced.
struct Assumption {
  Elements &elements;
  /// The conditions without negations, and their values.
  SmallVector<std::pair<Node *, bool>> values = {};

  void add(Node *condition, bool value) {
    bool isNegated = elements.takeNegations(condition);
    values.push_back({condition, value != isNegated});
  }

  Node *get(Node *expression) {
    return elements.rewrite(expression, [&](Node *node) -> Node * {
      if (node->type.isInteger(1))
        for (auto [condition, value] : values)
          if (elements.areEqual(condition, node))
            return elements.getConstant(
                elements.getBuilder().getBoolAttr(value));
      return nullptr;
    });
  }
};

/// How a number replaces a score, or is added to it.
enum class Masking { None, Finite, Infinite };
} // namespace

/// Returns how a score that is computed from constants masks. `known` has the
/// results for nodes, each of which it may read many times.
static Masking getMasking(Elements &elements, Node *score,
                          llvm::DenseMap<Node *, Masking> &known) {
  score = elements.strip(score);
  if (auto found = known.find(score); found != known.end())
    return found->second;
  if (std::optional<double> number = elements.getConstantFloat(score)) {
    if (!isMasking(*number, score->type))
      return Masking::None;
    return std::isinf(*number) ? Masking::Infinite : Masking::Finite;
  }
  if (!score->isApply("arith.addf"))
    return Masking::None;
  Masking result = std::max(getMasking(elements, score->operands[0], known),
                            getMasking(elements, score->operands[1], known));
  known[score] = result;
  return result;
}

Node *mlir::attn::raise::dropMasks(Elements &elements, Node *score,
                                   Node *product, ArrayRef<Node *> conditions) {
  Assumption kept{elements};
  bool areInfinite = true;
  for (Node *condition : conditions) {
    Assumption masked{elements};
    masked.add(condition, false);
    llvm::DenseMap<Node *, Masking> known;
    Masking masking = getMasking(elements, masked.get(score), known);
    if (masking == Masking::None)
      return nullptr;
    areInfinite &= masking == Masking::Infinite;
    kept.add(condition, true);
  }
  Node *rest = kept.get(score);
  // If all keys that a row keeps had scores as low as a finite number that
  // masks, probabilities would be divided by a sum that includes masked pairs.
  // So the rest of the score may depend only on the product, constants that are
  // not large, and indices.
  if (!areInfinite && (!isOfProduct(elements, rest, product) ||
                       hasLargeNumber(elements, rest, product)))
    return nullptr;
  return rest;
}
