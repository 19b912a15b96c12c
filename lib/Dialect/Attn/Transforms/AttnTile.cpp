//===- AttnTile.cpp - Split attention into a grid
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/TileUsingInterface.h"

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

static LogicalResult tile(AttentionOp op, IRRewriter &rewriter) {
  ScheduleAttr schedule = op.getScheduleAttr();
  if (!schedule)
    return op.emitOpError("expected a schedule, found none; run "
                          "attn-assign-schedule first");
  scf::SCFTilingOptions options;
  options.setLoopType(scf::SCFTilingOptions::LoopType::ForallOp);
  options.setTileSizes({rewriter.getIndexAttr(1), rewriter.getIndexAttr(1),
                        rewriter.getIndexAttr(schedule.getTileQ())});
  rewriter.setInsertionPoint(op);
  FailureOr<scf::SCFTilingResult> tiled = scf::tileUsingSCF(
      rewriter, cast<TilingInterface>(op.getOperation()), options);
  if (failed(tiled))
    return op.emitOpError("could not be tiled");
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
