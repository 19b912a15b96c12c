//===- KeepBranches.cpp - Masks stay in their branches --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Few blocks are partial, and a branch masks these. Where what is compared does
// not vary in the loop, the branch holds selects alone, and LLVM would select
// once more in its place, in each iteration: not if it takes the branch for
// unlikely.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// Elements of a thread from which on a branch is worth more than selects.
static constexpr unsigned kFewestElements = 8;

/// Where the block goes to, if it does nothing but compute.
static BasicBlock *getJoin(BasicBlock &block) {
  if (!block.getSinglePredecessor())
    return nullptr;
  for (Instruction &instruction : block)
    if (!instruction.isTerminator() && instruction.mayHaveSideEffects())
      return nullptr;
  return block.getSingleSuccessor();
}

static bool computesVectors(const BasicBlock &block) {
  return llvm::any_of(block, [](const Instruction &instruction) {
    auto *vector = dyn_cast<FixedVectorType>(instruction.getType());
    return vector && vector->getNumElements() >= kFewestElements;
  });
}

/// Whether `join` comes directly behind the branch to `block`, too.
static bool isSkipped(BasicBlock &block, BasicBlock &join) {
  return &block == &join || (block.size() == 1 && getJoin(block) == &join);
}

void mlir::attn::keepBranches(Module &module) {
  constexpr uint32_t kUnlikely = 1, kLikely = 1023;
  for (Function &function : module)
    for (BasicBlock &block : function) {
      auto *branch = dyn_cast<BranchInst>(block.getTerminator());
      if (!branch || !branch->isConditional() ||
          branch->hasMetadata(LLVMContext::MD_prof))
        continue;
      BasicBlock &then = *branch->getSuccessor(0);
      BasicBlock *join = getJoin(then);
      if (join && computesVectors(then) &&
          isSkipped(*branch->getSuccessor(1), *join))
        branch->setMetadata(LLVMContext::MD_prof,
                            MDBuilder(module.getContext())
                                .createBranchWeights(kUnlikely, kLikely));
    }
}
