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

/// Head dims are padded to a multiple of kStep, the K of MMAs; rows of i4, and
/// the operands of 8-bit MMAs, to one of kNarrowStep. Loads fill with zeros.
/// Values that are columns of a tile of keys begin at a multiple of kPanel and
/// are whole panels, except at the tile's end.
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
  // Values cannot be columns of a tile of keys if keys are gathered.
  bool isGathered =
      op.getPages() &&
      getPagesOfTile(op.getKeyType().getDimSize(2), schedule.getTileKv()) == 0;
  Type element = getComputeType(op);
  bool isExtended =
      op.getKeyType().getElementType() != element ||
      (op.getValue() && getElementTypeOrSelf(op.getValue()) != element);
  // Values have a tile of their own if tiles are extended. If warps share rows,
  // which wide heads need, all of them together extend a tile, so its columns
  // (for i4, its bytes of two) must divide evenly among them.
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
