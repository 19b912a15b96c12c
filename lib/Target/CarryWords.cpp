//===- CarryWords.cpp - Bytes that pass through branches as words ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM's scalarizer turns a vector of bytes that a loop carries into one value
// for each byte: each takes a 32-bit register, and instructions unpack and pack
// them. This pass makes loops carry 32-bit integers of four bytes instead. If
// all readers shuffle the bytes into the same pairs, the integers hold the
// bytes in that order.
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using llvm::FixedVectorType;
using llvm::PHINode;
using llvm::ShuffleVectorInst;
using llvm::Value;

/// Returns the operand of a bitcast; returns any other value itself.
static Value *skipCast(Value *value) {
  auto *cast = llvm::dyn_cast<llvm::BitCastInst>(value);
  return cast ? cast->getOperand(0) : value;
}

/// Returns the shuffle of pairs of bytes that all users of the phis' values
/// apply to them. Phis among the users are ignored. Returns null if a user does
/// something else, if shuffles differ, or if there is no user.
static ShuffleVectorInst *findShuffle(llvm::ArrayRef<PHINode *> phis,
                                      llvm::Type *pairs) {
  ShuffleVectorInst *found = nullptr;
  for (PHINode *phi : phis)
    for (llvm::User *user : phi->users()) {
      if (llvm::isa<PHINode>(user))
        continue;
      if (!llvm::isa<llvm::BitCastInst>(user) || user->getType() != pairs)
        return nullptr;
      for (llvm::User *reader : user->users()) {
        auto *shuffle = llvm::dyn_cast<ShuffleVectorInst>(reader);
        if (!shuffle || shuffle->getOperand(0) != user ||
            shuffle->getType() != pairs ||
            (found && found->getShuffleMask() != shuffle->getShuffleMask()))
          return nullptr;
        found = shuffle;
      }
    }
  return found;
}

/// Replaces phis that are vectors of bytes, all of one type, by phis that are
/// vectors of 32-bit integers. If all users shuffle the bytes in the same way,
/// the integers hold the shuffled bytes, and users read these.
static void carryWords(llvm::ArrayRef<PHINode *> phis) {
  auto *type = llvm::cast<FixedVectorType>(phis.front()->getType());
  llvm::LLVMContext &context = type->getContext();
  unsigned bytes = type->getNumElements();
  auto *pairs =
      FixedVectorType::get(llvm::Type::getInt16Ty(context), bytes / 2);
  auto *words =
      FixedVectorType::get(llvm::Type::getInt32Ty(context), bytes / 4);
  ShuffleVectorInst *shuffle = findShuffle(phis, pairs);
  llvm::SmallVector<int> mask;
  if (shuffle)
    mask.assign(shuffle->getShuffleMask().begin(),
                shuffle->getShuffleMask().end());

  llvm::DenseMap<Value *, PHINode *> replacements;
  for (PHINode *phi : phis)
    replacements[phi] = PHINode::Create(words, phi->getNumIncomingValues(), "",
                                        phi->getIterator());
  for (PHINode *phi : phis) {
    PHINode *carried = replacements[phi];
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value *value = phi->getIncomingValue(i);
      llvm::BasicBlock *block = phi->getIncomingBlock(i);
      if (PHINode *other = replacements.lookup(value)) {
        carried->addIncoming(other, block);
        continue;
      }
      // A switch may branch to the phi's block in several cases. The phi then
      // has several entries for the switch's block, whose values must be equal.
      if (int before = carried->getBasicBlockIndex(block); before >= 0) {
        carried->addIncoming(carried->getIncomingValue(before), block);
        continue;
      }
      llvm::IRBuilder<> b(block->getTerminator());
      Value *source = skipCast(value);
      if (shuffle)
        source = b.CreateShuffleVector(b.CreateBitCast(source, pairs), mask);
      carried->addIncoming(b.CreateBitCast(source, words), block);
    }
  }

  llvm::SmallVector<llvm::Instruction *> dead;
  for (PHINode *phi : phis) {
    PHINode *carried = replacements[phi];
    llvm::IRBuilder<> b(&*phi->getParent()->getFirstInsertionPt());
    if (!shuffle) {
      phi->replaceUsesWithIf(
          b.CreateBitCast(carried, type),
          [](llvm::Use &use) { return !llvm::isa<PHINode>(use.getUser()); });
      continue;
    }
    for (llvm::User *user : phi->users()) {
      if (llvm::isa<PHINode>(user))
        continue;
      for (llvm::User *reader : user->users()) {
        for (llvm::User *last : llvm::make_early_inc_range(reader->users()))
          if (last->getType() == words && llvm::isa<llvm::BitCastInst>(last))
            last->replaceAllUsesWith(carried);
        if (!reader->use_empty())
          reader->replaceAllUsesWith(b.CreateBitCast(carried, pairs));
        dead.push_back(llvm::cast<llvm::Instruction>(reader));
      }
      dead.push_back(llvm::cast<llvm::Instruction>(user));
    }
  }
  for (PHINode *phi : phis)
    phi->replaceAllUsesWith(llvm::PoisonValue::get(type));
  for (llvm::Instruction *instruction : dead)
    if (instruction->use_empty())
      instruction->eraseFromParent();
  for (PHINode *phi : phis)
    phi->eraseFromParent();
}

void mlir::attn::carryWords(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::MapVector<llvm::Type *, llvm::SmallVector<PHINode *>> ofTypes;
    for (llvm::BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        if (auto *type = llvm::dyn_cast<llvm::FixedVectorType>(phi.getType());
            type && type->getElementType()->isIntegerTy(8) &&
            type->getNumElements() % 4 == 0)
          ofTypes[type].push_back(&phi);
    for (auto &[type, phis] : ofTypes)
      ::carryWords(phis);
  }
}
