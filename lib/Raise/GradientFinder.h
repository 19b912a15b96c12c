//===- GradientFinder.h - What matches of gradients share -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_GRADIENTFINDER_H
#define ATTN_LIB_RAISE_GRADIENTFINDER_H

#include "Gradient.h"
#include "Softmax.h"
#include "Valuation.h"

namespace mlir::attn::raise {

using Variables = SmallVector<unsigned>;

/// A product that is summed, as factors. Where one of `conditions` is false,
/// the product is 0.
struct Product {
  Factors factors;
  SmallVector<Node *> conditions;
};

/// Base of the matches of gradients, which all find the softmax and the score.
struct GradientFinder {
  Elements &elements;
  Attention &attention;
  bool keepsRounding;
  Variables outputs, summed = {};
  Node *weight = nullptr, *sum = nullptr;
  double unit = 1;
  /// The exponential of a sink in `sum`, less the row's maximum; null if there
  /// is none.
  Node *ofSink = nullptr;
  /// The product of the value and the output's gradient divided by `sum`; null
  /// if the source does not divide that gradient.
  Node *divided = nullptr;

  Indexing &getIndexing() { return elements.getIndexing(); }

  bool dependsOn(Node *node, unsigned variable) {
    return elements.dependsOn(node, variable);
  }

  Variables getThose(ArrayRef<unsigned> from,
                     llvm::function_ref<bool(unsigned)> filter) {
    Variables found;
    llvm::copy_if(from, std::back_inserter(found), filter);
    return found;
  }

  /// Returns the two operands of a multiplication, without extensions to wider
  /// floats around them. Returns nothing for other nodes.
  std::optional<std::pair<Node *, Node *>> getSides(Node *body) {
    if (!body->isApply("arith.mulf"))
      return std::nullopt;
    auto get = [&](Node *node) {
      node = elements.look(node);
      while (node->isApply("arith.extf"))
        node = elements.look(node->operands.front());
      return node;
    };
    return std::pair(get(body->operands[0]), get(body->operands[1]));
  }

  /// Returns the factors of a node. A factor select(condition, x, 0) is
  /// replaced by the factors of x, and `condition` is added to `conditions`.
  Product getProduct(Node *node) {
    Product product;
    collectFactors(elements, node, product.factors, /*isUnder=*/false,
                   /*isOperand=*/true);
    for (bool changes = true; changes;) {
      changes = false;
      for (Node *factor : llvm::to_vector(product.factors.over)) {
        if (!factor->isApply("arith.select") ||
            !elements.isZero(factor->operands[2]))
          continue;
        product.conditions.push_back(elements.look(factor->operands[0]));
        llvm::erase(product.factors.over, factor);
        collectFactors(elements, factor->operands[1], product.factors,
                       /*isUnder=*/false, /*isOperand=*/true);
        changes = true;
        break;
      }
    }
    return product;
  }

  /// Whether `under`, by which the exponential is divided, is the sum of the
  /// exponentials of all keys, perhaps with a sink's. Sets `weight` and `sum`,
  /// and the keys, the score and the sink of `attention`.
  bool takeSoftmax(Node *exponential, Node *under) {
    weight = exponential;
    sum = elements.strip(under);
    auto isKey = [&](unsigned variable) {
      return dependsOn(weight, variable) && !dependsOn(sum, variable);
    };
    Variables keys = getThose(outputs, isKey);
    llvm::append_range(keys, getThose(summed, isKey));
    attention.keys.assign(keys.begin(), keys.end());
    if (keys.empty())
      return false;
    Divisor divisor = matchDivisor(elements, sum, {weight, {}}, attention.keys);
    if (!divisor.matches)
      return false;
    attention.score =
        dropRowTerms(elements, weight->operands[0], attention.keys);
    attention.sink.reset();
    ofSink = divisor.other;
    if (divisor.other || divisor.number != 0) {
      attention.sink = findSink(elements, divisor, weight, attention.score);
      return attention.sink.has_value();
    }
    return true;
  }

  /// Returns x and y if `node` is the quotient x / y, or x * (1 / y), of an
  /// element x and a sum y, as the gradient of an output that is divided by the
  /// sum of the exponentials. Returns `node` and null for other nodes.
  std::pair<Node *, Node *> splitQuotient(Node *node) {
    Node *whole = elements.strip(node);
    for (unsigned i : {0u, 1u}) {
      Factors divisor;
      if (whole->isApply("arith.mulf"))
        collectFactors(elements, whole->operands[i], divisor);
      else if (whole->isApply("arith.divf") && i == 1)
        collectFactors(elements, whole->operands[1], divisor, /*isUnder=*/true);
      if (divisor.over.empty() && divisor.under.size() == 1 &&
          divisor.constant == 1)
        return {elements.strip(whole->operands[1 - i]), divisor.under.front()};
    }
    return {node, nullptr};
  }

  /// Whether `ofOutput` is a product of the value and the output's gradient,
  /// which may be divided by the sum of the exponentials. Sets both in
  /// `attention`, and `divided` to a product that is divided; `ofOutput` is
  /// then the product without the divisor.
  bool takeOutput(Node *&ofOutput) {
    divided = nullptr;
    auto sides = getSides(elements.strip(ofOutput->operands[0]));
    if (!sides)
      return false;
    auto [value, gradient] = *sides;
    if (!dependsOnAny(elements, value, attention.keys))
      std::swap(value, gradient);
    if (auto [dividend, by] = splitQuotient(gradient);
        by && elements.areEqual(sum, elements.strip(by))) {
      gradient = dividend;
      divided = ofOutput;
      Type type = ofOutput->type;
      ofOutput = elements.getReduce(
          ofOutput->name, type, ofOutput->variables,
          elements.getApply("arith.mulf", type,
                            {elements.getCast(gradient, type),
                             elements.getCast(value, type)}));
    }
    attention.value = value;
    attention.outputGradient = gradient;
    return dependsOnAll(elements, value, attention.keys) &&
           !dependsOnAny(elements, gradient, attention.keys);
  }

  /// Finds query, key, scale and masks in the score, and sets them in
  /// `attention`. Returns the score's product of query and key, and the score
  /// with its masks, or two nulls if there is no such product.
  std::pair<Node *, Node *> takeScore() {
    Node *score = getNaturalScore(elements, weight, attention.score);
    attention.score = score;
    Node *dot = findProduct(elements, attention, keepsRounding);
    attention.product = dot;
    if (!dot)
      return {};
    unit = attention.scale;
    takeScale(elements, attention, keepsRounding);
    takeMasks(elements, attention, keepsRounding);
    return {dot, score};
  }

  /// Whether each of `selected`, the conditions under which a gradient is not
  /// 0, equals one of the score's masks.
  bool areMasks(ArrayRef<Node *> selected) {
    return llvm::all_of(selected, [&](Node *condition) {
      return llvm::any_of(attention.masks, [&](Node *mask) {
        return elements.areEqual(condition, mask);
      });
    });
  }

  /// Sets the output dimensions of `attention`: first the index variables of
  /// the result and the sums that are neither keys nor head dims (batches,
  /// heads and rows), and then `valueDims`, the head dims of the value. The
  /// order is that of the dimensions of the output's gradient, so that it is
  /// the same for all gradients of one attention. The index variables of the
  /// sums become outputs.
  void addOutputs(ArrayRef<unsigned> valueDims) {
    Variables order;
    for (AffineExpr index :
         attention.outputGradient->sources.empty()
             ? ArrayRef<AffineExpr>()
             : ArrayRef<AffineExpr>(
                   attention.outputGradient->sources.front().indices))
      for (unsigned variable = 0; variable < getIndexing().getNumVariables();
           ++variable)
        if (getIndexing().dependsOn(index, variable))
          order.push_back(variable);
    llvm::append_range(outputs, summed);
    summed.clear();
    llvm::sort(outputs, [&](unsigned lhs, unsigned rhs) {
      return std::pair(llvm::find(order, lhs), lhs) <
             std::pair(llvm::find(order, rhs), rhs);
    });
    auto isOutput = [&](unsigned variable) {
      return !llvm::is_contained(attention.keys, variable) &&
             !llvm::is_contained(attention.headDims, variable);
    };
    Variables all = getThose(outputs, isOutput);
    llvm::append_range(all, valueDims);
    for (unsigned variable : all)
      attention.outputs.push_back(
          getAffineDimExpr(variable, getIndexing().getContext()));
  }
};

/// Begins a match: returns a match without findings for `result`, and the
/// element of `result` at new index variables, one for each dimension.
std::pair<std::unique_ptr<GradientMatch>, Node *> beginGradient(Value result);

/// Returns the index variables among `indices`.
Variables getVariables(ArrayRef<AffineExpr> indices);

/// Returns the summand of a sum or of nested sums (such as one over the heads
/// of a group), or the node itself if it is no sum. Appends the index variables
/// of the sums to `summed`.
Node *takeSums(Elements &elements, Node *node, Variables &summed);

/// Completes a match: finds the layout of its arrays, and sets `weights`, the
/// arrays by which gradients of the same attention are recognised: those of
/// `weight`, and of exponentials in `root` that are a multiple of it. Returns
/// false if there is no layout.
bool finishGradient(GradientMatch &match, Node *weight, Node *root = nullptr);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_GRADIENTFINDER_H
