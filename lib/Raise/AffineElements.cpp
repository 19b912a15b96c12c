//===- AffineElements.cpp - Elements as index expressions -----------------===//
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

static bool isZeroIndex(Node *node) {
  if (node->kind != NodeKind::Constant)
    return false;
  auto value = dyn_cast<IntegerAttr>(node->constant);
  return value && value.getValue().isZero();
}

/// Whether select(`condition`, `lhs`, `rhs`) always equals `rhs`, as in a
/// broadcast of an array whose dynamic size may be 1. That is so if the
/// condition is "the size of a dimension is 1", `lhs` is the index 0, and `rhs`
/// is an index into that dimension. If the size is 1, `rhs` is 0, too.
bool Elements::isIndexOfOne(Node *condition, Node *lhs, Node *rhs) {
  if (rhs->kind != NodeKind::Index || !isZeroIndex(lhs) ||
      !condition->isApply("arith.cmpi"))
    return false;
  auto predicate = arith::CmpIPredicate(
      cast<IntegerAttr>(condition->attributes.get("predicate")).getInt());
  std::optional<Extent> extent = indexing.getExtentOf(rhs->index);
  std::optional<AffineExpr> size =
      extent ? getSizes().getAffine(*extent, indexing.getContext())
             : std::nullopt;
  std::optional<AffineExpr> left = getAffine(condition->operands[0]),
                            right = getAffine(condition->operands[1]);
  return predicate == arith::CmpIPredicate::eq && size && left && right &&
         indexing.areEqual(*right, indexing.getConstant(1)) &&
         indexing.areEqual(*size, *left);
}

std::optional<AffineExpr> Elements::getAffine(Node *node) {
  node = look(node);
  if (node->kind == NodeKind::Index)
    return node->index;
  if (node->kind == NodeKind::Constant) {
    if (auto value = dyn_cast<IntegerAttr>(node->constant))
      if (!node->type.isInteger(1))
        return indexing.getConstant(value.getValue().getSExtValue());
    if (auto value = dyn_cast<FloatAttr>(node->constant)) {
      double number = value.getValueAsDouble();
      if (std::trunc(number) == number && std::fabs(number) < (1 << 24))
        return indexing.getConstant(static_cast<int64_t>(number));
    }
    return std::nullopt;
  }
  if (node->kind != NodeKind::Apply || node->operands.empty())
    return std::nullopt;
  StringRef name = node->name;
  if (name == "arith.select")
    return fitIndex(node);
  std::optional<AffineExpr> lhs = getAffine(node->operands[0]);
  if (!lhs)
    return std::nullopt;
  std::optional<AffineExpr> result;
  if (node->operands.size() == 1) {
    if (name == "arith.index_cast" || name == "arith.extsi" ||
        name == "arith.trunci" || name == "arith.sitofp" ||
        name == "arith.extf" || name == "arith.truncf")
      result = lhs;
    else if (name == "arith.negf")
      result = *lhs * -1;
  } else if (node->operands.size() == 2) {
    std::optional<AffineExpr> rhs = getAffine(node->operands[1]);
    if (!rhs)
      return std::nullopt;
    auto number = dyn_cast<AffineConstantExpr>(*rhs);
    if (name == "arith.addi" || name == "arith.addf") {
      result = *lhs + *rhs;
    } else if (name == "arith.subi" || name == "arith.subf") {
      result = *lhs - *rhs;
    } else if (name == "arith.muli" || name == "arith.mulf") {
      if (number || isa<AffineConstantExpr>(*lhs))
        result = *lhs * *rhs;
    } else if (number && number.getValue() > 0) {
      auto range = indexing.getRange(*lhs);
      bool isPositive = range && range->first >= 0;
      if (name == "arith.floordivsi" ||
          (isPositive && (name == "arith.divsi" || name == "arith.divui")))
        result = indexing.floorDiv(*lhs, number.getValue());
      else if (isPositive && (name == "arith.remsi" || name == "arith.remui"))
        result = indexing.mod(*lhs, number.getValue());
    }
  }
  if (!result)
    return std::nullopt;
  // Indices are assumed to fit in signed integers of 32 bits, so conversions to
  // i32, i64 and index are exact. A conversion to another type, such as f32,
  // may round or wrap. Unless all values of the index are known to be exact in
  // that type, the node is no index expression.
  if (!isa<IndexType>(node->type) && !node->type.isInteger(64) &&
      !node->type.isInteger(32)) {
    auto range = indexing.getRange(*result);
    int64_t most = 0;
    if (auto type = dyn_cast<FloatType>(node->type))
      most = int64_t(1) << std::min(type.getFPMantissaWidth(), 53u);
    else
      most = (int64_t(1) << (node->type.getIntOrFloatBitWidth() - 1)) - 1;
    if (!range || range->first < -most || range->second > most)
      return std::nullopt;
  }
  return indexing.simplify(*result);
}
