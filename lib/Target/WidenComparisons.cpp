//===- WidenComparisons.cpp - Comparisons of 16-bit floats in f32 ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes comparisons of 16-bit floats comparisons of f32. LLVM narrows a
// comparison of extended 16-bit floats to 16 bits. For f16 its code generator
// then writes "setp.ftz.f16", which flushes numbers below 2^-14 to 0
// ("setp.ftz.f32" flushes those below 2^-126); for bf16 it writes
// "setp.ftz.bf16", which PTX does not have, since setp of bf16 flushes nothing.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

void mlir::attn::widenComparisons(llvm::Module &module) {
  llvm::SmallVector<llvm::FCmpInst *> comparisons;
  for (llvm::Function &function : module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *compare = llvm::dyn_cast<llvm::FCmpInst>(&instruction);
          compare &&
          compare->getOperand(0)->getType()->getScalarSizeInBits() == 16)
        comparisons.push_back(compare);
  for (llvm::FCmpInst *compare : comparisons) {
    llvm::IRBuilder<> b(compare);
    llvm::Type *wide =
        compare->getOperand(0)->getType()->getWithNewType(b.getFloatTy());
    llvm::Value *result = b.CreateFCmpFMF(
        compare->getPredicate(), b.CreateFPExt(compare->getOperand(0), wide),
        b.CreateFPExt(compare->getOperand(1), wide), compare);
    compare->replaceAllUsesWith(result);
    compare->eraseFromParent();
  }
}
