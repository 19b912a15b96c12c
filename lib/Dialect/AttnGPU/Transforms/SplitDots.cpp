//===- SplitDots.cpp - Dots that are issued and awaited -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitDots.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSPLITDOTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

void attn_gpu::splitDot(RewriterBase &rewriter, DotOp dot) {
  rewriter.setInsertionPoint(dot);
  Type type = dot.getResult().getType();
  Value issued =
      MmaOp::create(rewriter, dot.getLoc(), type, dot.getLhs(), dot.getRhs(),
                    dot.getAccumulator(), dot.getTransposeLhsAttr(),
                    dot.getTransposeRhsAttr());
  rewriter.replaceOpWithNewOp<MmaWaitOp>(dot, type,
                                         rewriter.getI64IntegerAttr(0), issued);
}

namespace {
struct AttnGPUSplitDotsPass
    : public attn_gpu::impl::AttnGPUSplitDotsPassBase<AttnGPUSplitDotsPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto visit = [&](KernelOp kernel, ScheduleAttr schedule,
                     const attn::Chip &) {
      if (schedule.getMma() != MmaKind::Wgmma)
        return success();
      SmallVector<DotOp> dots;
      kernel.walk([&](DotOp dot) { dots.push_back(dot); });
      for (DotOp dot : dots)
        splitDot(rewriter, dot);
      return success();
    };
    if (failed(walkKernels(getOperation(), visit)))
      signalPassFailure();
  }
};
} // namespace
