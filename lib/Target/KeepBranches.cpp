//===- KeepBranches.cpp - Keeps branches around masks ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Marks branches on conditions that seldom hold (attn_tile.rare, here
// llvm.expect) as unlikely. If a branch that skips masking contains only
// selects, since the compared values do not vary in the loop, LLVM would turn
// it into further selects that run in each iteration. It does not do so if the
// branch is marked as unlikely. LLVM's own pass for llvm.expect, which marks
// all branches, makes the code generator place the rare block among the
// instructions of all iterations.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

/// The least number of elements of a thread's vector for which a branch that
/// skips the vector's computation is faster than selects.
static constexpr unsigned kFewestElements = 8;

/// Returns the only successor of a block that has a single predecessor and no
/// instruction with side effects. Returns null for any other block, and for one
/// with several successors.
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

/// Whether `block` is `join` itself, or has nothing but a branch to `join`.
static bool isSkipped(BasicBlock &block, BasicBlock &join) {
  return &block == &join || (block.size() == 1 && getJoin(block) == &join);
}

/// Whether LLVM might turn the branch into selects that take longer than it.
static bool mayBecomeSelects(const BranchInst &branch) {
  BasicBlock &then = *branch.getSuccessor(0);
  BasicBlock *join = getJoin(then);
  return join && computesVectors(then) &&
         isSkipped(*branch.getSuccessor(1), *join);
}

void mlir::attn::keepBranches(Module &module) {
  constexpr uint32_t kUnlikely = 1, kLikely = 1023;
  MDNode *weights =
      MDBuilder(module.getContext()).createBranchWeights(kUnlikely, kLikely);
  SmallVector<IntrinsicInst *> rare;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction);
          call && call->getIntrinsicID() == Intrinsic::expect)
        rare.push_back(call);
  for (IntrinsicInst *call : rare) {
    for (User *user : call->users())
      if (auto *branch = dyn_cast<BranchInst>(user);
          branch && mayBecomeSelects(*branch))
        branch->setMetadata(LLVMContext::MD_prof, weights);
    call->replaceAllUsesWith(call->getArgOperand(0));
    call->eraseFromParent();
  }
}
