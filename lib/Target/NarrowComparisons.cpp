//===- NarrowComparisons.cpp - Comparisons of positions in 32 bits --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A mask region compares positions, indices of 64 bits: sums of a block's first
// row or key, of what is the thread's, and of constants. Two such sums differ
// by a number that is one for many of a thread's elements, and constants. Where
// that fits 32 bits, it is computed once, and the constants are part of
// comparisons of 32 bits.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

/// As many comparisons with one difference are worth its computation.
static constexpr size_t kFewest = 4;
/// Sums of sums that are looked into.
static constexpr unsigned kSumDepth = 6;

namespace {
/// Values of 64 bits that are added or subtracted, and a constant. None of the
/// sums wraps.
class Difference {
public:
  /// `numbers` grows by the values that are seen.
  Difference(const DataLayout &layout,
             DenseMap<llvm::Value *, unsigned> &numbers)
      : layout(layout), numbers(numbers) {}

  /// False where a sum may wrap.
  bool add(llvm::Value *value, bool isNegative, unsigned depth = 0);
  /// Orders values, cancels what is added and subtracted, and makes the first
  /// value one that is added; returns whether that changed the sign.
  bool normalize();
  bool fits32() const;
  bool mayBeNegative(llvm::Value *value) const {
    return getRange(value, 0).getSignedMin().isNegative();
  }

  /// Values, and how often each is added, less how often it is subtracted.
  SmallVector<std::pair<llvm::Value *, int64_t>> terms;
  int64_t constant = 0;

private:
  ConstantRange getRange(llvm::Value *value, unsigned depth) const;

  const DataLayout &layout;
  DenseMap<llvm::Value *, unsigned> &numbers;
};
} // namespace

ConstantRange Difference::getRange(llvm::Value *value, unsigned depth) const {
  ConstantRange range = computeConstantRange(value, /*ForSigned=*/true)
                            .intersectWith(ConstantRange::fromKnownBits(
                                               computeKnownBits(value, layout),
                                               /*IsSigned=*/true),
                                           ConstantRange::Signed);
  llvm::Value *lhs = nullptr, *rhs = nullptr;
  if (depth == kSumDepth)
    return range;
  if (match(value, m_AddLike(m_Value(lhs), m_Value(rhs))))
    return range.intersectWith(
        getRange(lhs, depth + 1).add(getRange(rhs, depth + 1)),
        ConstantRange::Signed);
  if (match(value, m_Sub(m_Value(lhs), m_Value(rhs))))
    return range.intersectWith(
        getRange(lhs, depth + 1).sub(getRange(rhs, depth + 1)),
        ConstantRange::Signed);
  return range;
}

bool Difference::add(llvm::Value *value, bool isNegative, unsigned depth) {
  // Far from what wraps when a few are added.
  auto isSmall = [](const ConstantRange &range) {
    return range.getSignedMax().isSignedIntN(40) &&
           range.getSignedMin().isSignedIntN(40);
  };
  ConstantRange range = getRange(value, depth);
  if (!isSmall(range))
    return false;
  if (const APInt *number; match(value, m_APInt(number))) {
    constant += isNegative ? -number->getSExtValue() : number->getSExtValue();
    return true;
  }
  llvm::Value *lhs = nullptr, *rhs = nullptr;
  bool isSum = match(value, m_AddLike(m_Value(lhs), m_Value(rhs)));
  if (depth < kSumDepth &&
      (isSum || match(value, m_Sub(m_Value(lhs), m_Value(rhs)))) &&
      isSmall(getRange(lhs, depth + 1)) && isSmall(getRange(rhs, depth + 1)))
    return add(lhs, isNegative, depth + 1) &&
           add(rhs, isNegative != !isSum, depth + 1);
  numbers.try_emplace(value, numbers.size());
  auto found = llvm::find_if(
      terms, [&](const auto &term) { return term.first == value; });
  if (found == terms.end())
    found = terms.insert(terms.end(), {value, 0});
  found->second += isNegative ? -1 : 1;
  return true;
}

bool Difference::normalize() {
  llvm::erase_if(terms, [](const auto &term) { return term.second == 0; });
  llvm::sort(terms, [&](const auto &lhs, const auto &rhs) {
    return numbers.lookup(lhs.first) < numbers.lookup(rhs.first);
  });
  if (terms.empty() || terms.front().second > 0)
    return false;
  for (auto &[value, count] : terms)
    count = -count;
  constant = -constant;
  return true;
}

bool Difference::fits32() const {
  APInt least(64, 0), most(64, 0);
  for (auto [value, count] : terms) {
    ConstantRange range =
        getRange(value, 0).multiply(ConstantRange(APInt(64, count, true)));
    least += range.getSignedMin();
    most += range.getSignedMax();
  }
  return least.isSignedIntN(32) && most.isSignedIntN(32) &&
         isInt<32>(constant) && isInt<32>(-constant);
}

/// LLVM writes comparisons of what is not negative without a sign.
static CmpInst::Predicate getSigned(ICmpInst *op) {
  return op->isUnsigned() ? op->getSignedPredicate() : op->getPredicate();
}

namespace {
struct Comparison {
  ICmpInst *op;
  CmpInst::Predicate predicate;
  int64_t constant;
};
} // namespace

static void narrowComparisons(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  DenseMap<llvm::Value *, unsigned> numbers;
  for (BasicBlock &block : function) {
    std::vector<std::pair<decltype(Difference::terms), SmallVector<Comparison>>>
        groups;
    for (Instruction &instruction : block) {
      auto *op = dyn_cast<ICmpInst>(&instruction);
      if (!op || !op->getOperand(0)->getType()->isIntegerTy(64))
        continue;
      Difference difference(layout, numbers);
      auto mayBeNegative = [&](llvm::Value *value) {
        return difference.mayBeNegative(value);
      };
      if ((op->isUnsigned() && llvm::any_of(op->operands(), mayBeNegative)) ||
          !difference.add(op->getOperand(0), /*isNegative=*/false) ||
          !difference.add(op->getOperand(1), /*isNegative=*/true))
        continue;
      bool isSwapped = difference.normalize();
      if (difference.terms.empty() || !difference.fits32())
        continue;
      auto found = llvm::find_if(groups, [&](const auto &group) {
        return group.first == difference.terms;
      });
      if (found == groups.end())
        found = groups.insert(groups.end(), {difference.terms, {}});
      found->second.push_back({op,
                               isSwapped
                                   ? CmpInst::getSwappedPredicate(getSigned(op))
                                   : getSigned(op),
                               -difference.constant});
    }
    for (auto &[terms, comparisons] : groups) {
      if (comparisons.size() < kFewest)
        continue;
      // All of the terms are there at the first comparison, which comes first
      // in the block.
      IRBuilder<> b(comparisons.front().op);
      llvm::Value *sum = nullptr;
      for (auto [value, count] : terms) {
        llvm::Value *narrow = b.CreateTrunc(value, b.getInt32Ty());
        if (count != 1)
          narrow = b.CreateMul(narrow, b.getInt32(count));
        sum = sum ? b.CreateAdd(sum, narrow) : narrow;
      }
      for (Comparison &comparison : comparisons) {
        b.SetInsertPoint(comparison.op);
        comparison.op->replaceAllUsesWith(b.CreateICmp(
            comparison.predicate, sum, b.getInt32(comparison.constant)));
        comparison.op->eraseFromParent();
      }
    }
  }
}

void mlir::attn::narrowComparisons(Module &module) {
  for (Function &function : module)
    if (!function.isDeclaration())
      ::narrowComparisons(function);
}
