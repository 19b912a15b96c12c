//===- AttnToTile.cpp - Attention ops as tile programs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Programs.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/DimIndices.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNTOTILEPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

namespace {
struct ConvertAttnToTilePass
    : public attn::impl::ConvertAttnToTilePassBase<ConvertAttnToTilePass> {
  void runOnOperation() override {
    if (failed(verifyDimIndices(getOperation())))
      return signalPassFailure();
    SmallVector<AttentionInterface> ops;
    WalkResult result = getOperation()->walk([&](AttentionInterface op) {
      if (op->getNumResults() != 0) {
        op.emitOpError("expected memref operands, found tensors; bufferise "
                       "first");
        return WalkResult::interrupt();
      }
      if (!op.getScheduleAttr()) {
        op.emitOpError("expected a schedule, found none; run attn-assign-tiles "
                       "or attn-gpu-assign-schedule first");
        return WalkResult::interrupt();
      }
      // The schedule alone would take arrays that are not fit for it.
      if (op.getFallbackAttr()) {
        op.emitOpError("expected one schedule, found the fallback ")
            << op.getFallbackAttr() << "; run attn-gpu-multiversion first";
        return WalkResult::interrupt();
      }
      auto backward = dyn_cast<AttentionBackwardOp>(op.getOperation());
      if (backward && !backward.getCaptureWrt().empty() &&
          !op.getPacked().empty()) {
        op.emitOpError("expected no gradients of captures where sequences are "
                       "packed, found some");
        return WalkResult::interrupt();
      }
      if (op.getScheduleAttr().getSplitKv())
        if (std::string misfit = findUnsplittable(op); !misfit.empty()) {
          op.emitOpError("expected a schedule that fits, found ")
              << op.getScheduleAttr() << ": " << misfit;
          return WalkResult::interrupt();
        }
      ops.push_back(op);
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    for (AttentionInterface op : ops) {
      OpBuilder builder(op);
      if (auto forward = dyn_cast<AttentionOp>(op.getOperation()))
        numMasked += emitForward(forward, builder);
      else if (failed(emitBackward(cast<AttentionBackwardOp>(op.getOperation()),
                                   builder)))
        return signalPassFailure();
      op->erase();
    }
  }
};

} // namespace
