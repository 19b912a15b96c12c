//===- Optimize.cpp - Optimisations of LLVM IR ----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "attn/Target/AssemblyKinds.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

bool mlir::attn::isOfKind(const llvm::Instruction &instruction,
                          llvm::StringRef kind) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call && call->isInlineAsm() && call->hasFnAttr(kind);
}

bool mlir::attn::isWarpgroupMma(const llvm::Instruction &instruction) {
  return isOfKind(instruction, kWarpgroupMma);
}

bool mlir::attn::isMma(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
  return isWarpgroupMma(instruction) ||
         (callee && callee->getName().starts_with("llvm.nvvm.mma."));
}

std::optional<unsigned>
mlir::attn::getConsumerRegisters(const llvm::Function &kernel) {
  unsigned count = 0;
  if (kernel.getFnAttribute(kConsumerRegisters)
          .getValueAsString()
          .getAsInteger(10, count))
    return std::nullopt;
  return count;
}

int mlir::attn::getNumRegisters(llvm::Type *type) {
  if (type->isPointerTy())
    return 2;
  return static_cast<int>(type->getPrimitiveSizeInBits().getFixedValue() + 16) /
         32;
}

void mlir::attn::optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  hoistAllocas(module);
  if (machine.getTargetTriple().isNVPTX())
    keepBranches(module);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  // The loops of host code compute on vectors already. If they were unrolled,
  // LLVM would compile for half as long again, and the code would not be
  // faster.
  tuning.LoopUnrolling = machine.getTargetTriple().isNVPTX();
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::ModulePassManager passes = builder.buildPerModuleDefaultPipeline(
      machine.getOptLevel() == llvm::CodeGenOptLevel::Less
          ? llvm::OptimizationLevel::O1
          : llvm::OptimizationLevel::O3);
  // For GPUs, vector instructions are split into scalar ones. The code
  // generator orders instructions as the IR does, so a vector instruction would
  // become one block of instructions. Between two such blocks, all elements
  // would be live, and ptxas would spill registers.
  if (machine.getTargetTriple().isNVPTX())
    passes.addPass(
        llvm::createModuleToFunctionPassAdaptor(llvm::ScalarizerPass()));
  passes.run(module, modules);
  if (machine.getTargetTriple().isNVPTX()) {
    widenComparisons(module);
    extendBf16(module);
    foldSharedOffsets(module);
    modules.invalidate(module, llvm::PreservedAnalyses::none());
    llvm::ModulePassManager equals;
    equals.addPass(
        llvm::createModuleToFunctionPassAdaptor(llvm::EarlyCSEPass()));
    equals.run(module, modules);
    orderInstructions(module);
    sinkLaunchWaits(module);
  }
}
