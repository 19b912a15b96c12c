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

/// Head dims are padded to multiples of `kStep`, the K of MMAs, and those of i4
/// arrays and of operands of 8-bit MMAs to multiples of `kNarrowStep`. Loads
/// fill the padding with zeros. Values that are columns of a tile of keys begin
/// at a multiple of `kPanel` columns and are whole panels, except at the tile's
/// end.
static constexpr int64_t kStep = 16, kNarrowStep = 32, kPanel = 64;

bool mlir::attn::hasRowList(AttentionInterface op) {
  return op.getPages() && op.getKeyType().getDimSize(2) == 1 &&
         cast<ShapedType>(op.getPages().getType()).getDimSize(1) != 0;
}

bool mlir::attn::listsKeys(AttentionInterface op,
                           TileSizesAttrInterface schedule) {
  return hasRowList(op) && schedule.mayListRows();
}

bool mlir::attn::gathersKeys(AttentionInterface op,
                             TileSizesAttrInterface schedule) {
  return op.getPages() && !listsKeys(op, schedule) &&
         getPagesOfTile(op.getKeyType().getDimSize(2), schedule.getTileKv()) ==
             0;
}

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
  // Values cannot be columns of a tile that threads gather.
  bool isGathered = gathersKeys(op, schedule);
  Type element = getComputeType(op);
  bool isExtended =
      op.getKeyType().getElementType() != element ||
      (op.getValue() && getElementTypeOrSelf(op.getValue()) != element);
  // If a head dim is above 256 and key or value must be extended to the type of
  // products, the warps that share rows extend each tile together. So its
  // columns must divide evenly among these warps: in panels of 64 or, for i4,
  // of 128 columns, which are 64 bytes.
  auto getDivided = [](Value array) {
    return isInt4(getElementTypeOrSelf(array)) ? 2 * kPanel : kPanel;
  };
  bool isDivided = isExtended && std::max(op.getQueryColumns(),
                                          op.getValueHeadDim()) > kMaxHeadDim;
  if (isDivided) {
    tiles.key = llvm::alignTo(op.getQueryColumns(), getDivided(op.getKey()));
    tiles.value = schedule.getValueColumns(
        llvm::alignTo(op.getValueHeadDim(), getDivided(values)));
  }
  // If keys are extended to the query's type, values are columns of the
  // extended tile. There is no such tile if scores are 8-bit products. 8-bit
  // products with values need the values in another tile. In both cases, values
  // are not columns of the tile of keys.
  bool isKept =
      isExtended && (hasNarrowScores(op) || hasNarrowProbabilities(op));
  if (first < 0 || first % kPanel != 0 || isGathered || isKept)
    return tiles;
  tiles.isWithin = true;
  if (first + tiles.value < tiles.key)
    tiles.value =
        schedule.getValueColumns(llvm::alignTo<kPanel>(op.getValueHeadDim()));
  tiles.key = std::max(tiles.key, first + tiles.value);
  if (isDivided)
    tiles.key = llvm::alignTo(tiles.key, getDivided(op.getKey()));
  return tiles;
}
