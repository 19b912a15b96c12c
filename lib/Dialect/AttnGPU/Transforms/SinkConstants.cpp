//===- SinkConstants.cpp - Constants of a launch --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SinkConstants.h"

#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/IR/OpDefinition.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSINKCONSTANTSPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

void attn_gpu::sinkConstants(gpu::LaunchOp launch) {
  OpBuilder atStart = OpBuilder::atBlockBegin(&launch.getBody().front());
  llvm::DenseMap<Operation *, Operation *> copies;
  launch.getBody().walk([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands()) {
      Operation *constant = operand.get().getDefiningOp();
      if (!constant || !constant->hasTrait<OpTrait::ConstantLike>() ||
          launch->isAncestor(constant))
        continue;
      Operation *&copy = copies[constant];
      if (!copy)
        copy = atStart.clone(*constant);
      operand.set(copy->getResult(0));
    }
  });
}

namespace {
struct AttnGPUSinkConstantsPass
    : public attn_gpu::impl::AttnGPUSinkConstantsPassBase<
          AttnGPUSinkConstantsPass> {
  void runOnOperation() override {
    getOperation()->walk([](gpu::LaunchOp launch) { sinkConstants(launch); });
  }
};
} // namespace
