//===- Layout.cpp - Indices of heads, rows and keys -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"
#include "Pages.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the index variables of which `sum`, an index into `whole` elements,
/// is a sum, as findDigits() does for the elements of a dimension.
static std::optional<Digits> findDigits(Elements &elements, const Sum &sum,
                                        Extent whole) {
  Indexing &indexing = elements.getIndexing();
  if (sum.constant != 0)
    return std::nullopt;
  SmallVector<std::pair<int64_t, unsigned>> terms;
  for (auto [atom, factor] : sum.terms) {
    auto variable = getVariable(atom);
    if (!variable || factor < 1)
      return std::nullopt;
    terms.push_back({factor, *variable});
  }
  llvm::sort(terms);
  int64_t unit = 1;
  Digits digits;
  for (auto [factor, variable] : terms) {
    if (ShapedType::isDynamic(unit) || factor != unit)
      return std::nullopt;
    digits.insert(digits.begin(), variable);
    int64_t ofVariable = indexing.getSize(variable);
    unit = ShapedType::isDynamic(ofVariable) ? ofVariable : unit * ofVariable;
  }
  Extent all = Sizes::getConstant(1);
  for (unsigned digit : digits) {
    std::optional<Extent> extent = indexing.getExtent(digit);
    if (!extent)
      return std::nullopt;
    all = Sizes::multiply(all, *extent);
  }
  if (!elements.getSizes().areEqual(all, whole))
    return std::nullopt;
  return digits;
}

std::optional<Digits> mlir::attn::raise::findDigits(Elements &elements,
                                                    AffineExpr expr,
                                                    Value array, int64_t dim) {
  return ::findDigits(elements, elements.getIndexing().flatten(expr),
                      elements.getSizes().getDim(array, dim));
}

/// As findDigits(), for an index that takes some elements of the dimension, in
/// steps of equal size, which `steps` is set to.
static std::optional<Digits> findSteps(Elements &elements, AffineExpr expr,
                                       int64_t size, Steps &steps) {
  Indexing &indexing = elements.getIndexing();
  Sum sum = indexing.flatten(expr);
  int64_t count = 1;
  steps.offset = sum.constant;
  steps.stride = 0;
  for (auto [atom, factor] : sum.terms) {
    auto variable = getVariable(atom);
    int64_t its = variable ? indexing.getSize(*variable) : ShapedType::kDynamic;
    if (ShapedType::isDynamic(its) || factor < 1)
      return std::nullopt;
    steps.stride = steps.stride ? std::min(steps.stride, factor) : factor;
    count *= its;
  }
  steps.stride = std::max<int64_t>(steps.stride, 1);
  if (ShapedType::isDynamic(size) || steps.offset < 0 ||
      steps.offset + steps.stride * (count - 1) >= size)
    return std::nullopt;
  sum.constant = 0;
  for (auto &[atom, factor] : sum.terms) {
    if (factor % steps.stride != 0)
      return std::nullopt;
    factor /= steps.stride;
  }
  return ::findDigits(elements, sum, Sizes::getConstant(count));
}

/// Returns the arrangement of the array that `access` reads, in steps with
/// `inSteps`.
static std::optional<Arrangement>
findArray(Elements &elements, const Access &access, bool inSteps) {
  Indexing &indexing = elements.getIndexing();
  Arrangement found{access.array, {}};
  llvm::SmallDenseSet<unsigned> seen;
  for (auto [dim, index] : llvm::enumerate(access.indices)) {
    AffineExpr resolved = indexing.resolve(index);
    if (!resolved)
      return std::nullopt;
    std::optional<Digits> digits =
        findDigits(elements, resolved, access.array, dim);
    if (inSteps) {
      Steps &steps = found.steps.emplace_back();
      if (!digits)
        digits =
            findSteps(elements, resolved, getShape(access.array)[dim], steps);
    }
    if (!digits)
      return std::nullopt;
    for (unsigned variable : *digits)
      if (!seen.insert(variable).second)
        return std::nullopt;
    found.dims.push_back(*digits);
  }
  return found;
}

std::optional<Arrangement> mlir::attn::raise::findArray(Elements &elements,
                                                        Node *node) {
  for (bool inSteps : {false, true})
    for (const Access &source : node->sources)
      if (auto found = ::findArray(elements, source, inSteps))
        return found;
  return std::nullopt;
}

static Digits getDigits(const Indexing &indexing,
                        ArrayRef<unsigned> variables) {
  Digits digits;
  for (unsigned variable : variables) {
    Sum sum = indexing.flatten(
        indexing.getDigits(getAffineDimExpr(variable, indexing.getContext())));
    SmallVector<std::pair<int64_t, unsigned>> terms;
    for (auto [atom, factor] : sum.terms)
      terms.push_back({-factor, *getVariable(atom)});
    llvm::sort(terms);
    for (auto [factor, digit] : terms)
      digits.push_back(digit);
  }
  return digits;
}

llvm::SmallDenseSet<unsigned>
mlir::attn::raise::getAllDigits(ArrayRef<Digits> dims) {
  llvm::SmallDenseSet<unsigned> all;
  for (const Digits &digits : dims)
    all.insert(digits.begin(), digits.end());
  return all;
}

/// Adds the index variables on which the score and its masks depend to `found`.
/// Those that occur in index expressions, such as positions that a mask
/// compares, are also added to `ofIndices`. The operands of `product` and of
/// reductions are not searched.
static void collectVariables(Elements &elements, Node *node, Node *product,
                             llvm::SmallPtrSetImpl<Node *> &seen,
                             llvm::SmallBitVector &found,
                             llvm::SmallBitVector &ofIndices) {
  node = elements.look(node);
  if (node == product || !seen.insert(node).second)
    return;
  Indexing &indexing = elements.getIndexing();
  if (node->index) {
    indexing.getVariables(indexing.getDigits(node->index), found);
    indexing.getVariables(indexing.getDigits(node->index), ofIndices);
  }
  if (node->kind == NodeKind::Reduce && !node->sources.empty())
    for (AffineExpr index : node->sources.front().indices)
      indexing.getVariables(indexing.getDigits(index), found);
  if (node->kind == NodeKind::Load)
    for (AffineExpr index : node->access.indices)
      indexing.getVariables(indexing.getDigits(index), found);
  if (node->kind != NodeKind::Reduce)
    for (Node *operand : node->operands)
      collectVariables(elements, operand, product, seen, found, ofIndices);
}

FailureOr<Layout> mlir::attn::raise::findLayout(Elements &elements,
                                                Attention &attention,
                                                std::string &reason) {
  Indexing &indexing = elements.getIndexing();
  Layout layout;
  splitPages(elements, attention);
  // Resolving the indices of one array may split index variables that occur in
  // another array, so this is repeated until no variable is split.
  for (unsigned round = 0;; ++round) {
    unsigned before = indexing.getNumVariables();
    for (auto [name, node, array] :
         {std::tuple("query", attention.query, &layout.query),
          {"key", attention.key, &layout.key},
          {"value", attention.value, &layout.value}}) {
      if (!node)
        continue;
      auto found = findArray(elements, node);
      if (!found) {
        reason = ("no tensor has the " + StringRef(name) +
                  "'s elements as they are multiplied")
                     .str();
        return failure();
      }
      *array = *found;
    }
    for (auto [node, array] :
         {std::pair(attention.queryRope, &layout.queryRope),
          {attention.keyRope, &layout.keyRope}}) {
      if (!node)
        continue;
      *array = findArray(elements, node);
      if (!*array) {
        reason = "no tensor has the further columns of query or key as they "
                 "are multiplied";
        return failure();
      }
    }
    if (attention.sink && attention.sink->node) {
      layout.sink = findArray(elements, attention.sink->node);
      if (!layout.sink) {
        reason = "no tensor has the logits of its sink";
        return failure();
      }
    }
    if (attention.outputGradient) {
      layout.outputGradient = findArray(elements, attention.outputGradient);
      if (!layout.outputGradient) {
        reason = "no tensor has the output's gradient as it is multiplied";
        return failure();
      }
    }
    if (attention.lseGradient) {
      layout.lseGradient = findArray(elements, attention.lseGradient);
      if (!layout.lseGradient) {
        reason = "no tensor has the gradient of the lse";
        return failure();
      }
    }
    layout.outputs.clear();
    layout.gradient.clear();
    for (auto [dim, index] : llvm::enumerate(attention.gradient)) {
      AffineExpr resolved = indexing.resolve(index);
      auto digits = resolved
                        ? findDigits(elements, resolved, attention.result, dim)
                        : std::nullopt;
      if (!digits) {
        reason = "the result's indices are not those of its gradients";
        return failure();
      }
      layout.gradient.push_back(*digits);
    }
    for (auto [dim, index] : llvm::enumerate(attention.outputs)) {
      // In a match of a gradient, the output is no tensor of the program: its
      // dimensions are given by index variables, not by indices into a tensor.
      if (!attention.gradient.empty()) {
        layout.outputs.push_back(getDigits(indexing, *getVariable(index)));
        continue;
      }
      AffineExpr resolved = indexing.resolve(index);
      auto digits = resolved
                        ? findDigits(elements, resolved, attention.result, dim)
                        : std::nullopt;
      if (!digits) {
        reason = "the result's indices are not those of heads and rows";
        return failure();
      }
      layout.outputs.push_back(*digits);
    }
    if (before == indexing.getNumVariables())
      break;
    if (round > 16)
      return failure();
  }
  layout.keys = getDigits(indexing, attention.keys);
  layout.headDims = getDigits(indexing, attention.headDims);
  layout.ropeDims = getDigits(indexing, attention.ropeDims);

  llvm::SmallDenseSet<unsigned> ofQuery = getAllDigits(layout.query.dims),
                                ofKey = getAllDigits(layout.key.dims),
                                ofValue = getAllDigits(attention.value
                                                           ? layout.value.dims
                                                           : layout.gradient);
  llvm::SmallBitVector ofScore(indexing.getNumVariables()),
      ofIndices(indexing.getNumVariables());
  llvm::SmallPtrSet<Node *, 32> seen;
  collectVariables(elements, attention.score, attention.product, seen, ofScore,
                   ofIndices);
  for (Node *mask : attention.masks)
    collectVariables(elements, mask, attention.product, seen, ofScore,
                     ofIndices);
  ofScore.resize(indexing.getNumVariables());
  ofIndices.resize(indexing.getNumVariables());

  llvm::SmallDenseSet<unsigned> ofSink;
  if (layout.sink)
    ofSink = getAllDigits(layout.sink->dims);
  for (unsigned digit : layout.keys)
    if (!ofKey.contains(digit) || !ofValue.contains(digit)) {
      reason = "keys or values are repeated along the keys";
      return failure();
    }
  for (unsigned digit : layout.headDims)
    if (!ofKey.contains(digit) || !ofQuery.contains(digit)) {
      reason = "query or key is repeated along the head dim";
      return failure();
    }
  llvm::SmallDenseSet<unsigned> ofKeyRope;
  if (layout.keyRope) {
    ofKeyRope = getAllDigits(layout.keyRope->dims);
    ofKey.insert(ofKeyRope.begin(), ofKeyRope.end());
    for (unsigned digit : getAllDigits(layout.queryRope->dims))
      ofQuery.insert(digit);
  }

  // The index variables of the result are classified. One that the value has,
  // and neither query, key nor score, is a head dim of the value. One of the
  // others that key or value has is `shared`: a batch entry or head. One that
  // neither has is `own`: a row, or a head of a group that shares keys.
  Digits shared, own;
  llvm::DenseMap<unsigned, unsigned> dimOf;
  for (auto [dim, digits] : llvm::enumerate(layout.outputs))
    for (unsigned digit : digits) {
      dimOf[digit] = dim;
      bool ofScores =
          ofQuery.contains(digit) || ofKey.contains(digit) || ofScore[digit];
      if (ofValue.contains(digit) && !ofScores)
        layout.valueDims.push_back(digit);
      else if (ofKey.contains(digit) || ofValue.contains(digit))
        shared.push_back(digit);
      else
        own.push_back(digit);
    }
  for (const llvm::SmallDenseSet<unsigned> *all : {&ofQuery, &ofKey, &ofValue})
    for (unsigned digit : *all)
      if (!dimOf.count(digit) && !llvm::is_contained(layout.keys, digit) &&
          !llvm::is_contained(layout.headDims, digit) &&
          !llvm::is_contained(layout.ropeDims, digit)) {
        reason = "an index of an operand is none of the result's";
        return failure();
      }
  for (auto [digit, dim] : dimOf)
    if (ShapedType::isDynamic(indexing.getSize(digit)) &&
        !ofQuery.contains(digit) && !ofKey.contains(digit) &&
        !ofValue.contains(digit)) {
      reason = "its result is repeated along a dynamic dimension that none of "
               "query, key and value has";
      return failure();
    }

  for (unsigned digit : shared)
    if (ofKey.contains(digit) && !ofQuery.contains(digit) &&
        !ofValue.contains(digit)) {
      reason = "keys depend on an index that neither query nor values have";
      return failure();
    }

  // The rows of the attention are the dimension of the result that has an index
  // variable of index arithmetic, such as a comparison with keys. If there is
  // none, the rows are the largest dimension, if possible one that has no index
  // variable of key or value.
  auto getSize = [&](unsigned dim) {
    int64_t size = 1;
    for (unsigned digit : layout.outputs[dim]) {
      int64_t part = indexing.getSize(digit);
      size = ShapedType::isDynamic(part) || ShapedType::isDynamic(size)
                 ? ShapedType::kDynamic
                 : size * part;
    }
    return ShapedType::isDynamic(size) ? std::numeric_limits<int64_t>::max()
                                       : size;
  };
  std::optional<unsigned> rowDim;
  for (unsigned digit : own)
    if (ofIndices[digit] && !ofSink.contains(digit) &&
        (!rowDim || getSize(dimOf[digit]) > getSize(*rowDim)))
      rowDim = dimOf[digit];
  for (bool isPure : {true, false}) {
    if (rowDim)
      break;
    for (unsigned digit : own) {
      unsigned dim = dimOf[digit];
      if (ofSink.contains(digit))
        continue;
      if (isPure && llvm::any_of(shared, [&](unsigned other) {
            return dimOf[other] == dim;
          }))
        continue;
      if (!rowDim || getSize(dim) > getSize(*rowDim))
        rowDim = dim;
    }
  }
  bool hasIndexedRow = llvm::any_of(own, [&](unsigned digit) {
    return dimOf[digit] == rowDim && ofIndices[digit];
  });
  for (unsigned digit : own) {
    bool isRow = dimOf[digit] == rowDim && !ofSink.contains(digit) &&
                 (!hasIndexedRow || ofIndices[digit]);
    (isRow ? layout.rows : layout.group).push_back(digit);
  }
  // Of the index variables that key or value share with the result, the last
  // one is the head of the key. The only one is a head if the sink depends on
  // it, or if there are groups of heads and its size is static: heads mostly
  // have static sizes, and some sinks need these. The others are batch entries.
  // If key arrays are two, it is one on which the second one does not depend.
  size_t head = shared.size();
  for (auto [i, digit] : llvm::enumerate(shared))
    if (layout.keyRope && !ofKeyRope.contains(digit))
      head = i;
  bool isKnown = head < shared.size();
  if (!isKnown && !shared.empty())
    head = shared.size() - 1;
  for (auto [i, digit] : llvm::enumerate(shared)) {
    bool hasGroups = !layout.group.empty() &&
                     !ShapedType::isDynamic(indexing.getSize(digit));
    bool isHead =
        i == head && (i > 0 || isKnown || hasGroups || ofSink.contains(digit));
    (isHead ? layout.kvHeads : layout.batch).push_back(digit);
  }
  if (llvm::any_of(layout.kvHeads,
                   [&](unsigned digit) { return ofKeyRope.contains(digit); }))
    layout.ropeHeads = layout.kvHeads;
  Digits heads = layout.getHeads();
  for (unsigned digit : ofSink)
    if (!llvm::is_contained(heads, digit)) {
      reason = "its sink depends on another index than heads";
      return failure();
    }
  if (layout.lseGradient)
    for (unsigned digit : getAllDigits(layout.lseGradient->dims))
      if (!llvm::is_contained(heads, digit) &&
          !llvm::is_contained(layout.batch, digit) &&
          !llvm::is_contained(layout.rows, digit)) {
        reason = "the gradient of its lse depends on another index than batch "
                 "entries, heads and rows";
        return failure();
      }
  return layout;
}
