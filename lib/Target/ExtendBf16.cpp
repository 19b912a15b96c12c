//===- ExtendBf16.cpp - bf16 to f32 by integer instructions ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Extends bf16 to f32 by integer instructions. A bf16 is the upper half of an
// f32. From sm_90 on, LLVM's code generator would write "cvt.f32.bf16", which
// runs in the unit for exponentials (MUFU) at an eighth of the rate of integer
// instructions; a shift or a mask of a 32-bit word that holds two bf16 is
// faster. Both keep NaNs, and later instructions flush subnormal numbers if the
// function requires that.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;

/// If `half` is an element of a vector with an even number of elements, returns
/// the 32-bit word of the vector that holds it, and whether it is the upper
/// half of that word. Otherwise returns a null word.
static std::pair<Value *, bool> findWord(IRBuilder<> &b, Value *half) {
  Value *vector;
  uint64_t element;
  if (!PatternMatch::match(half, PatternMatch::m_ExtractElt(
                                     PatternMatch::m_Value(vector),
                                     PatternMatch::m_ConstantInt(element))))
    return {nullptr, false};
  auto *type = dyn_cast<FixedVectorType>(vector->getType());
  if (!type || type->getNumElements() % 2 != 0)
    return {nullptr, false};
  auto *words =
      FixedVectorType::get(b.getInt32Ty(), type->getNumElements() / 2);
  Value *word =
      b.CreateExtractElement(b.CreateBitCast(vector, words), element / 2);
  return {word, element % 2 != 0};
}

void mlir::attn::extendBf16(Module &module) {
  SmallVector<FPExtInst *> extensions;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *extension = dyn_cast<FPExtInst>(&instruction);
          extension && extension->getSrcTy()->isBFloatTy() &&
          extension->getDestTy()->isFloatTy())
        extensions.push_back(extension);
  for (FPExtInst *extension : extensions) {
    IRBuilder<> b(extension);
    auto [word, isUpper] = findWord(b, extension->getOperand(0));
    if (!word)
      word = b.CreateZExt(
          b.CreateBitCast(extension->getOperand(0), b.getInt16Ty()),
          b.getInt32Ty());
    llvm::Value *bits =
        isUpper ? b.CreateAnd(word, 0xffff0000u) : b.CreateShl(word, 16);
    extension->replaceAllUsesWith(b.CreateBitCast(bits, b.getFloatTy()));
    extension->eraseFromParent();
  }
}
