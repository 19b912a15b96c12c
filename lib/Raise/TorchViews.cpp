//===- TorchViews.cpp - Ops of torch-mlir that move elements --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "StableHLO.h"
#include "Torch.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Returns `operand` with dimension i of the result being dimension
/// `permutation[i]` of the operand.
static Value permute(ShadowBuilder &s, RankedTensorType type, Value operand,
                     ArrayRef<int64_t> permutation) {
  unsigned rank = type.getRank();
  if (permutation.size() != rank || !areDims(permutation, rank) ||
      getShape(operand).size() != rank)
    return nullptr;
  SmallVector<AffineExpr> indices(rank);
  for (auto [i, dim] : llvm::enumerate(permutation))
    indices[dim] = s.dim(i);
  return s.move(type, operand, s.getMap(rank, indices));
}

/// Keeps the elements on one side of a diagonal, and makes the others 0.
static Value keepTriangle(ShadowBuilder &s, RankedTensorType type,
                          Value operand, bool isLower, int64_t diagonal) {
  int64_t rank = type.getRank();
  Type element = type.getElementType();
  if (rank < 2)
    return nullptr;
  return s.map(
      type, operand, s.getIdentity(rank),
      [&](ImplicitLocOpBuilder &b, ValueRange x) {
        auto getIndex = [&](int64_t dim) -> Value {
          Value index = linalg::IndexOp::create(b, dim);
          return arith::IndexCastOp::create(b, b.getI64Type(), index);
        };
        Value row = getIndex(rank - 2), column = getIndex(rank - 1);
        Value limit = arith::AddIOp::create(
            b, row, arith::ConstantIntOp::create(b, diagonal, 64));
        Value isKept = arith::CmpIOp::create(
            b, isLower ? arith::CmpIPredicate::sle : arith::CmpIPredicate::sge,
            column, limit);
        Value zero = arith::ConstantOp::create(b, b.getZeroAttr(element));
        return arith::SelectOp::create(b, isKept, x[0], zero).getResult();
      });
}

/// Takes every `step`th element from `begin` on along dimension `dim`.
static Value slice(ShadowBuilder &s, RankedTensorType type, Operation *op,
                   Value operand) {
  if (op->getNumOperands() != 5)
    return nullptr;
  ArrayRef<int64_t> shape = getShape(operand);
  int64_t rank = type.getRank();
  std::optional<int64_t> dim = getTorchDim(op->getOperand(1), rank),
                         begin = isTorchNone(op->getOperand(2))
                                     ? std::optional<int64_t>(0)
                                     : getTorchInt(op->getOperand(2)),
                         step = getTorchInt(op->getOperand(4));
  if (!dim || !begin || !step || *step < 1 ||
      static_cast<int64_t>(shape.size()) != rank ||
      ShapedType::isDynamic(shape[*dim]) || type.isDynamicDim(*dim))
    return nullptr;
  int64_t size = shape[*dim];
  // The result's size says where the slice ends.
  int64_t first =
      std::clamp<int64_t>(*begin < 0 ? *begin + size : *begin, 0, size);
  int64_t count = type.getDimSize(*dim);
  if (count == 0 || count > size || *step > size ||
      first + (count - 1) * *step >= size)
    return nullptr;
  ImplicitLocOpBuilder &b = s.getBuilder();
  SmallVector<OpFoldResult> offsets(rank, b.getIndexAttr(0)),
      strides(rank, b.getIndexAttr(1)), sizes;
  offsets[*dim] = b.getIndexAttr(first);
  strides[*dim] = b.getIndexAttr(*step);
  for (int64_t i = 0; i < rank; ++i) {
    if (i != *dim && shape[i] != type.getDimSize(i))
      return nullptr;
    if (type.isDynamicDim(i))
      sizes.push_back(tensor::DimOp::create(b, operand, i).getResult());
    else
      sizes.push_back(b.getIndexAttr(type.getDimSize(i)));
  }
  return tensor::ExtractSliceOp::create(b, type, operand, offsets, sizes,
                                        strides);
}

/// Returns an integer of torch that is computed from constants and sizes of
/// tensors, or null if it is computed in another way. `depth` is the number of
/// ops that may compute it, one from another.
static Value getSize(ShadowBuilder &s, Value number, GetTensor get,
                     unsigned depth = 8) {
  ImplicitLocOpBuilder &b = s.getBuilder();
  if (std::optional<int64_t> constant = getTorchInt(number))
    return arith::ConstantIndexOp::create(b, *constant);
  Operation *op = number.getDefiningOp();
  if (!op || op->getNumOperands() != 2 || depth == 0)
    return nullptr;
  StringRef name = op->getName().getStringRef();
  if (name == "torch.aten.size.int") {
    Value tensor = get(op->getOperand(0));
    std::optional<int64_t> dim =
        tensor ? getTorchDim(op->getOperand(1), getShape(tensor).size())
               : std::nullopt;
    return dim ? Value(tensor::DimOp::create(b, tensor, *dim)) : nullptr;
  }
  bool isSum = name == "torch.aten.add.int";
  if (!isSum && name != "torch.aten.mul.int")
    return nullptr;
  Value lhs = getSize(s, op->getOperand(0), get, depth - 1),
        rhs = lhs ? getSize(s, op->getOperand(1), get, depth - 1) : nullptr;
  if (!rhs)
    return nullptr;
  return isSum ? Value(arith::AddIOp::create(b, lhs, rhs))
               : Value(arith::MulIOp::create(b, lhs, rhs));
}

/// Returns the sizes of a result whose type is `type`, of which operand 1 of a
/// torch op is the list. Returns nothing if one is not known, as one that torch
/// computes from the other sizes.
static std::optional<SmallVector<Value>> getSizes(ShadowBuilder &s,
                                                  RankedTensorType type,
                                                  Operation *op,
                                                  GetTensor get) {
  Operation *list =
      op->getNumOperands() > 1 ? op->getOperand(1).getDefiningOp() : nullptr;
  if (!list || list->getName().getStringRef() != "torch.prim.ListConstruct" ||
      list->getNumOperands() != static_cast<unsigned>(type.getRank()))
    return std::nullopt;
  SmallVector<Value> sizes;
  for (auto [size, operand] : llvm::zip(type.getShape(), list->getOperands())) {
    if (!ShapedType::isDynamic(size)) {
      sizes.push_back(arith::ConstantIndexOp::create(s.getBuilder(), size));
      continue;
    }
    Value found = getTorchInt(operand) ? nullptr : getSize(s, operand, get);
    if (!found)
      return std::nullopt;
    sizes.push_back(found);
  }
  return sizes;
}

/// Reshapes a tensor with several dynamic sizes, which the op's list has.
static Value reshapeDynamic(ShadowBuilder &s, RankedTensorType type,
                            Operation *op, Value operand, GetTensor get) {
  std::optional<SmallVector<Value>> sizes = getSizes(s, type, op, get);
  if (!sizes || sizes->empty())
    return nullptr;
  ImplicitLocOpBuilder &b = s.getBuilder();
  Value shape = tensor::FromElementsOp::create(b, *sizes);
  return tensor::ReshapeOp::create(b, type, operand, shape);
}

/// Repeats the elements along dimensions of size 1, and along new ones. A
/// dynamic size of the operand and the one that the op's list has for it are
/// then known to be equal.
static Value expand(ShadowBuilder &s, RankedTensorType type, Operation *op,
                    Value operand, GetTensor get) {
  std::optional<SmallVector<Value>> sizes;
  if (!type.hasStaticShape())
    sizes = getSizes(s, type, op, get);
  return s.broadcast(
      type, operand, [](ImplicitLocOpBuilder &, ValueRange x) { return x[0]; },
      sizes ? ArrayRef<Value>(*sizes) : ArrayRef<Value>());
}

/// Builds the concatenation of a list of arrays with static sizes.
static Value concatenate(ShadowBuilder &s, RankedTensorType type, Operation *op,
                         GetTensor get) {
  Operation *list = op->getOperand(0).getDefiningOp();
  std::optional<int64_t> dim = getTorchDim(op->getOperand(1), type.getRank());
  if (!list || list->getName().getStringRef() != "torch.prim.ListConstruct" ||
      list->getNumOperands() == 0 || !dim || !type.hasStaticShape())
    return nullptr;
  SmallVector<Value> arrays;
  SmallVector<int64_t> sizes(type.getShape());
  sizes[*dim] = 0;
  for (Value operand : list->getOperands()) {
    Value array = get(operand);
    if (!array ||
        getElementTypeOrSelf(array.getType()) != type.getElementType())
      return nullptr;
    SmallVector<int64_t> shape(getShape(array)), others(type.getShape());
    if (!ShapedType::isStaticShape(shape) || shape.size() != others.size())
      return nullptr;
    others[*dim] = shape[*dim];
    if (shape != others)
      return nullptr;
    sizes[*dim] += shape[*dim];
    arrays.push_back(array);
  }
  return ArrayRef(sizes) == type.getShape()
             ? tensor::ConcatOp::create(s.getBuilder(), type, *dim, arrays)
                   .getResult()
             : nullptr;
}

Value mlir::attn::raise::buildTorchView(ShadowBuilder &s, Operation *op,
                                        GetTensor get) {
  StringRef name = op->getName().getStringRef();
  RankedTensorType type = getBuiltinType(op->getResult(0).getType());
  if (name == "torch.aten.cat" && type && op->getNumOperands() == 2)
    return concatenate(s, type, op, get);
  Value operand = op->getNumOperands() > 0 ? get(op->getOperand(0)) : nullptr;
  if (!name.consume_front("torch.aten.") || !type || !operand ||
      cast<ShapedType>(operand.getType()).getElementType() !=
          type.getElementType())
    return nullptr;
  ArrayRef<int64_t> shape = getShape(operand);
  int64_t rank = shape.size(), count = op->getNumOperands();
  auto isDim = [&](unsigned i, int64_t of) {
    return getTorchDim(op->getOperand(i), of);
  };
  static constexpr StringRef kReshapes[] = {
      "view",           "reshape",       "_unsafe_view",
      "_reshape_alias", "unflatten.int", "flatten.using_ints"};
  if (llvm::is_contained(kReshapes, name)) {
    Value reshaped = s.reshape(type, operand);
    return reshaped ? reshaped : reshapeDynamic(s, type, op, operand, get);
  }
  // The result's type says which dimensions of size 1 are left out.
  if (name == "squeeze" || name == "squeeze.dims")
    return s.reshape(type, operand);
  static constexpr StringRef kSame[] = {"contiguous", "clone", "alias",
                                        "detach", "lift_fresh_copy"};
  if (llvm::is_contained(kSame, name))
    return shape == type.getShape() ? operand : nullptr;
  if (name == "dropout")
    return isOffDropout(op) && shape == type.getShape() ? operand : nullptr;
  if (name == "expand" || name == "broadcast_to")
    return expand(s, type, op, operand, get);
  if (name == "t" && rank == 2)
    return permute(s, type, operand, {1, 0});
  if (name == "transpose.int" && count == 3) {
    std::optional<int64_t> x = isDim(1, rank), y = isDim(2, rank);
    if (!x || !y)
      return nullptr;
    SmallVector<int64_t> permutation = llvm::to_vector(llvm::seq(rank));
    std::swap(permutation[*x], permutation[*y]);
    return permute(s, type, operand, permutation);
  }
  if (name == "permute" && count == 2) {
    std::optional<SmallVector<int64_t>> dims = getTorchInts(op->getOperand(1));
    if (!dims)
      return nullptr;
    for (int64_t &dim : *dims)
      dim += dim < 0 ? rank : 0;
    return permute(s, type, operand, *dims);
  }
  if (name == "unsqueeze" && count == 2) {
    std::optional<int64_t> at = isDim(1, rank + 1);
    if (!at || type.getRank() != rank + 1 || type.getDimSize(*at) != 1)
      return nullptr;
    SmallVector<AffineExpr> indices;
    for (int64_t dim = 0; dim < rank; ++dim)
      indices.push_back(s.dim(dim < *at ? dim : dim + 1));
    return s.move(type, operand, s.getMap(rank + 1, indices));
  }
  if ((name == "squeeze.dim" || name == "select.int") && count > 1) {
    std::optional<int64_t> at = isDim(1, rank),
                           index = name == "squeeze.dim"
                                       ? std::optional<int64_t>(0)
                                   : count == 3 ? getTorchInt(op->getOperand(2))
                                                : std::nullopt;
    if (!at || !index || type.getRank() != rank - 1 ||
        ShapedType::isDynamic(shape[*at]) ||
        (name == "squeeze.dim" && shape[*at] != 1))
      return nullptr;
    SmallVector<AffineExpr> indices;
    for (int64_t dim = 0; dim < rank; ++dim)
      indices.push_back(dim == *at
                            ? s.getBuilder().getAffineConstantExpr(
                                  *index < 0 ? *index + shape[*at] : *index)
                            : s.dim(dim < *at ? dim : dim - 1));
    return s.move(type, operand, s.getMap(rank - 1, indices));
  }
  if (name == "slice.Tensor")
    return slice(s, type, op, operand);
  if ((name == "tril" || name == "triu") && count == 2 &&
      shape == type.getShape()) {
    std::optional<int64_t> diagonal = getTorchInt(op->getOperand(1));
    constexpr int64_t kMost = int64_t(1) << 40;
    if (!diagonal || *diagonal < -kMost || *diagonal > kMost)
      return nullptr;
    return keepTriangle(s, type, operand, name == "tril", *diagonal);
  }
  return nullptr;
}
