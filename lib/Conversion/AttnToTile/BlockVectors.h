//===- BlockVectors.h - Vectors of blocks -----------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKVECTORS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKVECTORS_H

#include "BlockKinds.h"

namespace mlir::attn {

/// Builds vectors that have an element for each of kBlocks blocks.
struct BlockVectors {
  explicit BlockVectors(TileBuilder &b) : b(b) {}

  Value splat(Value scalar) const {
    return b.splat(
        scalar, RankedTensorType::get(BlockKinds::kBlocks, scalar.getType()));
  }
  Value splat(OpFoldResult index) const { return splat(b.asValue(index)); }
  Value both(Value lhs, Value rhs) const {
    return rhs ? b.andi(lhs, rhs) : lhs;
  }
  RankedTensorType of(Type element) const {
    return RankedTensorType::get(BlockKinds::kBlocks, element);
  }
  /// Returns `places`, indices for a scatter, with -1 in place of all elements
  /// but the first, so that the scatter stores only the first element.
  Value onlyFirst(Value places) const {
    if (places.getType().isIndex())
      places = splat(places);
    Value lanes = b.coordinate(of(b.getIndexType()), 0);
    Value isFirst = b.eq(lanes, splat(b.getIndexAttr(0)));
    return b.select(isFirst, places, splat(b.getIndexAttr(-1)));
  }
  RankedTensorType square(Type element) const {
    return RankedTensorType::get({BlockKinds::kBlocks, BlockKinds::kBlocks},
                                 element);
  }
  /// Returns two vectors of f32: for each element of `values`, a vector of f32,
  /// the sum of the elements before it, and, in all elements, the sum of all
  /// elements. Tiles are reduced along rows and then along columns, so that all
  /// threads have the results.
  std::pair<Value, Value> sum(Value values) const;
  /// Returns two vectors of f32: for each element of `flags` the number of true
  /// elements before it, and, in all elements, the number of all true elements.
  std::pair<Value, Value> count(Value flags) const {
    return sum(b.uitofp(of(b.getF32Type()), flags));
  }

  TileBuilder &b;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BLOCKVECTORS_H
