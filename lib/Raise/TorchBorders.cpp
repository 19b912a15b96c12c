//===- TorchBorders.cpp - Functions of torch-mlir on builtin tensors ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Torch.h"

#include "attn/Raise/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNTORCHBORDERSPASS
#include "attn/Raise/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::raise;

static bool hasName(Operation *op, StringRef name) {
  return op && op->getName().getStringRef() == name;
}

/// Whether all that the op does is to convert a tensor of a type of torch-mlir
/// from or to the builtin type that corresponds to it.
static bool isBorder(Operation *op, bool isFrom) {
  if (!hasName(op, isFrom ? kFromTensor : kToTensor) ||
      op->getNumOperands() != 1 || op->getNumResults() != 1)
    return false;
  Type torch =
           isFrom ? op->getResult(0).getType() : op->getOperand(0).getType(),
       builtin =
           isFrom ? op->getOperand(0).getType() : op->getResult(0).getType();
  return builtin == getBuiltinType(torch);
}

/// Whether the function's arguments and results of torch-mlir's types are only
/// converted to builtin tensors, and from these.
static bool canConvert(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return false;
  Block &block = function.getBody().front();
  for (BlockArgument argument : block.getArguments())
    if (getBuiltinType(argument.getType()) &&
        !llvm::all_of(argument.getUsers(), [](Operation *user) {
          return isBorder(user, /*isFrom=*/false);
        }))
      return false;
  return llvm::all_of(block.getTerminator()->getOperands(), [](Value value) {
    return !getBuiltinType(value.getType()) || isa<BlockArgument>(value) ||
           isBorder(value.getDefiningOp(), /*isFrom=*/true);
  });
}

static void convert(func::FuncOp function) {
  Block &block = function.getBody().front();
  Operation *end = block.getTerminator();
  for (BlockArgument argument : block.getArguments()) {
    RankedTensorType type = getBuiltinType(argument.getType());
    if (!type)
      continue;
    argument.setType(type);
    for (Operation *user : llvm::make_early_inc_range(argument.getUsers())) {
      if (user == end)
        continue;
      user->getResult(0).replaceAllUsesWith(argument);
      user->erase();
    }
  }
  for (OpOperand &operand : end->getOpOperands()) {
    Operation *source = operand.get().getDefiningOp();
    if (!source || !isBorder(source, /*isFrom=*/true))
      continue;
    operand.set(source->getOperand(0));
    if (source->use_empty())
      source->erase();
  }
  function.setFunctionType(FunctionType::get(
      function.getContext(), block.getArgumentTypes(), end->getOperandTypes()));
  // Constants of torch-mlir that nothing reads any more.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (op.use_empty() && isPureTorch(&op))
      op.erase();
}

namespace {
struct AttnTorchBordersPass
    : public attn::impl::AttnTorchBordersPassBase<AttnTorchBordersPass> {
  using AttnTorchBordersPassBase::AttnTorchBordersPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      // Callers would have to convert, too.
      if (!function.isDeclaration() && canConvert(function) &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        convert(function);
    }
  }
};
} // namespace
