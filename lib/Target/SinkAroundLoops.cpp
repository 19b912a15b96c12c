//===- SinkAroundLoops.cpp - Fewer live registers in main loops -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of MMAs has registers for little beside its accumulators, and LLVM
// moves in front of it, and of loops around it, what does not vary there. Two
// kinds of that go back: what is needed only in front of the loop, in an
// iteration of one around it, or behind it; and by wgmma what only a branch
// needs that few iterations take, as the mask of a partial block. By mma.sync
// ptxas needs more registers for that as often as fewer. Nothing goes back
// that would keep more values alive.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace {

/// Sinks what is in front of a loop.
class LoopSinker {
public:
  LoopSinker(Loop &loop, LoopInfo &loops, DominatorTree &dominators,
             bool isOfWarpgroups)
      : loop(loop), loops(loops), dominators(dominators),
        isOfWarpgroups(isOfWarpgroups) {}
  void run();

private:
  bool isLater(const Use &use);
  bool isAlive(Value *value, const Instruction *without);
  BasicBlock *findPlace(ArrayRef<Use *> uses);
  bool sink(Instruction *instruction);

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  bool isOfWarpgroups;
};

} // namespace

using Test = bool (*)(const Instruction &);
static bool has(const Loop &loop, Test test) {
  return any_of(loop.blocks(),
                [&](const BasicBlock *block) { return any_of(*block, test); });
}

/// Special registers are read by an instruction like another.
static bool isSpecialRegister(const Value *value) {
  auto *call = dyn_cast<IntrinsicInst>(value);
  return call && call->arg_empty() && call->doesNotAccessMemory();
}

static bool maySink(const Instruction *instruction) {
  return isa<BinaryOperator, CastInst, CmpInst, SelectInst, MinMaxIntrinsic,
             GetElementPtrInst>(instruction) ||
         isSpecialRegister(instruction);
}

static BasicBlock *getBlock(const Use &use) {
  auto *user = cast<Instruction>(use.getUser());
  if (auto *phi = dyn_cast<PHINode>(user))
    return phi->getIncomingBlock(use);
  return user->getParent();
}

/// Whether a value from in front of the loop is kept in it for this use.
bool LoopSinker::isLater(const Use &use) {
  BasicBlock *block = getBlock(use);
  if (dominators.dominates(loop.getHeader(), block))
    return true;
  auto *definition = dyn_cast<Instruction>(use.get());
  for (Loop *outer = loop.getParentLoop(); outer;
       outer = outer->getParentLoop())
    if (outer->contains(block) &&
        !(definition && outer->contains(definition->getParent())))
      return true;
  return false;
}

/// Whether the loop keeps the value, whatever becomes of one of its users.
bool LoopSinker::isAlive(Value *value, const Instruction *without) {
  return any_of(value->uses(), [&](const Use &use) {
    return use.getUser() != without && isLater(use);
  });
}

/// A block that all the uses are behind, from which the loop does not keep the
/// value or which some of its iterations leave out; or null.
BasicBlock *LoopSinker::findPlace(ArrayRef<Use *> uses) {
  BasicBlock *block = nullptr;
  for (Use *use : uses)
    block = block ? dominators.findNearestCommonDominator(block, getBlock(*use))
                  : getBlock(*use);
  if (!block)
    return nullptr;
  Loop *around = loops.getLoopFor(block);
  if (around == &loop)
    return isOfWarpgroups && !dominators.dominates(block, loop.getLoopLatch())
               ? block
               : nullptr;
  if (around && !around->contains(&loop))
    return nullptr;
  // In front of the loop, for what is behind it as well.
  if (dominators.dominates(block, loop.getHeader()) &&
      any_of(uses, [&](Use *use) {
        return dominators.dominates(loop.getHeader(), getBlock(*use));
      }))
    return nullptr;
  return block;
}

bool LoopSinker::sink(Instruction *instruction) {
  SmallVector<Use *> uses;
  for (Use &use : instruction->uses())
    if (isLater(use))
      uses.push_back(&use);
  BasicBlock *block = findPlace(uses);
  if (!block)
    return false;
  int kept = 0;
  for (Value *operand : instruction->operands())
    if (isa<Instruction>(operand) && !isSpecialRegister(operand) &&
        !isAlive(operand, instruction))
      kept += mlir::attn::getNumRegisters(operand->getType());
  if (kept > mlir::attn::getNumRegisters(instruction->getType()))
    return false;
  Instruction *copy = instruction->clone();
  BasicBlock::iterator place = block->getTerminator()->getIterator();
  for (Instruction &other : *block)
    if (any_of(uses, [&](Use *use) {
          return use->getUser() == &other && !isa<PHINode>(other);
        })) {
      place = other.getIterator();
      break;
    }
  copy->insertInto(block, place);
  for (Use *use : uses)
    use->set(copy);
  if (instruction->use_empty())
    instruction->eraseFromParent();
  return true;
}

void LoopSinker::run() {
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

void mlir::attn::sinkAroundLoops(Module &module) {
  for (Function &function : module) {
    if (function.isDeclaration())
      continue;
    DominatorTree dominators(function);
    LoopInfo loops(dominators);
    for (Loop *loop : loops.getLoopsInPreorder())
      // Loops within it wait for barriers.
      if (has(*loop, isMma) && none_of(loop->getSubLoops(), [](Loop *inner) {
            return has(*inner, isMma);
          }))
        LoopSinker(*loop, loops, dominators, has(*loop, isWarpgroupMma)).run();
  }
}
