//===- TorchOperator.cpp - Attention between torch-mlir's tensors --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Match.h"

#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the builtin tensor type that corresponds to a tensor type of
/// torch-mlir, which is parsed from its text. Returns null for another type, or
/// if elements are none of f16, bf16, f32 and i1.
static RankedTensorType getTensorType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  StringRef rest = text;
  if (!rest.consume_front("!torch.vtensor<[") || !rest.consume_back(">"))
    return nullptr;
  auto [sizes, element] = rest.rsplit("],");
  SmallVector<StringRef> parts;
  sizes.split(parts, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  SmallVector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t size;
    if (part.trim() == "?")
      shape.push_back(ShapedType::kDynamic);
    else if (!part.trim().getAsInteger(10, size) && size >= 0)
      shape.push_back(size);
    else
      return nullptr;
  }
  MLIRContext *context = type.getContext();
  Type ofElements = llvm::StringSwitch<Type>(element)
                        .Case("f16", Float16Type::get(context))
                        .Case("bf16", BFloat16Type::get(context))
                        .Case("f32", Float32Type::get(context))
                        .Case("i1", IntegerType::get(context, 1))
                        .Default(Type());
  return ofElements ? RankedTensorType::get(shape, ofElements) : nullptr;
}

Operation *mlir::attn::raise::makeTensorAttention(Operation *op) {
  OpBuilder b(op);
  OperationState state(op->getLoc(), "onnx.Attention");
  for (Value operand : op->getOperands()) {
    RankedTensorType type = getTensorType(operand.getType());
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
    RankedTensorType tensor = getTensorType(type);
    state.addTypes(tensor ? Type(tensor) : type);
  }
  for (NamedAttribute attribute : op->getAttrs()) {
    StringRef name = attribute.getName();
    if (name.consume_front("torch.onnx."))
      state.addAttribute(name, attribute.getValue());
  }
  return b.create(state);
}
