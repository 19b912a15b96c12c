//===- SplitColumns.cpp - Queries and keys that are put together ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// An element of the concatenation of two arrays, whose index in the dimension
/// along which they are put together is the variable `column` alone. The first
/// array has `numFirst` columns.
struct Joined {
  Node *node;
  unsigned column;
  int64_t numFirst;
};
} // namespace

static std::optional<Joined> readJoined(Elements &elements, Node *node,
                                        unsigned column) {
  node = elements.strip(node);
  if (node->kind != NodeKind::Load)
    return std::nullopt;
  auto joined = readConcatenation(node->access.array.getDefiningOp());
  if (!joined || joined->arrays.size() != 2 ||
      getVariable(node->access.indices[joined->dim]) != column)
    return std::nullopt;
  int64_t numFirst = getShape(joined->arrays.front())[joined->dim];
  if (ShapedType::isDynamic(numFirst) || numFirst == 0)
    return std::nullopt;
  return Joined{node, column, numFirst};
}

/// Returns the element of one of the two arrays whose column is `index` in the
/// concatenation.
static Node *getPart(Elements &elements, const Joined &joined,
                     AffineExpr index) {
  SmallVector<AffineExpr> indices;
  for (AffineExpr its : joined.node->access.indices)
    indices.push_back(
        elements.getIndexing().replace(its, {{joined.column, index}}));
  return elements.get(joined.node->access.array, indices);
}

/// Divides query and key into the arrays that the source concatenates to them.
/// The second one or, with `swaps`, the first one has the further columns.
/// Returns false if query and key are no concatenations of two arrays with the
/// same numbers of columns.
static bool splitColumns(Elements &elements, Attention &attention, bool swaps) {
  if (attention.keyRope || attention.headDims.size() != 1)
    return false;
  Indexing &indexing = elements.getIndexing();
  unsigned column = attention.headDims.front();
  int64_t size = indexing.getSize(column);
  auto query = readJoined(elements, attention.query, column),
       key = readJoined(elements, attention.key, column);
  if (!query || !key || query->numFirst != key->numFirst ||
      ShapedType::isDynamic(size) || size <= key->numFirst)
    return false;
  AffineExpr index = indexing.addVariable(key->numFirst),
             rope = indexing.addVariable(size - key->numFirst);
  AffineExpr column1 = index, column2 = indexing.simplify(rope + key->numFirst);
  if (swaps) {
    std::swap(index, rope);
    std::swap(column1, column2);
  }
  attention.query = getPart(elements, *query, column1);
  attention.key = getPart(elements, *key, column1);
  attention.queryRope = getPart(elements, *query, column2);
  attention.keyRope = getPart(elements, *key, column2);
  attention.headDims.clear();
  if (auto variable = getVariable(index))
    attention.headDims.push_back(*variable);
  if (auto variable = getVariable(rope))
    attention.ropeDims.push_back(*variable);
  return true;
}

FailureOr<Layout> mlir::attn::raise::findForwardLayout(Elements &elements,
                                                       Attention &attention,
                                                       std::string &reason) {
  for (bool swaps : {false, true}) {
    Attention split = attention;
    std::string ignored;
    if (!splitColumns(elements, split, swaps))
      break;
    FailureOr<Layout> layout = findLayout(elements, split, ignored);
    if (failed(layout))
      continue;
    layout->valueColumns = findValueColumns(elements, split, *layout);
    if (layout->ropeHeads == layout->kvHeads && !layout->valueColumns)
      continue;
    attention = split;
    return layout;
  }
  FailureOr<Layout> layout = findLayout(elements, attention, reason);
  if (succeeded(layout))
    layout->valueColumns = findValueColumns(elements, attention, *layout);
  return layout;
}
