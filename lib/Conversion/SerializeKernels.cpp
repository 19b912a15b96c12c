//===- SerializeKernels.cpp - Kernels to PTX ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Target/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSERIALIZEKERNELSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static LogicalResult serialize(gpu::GPUModuleOp module) {
  FailureOr<attn_gpu::TargetAttr> target = attn_gpu::getTarget(module);
  if (failed(target))
    return failure();
  const Chip &chip = target->getDescription();
  if (failed(checkTranslatable(module, chip)))
    return failure();
  llvm::Expected<std::string> ptx = translateToPTX(module, chip);
  if (!ptx)
    return module.emitError(llvm::toString(ptx.takeError()));
  OpBuilder b(module);
  auto assembler = NVVM::NVVMTargetAttr::get(
      b.getContext(), /*optLevel=*/3, "nvptx64-nvidia-cuda", chip.name,
      "+ptx" + std::to_string(chip.ptxVersion));
  Attribute object = gpu::ObjectAttr::get(
      b.getContext(), assembler, gpu::CompilationTarget::Assembly,
      b.getStringAttr(*ptx), DictionaryAttr(), gpu::KernelTableAttr());
  gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/nullptr, b.getArrayAttr(object));
  module.erase();
  return success();
}

namespace {
struct AttnSerializeKernelsPass
    : public attn::impl::AttnSerializeKernelsPassBase<
          AttnSerializeKernelsPass> {
  void runOnOperation() override {
    for (auto module :
         llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(serialize(module)))
        return signalPassFailure();
  }
};
} // namespace
