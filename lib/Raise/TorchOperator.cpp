//===- TorchOperator.cpp - Attention between torch-mlir's tensors --------===//
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

/// Creates an op onnx.Attention on builtin tensors before a torch.operator that
/// has the name of ONNX's attention, and returns it. Operands that are tensors
/// are converted from torch-mlir's type by casts.
static Operation *makeTensorAttention(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), "onnx.Attention");
  for (Value operand : op->getOperands()) {
    // An operand without a tensor type is passed on as it is, such as
    // torch-mlir's `none` for an operand that is not given.
    Value tensor = getTensor(b, operand);
    state.operands.push_back(tensor ? tensor : operand);
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

static Value castFromTensor(Operation *op, Value value, Type type) {
  if (value.getType() == type)
    return value;
  OpBuilder b(op);
  if (isa<RankedTensorType>(type))
    return tensor::CastOp::create(b, op->getLoc(), type, value);
  return convertTensor(b, kFromTensor, value, type);
}

Value OperatorTensors::build(std::string &reason) {
  Operation *before = op->getPrevNode(), *attention = nullptr;
  isContrib = !getContribAttention(op).empty();
  if (isContrib) {
    attention = buildContribAttention(op, call, replacements, reason);
  } else {
    replacements.assign(op->getNumResults(), nullptr);
    bool isOnly = llvm::all_of(op->getResults().drop_front(),
                               [](Value value) { return value.use_empty(); });
    if (isOnly)
      attention = makeTensorAttention(op);
    else
      reason = "more than its first output is used";
  }
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
