//===- ProgramBuilder.cpp - Base of attention programs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

static HeadDimTiles getTiles(AttentionInterface op, int64_t step) {
  if (auto forward = dyn_cast<AttentionOp>(op.getOperation()))
    return getHeadDimTiles(forward, op.getScheduleAttr());
  HeadDimTiles tiles;
  tiles.key = llvm::alignTo(op.getHeadDim(), step);
  tiles.value = llvm::alignTo(op.getValueHeadDim(), step);
  return tiles;
}

ProgramBuilder::ProgramBuilder(AttentionInterface op, OpBuilder &builder)
    : TileProgram(op.getLoc(), builder), op(op), inputType(getComputeType(op)),
      headDim(getTiles(op, kHeadDimStep).key),
      valueHeadDim(getTiles(op, kHeadDimStep).value),
      ropeDim(isa<AttentionOp>(op.getOperation())
                  ? llvm::alignTo(op.getRopeColumns(), kHeadDimStep)
                  : 0),
      isValueWithinKey(getTiles(op, kHeadDimStep).isWithin) {}

attn_tile::GridOp mlir::attn::createGrid(AttentionInterface op, TileBuilder &b,
                                         Value like, OpFoldResult heads,
                                         int64_t step,
                                         TileSizesAttrInterface schedule) {
  SmallVector<Value> sizes = {b.asValue(b.getSize(like, 0)), b.asValue(heads),
                              b.asValue(b.getSize(like, 2))};
  return b.createGridOf(op, sizes, {1, 1, step}, schedule);
}

/// Whether a score or mask region reads, at the row and key of each pair, an
/// array that has the same elements for all indices of the op's dimension
/// `dimension` (0 for batch entries, 1 for heads).
static bool sharesPairs(AttentionInterface op, unsigned dimension) {
  auto isShared = [&](ReadOp read) {
    for (int64_t i = 0, n = read.getIndices().size(); i < n; ++i)
      if (read.getPosition(i) == dimension)
        return false;
    return read.isOfPairs();
  };
  return (op.hasScore() &&
          llvm::any_of(op.getScore().front().getOps<ReadOp>(), isShared)) ||
         (op.hasMaskRegion() &&
          llvm::any_of(op.getMaskRegion().front().getOps<ReadOp>(), isShared));
}

SmallVector<int64_t> mlir::attn::findSharedDims(AttentionInterface op,
                                                attn_tile::GridOp grid) {
  SmallVector<int64_t> shared;
  int64_t ofHeads = grid.getSizes().size() - 2;
  if (ofHeads > 0 && sharesPairs(op, 0))
    shared.push_back(ofHeads - 1);
  if (sharesPairs(op, 1))
    shared.push_back(ofHeads);
  return shared;
}

void mlir::attn::describePrograms(TileBuilder &b, attn_tile::GridOp grid,
                                  ArrayRef<int64_t> shared,
                                  int64_t positionBytes, Value times) {
  if (!shared.empty())
    grid.setShared(shared);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(grid);
  Value bytes = b.index(positionBytes);
  if (times)
    bytes = b.muliOrFold(bytes, times);
  grid.getPositionBytesMutable().assign(bytes);
}

Value mlir::attn::getGroup(AttentionInterface op, TileBuilder &b) {
  // The division by the number of key heads is emitted before the grid, so that
  // it runs once and not in each program.
  OpBuilder::InsertionGuard guard(b);
  Region *region = b.getInsertionBlock()->getParent();
  if (auto grid = region->getParentOfType<attn_tile::GridOp>())
    b.setInsertionPoint(grid);
  OpFoldResult queryHeads = b.getSize(op.getQuery(), 1);
  OpFoldResult kvHeads = b.getSize(op.getKey(), 1);
  if (queryHeads == kvHeads)
    return Value();
  std::optional<int64_t> hq = getConstantIntValue(queryHeads);
  std::optional<int64_t> hkv = getConstantIntValue(kvHeads);
  if (hq && hkv && *hkv != 0)
    return b.asValue(b.getIndexAttr(*hq / *hkv));
  // Affine maps cannot divide by a variable, so arith.divui divides the number
  // of query heads by that of key heads. With 0 key heads the grid has no
  // programs, but the division before the grid still runs, so the divisor is at
  // least 1.
  Value one = b.index(1);
  return b.divuiOrFold(b.asValue(queryHeads),
                       b.maxuiOrFold(b.asValue(kvHeads), one));
}

Value mlir::attn::getKvHead(AttentionInterface op, TileBuilder &b,
                            Value queryHead) {
  Value group = getGroup(op, b);
  if (!group)
    return queryHead;
  if (std::optional<int64_t> size = getConstantIntValue(group))
    return b.asValue(b.apply(b.dim(0).floorDiv(*size), {queryHead}));
  return b.divideHeads(queryHead, group);
}
