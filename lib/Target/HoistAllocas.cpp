//===- HoistAllocas.cpp - Stack slots once a call -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Vectors that pass through memory have their slots where they are used, in
// loops too. MLIR takes such a slot for gone at the end of an iteration, but in
// LLVM it is there until the function returns: the stack grows with each
// iteration. In the entry block it is one, which LLVM makes registers of.
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
