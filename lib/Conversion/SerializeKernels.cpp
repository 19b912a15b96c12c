//===- SerializeKernels.cpp - Kernels to PTX ------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMetadata.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/LargeStack.h"
#include "attn/Target/PTX.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNSERIALIZEKERNELSPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static SmallVector<FunctionOpInterface> getKernels(gpu::GPUModuleOp module) {
  SmallVector<FunctionOpInterface> kernels;
  for (auto function : module.getOps<FunctionOpInterface>())
    if (function->hasAttr(gpu::GPUDialect::getKernelFuncAttrName()) ||
        function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()))
      kernels.push_back(function);
  return kernels;
}

/// Returns the kernel and all symbols of its module that it uses, directly or
/// through other symbols.
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

/// Moves each kernel of a module with several kernels to a new module, together
/// with the symbols that it needs. A module with one kernel is left as it is.
/// `places` maps the old symbol reference of each moved kernel to its new one.
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
    // The cloned symbols keep the order that they had in the old module.
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

/// Moves each kernel to a module of its own, and changes launches accordingly.
/// The CUDA driver compiles a whole module when it loads it. With one kernel
/// for each module, it compiles only kernels that are launched.
static void splitModules(ModuleOp root) {
  SymbolTable modules(root);
  llvm::DenseMap<Attribute, SymbolRefAttr> places;
  for (auto module : llvm::to_vector(root.getOps<gpu::GPUModuleOp>()))
    splitModule(module, modules, places);
  root.walk([&](gpu::LaunchFuncOp launch) {
    if (SymbolRefAttr place = places.lookup(launch.getKernelAttr()))
      launch.setKernelAttr(place);
  });
}

/// Replaces a gpu.module by a gpu.binary that holds its PTX.
static void replace(gpu::GPUModuleOp module, StringRef ptx) {
  OpBuilder b(module);
  Attribute object = gpu::ObjectAttr::get(
      b.getContext(), module.getTargetsAttr()[0],
      gpu::CompilationTarget::Assembly, b.getStringAttr(ptx), DictionaryAttr(),
      getKernelTable(module));
  gpu::BinaryOp::create(b, module.getLoc(), module.getName(),
                        /*offloadingHandler=*/nullptr, b.getArrayAttr(object));
  module.erase();
}

/// Replaces gpu.modules by binaries that hold their PTX. The modules are first
/// translated to LLVM IR one after the other, since MLIR's context is used by
/// one thread. Several threads then compile the LLVM IR to PTX.
static LogicalResult serialize(ArrayRef<gpu::GPUModuleOp> modules) {
  std::vector<PTXCompilation> compilations;
  // All PTX files name the same version of PTX, since ptxas can only then
  // assemble them together.
  int64_t version = 0;
  for (gpu::GPUModuleOp module : modules) {
    FailureOr<Chip> chip = getChip(module);
    if (failed(chip))
      return failure();
    version =
        std::max<int64_t>(version, withNeededPTX(module, *chip).ptxVersion);
  }
  for (gpu::GPUModuleOp module : modules) {
    Chip needed = *getChip(module);
    needed.ptxVersion = version;
    if (failed(checkTranslatable(module, needed)))
      return failure();
    auto translated = PTXCompilation::translate(module, needed);
    if (!translated)
      return module.emitError(llvm::toString(translated.takeError()));
    compilations.push_back(std::move(*translated));
  }
  SmallVector<std::string> texts(modules.size()), errors(modules.size());
  auto compile = [&](size_t i) {
    if (llvm::Error error = compilations[i].compile().moveInto(texts[i]))
      errors[i] = llvm::toString(std::move(error));
  };
  // A single module is compiled on the calling thread, whose stack is large
  // enough.
  if (modules.size() == 1)
    compile(0);
  else
    runOnLargeStacks(modules.size(), compile);
  for (size_t i = 0; i < modules.size(); ++i)
    if (gpu::GPUModuleOp module = modules[i]; !errors[i].empty())
      return emitError(module.getLoc(), errors[i]);
  for (auto [module, ptx] : llvm::zip(modules, texts))
    replace(module, ptx);
  return success();
}

namespace {
struct AttnSerializeKernelsPass
    : public attn::impl::AttnSerializeKernelsPassBase<
          AttnSerializeKernelsPass> {
  void runOnOperation() override {
    splitModules(getOperation());
    if (failed(serialize(
            llvm::to_vector(getOperation().getOps<gpu::GPUModuleOp>()))))
      signalPassFailure();
  }
};
} // namespace
