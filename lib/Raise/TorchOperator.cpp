//===- TorchOperator.cpp - Attention between torch-mlir's tensors --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"
#include "Torch.h"

using namespace mlir;
using namespace mlir::attn::raise;

Operation *mlir::attn::raise::makeTensorAttention(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), "onnx.Attention");
  for (Value operand : op->getOperands()) {
    RankedTensorType type = getBuiltinType(operand.getType());
    if (!type) {
      // An operand without a tensor type is passed on as it is, such as
      // torch-mlir's `none` for an operand that is not given.
      state.operands.push_back(operand);
      continue;
    }
    OperationState cast(op->getLoc(), "torch_c.to_builtin_tensor");
    cast.addOperands(operand);
    cast.addTypes(type);
    state.operands.push_back(b.create(cast)->getResult(0));
  }
  for (Type type : op->getResultTypes()) {
    RankedTensorType tensor = getBuiltinType(type);
    state.addTypes(tensor ? Type(tensor) : type);
  }
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (name.consume_front("torch.onnx."))
      state.addAttribute(name, attribute.getValue());
  }
  return b.create(state);
}
