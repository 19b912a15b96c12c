//===- SinkLaunchWaits.cpp - Sinks waits for the previous kernel ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// With programmatic dependent launch, a kernel begins before the previous one
// has ended, and waits for it before it accesses memory. This pass moves the
// wait down, so that sizes and addresses are computed before it. In a kernel
// with roles the wait stays before the roles: after the branch, ptxas would
// consider their loops divergent, and keep uniform values in registers of each
// thread.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "attn/Target/AssemblyKinds.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using mlir::attn::isOfKind;
using mlir::attn::kLaunchNext;
using mlir::attn::kLaunchWait;

static CallInst *findWait(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (isOfKind(instruction, kLaunchWait))
      return cast<CallInst>(&instruction);
  return nullptr;
}

/// Whether the instruction must come after the wait for the previous kernel,
/// since it may access memory.
static bool mayAccess(const Instruction &instruction) {
  // The instruction that lets the next kernel begin need not come after the
  // wait: the next kernel itself waits for the end of this kernel.
  if (isOfKind(instruction, kLaunchNext))
    return false;
  return instruction.mayReadOrWriteMemory();
}

/// Inserts copies of `wait`, which waits for the previous kernel, as late as
/// possible on each path that begins at `position`. A copy comes before the
/// first instruction that may access memory, or before a terminator that is no
/// branch. If a path enters a block with several predecessors, the copy is
/// inserted on the edge to it, in a new block.
static void place(const CallInst &wait, BasicBlock::iterator position) {
  while (!position->isTerminator() && !mayAccess(*position))
    ++position;
  auto *branch = dyn_cast<BranchInst>(position);
  if (!branch) {
    wait.clone()->insertBefore(position);
    return;
  }
  BasicBlock *block = branch->getParent();
  for (BasicBlock *next : llvm::to_vector(successors(block)))
    if (next->getSinglePredecessor())
      place(wait, next->getFirstNonPHIIt());
    else
      wait.clone()->insertBefore(
          SplitEdge(block, next)->getTerminator()->getIterator());
}

void mlir::attn::sinkLaunchWaits(Module &module) {
  for (Function &function : module)
    if (CallInst *wait = findWait(function)) {
      place(*wait, std::next(wait->getIterator()));
      wait->eraseFromParent();
    }
}
