//===- CapturedGradients.cpp - Arrays of scores that have gradients -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A score region reads arrays as near to the function's arguments as possible,
// such as the table of which relative positions gather a bias. The gradient
// that the source computes first may be that of another one, as of the bias
// with an element for each head, row and key, from which that of the table is
// added up.
//
//===----------------------------------------------------------------------===//

#include "Emit.h"
#include "GradientFinder.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

/// Whether attn.attention_backward can compute the gradient of an array of type
/// `type` that the score reads at `indices` (see getCapturedFloats()).
static bool isSummed(const Positions &positions, RankedTensorType type,
                     ArrayRef<AffineExpr> indices) {
  bool has[4] = {};
  unsigned next = 0;
  for (auto [dim, index] : llvm::enumerate(indices)) {
    AffineExpr position = positions.get(index);
    if (type.getDimSize(dim) == 1 && isa<AffineConstantExpr>(position))
      continue;
    std::optional<unsigned> variable = getVariable(position);
    if (!variable || *variable < next || *variable > 3 ||
        type.isDynamicDim(dim) ||
        positions.getSize(*variable) != type.getDimSize(dim))
      return false;
    has[*variable] = true;
    next = *variable + 1;
  }
  return has[2] == has[3];
}

bool mlir::attn::raise::isSummed(GradientMatch &match) {
  auto type = cast<RankedTensorType>(match.captured.getType());
  Positions positions(match.elements->getIndexing(), match.layout);
  return type.getShape() == getShape(match.attention->result) &&
         ::isSummed(positions, type, match.attention->gradient);
}

/// Returns the type of an array of floats, and null for other values.
static RankedTensorType getFloats(Value array) {
  auto type = dyn_cast<RankedTensorType>(array.getType());
  return type && isa<FloatType>(type.getElementType()) ? type : nullptr;
}

SmallVector<Captured>
mlir::attn::raise::getCapturedFloats(GradientMatch &match) {
  Elements &elements = *match.elements;
  Attention &attention = *match.attention;
  Positions positions(elements.getIndexing(), match.layout);
  SmallVector<Captured> found;
  llvm::SmallDenseSet<Value> seen;
  auto add = [&](Node *node, ArrayRef<Access> sources) {
    SmallVector<Value> arrays;
    int64_t least = std::numeric_limits<int64_t>::max();
    // An array is a repeated one if another source lacks one of its indices.
    auto isRepeated = [&](const Access &source) {
      Indexing &indexing = elements.getIndexing();
      for (unsigned i = 0, e = indexing.getNumVariables(); i < e; ++i) {
        auto has = [&](AffineExpr index) {
          return indexing.dependsOn(index, i);
        };
        if (llvm::any_of(source.indices, has) &&
            llvm::any_of(node->sources, [&](const Access &other) {
              return llvm::none_of(other.indices, has);
            }))
          return true;
      }
      return false;
    };
    for (const Access &source : sources) {
      RankedTensorType type = getFloats(source.array);
      if (!type || !::isSummed(positions, type, source.indices) ||
          isRepeated(source))
        continue;
      if (type.getNumElements() < least)
        arrays.clear();
      least = std::min(least, type.getNumElements());
      if (type.getNumElements() == least)
        arrays.push_back(source.array);
    }
    for (Value array : arrays)
      if (seen.insert(array).second)
        found.push_back({node, array});
  };
  SmallVector<Node *> nodes =
      getNodes(elements, attention.score, attention.product);
  for (Node *node : nodes)
    if (const Access *access = getCaptured(node))
      add(node, *access);
  for (Node *node : llvm::reverse(nodes)) {
    bool isOfMemory = elements.contains(
        node, [](Node *part) { return getCaptured(part) != nullptr; });
    if (isOfMemory && !elements.contains(node, [&](Node *part) {
          return part == attention.product;
        }))
      add(node, node->sources);
  }
  return found;
}

SmallVector<std::pair<Node *, Access>>
mlir::attn::raise::findReads(Elements &elements, Node *score, Value array) {
  SmallVector<std::pair<Node *, Access>> reads;
  for (Node *node : getNodes(elements, score, /*product=*/nullptr)) {
    const Access *access = getCaptured(node);
    if (!access || access->array != array)
      access = llvm::find_if(node->sources, [&](const Access &source) {
        return source.array == array;
      });
    if (access == node->sources.end() || llvm::any_of(reads, [&](auto &other) {
          return elements.areEqual(other.first, node);
        }))
      continue;
    reads.push_back({node, *access});
  }
  return reads;
}

Node *mlir::attn::raise::readFrom(Elements &elements, Node *score,
                                  Node *product, ArrayRef<Value> arrays) {
  if (arrays.empty())
    return score;
  return elements.rewrite(score, [&](Node *node) -> Node * {
    if (node == product)
      return node;
    for (const Access &source : node->sources)
      if (llvm::is_contained(arrays, source.array)) {
        Node *read = elements.getLoad(source);
        read->sources = node->sources;
        return read;
      }
    return nullptr;
  });
}
