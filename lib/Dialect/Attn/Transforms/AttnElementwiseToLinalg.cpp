//===- AttnElementwiseToLinalg.cpp - Element-wise ops around attention ----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNELEMENTWISETOLINALGPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Whether the op is a select by a scalar condition, which takes one of two
/// whole tensors and needs no loop over elements.
static bool isSelectionOfWhole(Operation *op) {
  auto select = dyn_cast<arith::SelectOp>(op);
  return select && !isa<ShapedType>(select.getCondition().getType());
}

namespace {
struct AttnElementwiseToLinalgPass
    : public attn::impl::AttnElementwiseToLinalgPassBase<
          AttnElementwiseToLinalgPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    linalg::populateElementwiseToLinalgConversionPatterns(patterns);
    target.markUnknownOpDynamicallyLegal([](Operation *op) {
      return !OpTrait::hasElementwiseMappableTraits(op) ||
             llvm::none_of(op->getOperandTypes(),
                           llvm::IsaPred<RankedTensorType>) ||
             isSelectionOfWhole(op) || op->getParentOfType<attn_tile::GridOp>();
    });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
