//===- KernelMetadata.cpp - Metadata of compiled kernels ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMetadata.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::attn;

/// The name of the attribute that marks a kernel which waits for the previous
/// kernel itself. It is in the kernel's `passthrough` and in the metadata of
/// its gpu.binary.
static constexpr StringLiteral kAfterPrevious = "attn.after_previous";

void attn::addPassthrough(LLVM::LLVMFuncOp kernel, Attribute entry) {
  SmallVector<Attribute> entries;
  if (ArrayAttr known = kernel.getPassthroughAttr())
    llvm::append_range(entries, known);
  entries.push_back(entry);
  kernel.setPassthroughAttr(ArrayAttr::get(kernel.getContext(), entries));
}

void attn::setAfterPrevious(LLVM::LLVMFuncOp kernel) {
  addPassthrough(kernel, StringAttr::get(kernel.getContext(), kAfterPrevious));
}

gpu::KernelTableAttr attn::getKernelTable(gpu::GPUModuleOp module) {
  Builder b(module.getContext());
  StringAttr name = b.getStringAttr(kAfterPrevious);
  SmallVector<gpu::KernelMetadataAttr> kernels;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    if (!function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      continue;
    ArrayAttr attributes = function.getPassthroughAttr();
    DictionaryAttr metadata;
    if (attributes && llvm::is_contained(attributes, name))
      metadata = b.getDictionaryAttr(b.getNamedAttr(name, b.getUnitAttr()));
    kernels.push_back(gpu::KernelMetadataAttr::get(
        function.getSymNameAttr(), function.getFunctionType(),
        /*argAttrs=*/nullptr, metadata));
  }
  return gpu::KernelTableAttr::get(module.getContext(), kernels);
}

bool attn::isAfterPrevious(gpu::ObjectAttr object, StringAttr kernel) {
  gpu::KernelTableAttr table = object.getKernels();
  gpu::KernelMetadataAttr metadata = table ? table.lookup(kernel) : nullptr;
  return metadata && metadata.getAttr(kAfterPrevious);
}
