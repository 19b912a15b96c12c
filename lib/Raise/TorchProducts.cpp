//===- TorchProducts.cpp - Products and reductions of torch-mlir ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Shadows.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Builds a product of matrices. Dimensions before the last two are batches,
/// which are broadcast.
static Value buildMatmul(ShadowBuilder &s, RankedTensorType type, Value lhs,
                         Value rhs) {
  int64_t rank = type.getRank(), batches = rank - 2;
  SmallVector<AffineMap> maps;
  for (Value side : {lhs, rhs}) {
    ArrayRef<int64_t> shape = getShape(side);
    int64_t first = rank - static_cast<int64_t>(shape.size());
    if (shape.size() < 2 || first < 0)
      return nullptr;
    SmallVector<AffineExpr> indices;
    for (int64_t dim = first; dim < batches; ++dim)
      indices.push_back(shape[dim - first] == 1 && type.getDimSize(dim) != 1
                            ? s.getBuilder().getAffineConstantExpr(0)
                            : s.dim(dim));
    bool isLeft = side == lhs && maps.empty();
    indices.push_back(s.dim(isLeft ? batches : rank));
    indices.push_back(s.dim(isLeft ? rank : batches + 1));
    maps.push_back(s.getMap(rank + 1, indices));
  }
  SmallVector<AffineExpr> result;
  for (int64_t dim = 0; dim < rank; ++dim)
    result.push_back(s.dim(dim));
  Type element = type.getElementType();
  return s.reduce(type, s.getMap(rank + 1, result), {lhs, rhs}, maps,
                  /*isSum=*/true, [&](ImplicitLocOpBuilder &b, ValueRange x) {
                    return arith::MulFOp::create(b,
                                                 castScalar(b, x[0], element),
                                                 castScalar(b, x[1], element))
                        .getResult();
                  });
}

/// Builds `beta` times an array plus `alpha` times a product of batches of
/// matrices. If `beta` is 0, the array is not read.
static Value buildSumWithProduct(ShadowBuilder &s, RankedTensorType type,
                                 Value array, Value lhs, Value rhs, double beta,
                                 double alpha) {
  Value product = buildMatmul(s, type, lhs, rhs);
  if (!product)
    return nullptr;
  SmallVector<Value> operands = {product};
  if (beta != 0)
    operands.push_back(array);
  Type element = type.getElementType();
  return s.broadcast(
      type, operands, [&](ImplicitLocOpBuilder &b, ValueRange x) {
        Type f32 = b.getF32Type();
        auto multiply = [&](Value value, double factor) {
          value = castScalar(b, value, f32);
          if (factor == 1)
            return value;
          Value by = arith::ConstantOp::create(b, b.getF32FloatAttr(factor));
          return arith::MulFOp::create(b, value, by).getResult();
        };
        Value sum = multiply(x[0], alpha);
        if (beta != 0)
          sum = arith::AddFOp::create(b, multiply(x[1], beta), sum);
        return castScalar(b, sum, element);
      });
}

/// Builds a sum or a maximum over dimensions. Of bools, the maximum is whether
/// any is true.
static Value buildReduction(ShadowBuilder &s, RankedTensorType type,
                            Value operand, ArrayRef<int64_t> dims,
                            bool keepsDims, bool isSum) {
  ArrayRef<int64_t> shape = getShape(operand);
  int64_t rank = shape.size();
  SmallVector<AffineExpr> result, ofKept;
  SmallVector<int64_t> sizes;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isReduced = llvm::is_contained(dims, dim);
    if (!isReduced) {
      ofKept.push_back(s.dim(keepsDims ? dim : result.size()));
      result.push_back(s.dim(dim));
      sizes.push_back(shape[dim]);
    }
  }
  auto reduced = RankedTensorType::get(sizes, type.getElementType());
  Value value = s.reduce(
      reduced, s.getMap(rank, result), operand, s.getIdentity(rank), isSum,
      [](ImplicitLocOpBuilder &, ValueRange x) { return x[0]; });
  int64_t kept = keepsDims ? rank : sizes.size();
  if (!value || type.getRank() != kept)
    return nullptr;
  return keepsDims ? s.move(type, value, s.getMap(rank, ofKept)) : value;
}

/// Builds the gradient of a softmax's operand along dimension `dim` from that
/// of its result: P * (dP - sum of P * dP).
static Value buildSoftmaxGradient(ShadowBuilder &s, RankedTensorType type,
                                  Value gradient, Value probabilities,
                                  int64_t dim) {
  int64_t rank = type.getRank();
  if (getShape(gradient) != type.getShape() ||
      getShape(probabilities) != type.getShape())
    return nullptr;
  Type f32 = s.getBuilder().getF32Type();
  SmallVector<AffineExpr> kept;
  SmallVector<int64_t> sizes;
  for (int64_t i = 0; i < rank; ++i)
    if (i != dim) {
      kept.push_back(s.dim(i));
      sizes.push_back(type.getDimSize(i));
    }
  AffineMap all = s.getIdentity(rank), rows = s.getMap(rank, kept);
  Value sums = s.reduce(
      RankedTensorType::get(sizes, f32), rows, {probabilities, gradient},
      {all, all}, /*isSum=*/true, [&](ImplicitLocOpBuilder &b, ValueRange x) {
        return arith::MulFOp::create(b, castScalar(b, x[0], f32),
                                     castScalar(b, x[1], f32))
            .getResult();
      });
  if (!sums)
    return nullptr;
  return s.map(type, {probabilities, gradient, sums}, {all, all, rows},
               [&](ImplicitLocOpBuilder &b, ValueRange x) {
                 Value difference =
                     arith::SubFOp::create(b, castScalar(b, x[1], f32), x[2]);
                 Value product = arith::MulFOp::create(
                     b, castScalar(b, x[0], f32), difference);
                 return castScalar(b, product, type.getElementType());
               });
}

Value mlir::attn::raise::buildTorchProduct(ShadowBuilder &s, Operation *op,
                                           GetTensor get) {
  StringRef name = op->getName().getStringRef();
  RankedTensorType type = getBuiltinType(op->getResult(0).getType());
  unsigned count = op->getNumOperands();
  if (!name.consume_front("torch.aten.") || !type || count < 2)
    return nullptr;
  bool isAny = name == "any.dim" || name == "any.dims";
  Value first = get(op->getOperand(0));
  if (!first || (isAny ? !getElementTypeOrSelf(first.getType()).isInteger(1) ||
                             !type.getElementType().isInteger(1)
                       : !isa<FloatType>(type.getElementType())))
    return nullptr;
  int64_t rank = getShape(first).size();
  bool isOfFloats =
      isa<FloatType>(cast<ShapedType>(first.getType()).getElementType());
  if (name == "matmul" || name == "bmm" || name == "mm") {
    Value second = get(op->getOperand(1));
    if (!second || count != 2)
      return nullptr;
    int64_t other = getShape(second).size();
    bool hasRank = name == "mm"    ? rank == 2 && other == 2
                   : name == "bmm" ? rank == 3 && other == 3
                                   : rank >= 2 && other >= 2;
    if (!hasRank || type.getRank() != std::max(rank, other))
      return nullptr;
    return buildMatmul(s, type, first, second);
  }
  if (name == "baddbmm" && count == 5) {
    Value lhs = get(op->getOperand(1)), rhs = get(op->getOperand(2));
    std::optional<double> beta = getTorchNumber(op->getOperand(3)),
                          alpha = getTorchNumber(op->getOperand(4));
    return lhs && rhs && beta && alpha && type.getRank() == 3 &&
                   getShape(lhs).size() == 3 && getShape(rhs).size() == 3 &&
                   isOfFloats
               ? buildSumWithProduct(s, type, first, lhs, rhs, *beta, *alpha)
               : nullptr;
  }
  if (!isOfFloats && !isAny)
    return nullptr;
  // The rows of nothing but -inf that a safe softmax makes 0 are 0 in
  // attn.attention.
  if ((name == "softmax.int" || name == "_softmax" ||
       name == "_safe_softmax") &&
      count == 3) {
    std::optional<int64_t> dim = getTorchDim(op->getOperand(1), rank);
    if (!dim || getShape(first) != type.getShape())
      return nullptr;
    Value converted = s.convert(first, type.getElementType());
    return converted ? s.softmax(converted, *dim) : nullptr;
  }
  if (name == "_softmax_backward_data" && count == 4) {
    std::optional<int64_t> dim = getTorchDim(op->getOperand(2), rank);
    Value probabilities = get(op->getOperand(1));
    return dim && probabilities
               ? buildSoftmaxGradient(s, type, first, probabilities, *dim)
               : nullptr;
  }
  bool isSum = name == "sum.dim_IntList", isMost = name == "amax",
       isOfDim = name == "max.dim" || name == "any.dim";
  if ((!isSum && !isMost && !isOfDim && !isAny) || count < 3)
    return nullptr;
  std::optional<SmallVector<int64_t>> dims;
  if (isOfDim) {
    if (std::optional<int64_t> dim = getTorchDim(op->getOperand(1), rank))
      dims = SmallVector<int64_t>{*dim};
  } else {
    dims = getTorchInts(op->getOperand(1));
  }
  std::optional<bool> keepsDims = getTorchBool(op->getOperand(2));
  // Without dimensions, torch reduces all of them.
  if (!dims || dims->empty() || !keepsDims)
    return nullptr;
  for (int64_t &dim : *dims) {
    dim += dim < 0 ? rank : 0;
    if (dim < 0 || dim >= rank)
      return nullptr;
  }
  return buildReduction(s, type, first, *dims, *keepsDims, isSum);
}

/// Returns a tensor of rank 4 for an operand of attention. What is before rows
/// and columns is batch and heads.
static Value getFour(ShadowBuilder &s, Value operand) {
  auto type = cast<RankedTensorType>(operand.getType());
  if (type.getRank() == 4)
    return operand;
  SmallVector<int64_t> shape(type.getShape());
  while (shape.size() < 4)
    shape.insert(shape.end() - 2, 1);
  return s.reshape(type.clone(shape), operand);
}

Value mlir::attn::raise::buildTorchAttention(ShadowBuilder &s, Operation *op,
                                             GetTensor get,
                                             std::string &reason) {
  RankedTensorType type = getBuiltinType(op->getResult(0).getType());
  unsigned count = op->getNumOperands();
  Value tensors[3];
  for (unsigned i = 0; i < 3 && i < count; ++i)
    tensors[i] = get(op->getOperand(i));
  if (!type || count < 6 || count > 8 || op->getNumResults() != 1 ||
      !llvm::all_of(tensors, [](Value x) { return static_cast<bool>(x); })) {
    reason = "expected tensors of query, key and value of f16, bf16 or f32, "
             "then a mask, dropout_p, is_causal, scale and enable_gqa";
    return nullptr;
  }
  if (getTorchNumber(op->getOperand(4)) != 0.0) {
    reason = "it has a dropout, or one that is not constant";
    return nullptr;
  }
  std::optional<bool> isCausal = getTorchBool(op->getOperand(5)),
                      isGrouped = count > 7 ? getTorchBool(op->getOperand(7))
                                            : std::optional(false);
  bool hasScale = count > 6 && !isTorchNone(op->getOperand(6));
  std::optional<double> scale =
      hasScale ? getTorchNumber(op->getOperand(6)) : std::nullopt;
  if (!isCausal || !isGrouped || (hasScale && !scale)) {
    reason = "its is_causal, scale or enable_gqa is not constant";
    return nullptr;
  }
  bool hasMask = !isTorchNone(op->getOperand(3));
  Value mask = hasMask ? get(op->getOperand(3)) : nullptr;
  if (hasMask && (!mask || *isCausal)) {
    reason = mask ? "it has a mask and is_causal, of which torch allows one"
                  : "expected a mask of i1, f16, bf16 or f32";
    return nullptr;
  }
  int64_t rank = getShape(tensors[0]).size();
  auto areEqual = [](int64_t x, int64_t y) {
    return x == y || ShapedType::isDynamic(x) || ShapedType::isDynamic(y);
  };
  if (rank < 2 || rank > 4 || type.getRank() != rank ||
      getShape(tensors[1]).size() != static_cast<size_t>(rank) ||
      getShape(tensors[2]).size() != static_cast<size_t>(rank)) {
    reason = "expected query, key and value of one rank of 2 to 4";
    return nullptr;
  }
  auto getSize = [&](unsigned i, int64_t fromEnd) {
    return getShape(tensors[i])[rank - fromEnd];
  };
  bool fits = areEqual(getSize(0, 1), getSize(1, 1)) &&
              areEqual(getSize(1, 2), getSize(2, 2)) &&
              areEqual(type.getDimSize(rank - 1), getSize(2, 1)) &&
              areEqual(type.getDimSize(rank - 2), getSize(0, 2));
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    for (unsigned i : {1u, 2u})
      fits &= (*isGrouped && dim == rank - 3) ||
              areEqual(getSize(0, rank - dim), getSize(i, rank - dim));
  fits &= rank < 3 || areEqual(getSize(1, 3), getSize(2, 3));
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    fits &= areEqual(type.getDimSize(dim), getSize(0, rank - dim));
  if (!fits) {
    reason = "expected query, key and value of the same batches, heads (except "
             "with enable_gqa), keys and columns";
    return nullptr;
  }
  if (*isGrouped && rank != 4) {
    reason = "expected query, key and value of rank 4 with enable_gqa";
    return nullptr;
  }
  if (mask) {
    auto ofMask = cast<RankedTensorType>(mask.getType());
    SmallVector<int64_t> shape(getShape(tensors[0]).drop_back());
    shape.push_back(getSize(1, 2));
    bool fitsScores = ofMask.getRank() >= 2 && ofMask.getRank() <= rank &&
                      (isa<FloatType>(ofMask.getElementType()) ||
                       ofMask.getElementType().isInteger(1));
    for (int64_t i = 1; fitsScores && i <= ofMask.getRank(); ++i) {
      int64_t size = ofMask.getDimSize(ofMask.getRank() - i);
      fitsScores = (size == 1 && i > 1) || areEqual(size, shape[rank - i]);
    }
    if (!fitsScores) {
      reason = "expected a mask of rows and keys, perhaps of batches and heads";
      return nullptr;
    }
    if (ofMask.getRank() > 2)
      mask = getFour(s, mask);
  }
  SmallVector<Value> operands;
  for (Value tensor : tensors)
    operands.push_back(getFour(s, tensor));
  if (hasMask)
    operands.push_back(mask);
  if (llvm::is_contained(operands, Value())) {
    reason = "it has several dynamic sizes and less than 4 dimensions";
    return nullptr;
  }
  SmallVector<int64_t> shape(getShape(operands[0]));
  shape.back() = getSize(2, 1);
  ImplicitLocOpBuilder &b = s.getBuilder();
  OperationState state(op->getLoc(), "onnx.Attention");
  state.addOperands(operands);
  state.addTypes(type.clone(shape));
  if (*isCausal)
    state.addAttribute("is_causal", b.getI64IntegerAttr(1));
  if (scale)
    state.addAttribute("scale", b.getF64FloatAttr(*scale));
  Value result = b.create(state)->getResult(0);
  if (rank == 4)
    return result;
  Value reshaped = s.reshape(type, result);
  if (reshaped)
    setFollows(reshaped.getDefiningOp());
  return reshaped;
}
