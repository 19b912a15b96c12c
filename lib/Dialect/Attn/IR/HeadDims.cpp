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

/// Head dims are padded to whole steps of matrix units, and rows of i4 to whole
/// units of 16 bytes; loads fill with zeros.
/// Columns of a tile begin at whole panels of it, and are whole panels but at
/// its end.
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
  // Keys that are gathered are no tile of memory.
  bool isGathered =
      op.getPages() &&
      getPagesOfTile(op.getKeyType().getDimSize(2), schedule.getTileKv()) == 0;
  Type element = getComputeType(op);
  bool isExtended =
      op.getKeyType().getElementType() != element ||
      (op.getValue() && getElementTypeOrSelf(op.getValue()) != element);
  // Extended tiles have no columns of their own, and where warps share rows,
  // all of them divide a tile's columns, or bytes of two, to extend it.
  auto getDivided = [](Value array) {
    return isInt4(getElementTypeOrSelf(array)) ? 2 * kPanel : kPanel;
  };
  if (isExtended &&
      std::max(op.getQueryColumns(), op.getValueHeadDim()) > kMaxHeadDim) {
    tiles.key = llvm::alignTo(op.getQueryColumns(), getDivided(op.getKey()));
    tiles.value = schedule.getValueColumns(
        llvm::alignTo(op.getValueHeadDim(), getDivided(values)));
  }
  if (first < 0 || first % kPanel != 0 || isGathered || isExtended)
    return tiles;
  tiles.isWithin = true;
  if (first + tiles.value < tiles.key)
    tiles.value =
        schedule.getValueColumns(llvm::alignTo<kPanel>(op.getValueHeadDim()));
  tiles.key = std::max(tiles.key, first + tiles.value);
  return tiles;
}
