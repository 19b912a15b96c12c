//===- AnnotateKernels.cpp - What the assembler must know of a kernel ----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNANNOTATEKERNELSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// What tiles of #attn_tile.swizzled begin at multiples of.
static constexpr int64_t kSharedAlignment = 1024;
static constexpr int64_t kTensorMapBytes = 128;
static constexpr int64_t kTensorMapAlignment = 64;

/// Parameters in constant memory, by value.
static void annotateTensorMaps(LLVM::LLVMFuncOp func) {
  Builder b(func.getContext());
  auto bytes = LLVM::LLVMArrayType::get(b.getI8Type(), kTensorMapBytes);
  for (unsigned i = 0; i < func.getNumArguments(); ++i) {
    if (!func.removeArgAttr(i, attn_nv::kTensorMapAttrName))
      continue;
    func.setArgAttr(i, LLVM::LLVMDialect::getByValAttrName(),
                    TypeAttr::get(bytes));
    func.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                    b.getI64IntegerAttr(kTensorMapAlignment));
    func.setArgAttr(i, NVVM::NVVMDialect::getGridConstantAttrName(),
                    b.getUnitAttr());
  }
}

/// The assembler ignores setmaxnreg unless it knows the number of threads and
/// of blocks of a multiprocessor.
static void annotateRegisters(LLVM::LLVMFuncOp func) {
  bool movesRegisters =
      func.walk([](NVVM::SetMaxRegisterOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  auto threads = func->getAttrOfType<DenseI32ArrayAttr>(
      NVVM::NVVMDialect::getReqntidAttrName());
  if (!movesRegisters || !threads)
    return;
  func->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), threads);
  func->removeAttr(NVVM::NVVMDialect::getReqntidAttrName());
  func->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                Builder(func.getContext()).getI32IntegerAttr(1));
}

namespace {
struct AttnAnnotateKernelsPass
    : public attn::impl::AttnAnnotateKernelsPassBase<AttnAnnotateKernelsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<LLVM::LLVMFuncOp>()) {
      annotateTensorMaps(func);
      annotateRegisters(func);
    }
    for (auto global : getOperation().getOps<LLVM::GlobalOp>())
      if (global.getAddrSpace() ==
          static_cast<unsigned>(NVVM::NVVMMemorySpace::Shared))
        global.setAlignment(kSharedAlignment);
  }
};
} // namespace
