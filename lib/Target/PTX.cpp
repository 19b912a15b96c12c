//===- PTX.cpp - PTX for NVIDIA chips
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Target/PTX.h"

#include "Optimize.h"
#include "Targets.h"

#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::attn;

static llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createMachine(const Chip &chip) {
  initializeTargets();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string message;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, message);
  if (!target)
    return llvm::createStringError("no code generator for PTX: " + message);
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, chip.name, "+ptx" + std::to_string(chip.ptxVersion),
      llvm::TargetOptions(), std::nullopt, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

llvm::Expected<std::string> mlir::attn::translateToPTX(gpu::GPUModuleOp module,
                                                       const Chip &chip) {
  auto machine = createMachine(chip);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, module.getName());
  if (!translated)
    return llvm::createStringError(
        "the GPU module could not be translated to LLVM IR");
  translated->setTargetTriple((*machine)->getTargetTriple());
  translated->setDataLayout((*machine)->createDataLayout());
  for (llvm::Function &function : *translated)
    if (!function.isDeclaration())
      // One instruction for each exp2: without it LLVM handles denormals.
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  optimize(*translated, **machine);

  llvm::SmallString<0> ptx;
  llvm::raw_svector_ostream os(ptx);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, os, nullptr,
                                      llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the code generator emits no PTX");
  passes.run(*translated);
  return std::string(ptx);
}
