//===- Translatable.cpp - Kernels that LLVM IR has instructions for -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/IR/Intrinsics.h"

using namespace mlir;

/// Upstream's verifier asks for less than the translation, which reads types
/// that may be absent and looks up an intrinsic that may not be there.
static LogicalResult checkMma(NVVM::MmaOp op) {
  if (!op.getMultiplicandAPtxType() || !op.getMultiplicandBPtxType())
    return op.emitOpError(
               "expected the PTX types of both multiplicands, found ")
           << (op.getMultiplicandAPtxType()   ? "that of A"
               : op.getMultiplicandBPtxType() ? "that of B"
                                              : "none");
  auto shape = op.getShape();
  llvm::Intrinsic::ID id = NVVM::MmaOp::getIntrinsicID(
      shape.getM(), shape.getN(), shape.getK(), op.getB1Op(),
      op.getIntOverflowBehavior(), op.getLayoutA(), op.getLayoutB(),
      *op.getMultiplicandAPtxType(), *op.getMultiplicandBPtxType(),
      op.accumPtxType(), op.resultPtxType());
  if (id == llvm::Intrinsic::not_intrinsic)
    return op.emitOpError("expected a shape, layouts and types that have an "
                          "instruction, found none");
  return success();
}

LogicalResult mlir::attn::checkTranslatable(gpu::GPUModuleOp module) {
  return failure(module
                     ->walk([](NVVM::MmaOp op) {
                       return failed(checkMma(op)) ? WalkResult::interrupt()
                                                   : WalkResult::advance();
                     })
                     .wasInterrupted());
}
