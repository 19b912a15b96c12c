//===- NarrowLoops.cpp - Loops of wgmma count in 32 bits ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUNARROWLOOPSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

static bool hasMma(scf::ForOp loop) {
  return loop.walk([](attn_nv::WgmmaOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

static void narrow(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  for (OpOperand &bound : loop->getOpOperands().take_front(3))
    bound.set(b.createOrFold<arith::IndexCastOp>(b.getI32Type(), bound.get()));
  Value variable = loop.getInductionVar();
  variable.setType(b.getI32Type());
  b.setInsertionPointToStart(loop.getBody());
  auto wide = arith::IndexCastOp::create(b, b.getIndexType(), variable);
  variable.replaceAllUsesExcept(wide, wide);
}

namespace {
struct AttnGPUNarrowLoopsPass
    : public attn_gpu::impl::AttnGPUNarrowLoopsPassBase<
          AttnGPUNarrowLoopsPass> {
  void runOnOperation() override {
    getOperation()->walk([](scf::ForOp loop) {
      if (loop.getInductionVar().getType().isIndex() && hasMma(loop))
        narrow(loop);
    });
  }
};
} // namespace
