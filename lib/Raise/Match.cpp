//===- Match.cpp - Attention among elements -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Softmax.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

void mlir::attn::raise::takeScale(Elements &elements, Attention &attention,
                                  bool keepsRounding) {
  for (;;) {
    // `readers` becomes the nodes of the score that read the product. A factor
    // of the product can be moved to the scale only if a single node reads it.
    SmallVector<Node *> rest = {elements.look(attention.score)}, readers;
    llvm::SmallPtrSet<Node *, 32> seen;
    while (!rest.empty()) {
      Node *node = rest.pop_back_val();
      if (!seen.insert(node).second || node->kind != NodeKind::Apply ||
          node == attention.product)
        continue;
      for (Node *&operand : node->operands) {
        operand = elements.look(operand);
        if (operand == attention.product && !llvm::is_contained(readers, node))
          readers.push_back(node);
        rest.push_back(operand);
      }
    }
    if (readers.size() != 1)
      return;
    Node *reader = readers.front();
    if (keepsRounding && reader->type.getIntOrFloatBitWidth() < 32)
      return;
    double factor = 1;
    if (reader->isApply("arith.extf") || reader->isApply("arith.truncf")) {
      // No factor.
    } else if (reader->isApply("arith.negf")) {
      factor = -1;
    } else if (reader->isApply("arith.mulf") || reader->isApply("arith.divf")) {
      bool isFirst = reader->operands[0] == attention.product;
      std::optional<double> value =
          elements.getConstantFloat(reader->operands[isFirst ? 1 : 0]);
      bool isDivided = reader->isApply("arith.divf");
      if (!value || (isDivided && (!isFirst || *value == 0)))
        return;
      factor = isDivided ? 1 / *value : *value;
    } else {
      return;
    }
    if (!std::isfinite(static_cast<float>(attention.scale * factor)))
      return;
    attention.scale *= factor;
    attention.product = reader;
  }
}

/// Adds to `factors` those of `product`, the product of a weight and a value.
/// With `keepsValue`, the operand of the multiplication that has no exponential
/// stays one factor, as a value that is a product itself. Returns false if
/// there is no such operand.
static bool collectWeightAndValue(Elements &elements, Node *product,
                                  bool keepsValue, Factors &factors) {
  auto collect = [&](Node *node, Factors &to) {
    collectFactors(elements, node, to, /*isUnder=*/false, /*isOperand=*/true);
  };
  if (!keepsValue) {
    collect(product, factors);
    return true;
  }
  product = elements.strip(product);
  if (!product->isApply("arith.mulf"))
    return false;
  for (unsigned i : {0u, 1u}) {
    Node *value = elements.look(product->operands[i]);
    while (value->isApply("arith.extf"))
      value = elements.look(value->operands.front());
    Factors parts;
    collect(value, parts);
    if (llvm::any_of(parts.over, [](Node *part) {
          return isExponential(part) || part->isApply("arith.select");
        }))
      continue;
    collect(product->operands[1 - i], factors);
    factors.over.push_back(value);
    return true;
  }
  return false;
}

/// Matches as matchAttention() does. With `keepsValue`, the value may be a
/// product.
static std::unique_ptr<Attention>
match(Elements &elements, Value result, bool keepsRounding, bool keepsValue,
      std::string &reason, llvm::function_ref<Node *(Node *)> getPart) {
  auto type = cast<RankedTensorType>(result.getType());
  auto attention = std::make_unique<Attention>();
  attention->result = result;
  for (int64_t dim = 0, e = type.getRank(); dim < e; ++dim)
    attention->outputs.push_back(elements.addVariable(result, dim));
  Node *root = elements.get(result, attention->outputs);
  if (getPart)
    root = getPart(root);
  if (!root)
    return nullptr;

  // The element of the result must be a product of weights and values, summed
  // over keys, and perhaps divided by the sum of the weights.
  Factors factors;
  collectFactors(elements, root, factors);
  if (factors.over.size() != 1 || !isSum(factors.over[0]) ||
      factors.under.size() > 1)
    return nullptr;
  // A multiple of attention is not matched here, since the attention is matched
  // at the value that is multiplied.
  if (factors.constant != 1)
    return nullptr;
  Node *sum = factors.over[0];
  Node *ofOutput = factors.under.empty() ? nullptr : factors.under.front();
  attention->keys.assign(sum->variables.begin(), sum->variables.end());
  factors.over.erase(factors.over.begin());
  if (!collectWeightAndValue(elements, sum->operands[0], keepsValue, factors))
    return nullptr;

  // Conditions that depend on keys select the pairs whose weights count. One
  // other condition is allowed, `isEmpty`, which sets the output of rows
  // without keys to 0.
  SmallVector<Node *> conditions;
  Node *isEmpty = nullptr;
  if (!takeConditions(elements, factors, attention->keys, conditions, isEmpty,
                      reason))
    return nullptr;

  auto weights = llvm::make_filter_range(factors.over, isExponential);
  if (weights.empty() || attention->keys.empty()) {
    if (llvm::any_of(factors.over, [&](Node *factor) {
          return hasSoftmax(elements, factor);
        }))
      reason = "what is multiplied with values is computed from a softmax, but "
               "is none";
    return nullptr;
  }
  Weight weight;
  Divisor divisor;
  Node *divides = nullptr;
  for (Node *candidate : weights)
    for (Node *under : factors.under) {
      if (divisor.matches ||
          !dependsOnAll(elements, candidate, attention->keys))
        continue;
      weight = {candidate, conditions};
      divisor = matchDivisor(elements, under, weight, attention->keys);
      divides = under;
    }
  // Conditions may also select probabilities, after the softmax.
  bool areAfter = false;
  constexpr char kGated[] =
      "probabilities are multiplied with more than values, as by a gate or "
      "dropout";
  if (!divisor.matches && !conditions.empty())
    for (Node *candidate : weights)
      for (Node *under : factors.under) {
        if (areAfter || !dependsOnAll(elements, candidate, attention->keys))
          continue;
        weight = {candidate, {}};
        divisor = matchDivisor(elements, under, weight, attention->keys);
        areAfter = divisor.matches;
      }
  if (!divisor.matches) {
    if (llvm::any_of(factors.under, [](Node *node) {
          return isSum(node) || node->kind == NodeKind::Apply;
        }))
      reason = "exponentials are multiplied with values, but what divides them "
               "is not their sum over the same keys";
    return nullptr;
  }
  // Attention that is divided by another number, as by a gate, is matched
  // before that.
  if (divides != ofOutput && ofOutput && factors.under.size() == 2)
    return nullptr;
  if (factors.under.size() != 1) {
    reason = "the sum of its probabilities is not all that divides them";
    return nullptr;
  }
  // Another factor may be the same exponential: these are then no
  // probabilities.
  factors.over.erase(llvm::find(factors.over, weight.exponential));
  if (factors.over.size() != 1) {
    reason = factors.over.empty() ? "probabilities are summed without values"
                                  : kGated;
    return nullptr;
  }
  if (factors.constant != 1) {
    reason = areAfter ? kGated : "probabilities are multiplied with a constant";
    return nullptr;
  }
  attention->value = factors.over.front();
  if (!dependsOnAll(elements, attention->value, attention->keys)) {
    reason = "values are the same for all keys";
    return nullptr;
  }

  Node *score =
      dropRowTerms(elements, weight.exponential->operands[0], attention->keys);
  if (isEmpty && !isEmptyRow(elements, isEmpty, score, attention->keys)) {
    reason = "probabilities are selected by a condition that is not of rows "
             "whose scores are all -inf";
    return nullptr;
  }
  if (divisor.other || divisor.number != 0) {
    attention->sink = findSink(elements, divisor, weight.exponential, score);
    if (!attention->sink) {
      reason = "what is added to the sum of its exponentials is no sink: an "
               "exponential less the same row's maximum";
      return nullptr;
    }
  }
  attention->score = getNaturalScore(elements, weight.exponential, score);
  attention->masks = conditions;
  attention->weight = weight.exponential;
  attention->conditions = conditions;
  attention->product = findProduct(elements, *attention, keepsRounding);
  if (!attention->product) {
    reason = "the scores have no product of queries and keys";
    return nullptr;
  }
  if (areAfter) {
    attention->score =
        dropMasks(elements, attention->score, attention->product, conditions);
    if (!attention->score) {
      reason = kGated;
      return nullptr;
    }
  }
  takeScale(elements, *attention, keepsRounding);
  return attention;
}

std::unique_ptr<Attention>
mlir::attn::raise::matchAttention(Elements &elements, Value result,
                                  bool keepsRounding, std::string &reason,
                                  llvm::function_ref<Node *(Node *)> getPart) {
  std::unique_ptr<Attention> found = match(
      elements, result, keepsRounding, /*keepsValue=*/false, reason, getPart);
  std::string ofProduct;
  if (!found && !reason.empty())
    found = match(elements, result, keepsRounding, /*keepsValue=*/true,
                  ofProduct, getPart);
  if (found)
    reason.clear();
  return found;
}
