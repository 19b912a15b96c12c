//===- StableHLOTypes.cpp - Whether types of StableHLO's ops fit ----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// No verifier has seen ops of a dialect that is not registered. An op whose
// sizes do not fit each other would be expanded to elements past the ends of
// its operands.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "StableHLO.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

bool mlir::attn::raise::isStableHLO(Operation *op, StringRef name) {
  return op && op->getName().getDialectNamespace() == "stablehlo" &&
         op->getName().stripDialect() == name && op->getNumResults() == 1;
}

bool mlir::attn::raise::mayEqual(int64_t lhs, int64_t rhs) {
  return lhs == rhs || ShapedType::isDynamic(lhs) || ShapedType::isDynamic(rhs);
}

/// Whether the dimensions of `result`, in order, have the sizes of `source`'s
/// dimensions `dims`.
static bool areSizesOf(ArrayRef<int64_t> result, ArrayRef<int64_t> source,
                       ArrayRef<int64_t> dims) {
  return result.size() == dims.size() &&
         llvm::all_of(llvm::zip(result, dims), [&](auto pair) {
           auto [size, dim] = pair;
           return mayEqual(size, source[dim]);
         });
}

/// Whether a slice of a dimension of `size` elements has them all.
static bool isInside(int64_t size, int64_t start, int64_t stride,
                     int64_t count) {
  if (start < 0 || stride < 1 || ShapedType::isDynamic(count))
    return false;
  return count == 0 || ShapedType::isDynamic(size) ||
         (start < size && (count - 1) <= (size - 1 - start) / stride);
}

static bool isDotValid(Operation *op, ArrayRef<int64_t> result) {
  std::optional<DotDims> dims = getDotDims(op);
  if (!dims)
    return false;
  ArrayRef<int64_t> lhs = getShape(op->getOperand(0)),
                    rhs = getShape(op->getOperand(1));
  SmallVector<int64_t> sizes;
  for (auto [l, r] : llvm::zip(dims->lhsBatch, dims->rhsBatch)) {
    if (!mayEqual(lhs[l], rhs[r]))
      return false;
    sizes.push_back(ShapedType::isDynamic(lhs[l]) ? rhs[r] : lhs[l]);
  }
  for (auto [l, r] : llvm::zip(dims->lhsSummed, dims->rhsSummed))
    if (!mayEqual(lhs[l], rhs[r]))
      return false;
  auto addFree = [&](ArrayRef<int64_t> shape, ArrayRef<int64_t> batch,
                     ArrayRef<int64_t> summed) {
    for (auto [dim, size] : llvm::enumerate(shape))
      if (!llvm::is_contained(batch, static_cast<int64_t>(dim)) &&
          !llvm::is_contained(summed, static_cast<int64_t>(dim)))
        sizes.push_back(size);
  };
  addFree(lhs, dims->lhsBatch, dims->lhsSummed);
  addFree(rhs, dims->rhsBatch, dims->rhsSummed);
  return areSizesOf(result, sizes,
                    llvm::to_vector(llvm::seq<int64_t>(0, sizes.size())));
}

/// Whether the types of an op that computes each element from the operands'
/// elements at the same indices are those of one op of arith or math. Sizes are
/// not compared here.
static bool areScalarsValid(StringRef name, Operation *op) {
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  SmallVector<Type> types;
  for (Type type : op->getOperandTypes())
    types.push_back(getElementTypeOrSelf(type));
  if (name == "convert" || name == "is_finite")
    return true;
  if (name == "compare")
    return result.isInteger(1) && llvm::all_equal(types);
  if (name == "select") {
    if (types.empty() || !types.front().isInteger(1))
      return false;
    types.erase(types.begin());
  }
  return llvm::all_of(types, [&](Type type) { return type == result; });
}

/// Whether an op that moves or combines elements has them of the type that its
/// result has. A sum may be of wider floats than its terms.
static bool areElementsKept(StringRef name, Operation *op) {
  static constexpr StringRef kMoves[] = {"broadcast_in_dim",
                                         "dynamic_broadcast_in_dim",
                                         "transpose",
                                         "slice",
                                         "dynamic_reshape",
                                         "reshape",
                                         "concatenate",
                                         "reverse",
                                         "pad",
                                         "reduce"};
  if (!llvm::is_contained(kMoves, name))
    return true;
  Type result = getElementTypeOrSelf(op->getResult(0).getType());
  unsigned count = name.starts_with("dynamic_") ? 1 : op->getNumOperands();
  return llvm::all_of(op->getOperands().take_front(count), [&](Value operand) {
    Type element = getElementTypeOrSelf(operand.getType());
    return element == result || (name == "reduce" && isa<FloatType>(element) &&
                                 isa<FloatType>(result));
  });
}

bool mlir::attn::raise::isIdentity(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (op->getOperandTypes() != op->getResultTypes())
    return false;
  if (name == "optimization_barrier")
    return true;
  if (name != "reduce_precision" || op->getNumResults() != 1)
    return false;
  auto type =
      dyn_cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType()));
  auto exponent = dyn_cast_or_null<IntegerAttr>(op->getAttr("exponent_bits")),
       mantissa = dyn_cast_or_null<IntegerAttr>(op->getAttr("mantissa_bits"));
  return type && exponent && mantissa &&
         exponent.getInt() >= type.getWidth() - type.getFPMantissaWidth() &&
         mantissa.getInt() >= type.getFPMantissaWidth() - 1;
}

bool mlir::attn::raise::areTypesValid(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>))
    return false;
  StringRef name = op->getName().stripDialect();
  ArrayRef<int64_t> result = getShape(op->getResult(0));
  int64_t rank = result.size();
  if (name == "constant") {
    auto value = dyn_cast_or_null<ElementsAttr>(op->getAttr("value"));
    return value && value.getShapedType() == op->getResult(0).getType();
  }
  if (op->getNumOperands() == 0)
    return true;
  if (!areElementsKept(name, op))
    return false;
  ArrayRef<int64_t> source = getShape(op->getOperand(0));
  int64_t sourceRank = source.size();
  if (name == "dot_general" || name == "dot")
    return isDotValid(op, result);
  if (name == "broadcast_in_dim" || name == "dynamic_broadcast_in_dim") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("broadcast_dimensions"));
    return static_cast<int64_t>(dims.size()) == sourceRank &&
           areDims(dims, rank) &&
           llvm::all_of(llvm::zip(source, dims), [&](auto pair) {
             auto [size, dim] = pair;
             return size == 1 || mayEqual(size, result[dim]);
           });
  }
  if (name == "transpose") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("permutation"));
    return rank == sourceRank && areDims(dims, sourceRank) &&
           areSizesOf(result, source, dims);
  }
  if (name == "slice") {
    SmallVector<int64_t> starts = getNumbers(op->getAttr("start_indices")),
                         strides = getNumbers(op->getAttr("strides"));
    return rank == sourceRank && starts.size() == source.size() &&
           strides.size() == source.size() &&
           llvm::all_of(llvm::zip(source, starts, strides, result),
                        [](auto of) { return std::apply(isInside, of); });
  }
  if (name == "reduce") {
    SmallVector<int64_t> dims = getNumbers(op->getAttr("dimensions")), kept;
    for (int64_t dim = 0; dim < sourceRank; ++dim)
      if (!llvm::is_contained(dims, dim))
        kept.push_back(dim);
    return areDims(dims, sourceRank) && areSizesOf(result, source, kept);
  }
  if (name == "concatenate") {
    auto along = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
    return along && llvm::all_of(op->getOperands(), [&](Value operand) {
             ArrayRef<int64_t> shape = getShape(operand);
             if (static_cast<int64_t>(shape.size()) != rank)
               return false;
             for (int64_t dim = 0; dim < rank; ++dim)
               if (dim != along.getInt() && !mayEqual(shape[dim], result[dim]))
                 return false;
             return true;
           });
  }
  // The sizes of these ops are checked where the ops are expanded, or the ops
  // move whole arrays.
  static constexpr StringRef kOthers[] = {
      "iota", "dynamic_iota", "dynamic_reshape", "reshape",
      "pad",  "reverse",      "gather",          "get_dimension_size"};
  if (name == "reverse" && failed(verifyCompatibleShape(source, result)))
    return false;
  return llvm::is_contained(kOthers, name) || areScalarsValid(name, op);
}
