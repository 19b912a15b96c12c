//===- OwnArguments.cpp - Copies of the producer's arguments --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies a kernel's arguments for the producer. If several roles compute the
// same value from the arguments, machine CSE would compute it once before all
// roles, and the producer has few registers to keep such values. An empty
// assembly statement hides from LLVM that the producer's copies equal the
// arguments; ptxas sees a move, and still reads constant memory.
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "attn/Target/AssemblyKinds.h"

#include "llvm/IR/Dominators.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Pass.h"

using namespace llvm;

bool mlir::attn::isOwnArgument(const Instruction &instruction) {
  return isOfKind(instruction, mlir::attn::kOwnArgument);
}

/// Returns the setmaxnreg.dec instruction with the smallest operand, or null if
/// there is none. The role with the fewest registers begins with this
/// instruction.
static Instruction *findSmallestRole(Function &function) {
  Instruction *found = nullptr;
  uint64_t fewest = ~0ull;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<IntrinsicInst>(&instruction);
    if (!call || call->getIntrinsicID() !=
                     Intrinsic::nvvm_setmaxnreg_dec_sync_aligned_u32)
      continue;
    uint64_t registers =
        cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
    if (registers < fewest) {
      fewest = registers;
      found = call;
    }
  }
  return found;
}

namespace {
class OwnArguments : public FunctionPass {
public:
  static char ID;
  OwnArguments() : FunctionPass(ID) {}
  StringRef getPassName() const override {
    return "Arguments of the producer's own";
  }
  void getAnalysisUsage(AnalysisUsage &usage) const override {
    usage.setPreservesCFG();
  }
  bool runOnFunction(Function &function) override;
};
} // namespace

char OwnArguments::ID;

bool OwnArguments::runOnFunction(Function &function) {
  Instruction *begin = findSmallestRole(function);
  if (!begin)
    return false;
  DominatorTree dominators(function);
  BasicBlock::iterator place = std::next(begin->getIterator());
  bool isChanged = false;
  for (Argument &argument : function.args()) {
    Type *type = argument.getType();
    auto isOfRole = [&](const Use &use) {
      return dominators.dominates(begin, use);
    };
    if (!type->isIntegerTy(64) || none_of(argument.uses(), isOfRole))
      continue;
    InlineAsm *nothing = InlineAsm::get(FunctionType::get(type, {type}, false),
                                        "", "=l,0", /*hasSideEffects=*/false);
    auto *own = CallInst::Create(nothing, {&argument}, "", place);
    own->addFnAttr(
        Attribute::get(function.getContext(), mlir::attn::kOwnArgument));
    argument.replaceUsesWithIf(
        own, [&](Use &use) { return use.getUser() != own && isOfRole(use); });
    isChanged = true;
  }
  return isChanged;
}

FunctionPass *mlir::attn::createOwnArgumentsPass() {
  return new OwnArguments();
}
