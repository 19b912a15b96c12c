//===- ValueColumns.cpp - Values that are columns of the key --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

using namespace mlir;
using namespace mlir::attn::raise;

std::optional<std::pair<int64_t, int64_t>> mlir::attn::raise::findValueColumns(
    Elements &elements, const Attention &attention, const Layout &layout) {
  Indexing &indexing = elements.getIndexing();
  if (!attention.value || !layout.key.steps.empty() ||
      layout.headDims.size() != 1 || layout.valueDims.size() != 1)
    return std::nullopt;
  unsigned column = layout.valueDims.front();
  int64_t count = indexing.getSize(column);
  // Returns the first of the key's columns that the value is, if the value is
  // the element of the key's array that `access` names.
  auto findFirst = [&](const Access &access) -> std::optional<int64_t> {
    std::optional<int64_t> first;
    if (access.array != layout.key.array)
      return std::nullopt;
    unsigned before = indexing.getNumVariables();
    for (auto [dim, index] : llvm::enumerate(access.indices)) {
      AffineExpr resolved = indexing.resolve(index);
      if (!resolved || indexing.getNumVariables() != before)
        return std::nullopt;
      if (layout.key.dims[dim] == layout.headDims) {
        Sum offset = indexing.flatten(
            resolved - getAffineDimExpr(column, indexing.getContext()));
        if (!offset.isConstant())
          return std::nullopt;
        first = offset.constant;
        continue;
      }
      if (findDigits(elements, resolved, access.array, dim) !=
          layout.key.dims[dim])
        return std::nullopt;
    }
    return first;
  };
  // An array that is both all of the key and the value stays two operands.
  if (ShapedType::isDynamic(count) ||
      (!layout.keyRope && count == indexing.getSize(layout.headDims.front())))
    return std::nullopt;
  for (const Access &source : attention.value->sources)
    if (std::optional<int64_t> first = findFirst(source))
      return std::pair(*first, *first + count);
  return std::nullopt;
}
