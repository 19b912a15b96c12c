//===- CompareConstants.cpp - Columns of a thread against one bound -------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thread's columns are its own position plus constants, and a mask compares
// each with the bound of a row. ptxas keeps all these sums in registers; the
// bound less the position is one, and the constants part of the comparisons.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// Whether neither `position + constant` nor `bound - position` wraps.
static bool fits(llvm::Value *position, const APInt &constant,
                 llvm::Value *bound) {
  auto range = [](llvm::Value *value) {
    return computeConstantRange(value, /*ForSigned=*/true);
  };
  constexpr auto kNever = ConstantRange::OverflowResult::NeverOverflows;
  return range(position).signedAddMayOverflow(constant) == kNever &&
         range(bound).signedSubMayOverflow(range(position)) == kNever;
}

static void compareConstants(Function &function) {
  SmallVector<ICmpInst *> comparisons;
  for (Instruction &instruction : instructions(function))
    if (auto *comparison = dyn_cast<ICmpInst>(&instruction))
      if (comparison->isSigned() &&
          comparison->getOperand(0)->getType()->isIntegerTy(32))
        comparisons.push_back(comparison);
  // By block, bound and position.
  DenseMap<std::tuple<BasicBlock *, llvm::Value *, llvm::Value *>,
           llvm::Value *>
      differences;
  for (ICmpInst *comparison : comparisons) {
    llvm::Value *position = nullptr;
    const APInt *constant = nullptr;
    auto isColumn = m_AddLike(m_Value(position), m_APInt(constant));
    CmpInst::Predicate predicate = comparison->getSwappedPredicate();
    llvm::Value *column = comparison->getOperand(0);
    llvm::Value *bound = comparison->getOperand(1);
    if (!match(column, isColumn)) {
      std::swap(column, bound);
      predicate = comparison->getPredicate();
      if (!match(column, isColumn))
        continue;
    }
    auto *sum = dyn_cast<Instruction>(column);
    if (!sum || isa<Constant>(bound) || !fits(position, *constant, bound))
      continue;
    llvm::Value *&difference =
        differences[{comparison->getParent(), bound, position}];
    if (!difference)
      difference = IRBuilder<>(comparison).CreateNSWSub(bound, position);
    IRBuilder<> builder(comparison);
    comparison->replaceAllUsesWith(
        builder.CreateICmp(predicate, difference, builder.getInt(*constant)));
    comparison->eraseFromParent();
    if (sum->use_empty())
      sum->eraseFromParent();
  }
}

void mlir::attn::compareConstants(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      ::compareConstants(function);
}
