//===- Workspace.cpp - Memory that only tile programs use -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::attn_tile;

LogicalResult WorkspaceOp::verify() {
  MemRefType type = getType();
  if ((*this)->getParentOfType<GridOp>())
    return emitOpError("expected a place before the grid whose programs use "
                       "it, found one within");
  if (!type.getLayout().isIdentity())
    return emitOpError("expected a type without gaps, found ") << type;
  if (type.getNumDynamicDims() != getSizes().size())
    return emitOpError("expected a size for each of ")
           << type.getNumDynamicDims() << " dynamic dimensions, found "
           << getSizes().size();
  return success();
}

SmallVector<OpFoldResult> WorkspaceOp::getMixedSizes() {
  return getMixedValues(getType().getShape(), getSizes(), getContext());
}

namespace {
/// Replaces the size of workspace by the operand that states it.
struct ReplaceSize : OpRewritePattern<memref::DimOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::DimOp op,
                                PatternRewriter &rewriter) const override {
    auto workspace = op.getSource().getDefiningOp<WorkspaceOp>();
    std::optional<int64_t> dim = op.getConstantIndex();
    if (!workspace || !dim || *dim < 0 || *dim >= workspace.getType().getRank())
      return failure();
    auto size = dyn_cast<Value>(workspace.getMixedSizes()[*dim]);
    if (!size)
      return failure();
    rewriter.replaceOp(op, size);
    return success();
  }
};

/// Makes dimensions whose sizes are constants static.
struct MakeStatic : OpRewritePattern<WorkspaceOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(WorkspaceOp op,
                                PatternRewriter &rewriter) const override {
    SmallVector<OpFoldResult> sizes = op.getMixedSizes();
    if (failed(foldDynamicIndexList(sizes, /*onlyNonNegative=*/true)))
      return failure();
    SmallVector<int64_t> shape;
    SmallVector<Value> dynamic;
    dispatchIndexOpFoldResults(sizes, dynamic, shape);
    auto type = MemRefType::Builder(op.getType()).setShape(shape);
    auto known =
        WorkspaceOp::create(rewriter, op.getLoc(), MemRefType(type), dynamic);
    rewriter.replaceOpWithNewOp<memref::CastOp>(op, op.getType(), known);
    return success();
  }
};
} // namespace

void WorkspaceOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ReplaceSize, MakeStatic>(context);
}
