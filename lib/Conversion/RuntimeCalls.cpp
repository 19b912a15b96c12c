//===- RuntimeCalls.cpp - Calls of attnrt in host functions ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::attn;

LLVM::LLVMFuncOp RuntimeCalls::getFunction(StringRef name,
                                           ArrayRef<Type> parameters) {
  if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return function;
  auto atStart = OpBuilder::atBlockBegin(module.getBody());
  auto function =
      LLVM::LLVMFuncOp::create(atStart, module.getLoc(), name,
                               LLVM::LLVMFunctionType::get(i32, parameters));
  symbols.insert(function);
  return function;
}

Value RuntimeCalls::allocate(Operation *op, Type type, int64_t count,
                             unsigned alignment) {
  auto function = op->getParentOfType<func::FuncOp>();
  auto b =
      NumberBuilder::atBlockBegin(op->getLoc(), &function.getBody().front());
  return LLVM::AllocaOp::create(b, ptr, type, constant(b, i64, count),
                                alignment);
}

void RuntimeCalls::returnOnFailure(Operation *op, Value status) {
  auto b = NumberBuilder(op->getLoc(), op->getContext());
  b.setInsertionPointAfter(op);
  Value isGood = b.eq(status, arith::ConstantIntOp::create(b, i32, 0));
  b.setInsertionPointToEnd(branchOnFailure(isGood.getDefiningOp(), isGood));
  func::ReturnOp::create(b, status);
}

void RuntimeCalls::lowerQuery(Operation *op, StringRef function,
                              ValueRange arguments, Type type) {
  NumberBuilder b(op->getLoc(), op);
  SmallVector<Value> operands(arguments);
  operands.push_back(allocate(op, type, 1));
  SmallVector<Type> types(operands.size(), ptr);
  auto call = LLVM::CallOp::create(b, getFunction(function, types), operands);
  returnOnFailure(call, call.getResult());
  b.setInsertionPoint(op);
  Value value = LLVM::LoadOp::create(b, type, operands.back());
  if (op->getResult(0).getType().isIndex())
    value = b.indexCast(b.getIndexType(), value);
  op->getResult(0).replaceAllUsesWith(value);
  op->erase();
}

Block *attn::branchOnFailure(Operation *op, Value isGood) {
  Block *block = op->getBlock();
  Block *next = block->splitBlock(op->getNextNode());
  Block *failed = new Block;
  block->getParent()->push_back(failed);
  auto b = OpBuilder::atBlockEnd(block);
  cf::CondBranchOp::create(b, op->getLoc(), isGood, next, ValueRange(), failed,
                           ValueRange());
  return failed;
}

Value StringConstants::get(NumberBuilder &b, StringRef name, StringRef text) {
  LLVM::GlobalOp &global = globals[text];
  if (!global) {
    Operation *module = symbols.getOp();
    auto atStart = OpBuilder::atBlockBegin(&module->getRegion(0).front());
    std::string bytes = (text + StringRef("\0", 1)).str();
    global = LLVM::GlobalOp::create(
        atStart, module->getLoc(),
        LLVM::LLVMArrayType::get(atStart.getI8Type(), bytes.size()),
        /*isConstant=*/true, LLVM::Linkage::Internal, name,
        atStart.getStringAttr(bytes));
    symbols.insert(global);
  }
  return LLVM::AddressOfOp::create(b, global);
}
