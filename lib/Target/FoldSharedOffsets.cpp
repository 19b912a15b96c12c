//===- FoldSharedOffsets.cpp - Offsets in shared memory addresses ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses in shared memory are computed in 32 bits and extended to the 64
// bits of a pointer. A constant that is added before the extension needs a
// register of its own, since the sum might overflow; one that is added after
// the extension is part of the load or store instruction. Tiles of the same
// layout then share address registers.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {
class OffsetFolder {
public:
  explicit OffsetFolder(Function &function) : function(function) {}
  void run();

private:
  /// Represents a 32-bit value as the sum of another 32-bit value and a
  /// constant.
  using Sum = std::pair<llvm::Value *, int64_t>;
  Sum split(llvm::Value *word);
  llvm::Value *createPointer(llvm::Value *word, llvm::Type *type);
  void fold(IntToPtrInst *pointer);

  Function &function;
  DenseMap<llvm::Value *, Sum> sums;
  /// The pointers that createPointer() has created, by their 32-bit addresses.
  DenseMap<llvm::Value *, llvm::Value *> pointers;
};
} // namespace

OffsetFolder::Sum OffsetFolder::split(llvm::Value *word) {
  if (Sum known = sums.lookup(word); known.first)
    return known;
  Sum sum = {word, 0};
  llvm::Value *lhs = nullptr, *rhs = nullptr;
  const APInt *constant = nullptr;
  if (match(word, m_AddLike(m_Value(lhs), m_APInt(constant)))) {
    Sum rest = split(lhs);
    sum = {rest.first, rest.second + constant->getSExtValue()};
  } else if (match(word, m_Add(m_Value(lhs), m_Value(rhs)))) {
    Sum left = split(lhs), right = split(rhs);
    if (int64_t offset = left.second + right.second)
      sum = {IRBuilder<>(cast<Instruction>(word))
                 .CreateAdd(left.first, right.first),
             offset};
  }
  sums[word] = sum;
  return sum;
}

void OffsetFolder::fold(IntToPtrInst *pointer) {
  llvm::Value *word = nullptr;
  if (!match(pointer->getOperand(0), m_ZExt(m_Value(word))) ||
      !word->getType()->isIntegerTy(32))
    return;
  auto [base, offset] = split(word);
  // A constant that is larger than any offset in shared memory is not folded:
  // it may be an intermediate result that another addition brings back into
  // range.
  constexpr int64_t kMostShared = 1 << 20;
  if (offset == 0 || std::abs(offset) > kMostShared)
    return;
  llvm::Value *&found = pointers[base];
  if (!found)
    found = createPointer(base, pointer->getType());
  if (!found)
    return;
  IRBuilder<> builder(pointer);
  pointer->replaceAllUsesWith(
      builder.CreateGEP(builder.getInt8Ty(), found, builder.getInt64(offset)));
  pointer->eraseFromParent();
}

/// Returns a pointer made from the 32-bit address `word`, created directly
/// after the instruction that computes it, or at the function's entry for an
/// argument or constant. Returns null if nothing can be inserted there.
llvm::Value *OffsetFolder::createPointer(llvm::Value *word, llvm::Type *type) {
  BasicBlock::iterator place = function.getEntryBlock().getFirstInsertionPt();
  if (auto *instruction = dyn_cast<Instruction>(word)) {
    auto behind = instruction->getInsertionPointAfterDef();
    if (!behind)
      return nullptr;
    place = *behind;
  }
  IRBuilder<> builder(place->getParent(), place);
  // The 32-bit address is sign-extended, since it may be negative although its
  // sum with the constant is not.
  return builder.CreateIntToPtr(builder.CreateSExt(word, builder.getInt64Ty()),
                                type);
}

void OffsetFolder::run() {
  constexpr unsigned kSharedSpace = 3;
  SmallVector<IntToPtrInst *> inShared;
  for (Instruction &instruction : instructions(function))
    if (auto *pointer = dyn_cast<IntToPtrInst>(&instruction))
      if (pointer->getAddressSpace() == kSharedSpace)
        inShared.push_back(pointer);
  for (IntToPtrInst *pointer : inShared)
    fold(pointer);
}

void mlir::attn::foldSharedOffsets(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      OffsetFolder(function).run();
}
