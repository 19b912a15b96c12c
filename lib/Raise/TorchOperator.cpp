//===- TorchOperator.cpp - Tensors around attention of ONNX ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribAttention.h"
#include "Torch.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn::raise;

static Value castFromTensor(Operation *op, Value value, Type type) {
  if (value.getType() == type)
    return value;
  OpBuilder b(op);
  if (isa<RankedTensorType>(type))
    return tensor::CastOp::create(b, op->getLoc(), type, value);
  return convertTensor(b, kFromTensor, value, type);
}

Value OperatorTensors::build(std::string &reason) {
  Operation *before = op->getPrevNode(),
            *attention = buildONNXAttention(op, call, replacements, reason);
  if (attention) {
    output = replacements[0] = attention->getResult(0);
    for (auto [i, replacement] : llvm::enumerate(replacements))
      if (replacement)
        replacement =
            castFromTensor(op, replacement, op->getResult(i).getType());
  }
  Operation *first = before ? before->getNextNode() : &op->getBlock()->front();
  for (Operation *inserted = first; inserted != op;
       inserted = inserted->getNextNode())
    made.push_back(inserted);
  if (!output)
    return nullptr;
  // Raising erases what has no uses, so the new tensors get those of the op.
  for (auto [i, replacement] : llvm::enumerate(replacements)) {
    Value result = op->getResult(i);
    for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
      uses.push_back({&use, i});
      use.set(replacement);
    }
  }
  return output;
}

void OperatorTensors::replace() {
  llvm::SetVector<Value> operands(op->operand_begin(), op->operand_end());
  op->erase();
  op = nullptr;
  // Importers of ONNX make ops onnx.NoValue for operands that are not given.
  for (Value operand : operands)
    if (Operation *source = operand.getDefiningOp();
        source && source->use_empty() &&
        source->getName().getStringRef() == "onnx.NoValue")
      source->erase();
}

OperatorTensors::~OperatorTensors() {
  if (!op)
    return;
  for (auto [use, result] : uses)
    use->set(op->getResult(result));
  for (Operation *inserted : llvm::reverse(made))
    if (inserted->use_empty())
      inserted->erase();
}
