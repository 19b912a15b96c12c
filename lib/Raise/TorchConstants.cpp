//===- TorchConstants.cpp - Constants and types of torch-mlir -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

RankedTensorType mlir::attn::raise::getTensorType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor : getBuiltinType(type);
}

Value mlir::attn::raise::convertTensor(OpBuilder &b, StringRef name,
                                       Value value, Type type) {
  OperationState state(value.getLoc(), name);
  state.addOperands(value);
  state.addTypes(type);
  return b.create(state)->getResult(0);
}

Value mlir::attn::raise::getTensor(OpBuilder &b, Value value) {
  RankedTensorType type = getTensorType(value.getType());
  if (!type || type == value.getType())
    return type ? value : nullptr;
  return convertTensor(b, kToTensor, value, type);
}

RankedTensorType mlir::attn::raise::getBuiltinType(Type type) {
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
                        .Case("si32", IntegerType::get(context, 32))
                        .Case("si64", IntegerType::get(context, 64))
                        .Default(Type());
  return ofElements ? RankedTensorType::get(shape, ofElements) : nullptr;
}

bool mlir::attn::raise::isExactInt(double number) {
  constexpr double kMost = int64_t(1) << 53;
  return number >= -kMost && number <= kMost && number == std::floor(number);
}

static Attribute getConstant(Value value, StringRef name) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == name ? op->getAttr("value")
                                                    : Attribute();
}

bool mlir::attn::raise::isTorchNone(Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getName().getStringRef() == "torch.constant.none";
}

std::optional<int64_t> mlir::attn::raise::getTorchInt(Value value) {
  auto number =
      dyn_cast_or_null<IntegerAttr>(getConstant(value, "torch.constant.int"));
  if (!number || number.getValue().getSignificantBits() > 64)
    return std::nullopt;
  return number.getValue().getSExtValue();
}

std::optional<double> mlir::attn::raise::getTorchNumber(Value value) {
  if (std::optional<int64_t> number = getTorchInt(value))
    return *number;
  auto number =
      dyn_cast_or_null<FloatAttr>(getConstant(value, "torch.constant.float"));
  return number ? std::optional(number.getValueAsDouble()) : std::nullopt;
}

std::optional<bool> mlir::attn::raise::getTorchBool(Value value) {
  auto number =
      dyn_cast_or_null<IntegerAttr>(getConstant(value, "torch.constant.bool"));
  return number ? std::optional(!number.getValue().isZero()) : std::nullopt;
}

std::optional<SmallVector<int64_t>>
mlir::attn::raise::getTorchInts(Value list) {
  Operation *op = list.getDefiningOp();
  if (!op || op->getName().getStringRef() != "torch.prim.ListConstruct")
    return std::nullopt;
  SmallVector<int64_t> numbers;
  for (Value operand : op->getOperands()) {
    std::optional<int64_t> number = getTorchInt(operand);
    if (!number)
      return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

std::optional<int64_t> mlir::attn::raise::getTorchDim(Value value,
                                                      int64_t rank) {
  std::optional<int64_t> dim = getTorchInt(value);
  if (!dim || *dim < -rank || *dim >= rank)
    return std::nullopt;
  return *dim < 0 ? *dim + rank : *dim;
}

bool mlir::attn::raise::isOffDropout(Operation *op) {
  return op->getNumOperands() == 3 &&
         (getTorchBool(op->getOperand(2)) == false ||
          getTorchNumber(op->getOperand(1)) == 0.0);
}

bool mlir::attn::raise::isPureTorch(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.starts_with("torch.constant.") || name.starts_with("torch_c.") ||
      name == "torch.prim.ListConstruct" || name == "torch.vtensor.literal" ||
      name == "torch.prims.convert_element_type" || isTorchAttentionCall(op))
    return true;
  if (!name.consume_front("torch.aten."))
    return false;
  if (name == "dropout")
    return isOffDropout(op);
  // Ops whose names end in an underscore write to an operand, and are not among
  // these.
  static const llvm::StringSet<> kPure = {"_reshape_alias",
                                          "_safe_softmax",
                                          "_softmax",
                                          "_softmax_backward_data",
                                          "_to_copy",
                                          "_unsafe_view",
                                          "abs",
                                          "add",
                                          "alias",
                                          "amax",
                                          "any",
                                          "arange",
                                          "baddbmm",
                                          "bitwise_and",
                                          "bitwise_not",
                                          "bitwise_or",
                                          "bmm",
                                          "broadcast_to",
                                          "cat",
                                          "clone",
                                          "contiguous",
                                          "detach",
                                          "div",
                                          "empty",
                                          "eq",
                                          "exp",
                                          "exp2",
                                          "expand",
                                          "flatten",
                                          "full",
                                          "full_like",
                                          "ge",
                                          "gt",
                                          "le",
                                          "lift_fresh_copy",
                                          "log",
                                          "logical_and",
                                          "logical_not",
                                          "logical_or",
                                          "lt",
                                          "masked_fill",
                                          "matmul",
                                          "max",
                                          "maximum",
                                          "minimum",
                                          "mm",
                                          "mul",
                                          "ne",
                                          "neg",
                                          "ones",
                                          "ones_like",
                                          "permute",
                                          "reciprocal",
                                          "reshape",
                                          "rsqrt",
                                          "scalar_tensor",
                                          "scaled_dot_product_attention",
                                          "select",
                                          "size",
                                          "slice",
                                          "softmax",
                                          "sqrt",
                                          "squeeze",
                                          "sub",
                                          "sum",
                                          "t",
                                          "tanh",
                                          "to",
                                          "transpose",
                                          "tril",
                                          "triu",
                                          "type_as",
                                          "unflatten",
                                          "unsqueeze",
                                          "view",
                                          "where",
                                          "zeros",
                                          "zeros_like"};
  return kPure.contains(name.split('.').first);
}

/// As getTorchNumber(), with bools, which are 0 or 1.
static std::optional<double> getNumberOrBool(Value value) {
  if (std::optional<bool> truth = getTorchBool(value))
    return *truth;
  return getTorchNumber(value);
}

/// Returns a tensor whose elements are all the number of a torch constant.
static Value fill(ShadowBuilder &s, RankedTensorType type, double number) {
  Type element = type.getElementType();
  TypedAttr value;
  if (element.isInteger(1)) // torch.bool
    number = number != 0;
  if (isa<FloatType>(element))
    value = s.getBuilder().getFloatAttr(element, number);
  else if (isExactInt(number))
    value = IntegerAttr::get(element, APInt(element.getIntOrFloatBitWidth(),
                                            static_cast<int64_t>(number),
                                            /*isSigned=*/true,
                                            /*implicitTrunc=*/true));
  if (!value)
    return nullptr;
  return arith::ConstantOp::create(s.getBuilder(),
                                   DenseElementsAttr::get(type, value));
}

Value mlir::attn::raise::buildTorchConstant(ShadowBuilder &s, Operation *op) {
  StringRef name = op->getName().getStringRef();
  RankedTensorType type = getBuiltinType(op->getResult(0).getType());
  if (!type || !type.hasStaticShape() || type.getNumElements() == 0)
    return nullptr;
  if (name == "torch.vtensor.literal") {
    auto value = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
    if (!value || value.getType().getShape() != type.getShape() ||
        !value.getElementType().isIntOrFloat() ||
        value.getElementType().getIntOrFloatBitWidth() !=
            type.getElementTypeBitWidth() ||
        isa<FloatType>(value.getElementType()) !=
            isa<FloatType>(type.getElementType()))
      return nullptr;
    // The integers of a literal have a sign, those of a builtin tensor not.
    return arith::ConstantOp::create(
        s.getBuilder(),
        DenseElementsAttr::getFromRawBuffer(type, value.getRawData()));
  }
  if (!name.consume_front("torch.aten."))
    return nullptr;
  if (name == "ones" || name == "ones_like")
    return fill(s, type, 1);
  if (name == "zeros" || name == "zeros_like")
    return fill(s, type, 0);
  bool isScalar = name == "scalar_tensor" && type.getRank() == 0;
  if ((name == "full" || name == "full_like" || isScalar) &&
      op->getNumOperands() > 1) {
    std::optional<double> number =
        getNumberOrBool(op->getOperand(isScalar ? 0 : 1));
    return number ? fill(s, type, *number) : nullptr;
  }
  // Positions: the operands are the end, or begin and end, perhaps with a step,
  // before those that say the type.
  bool hasStep = name == "arange.start_step",
       hasStart = name == "arange.start" || hasStep;
  if ((name != "arange" && !hasStart) || type.getRank() != 1 ||
      op->getNumOperands() < 1u + hasStart + hasStep)
    return nullptr;
  std::optional<int64_t> first =
      hasStart ? getTorchInt(op->getOperand(0)) : std::optional<int64_t>(0);
  if (!first || (hasStep && getTorchInt(op->getOperand(2)) != 1))
    return nullptr;
  return s.map(type, {}, {}, [&](ImplicitLocOpBuilder &b, ValueRange) {
    Value index = linalg::IndexOp::create(b, 0);
    Value number = arith::IndexCastOp::create(b, b.getI64Type(), index);
    number = arith::AddIOp::create(b, number,
                                   arith::ConstantIntOp::create(b, *first, 64));
    return castScalar(b, number, type.getElementType());
  });
}
