//===- HostVectorize.cpp - Linalg on static buffers to vectors ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Hoisting.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNHOSTVECTORIZEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Returns the largest power of two that divides `size` and is at most
/// `wanted`. It is 1 if `size` is odd.
static int64_t getTile(int64_t size, int64_t wanted) {
  int64_t tile = 1;
  while (tile * 2 <= wanted && size % (tile * 2) == 0)
    tile *= 2;
  return tile;
}

/// Whether the op has an operand whose indexing map is a permutation other than
/// the identity, as the operand of a transposition has.
static bool hasPermutedOperand(linalg::LinalgOp op) {
  return llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isPermutation() && !map.isIdentity();
  });
}

namespace {
struct AttnHostVectorizePass
    : public attn::impl::AttnHostVectorizePassBase<AttnHostVectorizePass> {
  using AttnHostVectorizePassBase::AttnHostVectorizePassBase;

  SmallVector<int64_t> getTileSizes(linalg::LinalgOp op) {
    SmallVector<int64_t> ranges = op.getStaticLoopRanges();
    SmallVector<int64_t> tiles(ranges.size(), 1);
    if (ranges.empty())
      return tiles;
    if (isa<linalg::MatmulOp>(op.getOperation()))
      return {getTile(ranges[0], dotRows), getTile(ranges[1], lanes), 1};
    tiles.back() = getTile(ranges.back(), lanes);
    SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
    // The innermost loop of a reduction becomes one vector operation on a whole
    // row, so that the lanes of the vector are combined only once for each row.
    if (iterators.back() == utils::IteratorType::reduction)
      tiles.back() = ranges.back();
    else if (ranges.size() == 2 && hasPermutedOperand(op))
      tiles = {getTile(ranges[0], 8), getTile(ranges[1], 8)};
    return tiles;
  }

  LogicalResult tileAndVectorize(linalg::LinalgOp op, IRRewriter &rewriter) {
    linalg::LinalgTilingOptions options;
    options.setTileSizes(getTileSizes(op));
    rewriter.setInsertionPoint(op);
    FailureOr<linalg::TiledLinalgOp> tiled =
        linalg::tileLinalgOp(rewriter, op, options);
    if (failed(tiled))
      return failure();
    rewriter.eraseOp(op);
    rewriter.setInsertionPoint(tiled->op);
    FailureOr<linalg::VectorizationResult> vectorized = linalg::vectorize(
        rewriter, tiled->op, /*inputVectorSizes=*/{},
        /*inputScalableVecDims=*/{}, /*vectorizeNDExtract=*/false,
        /*flatten1DDepthwiseConv=*/false,
        /*assumeDynamicDimsMatchVecSizes=*/false,
        /*createNamedContraction=*/isa<linalg::MatmulOp>(tiled->op));
    if (succeeded(vectorized))
      rewriter.eraseOp(tiled->op);
    return success();
  }

  /// Applies patterns greedily. That the driver reaches its limit of iterations
  /// is not treated as a failure, since the module is valid all the same.
  void apply(function_ref<void(RewritePatternSet &)> populate) {
    RewritePatternSet patterns(&getContext());
    populate(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // Copies between strided buffers are replaced by linalg ops, since they
    // would otherwise become calls of a runtime library.
    getOperation()->walk([&](memref::CopyOp copy) {
      rewriter.setInsertionPoint(copy);
      Value source = copy.getSource(), target = copy.getTarget();
      if (attn::isInt4(getElementTypeOrSelf(source)))
        for (Value *array : {&source, &target})
          *array = attn_tile::BytesOp::create(rewriter, copy.getLoc(), *array);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), source, target);
      rewriter.eraseOp(copy);
    });

    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      // Ops on i1 are not vectorised, since an i1 is a bit in a vector, but a
      // byte in memory.
      bool hasBits = llvm::any_of(op->getOperandTypes(), [](Type type) {
        return getElementTypeOrSelf(type).isInteger(1);
      });
      // Ops that load from memory at computed indices are not vectorised.
      bool reads = op->walk([](memref::LoadOp) {
                       return WalkResult::interrupt();
                     }).wasInterrupted();
      if (op.hasPureBufferSemantics() && !hasBits && !reads &&
          llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic) &&
          llvm::none_of(op.getStaticLoopRanges(),
                        [](int64_t size) { return size == 0; }))
        ops.push_back(op);
    });
    for (linalg::LinalgOp op : ops)
      if (failed(tileAndVectorize(op, rewriter))) {
        op.emitError("could not be tiled for the host");
        return signalPassFailure();
      }

    // Keeps accumulators in registers, rather than in memory, during the
    // innermost loop. Hoisting their accesses requires that these use the base
    // of the memory and loop-invariant indices, so views are folded into
    // indices first.
    apply(memref::populateFoldMemRefAliasOpPatterns);
    getOperation()->walk([](LoopLikeOpInterface loop) {
      // No op is hoisted out of the grid, since its body must define all that
      // it uses.
      if (!isa<scf::ForallOp>(loop))
        moveLoopInvariantCode(loop);
    });
    linalg::hoistRedundantVectorTransfers(getOperation());

    apply([](RewritePatternSet &patterns) {
      vector::populateVectorContractLoweringPatterns(
          patterns, vector::VectorContractLowering::OuterProduct);
      vector::populateVectorOuterProductLoweringPatterns(patterns);
      vector::populateVectorTransferPermutationMapLoweringPatterns(patterns);
      vector::populateCastAwayVectorLeadingOneDimPatterns(patterns);
    });
    apply([](RewritePatternSet &patterns) {
      vector::populateVectorMultiReductionLoweringPatterns(
          patterns, vector::VectorMultiReductionLowering::InnerReduction);
      vector::populateVectorTransposeLoweringPatterns(
          patterns, vector::VectorTransposeLowering::Shuffle1D);
      vector::populateVectorBroadcastLoweringPatterns(patterns);
      vector::populateVectorShapeCastLoweringPatterns(patterns);
      vector::populateVectorStepLoweringPatterns(patterns);
    });
  }
};
} // namespace
