//===- SetTarget.cpp - The chip that a module is for ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn_gpu {
#define GEN_PASS_DEF_ATTNGPUSETTARGETPASS
#include "attn/Dialect/AttnGPU/Transforms/Passes.h.inc"
} // namespace mlir::attn_gpu

using namespace mlir;
using namespace mlir::attn_gpu;

namespace {
struct AttnGPUSetTargetPass
    : public attn_gpu::impl::AttnGPUSetTargetPassBase<AttnGPUSetTargetPass> {
  using AttnGPUSetTargetPassBase::AttnGPUSetTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto target = TargetAttr::getChecked([&] { return module.emitError(); },
                                         &getContext(), StringRef(chip));
    if (!target)
      return signalPassFailure();
    // What was decided for another chip would stay.
    if (auto other = module->getAttrOfType<TargetAttr>(kTargetAttrName);
        other && other != target) {
      module.emitError("expected a module for ")
          << target.getChip() << " or without a target, found " << other;
      return signalPassFailure();
    }
    module->setAttr(kTargetAttrName, target);
  }
};
} // namespace
