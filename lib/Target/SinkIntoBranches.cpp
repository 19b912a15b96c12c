//===- SinkIntoBranches.cpp - Fewer live registers in main loops ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of MMAs masks a block where a branch says that it is partial, which
// few blocks are. LLVM moves what does not vary out of the branch and of the
// loop, which has registers for little beside its accumulators. It goes back
// into the branch, unless that would keep more values alive.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

class BranchSinker {
public:
  BranchSinker(Loop &loop, LoopInfo &loops, DominatorTree &dominators)
      : loop(loop), loops(loops), dominators(dominators) {}
  void run();

private:
  BasicBlock *findBranch(ArrayRef<Use *> uses);
  bool isAlive(Value *value, const Instruction *without);
  bool sink(Instruction *instruction);

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
};

} // namespace

static bool hasMmas(const Loop &loop) {
  for (const BasicBlock *block : loop.blocks())
    for (const Instruction &instruction : *block)
      if (auto *call = dyn_cast<CallInst>(&instruction))
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand()))
          if (assembly->getAsmString().contains("mma"))
            return true;
  return false;
}

/// Special registers are read by an instruction like another.
static bool isSpecialRegister(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->arg_empty() && call->doesNotAccessMemory();
}

static bool maySink(const Instruction *instruction) {
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, MinMaxIntrinsic>(
             instruction) ||
         isSpecialRegister(instruction);
}

/// Registers of 32 bits; predicates are others.
static unsigned getNumRegisters(const Value *value) {
  return (value->getType()->getScalarSizeInBits() + 16) / 32;
}

static BasicBlock *getBlock(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use);
  return user->getParent();
}

/// A block that all the uses are behind and that some iterations leave out, or
/// null.
BasicBlock *BranchSinker::findBranch(ArrayRef<Use *> uses) {
  BasicBlock *block = nullptr;
  for (Use *use : uses)
    block = block ? dominators.findNearestCommonDominator(block, getBlock(*use))
                  : getBlock(*use);
  if (!block || loops.getLoopFor(block) != &loop ||
      dominators.dominates(block, loop.getLoopLatch()))
    return nullptr;
  return block;
}

/// Whether the loop keeps the value, whatever becomes of one of its users.
bool BranchSinker::isAlive(Value *value, const Instruction *without) {
  return any_of(value->uses(), [&](const Use &use) {
    return use.getUser() != without &&
           dominators.dominates(loop.getHeader(), getBlock(use));
  });
}

bool BranchSinker::sink(Instruction *instruction) {
  SmallVector<Use *> inLoop;
  for (Use &use : instruction->uses()) {
    BasicBlock *block = getBlock(use);
    if (loop.contains(block))
      inLoop.push_back(&use);
    else if (dominators.dominates(loop.getHeader(), block))
      return false;
  }
  BasicBlock *block = findBranch(inLoop);
  if (!block)
    return false;
  unsigned kept = 0;
  for (Value *operand : instruction->operands())
    if (isa<Instruction>(operand) && !isSpecialRegister(operand) &&
        !isAlive(operand, instruction))
      kept += getNumRegisters(operand);
  if (kept > getNumRegisters(instruction))
    return false;
  Instruction *copy = instruction->clone();
  BasicBlock::iterator place = block->getTerminator()->getIterator();
  for (Instruction &other : *block)
    if (any_of(inLoop, [&](Use *use) {
          return use->getUser() == &other && !isa<PHINode>(other);
        })) {
      place = other.getIterator();
      break;
    }
  copy->insertInto(block, place);
  for (Use *use : inLoop)
    use->set(copy);
  if (instruction->use_empty())
    instruction->eraseFromParent();
  return true;
}

void BranchSinker::run() {
  if (!loop.getLoopLatch())
    return;
  // Users before their operands, which are theirs alone then.
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    SmallVector<Instruction *> candidates;
    for (BasicBlock &block : *loop.getHeader()->getParent())
      if (!loop.contains(&block) &&
          dominators.dominates(&block, loop.getHeader()))
        for (Instruction &instruction : block)
          if (maySink(&instruction))
            candidates.push_back(&instruction);
    for (Instruction *instruction : reverse(candidates))
      isChanged |= sink(instruction);
  }
}

void mlir::attn::sinkIntoBranches(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
      // Loops within it wait for barriers.
      if (hasMmas(*loop) && none_of(loop->getSubLoops(), [](const Loop *inner) {
            return hasMmas(*inner);
          }))
        BranchSinker(*loop, loops, dominators).run();
  }
}
