//===- AttnDecomposeLinalg.cpp - Linalg ops that are not loops ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNDECOMPOSELINALGPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Returns a linalg.softmax on tensors, the only form that upstream decomposes.
/// If `op` is on memrefs, it is replaced by a new op, whose input is read by a
/// to_tensor and whose result is stored to the output. Otherwise returns `op`.
static linalg::SoftmaxOp readTensors(IRRewriter &rewriter,
                                     linalg::SoftmaxOp op) {
  if (op->getNumResults() != 0)
    return op;
  Location loc = op.getLoc();
  auto toTensor = [&](Value memref) -> Value {
    auto type = cast<MemRefType>(memref.getType());
    return bufferization::ToTensorOp::create(
        rewriter, loc,
        RankedTensorType::get(type.getShape(), type.getElementType()), memref,
        /*restrict=*/true);
  };
  Value output = op.getOutput();
  Value input = toTensor(op.getInput());
  Value empty = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, input),
      cast<MemRefType>(output.getType()).getElementType());
  auto created =
      linalg::SoftmaxOp::create(rewriter, loc, TypeRange(empty.getType()),
                                input, empty, op.getDimension());
  auto store = bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, /*result=*/Type(), created->getResult(0), output);
  store.setRestrict(true);
  store.setWritable(true);
  rewriter.eraseOp(op);
  return created;
}

namespace {
struct AttnDecomposeLinalgPass
    : public attn::impl::AttnDecomposeLinalgPassBase<AttnDecomposeLinalgPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<linalg::SoftmaxOp, linalg::PackOp, linalg::UnPackOp>(op))
        ops.push_back(op);
    });
    // Ops that upstream cannot decompose are left as they are;
    // attn-check-lowered reports them.
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      if (auto softmax = dyn_cast<linalg::SoftmaxOp>(op)) {
        softmax = readTensors(rewriter, softmax);
        rewriter.setInsertionPoint(softmax);
        FailureOr<SmallVector<Value>> values =
            softmax.decomposeOperation(rewriter);
        if (succeeded(values))
          rewriter.replaceOp(softmax, *values);
      } else if (auto pack = dyn_cast<linalg::PackOp>(op)) {
        (void)linalg::lowerPack(rewriter, pack);
      } else {
        (void)linalg::lowerUnPack(rewriter, cast<linalg::UnPackOp>(op));
      }
    }
    RewritePatternSet patterns(&getContext());
    linalg::populateDecomposeWinogradOpsPatterns(patterns);
    (void)applyPatternsGreedily(getOperation(), std::move(patterns));
  }
};
} // namespace
