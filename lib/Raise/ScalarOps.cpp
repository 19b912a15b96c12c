//===- ScalarOps.cpp - Scalar ops on elements, folded ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns the result of the scalar float op called `name`, evaluated in
/// doubles. Returns nothing for an op that this function does not know, and for
/// a binary op with an operand that is NaN.
static std::optional<double> computeFloat(StringRef name,
                                          ArrayRef<double> operands) {
  if (operands.size() == 1) {
    double x = operands[0];
    return llvm::StringSwitch<std::optional<double>>(name)
        .Case("arith.negf", -x)
        .Case("math.sqrt", std::sqrt(x))
        .Case("math.rsqrt", 1 / std::sqrt(x))
        .Case("math.exp", std::exp(x))
        .Case("math.exp2", std::exp2(x))
        .Case("math.log", std::log(x))
        .Case("math.log2", std::log2(x))
        .Case("math.absf", std::fabs(x))
        .Case("math.floor", std::floor(x))
        .Case("math.ceil", std::ceil(x))
        .Cases({"arith.extf", "arith.truncf"}, x)
        .Default(std::nullopt);
  }
  if (operands.size() != 2)
    return std::nullopt;
  double x = operands[0], y = operands[1];
  if (std::isnan(x) || std::isnan(y))
    return std::nullopt;
  return llvm::StringSwitch<std::optional<double>>(name)
      .Case("arith.addf", x + y)
      .Case("arith.subf", x - y)
      .Case("arith.mulf", x * y)
      .Case("arith.divf", x / y)
      .Case("math.powf", std::pow(x, y))
      .Cases({"arith.maximumf", "arith.maxnumf"}, std::fmax(x, y))
      .Cases({"arith.minimumf", "arith.minnumf"}, std::fmin(x, y))
      .Default(std::nullopt);
}

static std::optional<int64_t> computeInteger(StringRef name,
                                             ArrayRef<int64_t> operands) {
  if (operands.size() == 1)
    return llvm::StringSwitch<std::optional<int64_t>>(name)
        .Cases({"arith.index_cast", "arith.extsi", "arith.trunci"}, operands[0])
        .Default(std::nullopt);
  if (operands.size() != 2)
    return std::nullopt;
  int64_t x = operands[0], y = operands[1];
  if ((name == "arith.divsi" || name == "arith.remsi" ||
       name == "arith.floordivsi") &&
      y > 0) {
    int64_t quotient = x / y, remainder = x % y;
    if (name == "arith.floordivsi" && remainder < 0)
      --quotient;
    return name == "arith.remsi" ? remainder : quotient;
  }
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("arith.addi", x + y)
      .Case("arith.subi", x - y)
      .Case("arith.muli", x * y)
      .Case("arith.andi", x & y)
      .Case("arith.ori", x | y)
      .Case("arith.xori", x ^ y)
      .Case("arith.maxsi", std::max(x, y))
      .Case("arith.minsi", std::min(x, y))
      .Default(std::nullopt);
}

static std::optional<bool> compareIntegers(arith::CmpIPredicate predicate,
                                           int64_t x, int64_t y) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return x == y;
  case arith::CmpIPredicate::ne:
    return x != y;
  case arith::CmpIPredicate::slt:
    return x < y;
  case arith::CmpIPredicate::sle:
    return x <= y;
  case arith::CmpIPredicate::sgt:
    return x > y;
  case arith::CmpIPredicate::sge:
    return x >= y;
  default:
    return std::nullopt;
  }
}

/// Returns the constant that an op on constant operands computes, or null if it
/// is not known or does not fit the type.
static TypedAttr computeConstant(StringRef name, Type type,
                                 ArrayRef<Node *> operands,
                                 const NamedAttrList &attributes) {
  SmallVector<double> floats;
  SmallVector<int64_t> integers;
  for (Node *operand : operands) {
    if (auto value = dyn_cast<FloatAttr>(operand->constant))
      floats.push_back(value.getValueAsDouble());
    else if (auto value = dyn_cast<IntegerAttr>(operand->constant))
      // An i1 is 0 or -1 for signed ops.
      integers.push_back(value.getValue().getSExtValue());
  }
  Builder b(type.getContext());
  auto predicate = dyn_cast_or_null<IntegerAttr>(attributes.get("predicate"));
  if (name == "arith.cmpi" && integers.size() == 2) {
    std::optional<bool> result = compareIntegers(
        arith::CmpIPredicate(predicate.getInt()), integers[0], integers[1]);
    return result ? TypedAttr(b.getBoolAttr(*result)) : nullptr;
  }
  if (name == "arith.cmpf" && floats.size() == 2) {
    return b.getBoolAttr(
        arith::applyCmpPredicate(arith::CmpFPredicate(predicate.getInt()),
                                 APFloat(floats[0]), APFloat(floats[1])));
  }
  if (isa<FloatType>(type)) {
    std::optional<double> value;
    if (floats.size() == operands.size())
      value = computeFloat(name, floats);
    else if (integers.size() == 1 && operands.size() == 1 &&
             (name == "arith.sitofp" || name == "arith.uitofp") &&
             (name == "arith.sitofp" || integers[0] >= 0))
      value = static_cast<double>(integers[0]);
    return value ? TypedAttr(b.getFloatAttr(type, *value)) : nullptr;
  }
  if (!isa<IntegerType, IndexType>(type))
    return nullptr;
  if (name == "arith.extui" && integers.size() == 1 && integers[0] >= 0)
    return b.getIntegerAttr(type, integers[0]);
  if (integers.size() != operands.size())
    return nullptr;
  std::optional<int64_t> value = computeInteger(name, integers);
  if (!value)
    return nullptr;
  if (type.isInteger(1))
    return b.getBoolAttr(*value & 1);
  if (auto integer = dyn_cast<IntegerType>(type);
      integer && integer.getWidth() < 64 &&
      !llvm::isIntN(integer.getWidth(), *value))
    return nullptr;
  return b.getIntegerAttr(type, *value);
}

static bool isConstant(Node *node) { return node->kind == NodeKind::Constant; }

static bool isSelectOfConstants(Node *node) {
  return node->isApply("arith.select") && isConstant(node->operands[1]) &&
         isConstant(node->operands[2]);
}

static std::optional<bool> getBool(Node *node) {
  if (!isConstant(node) || !node->type.isInteger(1))
    return std::nullopt;
  return cast<IntegerAttr>(node->constant).getValue().getBoolValue();
}

static bool isNumber(Node *node, double number) {
  if (!isConstant(node))
    return false;
  if (auto value = dyn_cast<FloatAttr>(node->constant))
    return value.getValueAsDouble() == number;
  auto value = dyn_cast<IntegerAttr>(node->constant);
  return value && !node->type.isInteger(1) &&
         value.getValue().getSExtValue() == number;
}

/// Returns the result of a comparison of index expressions, if it is known to
/// be the same for all values of their index variables, and nothing otherwise.
std::optional<bool> Elements::decide(ArrayRef<Node *> operands,
                                     const NamedAttrList &attributes) {
  if (llvm::any_of(operands,
                   [](Node *node) { return node->kind == NodeKind::Lazy; }))
    return std::nullopt;
  std::optional<AffineExpr> lhs = getAffine(operands[0]);
  std::optional<AffineExpr> rhs =
      lhs ? getAffine(operands[1]) : std::optional<AffineExpr>();
  if (!lhs || !rhs)
    return std::nullopt;
  auto range = indexing.getRange(indexing.simplify(*lhs - *rhs));
  if (!range)
    return std::nullopt;
  auto predicate = arith::CmpIPredicate(
      cast<IntegerAttr>(attributes.get("predicate")).getInt());
  std::optional<bool> least = compareIntegers(predicate, range->first, 0),
                      most = compareIntegers(predicate, range->second, 0);
  bool isOrder = predicate != arith::CmpIPredicate::eq &&
                 predicate != arith::CmpIPredicate::ne;
  if (!least || least != most ||
      (!isOrder && range->first != range->second && range->first <= 0 &&
       range->second >= 0))
    return std::nullopt;
  return least;
}

Node *Elements::fold(StringRef name, Type type, ArrayRef<Node *> operands,
                     const NamedAttrList &attributes) {
  if (!operands.empty() && llvm::all_of(operands, isConstant))
    if (TypedAttr value = computeConstant(name, type, operands, attributes))
      return getConstant(value);

  if (name == "arith.cmpi")
    if (std::optional<bool> result = decide(operands, attributes))
      return getConstant(builder.getBoolAttr(*result));
  if (name == "arith.select") {
    Node *condition = operands[0], *lhs = operands[1], *rhs = operands[2];
    if (std::optional<bool> value = getBool(condition))
      return *value ? lhs : rhs;
    if (lhs == rhs)
      return lhs;
    if (isIndexOfOne(condition, lhs, rhs))
      return rhs;
    std::optional<bool> left = getBool(lhs), right = getBool(rhs);
    if (left && right && *left != *right)
      return *left ? condition
                   : getApply(
                         "arith.xori", type,
                         {condition, getConstant(builder.getBoolAttr(true))});
    if (right && !*right)
      return getApply("arith.andi", type, {condition, lhs});
    if (left && *left)
      return getApply("arith.ori", type, {condition, rhs});
    return nullptr;
  }
  if (type.isInteger(1) && operands.size() == 2 &&
      (name == "arith.andi" || name == "arith.ori" || name == "arith.xori" ||
       name == "arith.muli" || name == "arith.maxui"))
    for (unsigned i : {0u, 1u}) {
      std::optional<bool> value = getBool(operands[i]);
      Node *other = operands[1 - i];
      if (!value)
        continue;
      if (name == "arith.xori") {
        if (!*value)
          return other;
        // The negation of a negated condition becomes the condition itself.
        if (other->isApply("arith.xori") && getBool(other->operands[1]) == true)
          return other->operands[0];
        return nullptr;
      }
      bool isAnd = name == "arith.andi" || name == "arith.muli";
      return *value == isAnd ? other : operands[i];
    }
  // The conversion of an i1 to a number becomes a select between two constants.
  if (operands.size() == 1 && operands[0]->type.isInteger(1) &&
      (name == "arith.extui" || name == "arith.uitofp" ||
       name == "arith.extsi" || name == "arith.sitofp")) {
    int64_t one = name == "arith.extsi" || name == "arith.sitofp" ? -1 : 1;
    auto number = [&](int64_t value) {
      return isa<FloatType>(type)
                 ? getFloat(type, value)
                 : getConstant(builder.getIntegerAttr(type, value));
    };
    return getApply("arith.select", type,
                    {operands[0], number(one), number(0)});
  }
  // An op with one operand that is a select between two constants, and
  // otherwise constant operands, becomes a select between the two constants
  // that the op computes.
  Node *chosen = nullptr;
  for (Node *operand : operands) {
    if (isConstant(operand))
      continue;
    if (!isSelectOfConstants(operand) || chosen)
      return nullptr;
    chosen = operand;
  }
  if (!chosen)
    return nullptr;
  SmallVector<Node *> sides;
  for (unsigned side : {1u, 2u}) {
    SmallVector<Node *> ofSide(operands.begin(), operands.end());
    for (Node *&operand : ofSide)
      if (operand == chosen)
        operand = chosen->operands[side];
    TypedAttr value = computeConstant(name, type, ofSide, attributes);
    if (!value)
      return nullptr;
    sides.push_back(getConstant(value));
  }
  if (sides[0]->constant == sides[1]->constant)
    return sides[0];
  return getApply("arith.select", type,
                  {chosen->operands[0], sides[0], sides[1]});
}

Node *Elements::getApply(StringRef name, Type type, ArrayRef<Node *> operands,
                         NamedAttrList attributes) {
  // A power whose base is 2 or e becomes an exponential.
  if (name == "math.powf" && isConstant(operands[0])) {
    if (isNumber(operands[0], 2))
      return getApply("math.exp2", type, operands[1]);
    std::optional<double> base = getConstantFloat(operands[0]);
    if (base && std::abs(*base - std::exp(1.0)) < 1e-6)
      return getApply("math.exp", type, operands[1]);
  }
  // The op is folded if its operands are constants. Lazy operands are not
  // expanded to find out whether they are constants.
  if (Node *folded = fold(name, type, operands, attributes))
    return folded;
  if (operands.size() == 2) {
    Node *lhs = operands[0], *rhs = operands[1];
    bool isSum = name == "arith.addf" || name == "arith.addi";
    if (isSum && isNumber(lhs, 0))
      return rhs;
    if ((isSum || name == "arith.subf" || name == "arith.subi") &&
        isNumber(rhs, 0))
      return lhs;
    bool isProduct = name == "arith.mulf" || name == "arith.muli";
    if (isProduct && isNumber(lhs, 1))
      return rhs;
    if ((isProduct || name == "arith.divf") && isNumber(rhs, 1))
      return lhs;
  }
  if (operands.size() == 1 && operands[0]->type == type &&
      (name == "arith.extf" || name == "arith.truncf" ||
       name == "arith.index_cast"))
    return operands[0];
  // An index that is cast to i64 and back is the index itself.
  if (name == "arith.index_cast" && isa<IndexType>(type) &&
      operands[0]->isApply("arith.index_cast") &&
      isa<IndexType>(operands[0]->operands[0]->type) &&
      operands[0]->type.isInteger(64))
    return operands[0]->operands[0];
  Node *node = make(NodeKind::Apply, type);
  node->name = name;
  node->attributes = attributes;
  node->operands.assign(operands.begin(), operands.end());
  return node;
}

Node *Elements::getCast(Node *node, Type type, bool isUnsigned) {
  Type from = node->type;
  if (from == type)
    return node;
  bool isBool = from.isInteger(1);
  if (isa<FloatType>(from) && isa<FloatType>(type)) {
    bool widens = type.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
    return getApply(widens ? "arith.extf" : "arith.truncf", type, node);
  }
  if (isa<FloatType>(type))
    return getApply(isBool || isUnsigned ? "arith.uitofp" : "arith.sitofp",
                    type, node);
  if (type.isInteger(1)) {
    NamedAttrList attributes;
    bool isFloat = isa<FloatType>(from);
    attributes.set(
        "predicate",
        builder.getI64IntegerAttr(isFloat ? int64_t(arith::CmpFPredicate::UNE)
                                          : int64_t(arith::CmpIPredicate::ne)));
    Node *zero = isFloat ? getFloat(from, 0)
                         : getConstant(builder.getIntegerAttr(from, 0));
    return getApply(isFloat ? "arith.cmpf" : "arith.cmpi", type, {node, zero},
                    attributes);
  }
  if (isa<FloatType>(from))
    return getApply(isUnsigned ? "arith.fptoui" : "arith.fptosi", type, node);
  if (isa<IndexType>(from) || isa<IndexType>(type))
    return getApply("arith.index_cast", type, node);
  bool widens = type.getIntOrFloatBitWidth() > from.getIntOrFloatBitWidth();
  return getApply(widens ? isBool || isUnsigned ? "arith.extui" : "arith.extsi"
                         : "arith.trunci",
                  type, node);
}

Node *Elements::strip(Node *node) {
  for (;;) {
    node = look(node);
    if (!node->isApply("arith.extf") && !node->isApply("arith.truncf"))
      return node;
    node = node->operands.front();
  }
}

bool Elements::takeNegations(Node *&condition) {
  bool isNegated = false;
  condition = look(condition);
  while (condition->isApply("arith.xori")) {
    Node *flag = look(condition->operands[1]);
    if (flag->kind != NodeKind::Constant)
      break;
    isNegated ^= cast<IntegerAttr>(flag->constant).getValue().getBoolValue();
    condition = look(condition->operands[0]);
  }
  return isNegated;
}

std::optional<double> Elements::getConstantFloat(Node *node) {
  node = strip(node);
  if (!isConstant(node))
    return std::nullopt;
  auto value = dyn_cast<FloatAttr>(node->constant);
  return value ? std::optional(value.getValueAsDouble()) : std::nullopt;
}
