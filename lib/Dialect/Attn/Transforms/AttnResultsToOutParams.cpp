//===- AttnResultsToOutParams.cpp - Results as trailing parameters --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitStrides.h"

#include "attn/Dialect/Attn/Transforms/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNRESULTSTOOUTPARAMSPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

static LogicalResult rewrite(func::FuncOp func) {
  FunctionType type = func.getFunctionType();
  SmallVector<RankedTensorType> tensors;
  SmallVector<Type> kept;
  for (Type result : type.getResults()) {
    if (auto tensor = dyn_cast<RankedTensorType>(result))
      tensors.push_back(tensor);
    else
      kept.push_back(result);
  }
  if (tensors.empty())
    return success();
  if (!SymbolTable::symbolKnownUseEmpty(func, func->getParentOp()))
    return func.emitError("public function '")
           << func.getName()
           << "' returns tensors and is called in its module; expected a "
              "private function for the callers";

  unsigned firstParam = func.getNumArguments();
  for (RankedTensorType tensor : tensors)
    if (failed(func.insertArgument(func.getNumArguments(),
                                   getTypeWithUnitInnerStride(tensor), {},
                                   func.getLoc())))
      return failure();
  SmallVector<Attribute> keptAttrs;
  for (auto [i, result] : llvm::enumerate(type.getResults()))
    if (!isa<RankedTensorType>(result))
      keptAttrs.push_back(
          DictionaryAttr::get(func.getContext(), func.getResultAttrs(i)));
  func.setFunctionType(FunctionType::get(
      func.getContext(), func.getFunctionType().getInputs(), kept));
  func.setAllResultAttrs(keptAttrs);

  func.walk([&](func::ReturnOp ret) {
    OpBuilder builder(ret);
    SmallVector<Value> keptOperands;
    unsigned param = firstParam;
    for (Value operand : ret.getOperands()) {
      if (!isa<RankedTensorType>(operand.getType())) {
        keptOperands.push_back(operand);
        continue;
      }
      auto store = bufferization::MaterializeInDestinationOp::create(
          builder, ret.getLoc(), /*result=*/Type(), operand,
          func.getArgument(param++));
      store.setRestrict(true);
      store.setWritable(true);
    }
    ret.getOperandsMutable().assign(keptOperands);
  });
  return success();
}

namespace {
struct AttnResultsToOutParamsPass
    : public attn::impl::AttnResultsToOutParamsPassBase<
          AttnResultsToOutParamsPass> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (func.isPublic() && !func.isDeclaration() && failed(rewrite(func)))
        return signalPassFailure();
  }
};
} // namespace
