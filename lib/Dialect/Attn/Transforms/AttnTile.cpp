//===- AttnTile.cpp - Split attention into a grid
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTILEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// Tiled ops carry lengths, so they are not tiled again.
static bool isWholeProblem(AttentionOp op) {
  return !op->getParentOfType<scf::ForallOp>() || op.getOrigin().empty();
}

/// The op's schedule, and the reasons for it, for the passes on the grid.
static void copySchedule(AttentionOp op, Operation *grid) {
  grid->setAttr(kScheduleAttrName, op.getScheduleAttr());
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
}

/// Without keys every row is empty: the grid only stores. There are no slices
/// of the keys, which could not have a position within a length of 0.
static void storeEmptyRows(AttentionOp op, IRRewriter &rewriter) {
  Location loc = op.getLoc();
  int64_t tileQ = op.getScheduleAttr().getTileQ();
  SmallVector<OpFoldResult> starts(3, rewriter.getIndexAttr(0));
  SmallVector<OpFoldResult> steps(3, rewriter.getIndexAttr(1));
  steps[2] = rewriter.getIndexAttr(tileQ);
  SmallVector<OpFoldResult> ends =
      memref::getMixedSizes(rewriter, loc, op.getOutput());
  ends.pop_back();
  auto grid = scf::ForallOp::create(rewriter, loc, starts, ends, steps,
                                    ValueRange(), /*mapping=*/std::nullopt);
  copySchedule(op, grid);
  rewriter.setInsertionPoint(grid.getTerminator());
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  auto store = [&](Value destination, ArrayRef<int64_t> shape, double value) {
    Type element = cast<MemRefType>(destination.getType()).getElementType();
    Value tile = arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(RankedTensorType::get(shape, element),
                               rewriter.getFloatAttr(element, value)));
    SmallVector<Value> indices(grid.getInductionVars());
    if (shape.size() == 2)
      indices.push_back(zero);
    attn_tile::StoreOp::create(rewriter, loc, tile, destination, indices);
  };
  // Whole steps of the matrix units, as any tile; the store clips it.
  int64_t columns = llvm::alignTo(op.getValueHeadDim(), 16);
  store(op.getOutput(), {tileQ, columns}, 0.0);
  if (Value lse = op.getLse())
    store(lse, {tileQ}, -std::numeric_limits<double>::infinity());
}

static LogicalResult tile(AttentionOp op, IRRewriter &rewriter) {
  TileSizesAttrInterface schedule = op.getScheduleAttr();
  if (!schedule)
    return op.emitOpError(
        "expected a schedule, found none; run "
        "attn-assign-tiles or attn-gpu-assign-schedule first");
  // The schedule alone would take arrays that are not fit for it.
  if (op.getFallbackAttr())
    return op.emitOpError("expected one schedule, found the fallback ")
           << op.getFallbackAttr() << "; run attn-gpu-multiversion first";
  rewriter.setInsertionPoint(op);
  bool hasRows = !llvm::is_contained(op.getOutputType().getShape(), 0);
  bool hasKeys = op.getKeyType().getDimSize(2) != 0;
  if (!hasRows || !hasKeys) {
    if (hasRows)
      storeEmptyRows(op, rewriter);
    rewriter.eraseOp(op);
    return success();
  }

  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes({rewriter.getIndexAttr(1), rewriter.getIndexAttr(1),
                        rewriter.getIndexAttr(schedule.getTileQ())});
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op.emitOpError("could not be tiled");
  copySchedule(op, tiled->loops.front());
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct AttnTilePass : public attn::impl::AttnTilePassBase<AttnTilePass> {
  void runOnOperation() override {
    SmallVector<AttentionOp> ops;
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      if (!isWholeProblem(op))
        return WalkResult::advance();
      if (op.getNumResults() != 0) {
        op.emitOpError("expected memref operands, found tensors; bufferise "
                       "before attn-tile");
        return WalkResult::interrupt();
      }
      ops.push_back(op);
      return WalkResult::advance();
    });
    IRRewriter rewriter(&getContext());
    if (result.wasInterrupted() || llvm::any_of(ops, [&](AttentionOp op) {
          return failed(tile(op, rewriter));
        }))
      signalPassFailure();
  }
};
} // namespace
