//===- HeadDims.cpp - Columns of tiles of keys and values -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/IR/NarrowProducts.h"
#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Support/ElementDType.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::attn;

/// `kStep`, the K of MMAs, is the multiple to which head dims are padded;
/// `kNarrowStep` is that of rows of i4 and of operands of 8-bit MMAs. Loads
/// fill the padding with zeros. Values that are columns of a tile of keys begin
/// at a multiple of `kPanel` columns and are whole panels, except at the tile's
/// end.
static constexpr int64_t kStep = 16, kNarrowStep = 32, kPanel = 64;

HeadDimTiles mlir::attn::getHeadDimTiles(AttentionOp op,
                                         TileSizesAttrInterface schedule) {
  HeadDimTiles tiles;
  Value values = op.getValue() ? op.getValue() : op.getKey();
  bool hasHalves = isInt4(op.getKeyType().getElementType());
  tiles.key =
      llvm::alignTo(op.getQueryColumns(),
                    hasNarrowScores(op) || hasHalves ? kNarrowStep : kStep);
  int64_t columns = op.getValueHeadDim();
  if (isInt4(getElementTypeOrSelf(values)))
    columns = llvm::alignTo<kNarrowStep>(columns);
  tiles.value = schedule.getValueColumns(columns);
  int64_t first = op.getFirstValueDim();
  // Keys are gathered one by one if a tile of keys is neither part of a page
  // nor whole pages. Values cannot be columns of such a tile of keys.
  bool isGathered =
      op.getPages() &&
      getPagesOfTile(op.getKeyType().getDimSize(2), schedule.getTileKv()) == 0;
  Type element = getComputeType(op);
  bool isExtended =
      op.getKeyType().getElementType() != element ||
      (op.getValue() && getElementTypeOrSelf(op.getValue()) != element);
  // If heads are wide, the warps that share rows extend a tile of keys or
  // values to the query's type together, so its columns (for i4, its bytes of
  // two elements) must divide evenly among them.
  auto getDivided = [](Value array) {
    return isInt4(getElementTypeOrSelf(array)) ? 2 * kPanel : kPanel;
  };
  if (isExtended &&
      std::max(op.getQueryColumns(), op.getValueHeadDim()) > kMaxHeadDim) {
    tiles.key = llvm::alignTo(op.getQueryColumns(), getDivided(op.getKey()));
    tiles.value = schedule.getValueColumns(
        llvm::alignTo(op.getValueHeadDim(), getDivided(values)));
  }
  // Where keys are extended, values are columns of the extended tile. There is
  // none if scores are products of 8 bits, and products with values of 8 bits
  // need another one.
  bool isKept =
      isExtended && (hasNarrowScores(op) || hasNarrowProbabilities(op));
  if (first < 0 || first % kPanel != 0 || isGathered || isKept)
    return tiles;
  tiles.isWithin = true;
  if (first + tiles.value < tiles.key)
    tiles.value =
        schedule.getValueColumns(llvm::alignTo<kPanel>(op.getValueHeadDim()));
  tiles.key = std::max(tiles.key, first + tiles.value);
  return tiles;
}
