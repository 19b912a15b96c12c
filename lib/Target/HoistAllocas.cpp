//===- HoistAllocas.cpp - Moves allocas to the entry block ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors that are passed through memory have stack slots where they are used,
// even in loops. MLIR considers such a slot freed at the end of an iteration,
// but in LLVM it exists until the function returns, so the stack would grow
// with each iteration. An alloca in the entry block is allocated once, and LLVM
// can promote it to registers.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

void mlir::attn::hoistAllocas(llvm::Module &module) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    llvm::BasicBlock &entry = function.getEntryBlock();
    llvm::SmallVector<llvm::AllocaInst *> slots;
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          slot && slot->getParent() != &entry &&
          llvm::isa<llvm::ConstantInt>(slot->getArraySize()))
        slots.push_back(slot);
    for (llvm::AllocaInst *slot : slots)
      slot->moveBefore(entry.getFirstInsertionPt());
  }
}
