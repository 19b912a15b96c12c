//===- StableHLOWindows.cpp - Elements of padded and gathered arrays ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "StableHLO.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the element of a stablehlo.pad. Returns null unless the indices are
/// all of elements of the operand, or those of one dimension all of padding.
Node *Elements::expandPad(Operation *op, ArrayRef<AffineExpr> indices) {
  Value operand = op->getOperand(0);
  ArrayRef<int64_t> shape = getShape(operand);
  SmallVector<int64_t> low = getNumbers(op->getAttr("edge_padding_low")),
                       inner = getNumbers(op->getAttr("interior_padding"));
  if (low.size() != shape.size() || inner.size() != shape.size() ||
      indices.size() != shape.size() || !getShape(op->getOperand(1)).empty() ||
      llvm::any_of(inner, [](int64_t size) { return size != 0; }))
    return nullptr;
  SmallVector<AffineExpr> source;
  bool isInside = true;
  for (auto [index, size, first] : llvm::zip(indices, shape, low)) {
    source.push_back(indexing.simplify(index - first));
    auto range = indexing.getRange(source.back());
    if (!range || ShapedType::isDynamic(size))
      return nullptr;
    if (range->second < 0 || range->first >= size)
      return get(op->getOperand(1), {});
    isInside &= range->first >= 0 && range->second < size;
  }
  return isInside ? get(operand, source) : nullptr;
}

std::optional<GatheredElement>
mlir::attn::raise::getGathered(Elements &elements, Operation *op,
                               ArrayRef<AffineExpr> indices) {
  if (op->getNumOperands() != 2 || op->getNumResults() != 1 ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      getElementTypeOrSelf(op->getResult(0)) !=
          getElementTypeOrSelf(op->getOperand(0)))
    return std::nullopt;
  Indexing &indexing = elements.getIndexing();
  Value operand = op->getOperand(0), starts = op->getOperand(1);
  ArrayRef<int64_t> result = getShape(op->getResult(0));
  int64_t rank = getShape(operand).size(), startRank = getShape(starts).size(),
          resultRank = indices.size();
  std::string text = getText(op->getAttr("dimension_numbers"));
  SmallVector<int64_t> offsets = getList(text, "offset_dims"),
                       collapsed = getList(text, "collapsed_slice_dims"),
                       map = getList(text, "start_index_map"),
                       sizes = getNumbers(op->getAttr("slice_sizes"));
  int64_t vector = 0;
  StringRef rest = StringRef(text).split("index_vector_dim = ").second;
  if (!rest.empty() && rest.consumeInteger(10, vector))
    return std::nullopt;
  int64_t count = map.size();
  // Start indices of one number may be without the dimension of their vector.
  if (!getList(text, "operand_batching_dims").empty() || count == 0 ||
      !areDims(map, rank) || !areDims(collapsed, rank) ||
      !areDims(offsets, resultRank) || !llvm::is_sorted(offsets) ||
      static_cast<int64_t>(sizes.size()) != rank ||
      static_cast<int64_t>(offsets.size() + collapsed.size()) != rank ||
      static_cast<int64_t>(result.size()) != resultRank || vector < 0 ||
      vector > startRank ||
      (vector < startRank ? getShape(starts)[vector] : 1) != count ||
      resultRank - static_cast<int64_t>(offsets.size()) !=
          startRank - (vector < startRank))
    return std::nullopt;
  SmallVector<AffineExpr> at;
  for (int64_t dim = 0; dim < resultRank; ++dim) {
    if (llvm::is_contained(offsets, dim))
      continue;
    int64_t ofStarts = at.size();
    ofStarts += ofStarts >= vector;
    if (!mayEqual(result[dim], getShape(starts)[ofStarts]))
      return std::nullopt;
    at.push_back(indices[dim]);
  }
  if (vector < startRank)
    at.insert(at.begin() + vector, indexing.getConstant(0));
  GatheredElement found;
  unsigned next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t whole = getShape(operand)[dim];
    bool isCollapsed = llvm::is_contained(collapsed, dim);
    if (ShapedType::isDynamic(whole) || sizes[dim] < 1 || sizes[dim] > whole ||
        (isCollapsed && sizes[dim] != 1))
      return std::nullopt;
    if (!isCollapsed && !mayEqual(result[offsets[next]], sizes[dim]))
      return std::nullopt;
    AffineExpr index =
        isCollapsed ? indexing.getConstant(0) : indices[offsets[next++]];
    Node *number = nullptr;
    auto component = llvm::find(map, dim);
    if (component != map.end()) {
      if (vector < startRank)
        at[vector] = indexing.getConstant(component - map.begin());
      number = elements.get(starts, at);
      std::optional<AffineExpr> start = elements.getAffine(number);
      auto range = start ? indexing.getRange(*start) : std::nullopt;
      if (range && range->first >= 0 && range->second <= whole - sizes[dim]) {
        index = indexing.simplify(index + *start);
        number = nullptr;
      }
    }
    found.indices.push_back(index);
    found.numbers.push_back(number);
    found.limits.push_back(whole - sizes[dim]);
  }
  return found;
}

/// Returns the element of a stablehlo.gather whose start indices are index
/// expressions, and null for others.
Node *Elements::expandGather(Operation *op, ArrayRef<AffineExpr> indices) {
  std::optional<GatheredElement> found = getGathered(*this, op, indices);
  if (!found ||
      llvm::any_of(found->numbers, [](Node *number) { return number; }))
    return nullptr;
  return get(op->getOperand(0), found->indices);
}
