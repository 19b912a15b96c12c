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
#include "llvm/IR/Instructions.h"

using namespace llvm;

bool mlir::attn::isOwnArgument(const Instruction &instruction) {
  return isOfKind(instruction, mlir::attn::kOwnArgument);
}

/// Returns the statement with which the producer's program begins, or null if
/// roles do not differ in registers.
static Instruction *findProducer(Function &function) {
  for (Instruction &instruction : instructions(function))
    if (mlir::attn::isOfKind(instruction, mlir::attn::kProducer))
      return &instruction;
  return nullptr;
}

bool mlir::attn::giveOwnArguments(Function &function) {
  Instruction *begin = findProducer(function);
  if (!begin)
    return false;
  DominatorTree dominators(function);
  BasicBlock::iterator place = std::next(begin->getIterator());
  for (Argument &argument : function.args()) {
    llvm::Type *type = argument.getType();
    auto isOfRole = [&](const Use &use) {
      return dominators.dominates(begin, use);
    };
    if (!type->isIntegerTy(64) || none_of(argument.uses(), isOfRole))
      continue;
    InlineAsm *nothing =
        InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "", "=l,0",
                       /*hasSideEffects=*/false);
    auto *own = CallInst::Create(nothing, {&argument}, "", place);
    own->addFnAttr(
        llvm::Attribute::get(function.getContext(), mlir::attn::kOwnArgument));
    argument.replaceUsesWithIf(
        own, [&](Use &use) { return use.getUser() != own && isOfRole(use); });
  }
  begin->eraseFromParent();
  return true;
}
