//===- TorchElementwise.cpp - Element-wise ops of torch-mlir --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn::raise;

using Builder1 = Value (*)(ImplicitLocOpBuilder &, Value);
using Builder2 = Value (*)(ImplicitLocOpBuilder &, Value, Value);

template <typename Op> static Value make1(ImplicitLocOpBuilder &b, Value x) {
  return Op::create(b, x);
}
template <typename Op>
static Value make2(ImplicitLocOpBuilder &b, Value x, Value y) {
  return Op::create(b, x, y);
}

static Value makeReciprocal(ImplicitLocOpBuilder &b, Value x) {
  Value one = arith::ConstantOp::create(b, b.getFloatAttr(x.getType(), 1));
  return arith::DivFOp::create(b, one, x);
}

/// Returns the op of one float for the name of a torch op, or null.
static Builder1 findUnary(StringRef name) {
  return llvm::StringSwitch<Builder1>(name)
      .Case("exp", make1<math::ExpOp>)
      .Case("exp2", make1<math::Exp2Op>)
      .Case("log", make1<math::LogOp>)
      .Case("neg", make1<arith::NegFOp>)
      .Case("tanh", make1<math::TanhOp>)
      .Case("sqrt", make1<math::SqrtOp>)
      .Case("rsqrt", make1<math::RsqrtOp>)
      .Case("abs", make1<math::AbsFOp>)
      .Case("reciprocal", makeReciprocal)
      .Default(nullptr);
}

/// Returns the op of two floats, or of two integers, for the name of a torch op
/// without its overload, or null.
static Builder2 findBinary(StringRef name, bool isFloat) {
  if (isFloat)
    return llvm::StringSwitch<Builder2>(name)
        .Case("add", make2<arith::AddFOp>)
        .Case("sub", make2<arith::SubFOp>)
        .Case("mul", make2<arith::MulFOp>)
        .Case("div", make2<arith::DivFOp>)
        .Case("maximum", make2<arith::MaximumFOp>)
        .Case("minimum", make2<arith::MinimumFOp>)
        .Default(nullptr);
  return llvm::StringSwitch<Builder2>(name)
      .Case("add", make2<arith::AddIOp>)
      .Case("sub", make2<arith::SubIOp>)
      .Case("mul", make2<arith::MulIOp>)
      .Default(nullptr);
}

static std::optional<std::pair<arith::CmpFPredicate, arith::CmpIPredicate>>
findComparison(StringRef name) {
  using F = arith::CmpFPredicate;
  using I = arith::CmpIPredicate;
  using Pair = std::optional<std::pair<F, I>>;
  return llvm::StringSwitch<Pair>(name)
      .Case("eq", Pair({F::OEQ, I::eq}))
      .Case("ne", Pair({F::UNE, I::ne}))
      .Case("lt", Pair({F::OLT, I::slt}))
      .Case("le", Pair({F::OLE, I::sle}))
      .Case("gt", Pair({F::OGT, I::sgt}))
      .Case("ge", Pair({F::OGE, I::sge}))
      .Default(std::nullopt);
}

namespace {
/// An operand of an element-wise op: a tensor, or a number.
struct Operand {
  Value tensor;
  double number = 0;

  Type getType() const {
    return cast<ShapedType>(tensor.getType()).getElementType();
  }
};
} // namespace

static std::optional<Operand> getOperand(Operation *op, unsigned i,
                                         GetTensor get) {
  if (i >= op->getNumOperands())
    return std::nullopt;
  if (std::optional<double> number = getTorchNumber(op->getOperand(i)))
    return Operand{nullptr, *number};
  if (Value tensor = get(op->getOperand(i)))
    return Operand{tensor, 0};
  return std::nullopt;
}

/// Builds an op on operands that are tensors or numbers. `body` gets them with
/// the element type `computed`.
static Value build(ShadowBuilder &s, RankedTensorType type,
                   ArrayRef<Operand> operands, Type computed,
                   ShadowBuilder::Body body) {
  SmallVector<Value> tensors;
  for (const Operand &operand : operands) {
    if (!operand.tensor) {
      if (!isa<FloatType>(computed) && !isExactInt(operand.number))
        return nullptr;
      continue;
    }
    if (!canCastScalar(operand.getType(), computed))
      return nullptr;
    tensors.push_back(operand.tensor);
  }
  return s.broadcast(
      type, tensors, [&](ImplicitLocOpBuilder &b, ValueRange elements) {
        SmallVector<Value> scalars;
        unsigned next = 0;
        for (const Operand &operand : operands) {
          if (operand.tensor) {
            scalars.push_back(castScalar(b, elements[next++], computed));
            continue;
          }
          TypedAttr number =
              isa<FloatType>(computed)
                  ? TypedAttr(b.getFloatAttr(computed, operand.number))
                  : TypedAttr(b.getIntegerAttr(
                        computed, static_cast<int64_t>(operand.number)));
          scalars.push_back(arith::ConstantOp::create(b, number));
        }
        return body(b, scalars);
      });
}

/// Returns the type in which torch computes an op with result type `type` on
/// numbers that are not tensors: these are not rounded to f16 or bf16.
static Type getComputed(Type type, ArrayRef<Operand> operands) {
  bool hasNumber = llvm::any_of(
      operands, [](const Operand &operand) { return !operand.tensor; });
  return hasNumber && isa<FloatType>(type) && type.getIntOrFloatBitWidth() < 32
             ? Float32Type::get(type.getContext())
             : type;
}

/// Selects by a condition: where, or masked_fill, whose operands have another
/// order.
static Value buildSelect(ShadowBuilder &s, RankedTensorType type,
                         std::optional<Operand> condition,
                         std::optional<Operand> yes,
                         std::optional<Operand> no) {
  if (!condition || !yes || !no || !condition->tensor ||
      !condition->getType().isInteger(1))
    return nullptr;
  Type element = type.getElementType();
  SmallVector<Value> tensors = {condition->tensor};
  for (const Operand *operand : {&*yes, &*no}) {
    if (operand->tensor && !canCastScalar(operand->getType(), element))
      return nullptr;
    if (operand->tensor)
      tensors.push_back(operand->tensor);
    else if (!isa<FloatType>(element))
      return nullptr;
  }
  return s.broadcast(
      type, tensors, [&](ImplicitLocOpBuilder &b, ValueRange elements) {
        unsigned next = 1;
        auto getScalar = [&](const Operand &operand) -> Value {
          if (operand.tensor)
            return castScalar(b, elements[next++], element);
          return arith::ConstantOp::create(
              b, b.getFloatAttr(element, operand.number));
        };
        Value first = getScalar(*yes), second = getScalar(*no);
        return arith::SelectOp::create(b, elements[0], first, second)
            .getResult();
      });
}

Value mlir::attn::raise::buildTorchElementwise(ShadowBuilder &s, Operation *op,
                                               GetTensor get) {
  StringRef whole = op->getName().getStringRef();
  RankedTensorType type = getBuiltinType(op->getResult(0).getType());
  if (!type || op->getNumOperands() == 0)
    return nullptr;
  Type element = type.getElementType();
  bool isFloat = isa<FloatType>(element);
  auto operand = [&](unsigned i) { return getOperand(op, i, get); };
  if (whole == "torch.prims.convert_element_type") {
    Value tensor = get(op->getOperand(0));
    return tensor && getShape(tensor) == type.getShape()
               ? s.convert(tensor, element)
               : nullptr;
  }
  if (!whole.consume_front("torch.aten."))
    return nullptr;
  auto [name, overload] = whole.split('.');
  if (name == "where" && op->getNumOperands() == 3)
    return buildSelect(s, type, operand(0), operand(1), operand(2));
  if (name == "masked_fill" && op->getNumOperands() == 3)
    return buildSelect(s, type, operand(1), operand(2), operand(0));

  std::optional<Operand> first = operand(0);
  if (!first || !first->tensor)
    return nullptr;
  // With a static shape, it is a constant (buildTorchConstant()).
  if (name == "full_like" && !type.hasStaticShape() && isFloat) {
    std::optional<Operand> number = operand(1);
    if (!number || number->tensor || getShape(first->tensor) != type.getShape())
      return nullptr;
    return s.broadcast(type, first->tensor,
                       [&](ImplicitLocOpBuilder &b, ValueRange) -> Value {
                         return arith::ConstantOp::create(
                             b, b.getFloatAttr(element, number->number));
                       });
  }
  if (name == "to" || name == "_to_copy" || name == "type_as")
    return getShape(first->tensor) == type.getShape()
               ? s.convert(first->tensor, element)
               : nullptr;
  if (Builder1 unary = findUnary(name); unary && overload.empty())
    return isFloat ? build(s, type, *first, element,
                           [&](ImplicitLocOpBuilder &b, ValueRange x) {
                             return unary(b, x[0]);
                           })
                   : nullptr;
  if (name == "logical_not" ||
      (name == "bitwise_not" && element.isInteger(1))) {
    if (!first->getType().isInteger(1) || !element.isInteger(1))
      return nullptr;
    return build(s, type, *first, element,
                 [](ImplicitLocOpBuilder &b, ValueRange x) {
                   Value yes = arith::ConstantIntOp::create(b, 1, 1);
                   return arith::XOrIOp::create(b, x[0], yes).getResult();
                 });
  }
  std::optional<Operand> second = operand(1);
  if (!second)
    return nullptr;
  Operand both[] = {*first, *second};
  if (auto predicates = findComparison(name)) {
    Type compared = first->getType();
    if (second->tensor && second->getType() != compared)
      return nullptr;
    if (!element.isInteger(1) || compared.isInteger(1))
      return nullptr;
    if (isa<FloatType>(compared))
      compared = getComputed(compared, both);
    return build(
        s, type, both, compared,
        [&](ImplicitLocOpBuilder &b, ValueRange x) -> Value {
          if (isa<FloatType>(compared))
            return arith::CmpFOp::create(b, predicates->first, x[0], x[1]);
          return arith::CmpIOp::create(b, predicates->second, x[0], x[1]);
        });
  }
  bool isAnd = name == "logical_and" || name == "bitwise_and",
       isOr = name == "logical_or" || name == "bitwise_or";
  if (isAnd || isOr) {
    if (!second->tensor || !element.isInteger(1) ||
        !first->getType().isInteger(1) || !second->getType().isInteger(1))
      return nullptr;
    return build(s, type, both, element,
                 [&](ImplicitLocOpBuilder &b, ValueRange x) {
                   return isAnd ? Value(arith::AndIOp::create(b, x[0], x[1]))
                                : Value(arith::OrIOp::create(b, x[0], x[1]));
                 });
  }
  Builder2 binary = findBinary(name, isFloat);
  if (!binary || element.isInteger(1))
    return nullptr;
  // Sums have a factor of the second operand, quotients perhaps a rounding.
  bool isSum = name == "add" || name == "sub";
  if (op->getNumOperands() > 2 &&
      (!isSum || getTorchNumber(op->getOperand(2)) != 1.0))
    return nullptr;
  Type computed = getComputed(element, both);
  return build(s, type, both, computed,
               [&](ImplicitLocOpBuilder &b, ValueRange x) {
                 return castScalar(b, binary(b, x[0], x[1]), element);
               });
}
