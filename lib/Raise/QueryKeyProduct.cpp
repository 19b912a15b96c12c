//===- QueryKeyProduct.cpp - Products of query and key in scores ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Factors.h"
#include "Match.h"

#include "attn/Dialect/Attn/IR/Attn.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Whether each value of the index variables `keys` may have a key of its own,
/// as far as the indices of arrays in `key` show it. It has none if an index
/// contains only a quotient or only a remainder of a variable, as that of an
/// array with an element for each line of an image.
static bool mayBeKey(Elements &elements, Node *key, ArrayRef<unsigned> keys) {
  Indexing &indexing = elements.getIndexing();
  llvm::SetVector<AffineExpr> atoms;
  SmallVector<Node *> rest = {key};
  llvm::SmallPtrSet<Node *, 16> seen;
  auto add = [&](AffineExpr index) {
    for (auto [atom, factor] : indexing.flatten(index).terms)
      atoms.insert(atom);
  };
  while (!rest.empty()) {
    Node *node = elements.look(rest.pop_back_val());
    if (!seen.insert(node).second)
      continue;
    if (node->index)
      add(node->index);
    if (const Access *access = getCaptured(node))
      llvm::for_each(access->indices, add);
    if (node->kind != NodeKind::Reduce || node->sources.empty())
      llvm::append_range(rest, node->operands);
  }
  return llvm::all_of(keys, [&](unsigned variable) {
    AffineExpr whole = getAffineDimExpr(variable, indexing.getContext());
    return atoms.contains(whole) || llvm::count_if(atoms, [&](AffineExpr atom) {
                                      return indexing.dependsOn(atom, variable);
                                    }) > 1;
  });
}

/// Returns the index variables of the output that the value does not have, as
/// those of rows. If `attention` is of a gradient, the output has the variables
/// of its gradient.
static SmallVector<unsigned> getOutputVariables(Elements &elements,
                                                const Attention &attention) {
  Indexing &indexing = elements.getIndexing();
  auto contains = [&](ArrayRef<AffineExpr> indices, unsigned variable) {
    return llvm::any_of(indices, [&](AffineExpr index) {
      return indexing.dependsOn(index, variable);
    });
  };
  SmallVector<unsigned> found;
  for (unsigned i = 0, e = indexing.getNumVariables(); i < e; ++i) {
    bool isOfOutput = attention.outputGradient
                          ? elements.dependsOn(attention.outputGradient, i)
                          : contains(attention.outputs, i);
    bool isOfValue = attention.value ? elements.dependsOn(attention.value, i)
                                     : contains(attention.gradient, i);
    if (isOfOutput && !isOfValue)
      found.push_back(i);
  }
  return found;
}

namespace {
/// A sum over `node->variables` of `scale` * query * key.
struct Dot {
  Node *node, *query, *key;
  double scale;
};
} // namespace

/// Returns the sum of products of query and key that `node` is: sums of
/// products of two factors, of which one depends on all keys and the other on
/// none. Returns nothing for other nodes.
static std::optional<Dot> readDot(Elements &elements,
                                  const Attention &attention, Node *node) {
  if (!isSum(node))
    return std::nullopt;
  Factors factors;
  collectFactors(elements, node->operands[0], factors, /*isUnder=*/false,
                 /*isOperand=*/true);
  Node *query = nullptr, *key = nullptr;
  if (factors.over.size() == 2 && factors.under.empty()) {
    query = factors.over[0];
    key = factors.over[1];
  } else {
    // If the summed product has more than two factors, the query or the key
    // is a product itself, as after a normalisation. Query and key are then
    // the two operands of the multiplication, without extensions to wider
    // floats.
    Node *body = elements.strip(node->operands[0]);
    if (!body->isApply("arith.mulf"))
      return std::nullopt;
    factors.constant = 1;
    query = elements.look(body->operands[0]);
    key = elements.look(body->operands[1]);
    for (Node **side : {&query, &key})
      while ((*side)->isApply("arith.extf"))
        *side = elements.look((*side)->operands.front());
  }
  if (dependsOnAny(elements, query, attention.keys))
    std::swap(query, key);
  if (dependsOnAny(elements, query, attention.keys) ||
      !dependsOnAll(elements, key, attention.keys) ||
      !mayBeKey(elements, key, attention.keys) ||
      !dependsOnAll(elements, query, node->variables) ||
      !dependsOnAll(elements, key, node->variables))
    return std::nullopt;
  // If the candidate `key` depends on an index variable of the output that
  // neither query nor value has, it differs from row to row. It is then not
  // the key but scores, and this product mixes their heads or is a bias.
  bool areOfRows = llvm::any_of(getOutputVariables(elements, attention),
                                [&](unsigned variable) {
                                  return elements.dependsOn(key, variable) &&
                                         !elements.dependsOn(query, variable);
                                });
  if (areOfRows)
    return std::nullopt;
  return Dot{node, query, key, factors.constant};
}

int64_t mlir::attn::raise::getMostColumns(unsigned width, bool ofValue) {
  if (width > 16)
    return kMaxHeadDim;
  return ofValue ? kMaxWideValueDim : kMaxWideHeadDim;
}

/// Returns the number of columns over which a product sums.
static int64_t countColumns(const Indexing &indexing, const Dot &dot) {
  int64_t columns = 1;
  for (unsigned variable : dot.node->variables)
    columns *= std::max<int64_t>(indexing.getSize(variable), 1);
  return columns;
}

/// Whether an attention op that computes in the type of queries and keys may
/// have the columns of both products.
static bool areFewColumns(const Indexing &indexing, const Dot &lhs,
                          const Dot &rhs) {
  unsigned width = 0;
  for (Node *node : {lhs.query, lhs.key, rhs.query, rhs.key})
    width = std::max(width, node->type.getIntOrFloatBitWidth());
  return countColumns(indexing, lhs) + countColumns(indexing, rhs) <=
         getMostColumns(width);
}

/// Returns the two sums of products of query and key of which `node` is the
/// sum, both times the same number. With `keepsRounding`, the sum may not be
/// rounded to a narrower type than f32. Returns nothing for other nodes.
static std::optional<std::pair<Dot, Dot>> readDots(Elements &elements,
                                                   const Attention &attention,
                                                   Node *node,
                                                   bool keepsRounding) {
  if (!node->isApply("arith.addf") ||
      (keepsRounding && node->type.getIntOrFloatBitWidth() < 32))
    return std::nullopt;
  auto read = [&](Node *term) -> std::optional<Dot> {
    Factors factors;
    collectFactors(elements, term, factors);
    if (factors.over.size() != 1 || !factors.under.empty())
      return std::nullopt;
    std::optional<Dot> dot = readDot(elements, attention, factors.over.front());
    if (dot)
      dot->scale *= factors.constant;
    return dot;
  };
  std::optional<Dot> lhs = read(node->operands[0]),
                     rhs = lhs ? read(node->operands[1]) : std::nullopt;
  if (!rhs || lhs->node == rhs->node ||
      !areFewColumns(elements.getIndexing(), *lhs, *rhs) ||
      std::abs(lhs->scale - rhs->scale) > 1e-6 * std::abs(lhs->scale))
    return std::nullopt;
  // A second key that differs from row to row, as that of relative positions
  // does, would make each row a batch entry, for which the other key were
  // repeated.
  for (unsigned variable : getOutputVariables(elements, attention))
    if (elements.dependsOn(lhs->key, variable) !=
        elements.dependsOn(rhs->key, variable))
      return std::nullopt;
  // A product that the score also has elsewhere is no part of an argument of
  // the score region.
  if (elements.contains(
          attention.score,
          [&](Node *other) {
            return other != node && (elements.areEqual(other, lhs->node) ||
                                     elements.areEqual(other, rhs->node));
          },
          /*end=*/node))
    return std::nullopt;
  return std::pair(*lhs, *rhs);
}

/// Whether the first of two products has the columns that are not rotated. Its
/// key depends on more index variables than the other, as that of heads does,
/// or, with equal numbers, has more columns. A value that is a part of the
/// key is one of the first.
static bool isFirst(Elements &elements, const Attention &attention,
                    const Dot &lhs, const Dot &rhs) {
  Indexing &indexing = elements.getIndexing();
  auto measure = [&](const Dot &dot) {
    int64_t dependences = 0;
    for (unsigned i = 0, e = indexing.getNumVariables(); i < e; ++i)
      dependences += elements.dependsOn(dot.key, i);
    return std::pair(dependences, countColumns(indexing, dot));
  };
  return measure(lhs) >= measure(rhs);
}

/// Finds the product of query and key in the score (readDot()), or the sum of
/// two of them (readDots()). If there are several, the one nearest to the
/// score's root is taken of those whose key is the same for all rows, or else
/// of all.
Node *mlir::attn::raise::findProduct(Elements &elements, Attention &attention,
                                     bool keepsRounding) {
  attention.queryRope = attention.keyRope = nullptr;
  attention.ropeDims.clear();
  auto take = [&](const Dot &dot, Node *node) {
    attention.query = dot.query;
    attention.key = dot.key;
    attention.headDims.assign(dot.node->variables.begin(),
                              dot.node->variables.end());
    attention.scale = dot.scale;
    return node;
  };
  std::optional<Dot> ofRows;
  SmallVector<Node *> level = {attention.score};
  llvm::SmallPtrSet<Node *, 32> seen;
  for (unsigned i = 0; i < level.size(); ++i) {
    Node *node = elements.look(level[i]);
    if (!seen.insert(node).second)
      continue;
    if (node->kind == NodeKind::Apply)
      llvm::append_range(level, node->operands);
    if (auto dots = readDots(elements, attention, node, keepsRounding)) {
      auto [first, second] = *dots;
      if (!isFirst(elements, attention, first, second))
        std::swap(first, second);
      attention.queryRope = second.query;
      attention.keyRope = second.key;
      attention.ropeDims.assign(second.node->variables.begin(),
                                second.node->variables.end());
      return take(first, node);
    }
    std::optional<Dot> dot = readDot(elements, attention, node);
    if (!dot)
      continue;
    if (!dependsOnAny(elements, dot->key,
                      getOutputVariables(elements, attention)))
      return take(*dot, node);
    if (!ofRows)
      ofRows = dot;
  }
  return ofRows ? take(*ofRows, ofRows->node) : nullptr;
}
