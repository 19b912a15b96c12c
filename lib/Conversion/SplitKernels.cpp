//===- SplitKernels.cpp - A module for each kernel ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSPLITKERNELSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

static SmallVector<FunctionOpInterface> getKernels(gpu::GPUModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      kernels.push_back(function);
  return kernels;
}

/// The symbols of the module that the kernel needs, itself included.
static llvm::SetVector<Operation *> findNeeded(Operation *kernel,
                                               const SymbolTable &symbols) {
  llvm::SetVector<Operation *> needed;
  needed.insert(kernel);
  for (size_t i = 0; i < needed.size(); ++i)
    if (auto uses = SymbolTable::getSymbolUses(needed[i]))
      for (const SymbolTable::SymbolUse &use : *uses)
        if (Operation *symbol =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          needed.insert(symbol);
  return needed;
}

/// Gives each of the module's kernels a module of its own, and says where it is
/// in `places`, by its old reference.
static void splitModule(gpu::GPUModuleOp module, SymbolTable &modules,
                        llvm::DenseMap<Attribute, SymbolRefAttr> &places) {
  SmallVector<FunctionOpInterface> kernels = getKernels(module);
  if (kernels.size() < 2)
    return;
  SymbolTable symbols(module);
  MLIRContext *context = module.getContext();
  for (FunctionOpInterface kernel : kernels) {
    auto own = cast<gpu::GPUModuleOp>(module->cloneWithoutRegions());
    own.setName((module.getName() + "_" + kernel.getName()).str());
    own.getBodyRegion().emplaceBlock();
    auto b = OpBuilder::atBlockEnd(own.getBody());
    // In the order that they have, which is that of the code.
    llvm::SetVector<Operation *> needed = findNeeded(kernel, symbols);
    for (Operation &op : *module.getBody())
      if (needed.contains(&op))
        b.clone(op);
    StringAttr name = modules.insert(own, module->getIterator());
    auto reference = FlatSymbolRefAttr::get(context, kernel.getName());
    places[SymbolRefAttr::get(context, module.getName(), reference)] =
        SymbolRefAttr::get(name, reference);
  }
  modules.erase(module);
}

namespace {
struct AttnSplitKernelsPass
    : public attn::impl::AttnSplitKernelsPassBase<AttnSplitKernelsPass> {
  void runOnOperation() override {
    SymbolTable modules(getOperation());
    llvm::DenseMap<Attribute, SymbolRefAttr> places;
    for (auto module :
         llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))
      splitModule(module, modules, places);
    getOperation().walk([&](gpu::LaunchFuncOp launch) {
      if (SymbolRefAttr place = places.lookup(launch.getKernelAttr()))
        launch.setKernelAttr(place);
    });
  }
};
} // namespace
