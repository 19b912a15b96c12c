//===- HostLoads.h - Tiles that the host reads from memory -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_HOSTLOADS_H
#define ATTN_LIB_CONVERSION_HOSTLOADS_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/IR/PatternMatch.h"

namespace mlir::attn {

/// The part of a view that a tile covers. `subview` is that part, with the
/// tile's rank. `sizes` are its sizes: at the end of the view they are smaller
/// than the tile's, or 0. `isWholeTile` says whether the part is known to have
/// all elements of the tile.
struct CoveredPart {
  Value subview;
  SmallVector<OpFoldResult> sizes;
  bool isWholeTile;
};
CoveredPart getCoveredPart(RewriterBase &rewriter, Location loc, Value view,
                           ValueRange indices, RankedTensorType tile);

/// createEmpty() creates a tile whose elements are undefined; createFilled()
/// creates a tile whose elements are all `value`.
Value createEmpty(RewriterBase &rewriter, Location loc, RankedTensorType type);
Value createFilled(RewriterBase &rewriter, Location loc, RankedTensorType type,
                   TypedAttr value);

/// Emits code that reads the element of an array at `indices`, each clamped to
/// the array's bounds, and returns the element: 0 if the array has none.
Value createRead(OpBuilder &b, Location loc, Value source, ValueRange indices);

/// Emits code that reads the tile of a load, and returns that tile.
Value readTile(RewriterBase &rewriter, attn_tile::LoadOp op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_HOSTLOADS_H
