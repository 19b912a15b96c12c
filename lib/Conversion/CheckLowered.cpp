//===- CheckLowered.cpp - Ops that the host pipeline cannot lower ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"

#include "attn/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNCHECKLOWEREDPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

namespace {
struct AttnCheckLoweredPass
    : public attn::impl::AttnCheckLoweredPassBase<AttnCheckLoweredPass> {
  void runOnOperation() override {
    // `left` is the first op that is neither a module nor in the LLVM dialect;
    // `cast` is the first such op that is an unrealized conversion cast. An op
    // without a lowering leaves casts around it, so a cast is reported only if
    // no other op is left.
    Operation *left = nullptr, *cast = nullptr;
    getOperation().walk([&](Operation *op) {
      if (isa<ModuleOp>(op) ||
          isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
        return WalkResult::advance();
      Operation *&found = isa<UnrealizedConversionCastOp>(op) ? cast : left;
      if (!found)
        found = op;
      return left ? WalkResult::interrupt() : WalkResult::advance();
    });
    if (Operation *op = left ? left : cast) {
      op->emitError("'") << op->getName() << "' has no lowering for the host";
      return signalPassFailure();
    }
    if (failed(attn::checkLLVMOps(getOperation())))
      signalPassFailure();
  }
};
} // namespace
