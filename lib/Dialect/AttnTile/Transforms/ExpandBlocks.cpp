//===- ExpandBlocks.cpp - Loops over blocks, in ascending order -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/Transforms/Domains.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNTILEEXPANDBLOCKSPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

static LogicalResult expand(IRRewriter &rewriter, ForBlocksOp loop) {
  rewriter.setInsertionPoint(loop);
  attn::NumberBuilder b(loop.getLoc(), rewriter);
  int64_t block = loop.getDomain().getType().getBlock();
  if (auto list = loop.getDomain().getDefiningOp<DomainListOp>()) {
    replaceLoopOverList(rewriter, loop, list);
    return success();
  }
  auto domain = loop.getDomain().getDefiningOp<DomainOp>();
  if (!domain)
    return loop.emitOpError("expected a domain made by attn_tile.domain or "
                            "attn_tile.domain_list in the same program");
  Columns columns = getColumns(b, domain, domain.getFirst(), domain.getLast());
  scf::ForOp expanded = replaceLoop(
      rewriter, loop, b.asValue(columns.first), b.asValue(columns.hi),
      b.index(block), [&](attn::NumberBuilder &b, Value position) {
        // On the host, each block counts as partial, which is
        // always right. A branch for full blocks would be slower,
        // since the tiles that it yields would be copied.
        Value partial = b.boolean(true);
        return std::pair(position, partial);
      });
  moveLoopInvariantCode(expanded);
  return success();
}

namespace {
struct AttnTileExpandBlocksPass
    : public attn_tile::impl::AttnTileExpandBlocksPassBase<
          AttnTileExpandBlocksPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<ForBlocksOp> loops;
    getOperation()->walk([&](ForBlocksOp loop) { loops.push_back(loop); });
    for (ForBlocksOp loop : loops)
      if (failed(expand(rewriter, loop)))
        return signalPassFailure();
    eraseUnusedDomains(getOperation());
  }
};
} // namespace
