//===- StableHLOSizes.cpp - Sizes of results of StableHLO -----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizes.h"
#include "StableHLO.h"

using namespace mlir;
using namespace mlir::attn::raise;

std::optional<Extent> Sizes::computeStableHLODim(Operation *op, int64_t dim) {
  StringRef name = op->getName().stripDialect();
  unsigned count = op->getNumOperands();
  auto getRank = [&](unsigned i) {
    return cast<ShapedType>(op->getOperand(i).getType()).getRank();
  };
  if (count == 0 || !areTypesValid(op))
    return std::nullopt;
  int64_t rank = cast<ShapedType>(op->getResult(0).getType()).getRank();
  if ((name == "dynamic_broadcast_in_dim" || name == "dynamic_reshape") &&
      count == 2)
    return getElement(op->getOperand(1), dim);
  if (name == "dynamic_iota")
    return getElement(op->getOperand(0), dim);
  if (name == "transpose") {
    SmallVector<int64_t> permutation = getNumbers(op->getAttr("permutation"));
    if (static_cast<int64_t>(permutation.size()) != rank ||
        !areDims(permutation, getRank(0)))
      return std::nullopt;
    return getDim(op->getOperand(0), permutation[dim]);
  }
  if (name == "reduce") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("dimensions"));
    for (int64_t source = 0; source < getRank(0); ++source)
      if (!llvm::is_contained(dims, source) && dim-- == 0)
        return getDim(op->getOperand(0), source);
    return std::nullopt;
  }
  if (name == "dot_general" || name == "dot") {
    std::optional<DotDims> dims = getDotDims(op);
    if (!dims)
      return std::nullopt;
    if (dim < static_cast<int64_t>(dims->lhsBatch.size()))
      return getDim(op->getOperand(0), dims->lhsBatch[dim]);
    dim -= dims->lhsBatch.size();
    for (unsigned side : {0u, 1u})
      for (int64_t source = 0; source < getRank(side); ++source) {
        bool isGone = llvm::is_contained(side ? dims->rhsBatch : dims->lhsBatch,
                                         source) ||
                      llvm::is_contained(
                          side ? dims->rhsSummed : dims->lhsSummed, source);
        if (!isGone && dim-- == 0)
          return getDim(op->getOperand(side), source);
      }
    return std::nullopt;
  }
  static constexpr StringRef kElementwise[] = {
      "add",     "subtract",  "multiply",    "divide", "maximum",
      "minimum", "negate",    "exponential", "log",    "tanh",
      "sqrt",    "rsqrt",     "power",       "abs",    "convert",
      "select",  "compare",   "and",         "or",     "not",
      "xor",     "remainder", "logistic",    "floor",  "is_finite",
      "clamp",   "ceil",      "sine",        "cosine"};
  if (llvm::is_contained(kElementwise, name))
    for (Value operand : op->getOperands())
      if (cast<ShapedType>(operand.getType()).getRank() == rank)
        return getDim(operand, dim);
  return std::nullopt;
}

std::optional<Extent> Sizes::computeStableHLONumber(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()))
    return std::nullopt;
  if (name == "constant") {
    auto value = dyn_cast_or_null<DenseIntElementsAttr>(op->getAttr("value"));
    if (!value || value.getNumElements() != 1)
      return std::nullopt;
    return getConstant((*value.value_begin<APInt>()).getSExtValue());
  }
  if (op->getNumOperands() == 0)
    return std::nullopt;
  auto isNumber = [](Value value) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    return type && type.getRank() == 0;
  };
  if (name == "get_dimension_size") {
    auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    if (!dim || !type || !areDims(dim.getInt(), type.getRank()))
      return std::nullopt;
    return getDim(op->getOperand(0), dim.getInt());
  }
  if (name == "reshape" && !isNumber(op->getOperand(0)))
    return getElement(op->getOperand(0), 0);
  if (!llvm::all_of(op->getOperands(), isNumber))
    return std::nullopt;
  auto getOperand = [&](unsigned i) { return get(op->getOperand(i)); };
  if (name == "convert" || name == "reshape")
    return getOperand(0);
  if (op->getNumOperands() != 2)
    return std::nullopt;
  if (name == "add")
    return add(getOperand(0), getOperand(1), 1);
  if (name == "subtract")
    return add(getOperand(0), getOperand(1), -1);
  if (name == "multiply")
    return multiply(getOperand(0), getOperand(1));
  if (name == "divide")
    return divide(resolve(getOperand(0)), resolve(getOperand(1)));
  return std::nullopt;
}
