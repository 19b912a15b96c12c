//===- SinkAroundLoops.cpp - Sinks values around main loops ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A loop of MMAs has few registers left beside its accumulators, and a loop of
// copies has only those of a producer. But LLVM hoists everything that does not
// vary out of such a loop and the loops around it. This pass sinks two kinds of
// hoisted instructions again: those whose values are used only before the loop,
// in an iteration of a loop around it, or after it; and, for wgmma, those that
// are used only in a branch that few iterations take, such as the mask of a
// partial block. With mma.sync, ptxas needs more registers for the second kind
// as often as fewer. An instruction is not sunk if its operands would keep more
// registers live.
//
// Before that, values that all predecessors of a block compute in the same way
// are computed in the block.
//
// The pass runs after the passes of the code generator on LLVM IR, which move
// values, too. With wgmma, special registers that a sunk instruction uses are
// read again, so that neither LLVM nor ptxas merges the copies; with mma.sync
// this takes more registers as often as fewer.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

/// The depth to which getCost() follows the operands of an instruction. If an
/// instruction is sunk, the loop may have to hold its operands in registers in
/// place of its value.
static constexpr unsigned kCostDepth = 8;

/// A loop of mma.sync has registers to spare if it carries fewer than kCarried
/// registers. A loop of wgmma, whose operands need fewer registers, also has
/// some to spare if it leaves more than kOthersOfWarpgroups for other values.
/// If there are registers to spare, an instruction is only sunk if its own
/// operands take no more registers than its value. Operands are then not
/// computed again, since that takes time (2.5 % of forward at head dim 64).
static constexpr unsigned kCarried = 64;
static constexpr unsigned kOthersOfWarpgroups = 120;

namespace {

/// Moves instructions from before a loop closer to the uses of their values, so
/// that the values occupy no registers during the loop.
class LoopSinker {
public:
  LoopSinker(Loop &loop, LoopInfo &loops, DominatorTree &dominators);
  bool run();

private:
  void findBehind();
  bool isReached(const BasicBlock *block) const {
    return loop.contains(block) || behind.contains(block);
  }
  bool isLater(const Use &use);
  bool isAlive(const Value *value, const Instruction *without);
  unsigned getCost(const Value *value, const Instruction *without,
                   unsigned depth);
  BasicBlock *findPlace(ArrayRef<Use *> uses);
  Value *readAgain(CallInst *read, BasicBlock *block);
  bool sink(Instruction *instruction);

  Loop &loop;
  LoopInfo &loops;
  DominatorTree &dominators;
  bool isOfWarpgroups;
  bool hasFewRegisters;
  /// The blocks that are reached from the loop's exits without passing the
  /// header of the loop or of a loop around it.
  SmallPtrSet<const BasicBlock *, 16> behind;
};

} // namespace

using Test = bool (*)(const Instruction &);
static bool has(const Loop &loop, Test test) {
  return any_of(loop.blocks(),
                [&](const BasicBlock *block) { return any_of(*block, test); });
}

/// Returns the number of 32-bit registers that a value takes. A 64-bit value
/// whose upper half is known to be zero takes one.
static unsigned getRegisters(const Value *value) {
  unsigned own = mlir::attn::getNumRegisters(value->getType());
  auto *instruction = dyn_cast<Instruction>(value);
  if (instruction && value->getType()->isIntegerTy(64) &&
      computeKnownBits(value, instruction->getDataLayout())
              .countMinLeadingZeros() >= 32)
    return 1;
  return own;
}

/// Returns the number of registers that a thread with MMAs can have.
static unsigned getMostRegisters(const Loop &loop) {
  constexpr unsigned kMost = 255;
  return mlir::attn::getConsumerRegisters(*loop.getHeader()->getParent())
      .value_or(kMost);
}

LoopSinker::LoopSinker(Loop &loop, LoopInfo &loops, DominatorTree &dominators)
    : loop(loop), loops(loops), dominators(dominators),
      isOfWarpgroups(has(loop, mlir::attn::isWarpgroupMma)) {
  unsigned carried = 0;
  for (const PHINode &phi : loop.getHeader()->phis())
    carried += getRegisters(&phi);
  hasFewRegisters = !has(loop, mlir::attn::isMma) ||
                    (carried >= kCarried &&
                     (!isOfWarpgroups ||
                      carried + kOthersOfWarpgroups >= getMostRegisters(loop)));
  findBehind();
}

void LoopSinker::findBehind() {
  SmallPtrSet<const BasicBlock *, 4> headers;
  for (Loop *outer = &loop; outer; outer = outer->getParentLoop())
    headers.insert(outer->getHeader());
  SmallVector<BasicBlock *> next;
  loop.getExitBlocks(next);
  while (!next.empty()) {
    BasicBlock *block = next.pop_back_val();
    if (!headers.contains(block) && behind.insert(block).second)
      append_range(next, successors(block));
  }
}

/// Whether the value is read from a special register, such as the thread's
/// number. To read it again costs one instruction.
static bool isSpecialRegister(const Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  return call && call->arg_empty() && call->doesNotAccessMemory();
}

/// Whether the instruction is an MMA or a TMA load: loops with these have few
/// registers to spare.
static bool takesRegisters(const Instruction &instruction) {
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return mlir::attn::isMma(instruction) ||
         (call && call->getCalledFunction()->getName().starts_with(
                      "llvm.nvvm.cp.async.bulk.tensor.g2s"));
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

/// Whether this use makes a value that was computed before the loop stay in a
/// register during the loop. That is so if the use is in the loop or after it,
/// or in a later iteration of an outer loop.
bool LoopSinker::isLater(const Use &use) {
  BasicBlock *block = getBlock(use);
  if (isReached(block))
    return true;
  auto *definition = dyn_cast<Instruction>(use.get());
  for (Loop *outer = loop.getParentLoop(); outer;
       outer = outer->getParentLoop())
    if (outer->contains(block) &&
        !(definition && outer->contains(definition->getParent())))
      return true;
  return false;
}

/// Whether users other than `without` make a value that is computed before the
/// loop stay in a register during the loop.
bool LoopSinker::isAlive(const Value *value, const Instruction *without) {
  return any_of(value->uses(), [&](const Use &use) {
    return use.getUser() != without && isLater(use);
  });
}

/// Returns how many more registers the loop needs so that the user `without`,
/// once it is sunk, can read the value. It is 0 if other users make the value
/// stay in a register during the loop, or if the value can be read again.
/// Otherwise it is the number of the value's registers or, if less, that of the
/// operands from which the value can be computed again, which are followed to
/// `depth`.
unsigned LoopSinker::getCost(const Value *value, const Instruction *without,
                             unsigned depth) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction || isSpecialRegister(value) ||
      mlir::attn::isOwnArgument(*instruction) || isAlive(value, without))
    return 0;
  unsigned own = getRegisters(value);
  if (!maySink(instruction) || depth == 0)
    return own;
  unsigned parts = 0;
  for (const Value *operand : instruction->operands())
    if (parts < own)
      parts += getCost(operand, instruction, depth - 1);
  return std::min(own, parts);
}

/// Returns the block to which an instruction with these uses can move, or null
/// if there is none. It dominates all uses and is in no loop that does not
/// contain this loop. Outside of the loop, the value then occupies no register
/// during the loop. With wgmma, it may also be a block of the loop that some
/// iterations skip.
BasicBlock *LoopSinker::findPlace(ArrayRef<Use *> uses) {
  BasicBlock *block = nullptr;
  for (Use *use : uses)
    block = block ? dominators.findNearestCommonDominator(block, getBlock(*use))
                  : getBlock(*use);
  if (!block)
    return nullptr;
  Loop *around = loops.getLoopFor(block);
  // If the block is in loops that do not contain this loop, takes the block
  // before these loops.
  while (around && !around->contains(&loop)) {
    block = dominators.getNode(around->getHeader())->getIDom()->getBlock();
    around = loops.getLoopFor(block);
  }
  if (around == &loop)
    return isOfWarpgroups && !dominators.dominates(block, loop.getLoopLatch())
               ? block
               : nullptr;
  // There is no such block if this block comes before the loop but a use is in
  // the loop or after it. The value would still occupy registers during the
  // loop.
  if (dominators.dominates(block, loop.getHeader()) &&
      any_of(uses, [&](Use *use) { return isReached(getBlock(*use)); }))
    return nullptr;
  return block;
}

/// Reads a special register again at the beginning of the block, and returns
/// the value. If such reads are there already, an equal one is returned. tid.x,
/// ctaid.x and nctaid.x are read by inline assembly, which no pass merges with
/// the first read.
Value *LoopSinker::readAgain(CallInst *read, BasicBlock *block) {
  StringRef name =
      read->isInlineAsm() ? "" : read->getCalledFunction()->getName();
  Instruction *copy;
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.") &&
      is_contained({"tid.x", "ctaid.x", "nctaid.x"}, name)) {
    auto *move = CallInst::Create(InlineAsm::get(
        FunctionType::get(read->getType(), /*isVarArg=*/false),
        ("mov.u32 $0, %" + name + ";").str(), "=r", /*hasSideEffects=*/false));
    move->setDoesNotAccessMemory();
    copy = move;
  } else {
    copy = read->clone();
  }
  BasicBlock::iterator place = block->getFirstInsertionPt();
  for (; isSpecialRegister(&*place); ++place)
    if (place->isIdenticalTo(copy)) {
      copy->deleteValue();
      return &*place;
    }
  copy->insertInto(block, place);
  return copy;
}

bool LoopSinker::sink(Instruction *instruction) {
  SmallVector<Use *> uses;
  for (Use &use : instruction->uses())
    if (isLater(use))
      uses.push_back(&use);
  BasicBlock *block = findPlace(uses);
  if (!block)
    return false;
  unsigned kept = 0;
  for (Value *operand : instruction->operands())
    kept += getCost(operand, instruction, hasFewRegisters ? kCostDepth : 0);
  if (kept > getRegisters(instruction))
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
  // Within the loop, special registers are not read again, since that would
  // take time in each iteration.
  if (isOfWarpgroups && hasFewRegisters && !loop.contains(block))
    for (Use &operand : copy->operands())
      if (auto *read = dyn_cast<CallInst>(operand);
          read && isSpecialRegister(read) && read->getParent() != block)
        operand.set(readAgain(read, block));
  for (Use *use : uses)
    use->set(copy);
  if (instruction->use_empty())
    instruction->eraseFromParent();
  return true;
}

bool LoopSinker::run() {
  if (!loop.getLoopLatch())
    return false;
  // An instruction is sunk before its operands are, since these may have no
  // other users once it has been sunk.
  bool isChanged = false, isAgain = true;
  while (isAgain) {
    isAgain = false;
    SmallVector<Instruction *> candidates;
    for (BasicBlock &block : *loop.getHeader()->getParent())
      if (!loop.contains(&block) &&
          dominators.dominates(&block, loop.getHeader()))
        for (Instruction &instruction : block)
          if (maySink(&instruction))
            candidates.push_back(&instruction);
    for (Instruction *instruction : reverse(candidates))
      isAgain |= sink(instruction);
    isChanged |= isAgain;
  }
  return isChanged;
}

/// Replaces each phi whose incoming values are identical instructions by one
/// such instruction in the phi's block. Returns whether a phi was replaced.
static bool mergeAlike(Function &function) {
  bool isChanged = false, isAgain = true;
  while (isAgain) {
    isAgain = false;
    for (BasicBlock &block : function)
      for (PHINode &phi : make_early_inc_range(block.phis())) {
        auto *first = dyn_cast<Instruction>(phi.getIncomingValue(0));
        if (!first || !maySink(first) ||
            !all_of(phi.incoming_values(), [&](Value *value) {
              auto *other = dyn_cast<Instruction>(value);
              return other && other->isIdenticalTo(first);
            }))
          continue;
        Instruction *copy = first->clone();
        copy->insertInto(&block, block.getFirstInsertionPt());
        SmallSetVector<Value *, 4> values(phi.op_begin(), phi.op_end());
        phi.replaceAllUsesWith(copy);
        phi.eraseFromParent();
        for (Value *value : values)
          if (value->use_empty())
            cast<Instruction>(value)->eraseFromParent();
        isAgain = true;
      }
    isChanged |= isAgain;
  }
  return isChanged;
}

bool mlir::attn::sinkAroundLoops(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  bool isChanged = mergeAlike(function);
  for (Loop *loop : loops.getLoopsInPreorder())
    // Only the innermost of the loops that contain MMAs or TMA loads are
    // processed. They may still contain loops that wait for barriers.
    if (has(*loop, takesRegisters) &&
        none_of(loop->getSubLoops(),
                [](Loop *inner) { return has(*inner, takesRegisters); }))
      isChanged |= LoopSinker(*loop, loops, dominators).run();
  return isChanged;
}
