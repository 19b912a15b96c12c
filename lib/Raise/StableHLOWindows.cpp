//===- StableHLOWindows.cpp - Elements of padded and gathered arrays ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "StableHLO.h"

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
