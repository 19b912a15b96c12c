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

/// The part of `view` that a tile at `indices` covers, of the tile's rank; the
/// sizes of that part, which are less than the tile's, or 0, at the end of the
/// view; and whether it is known to cover the whole tile.
struct CoveredPart {
  Value subview;
  SmallVector<OpFoldResult> sizes;
  bool isWholeTile;
};
CoveredPart getCoveredPart(RewriterBase &rewriter, Location loc, Value view,
                           ValueRange indices, RankedTensorType tile);

/// Create a tile whose elements are undefined, and one whose elements are all
/// `value`.
Value createEmpty(RewriterBase &rewriter, Location loc, RankedTensorType type);
Value createFilled(RewriterBase &rewriter, Location loc, RankedTensorType type,
                   TypedAttr value);

/// Emits the tile that a load reads.
Value readTile(RewriterBase &rewriter, attn_tile::LoadOp op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_HOSTLOADS_H
