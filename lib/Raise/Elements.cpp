//===- Elements.cpp - Elements of tensors as expressions ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elements.h"
#include "Loops.h"
#include "StableHLO.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn::raise;

Node *Elements::make(NodeKind kind, Type type) {
  nodes.push_back(std::make_unique<Node>());
  nodes.back()->kind = kind;
  nodes.back()->type = type;
  return nodes.back().get();
}

static bool isAt(const Access &access, ArrayRef<AffineExpr> indices) {
  return ArrayRef<AffineExpr>(access.indices) == indices;
}

Node *Elements::getLazy(Value array, ArrayRef<AffineExpr> indices) {
  SmallVector<AffineExpr> simple;
  for (AffineExpr index : indices)
    simple.push_back(indexing.simplify(index));
  for (Node *node : lazy[array])
    if (isAt(node->access, simple))
      return node;
  Node *node =
      make(NodeKind::Lazy, cast<ShapedType>(array.getType()).getElementType());
  node->access = {array, simple};
  lazy[array].push_back(node);
  return node;
}

Node *Elements::look(Node *node) {
  if (node->kind != NodeKind::Lazy)
    return node;
  return get(node->access.array, node->access.indices);
}

Node *Elements::get(Value array, ArrayRef<AffineExpr> indices) {
  Node *key = getLazy(array, indices);
  if (!key->operands.empty())
    return key->operands.front();
  Node *node = expand(array, key->access.indices);
  bool isKnown = llvm::any_of(node->sources, [&](const Access &source) {
    return source.array == array && isAt(source, key->access.indices);
  });
  if (!isKnown)
    node->sources.push_back(key->access);
  key->operands.push_back(node);
  return node;
}

AffineExpr Elements::addVariable(Value array, int64_t dim) {
  return indexing.addVariable(getShape(array)[dim],
                              getSizes().getDim(array, dim));
}

Node *Elements::getConstant(TypedAttr value) {
  Node *node = make(NodeKind::Constant, value.getType());
  node->constant = value;
  return node;
}

Node *Elements::getFloat(Type type, double value) {
  return getConstant(builder.getFloatAttr(type, value));
}

Node *Elements::getIndex(AffineExpr expr) {
  expr = indexing.simplify(expr);
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return getConstant(builder.getIndexAttr(constant.getValue()));
  Node *node = make(NodeKind::Index, builder.getIndexType());
  node->index = expr;
  return node;
}

Node *Elements::getPosition(AffineExpr expr, Type type) {
  Node *index = getIndex(expr);
  if (isa<IntegerType>(type))
    return getApply("arith.index_cast", type, index);
  if (isa<FloatType>(type))
    return getApply(
        "arith.sitofp", type,
        getApply("arith.index_cast", builder.getIntegerType(64), index));
  return index;
}

Node *Elements::getLoad(const Access &access) {
  Node *node = make(NodeKind::Load,
                    cast<ShapedType>(access.array.getType()).getElementType());
  node->access = access;
  return node;
}

Node *Elements::getGather(Value array, ArrayRef<Node *> indices) {
  SmallVector<AffineExpr> affine;
  for (Node *index : indices)
    if (std::optional<AffineExpr> expr = getAffine(index))
      affine.push_back(*expr);
  if (affine.size() == indices.size())
    return get(array, affine);
  Node *node = make(NodeKind::Gather,
                    cast<ShapedType>(array.getType()).getElementType());
  node->access.array = array;
  node->operands.assign(indices.begin(), indices.end());
  return node;
}

Node *Elements::getReduce(StringRef combiner, Type type,
                          ArrayRef<unsigned> variables, Node *body) {
  Node *node = make(NodeKind::Reduce, type);
  node->name = combiner;
  node->variables.assign(variables.begin(), variables.end());
  node->operands.push_back(body);
  return node;
}

/// Whether combining any number with the constant `value` by the op `combiner`,
/// such as adding 0, does not change the number.
static bool isNeutral(StringRef combiner, Attribute value) {
  if (auto number = dyn_cast_or_null<FloatAttr>(value)) {
    if (combiner == "arith.addf")
      return number.getValue().isZero();
    if (combiner == "arith.maximumf" || combiner == "arith.maxnumf")
      return number.getValue().isInfinity() && number.getValue().isNegative();
    return false;
  }
  auto number = dyn_cast_or_null<IntegerAttr>(value);
  if (!number)
    return false;
  if (combiner == "arith.ori" || combiner == "arith.addi")
    return number.getValue().isZero();
  return combiner == "arith.andi" && number.getValue().isAllOnes();
}

Node *Elements::getReduceFrom(StringRef combiner, Type type,
                              ArrayRef<unsigned> variables, Node *body,
                              Node *init) {
  Node *reduced =
      variables.empty() ? body : getReduce(combiner, type, variables, body);
  init = look(init);
  if (init->kind == NodeKind::Constant && isNeutral(combiner, init->constant))
    return reduced;
  return getApply(combiner, type, {init, reduced});
}

/// Whether a size other than the first one is dynamic.
static bool isOpen(ArrayRef<int64_t> sizes) {
  return llvm::any_of(sizes.drop_front(sizes.empty() ? 0 : 1),
                      ShapedType::isDynamic);
}

/// Sets `result` to the indices, in an array with these sizes, of the element
/// with the index `place` in row-major order.
static void splitIndex(Indexing &indexing, AffineExpr place,
                       ArrayRef<int64_t> sizes,
                       MutableArrayRef<AffineExpr> result) {
  for (size_t dim = sizes.size(); dim-- > 1;) {
    result[dim] = indexing.mod(place, sizes[dim]);
    place = indexing.floorDiv(place, sizes[dim]);
  }
  if (!sizes.empty())
    result[0] = place;
}

Node *Elements::expandReshape(Value array, ArrayRef<int64_t> shape,
                              ArrayRef<AffineExpr> indices) {
  // A reshape keeps the index of an element in row-major order. That index is
  // computed from `indices`, and then the indices of the same element in
  // `array` from it.
  ArrayRef<int64_t> source = cast<ShapedType>(array.getType()).getShape();
  if (isOpen(shape) || isOpen(source) || llvm::is_contained(shape, 0) ||
      (ShapedType::isStaticShape(shape) && ShapedType::isStaticShape(source) &&
       ShapedType::getNumElements(shape) != ShapedType::getNumElements(source)))
    return nullptr;
  AffineExpr place = indexing.getConstant(0);
  for (auto [size, index] : llvm::zip(shape, indices)) {
    if (ShapedType::isDynamic(size))
      place = index;
    else
      place = indexing.simplify(place * size + index);
  }
  SmallVector<AffineExpr> result(source.size(), indexing.getConstant(0));
  splitIndex(indexing, place, source, result);
  return get(array, result);
}

Node *Elements::expandDynamicReshape(Value array, Value result,
                                     ArrayRef<AffineExpr> indices) {
  ArrayRef<int64_t> from = getShape(array), to = getShape(result);
  Sizes &sizes = getSizes();
  SmallVector<AffineExpr> source(from.size(), indexing.getConstant(0));
  // A reshape keeps the number of elements, so the products of the sizes of
  // `array` and `result` are recorded as equal.
  Extent ofArray = Sizes::getConstant(1), ofResult = Sizes::getConstant(1);
  for (size_t dim = 0; dim < from.size(); ++dim)
    ofArray = Sizes::multiply(ofArray, sizes.getDim(array, dim));
  for (size_t dim = 0; dim < to.size(); ++dim)
    ofResult = Sizes::multiply(ofResult, sizes.getDim(result, dim));
  sizes.unite(ofArray, ofResult);
  // Neighboring dimensions of both shapes are grouped such that each group of
  // one shape has as many elements as the corresponding group of the other. In
  // a group, only the first size may be dynamic.
  size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    size_t firstFrom = i, firstTo = j;
    Extent left = Sizes::getConstant(1), right = Sizes::getConstant(1);
    auto takeFrom = [&] {
      left = Sizes::multiply(left, sizes.getDim(array, i));
      ++i;
    };
    auto takeTo = [&] {
      right = Sizes::multiply(right, sizes.getDim(result, j));
      ++j;
    };
    if (i < from.size())
      takeFrom();
    if (j < to.size())
      takeTo();
    while (!sizes.areEqual(left, right)) {
      bool isShort = i < from.size() && Sizes::divide(right, left).has_value();
      if (isShort)
        takeFrom();
      else if (j < to.size())
        takeTo();
      else
        return nullptr;
    }
    ArrayRef<int64_t> ofSource = from.slice(firstFrom, i - firstFrom),
                      ofTarget = to.slice(firstTo, j - firstTo);
    if (isOpen(ofSource) || isOpen(ofTarget))
      return nullptr;
    AffineExpr place = indexing.getConstant(0);
    for (auto [dim, size] : llvm::enumerate(ofTarget))
      place = dim == 0
                  ? indices[firstTo]
                  : indexing.simplify(place * size + indices[firstTo + dim]);
    splitIndex(indexing, place, ofSource,
               MutableArrayRef(source).slice(firstFrom, i - firstFrom));
  }
  return get(array, source);
}

std::optional<Concatenation>
mlir::attn::raise::readConcatenation(Operation *op) {
  if (auto concat = dyn_cast_or_null<tensor::ConcatOp>(op))
    return Concatenation{concat.getInputs(),
                         static_cast<int64_t>(concat.getDim())};
  if (!isStableHLO(op, "concatenate") || !areTypesValid(op))
    return std::nullopt;
  auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
  if (!dim || !areDims(dim.getInt(), getShape(op->getResult(0)).size()))
    return std::nullopt;
  return Concatenation{op->getOperands(), dim.getInt()};
}

Node *Elements::expandConcat(Operation *op, ArrayRef<AffineExpr> indices) {
  auto concatenation = readConcatenation(op);
  if (!concatenation)
    return nullptr;
  auto [arrays, dim] = *concatenation;
  for (Value array : arrays)
    for (size_t other = 0; other < indices.size(); ++other)
      if (static_cast<int64_t>(other) != dim)
        getSizes().unite(getSizes().getDim(array, other),
                         getSizes().getDim(op->getResult(0), other));
  auto range = indexing.getRange(indices[dim]);
  if (!range)
    return nullptr;
  int64_t begin = 0;
  for (Value array : arrays) {
    int64_t size = cast<ShapedType>(array.getType()).getDimSize(dim);
    if (ShapedType::isDynamic(size))
      return nullptr;
    if (range->first >= begin && range->second < begin + size) {
      SmallVector<AffineExpr> source(indices);
      source[dim] = indexing.simplify(source[dim] - begin);
      return get(array, source);
    }
    begin += size;
  }
  return nullptr;
}

Node *Elements::expandElementwise(Operation *op, ArrayRef<AffineExpr> indices) {
  Type element = cast<ShapedType>(op->getResult(0).getType()).getElementType();
  SmallVector<Node *> operands;
  for (Value operand : op->getOperands()) {
    if (isa<RankedTensorType>(operand.getType())) {
      operands.push_back(get(operand, indices));
      continue;
    }
    Attribute value;
    if (!matchPattern(operand, m_Constant(&value)))
      return nullptr;
    operands.push_back(getConstant(cast<TypedAttr>(value)));
  }
  return getApply(op->getName().getStringRef(), element, operands,
                  NamedAttrList(op->getAttrDictionary()));
}

Node *Elements::expandTensor(Operation *op, ArrayRef<AffineExpr> indices) {
  if (auto expand = dyn_cast<tensor::ExpandShapeOp>(op)) {
    // For each group of dimensions into which tensor.expand_shape splits a
    // dimension of its source, the source's index is computed. In a group, only
    // the first size that is not 1 may be dynamic.
    SmallVector<AffineExpr> source;
    ArrayRef<int64_t> shape = expand.getResultType().getShape();
    for (ReassociationIndices &group : expand.getReassociationIndices()) {
      AffineExpr place = indexing.getConstant(0);
      for (int64_t dim : group) {
        if (ShapedType::isDynamic(shape[dim]) &&
            !indexing.areEqual(place, indexing.getConstant(0)))
          return nullptr;
        place = ShapedType::isDynamic(shape[dim])
                    ? indices[dim]
                    : indexing.simplify(place * shape[dim] + indices[dim]);
      }
      source.push_back(place);
    }
    return get(expand.getSrc(), source);
  }
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(op)) {
    ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
    SmallVector<AffineExpr> source(shape.size(), indexing.getConstant(0));
    for (auto [group, index] :
         llvm::zip(collapse.getReassociationIndices(), indices)) {
      AffineExpr place = index;
      for (int64_t dim : llvm::reverse(group)) {
        if (dim == group.front()) {
          source[dim] = place;
          break;
        }
        if (ShapedType::isDynamic(shape[dim]))
          return nullptr;
        source[dim] = indexing.mod(place, shape[dim]);
        place = indexing.floorDiv(place, shape[dim]);
      }
    }
    return get(collapse.getSrc(), source);
  }
  if (auto cast = dyn_cast<tensor::CastOp>(op))
    return isa<RankedTensorType>(cast.getSource().getType())
               ? get(cast.getSource(), indices)
               : nullptr;
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op)) {
    SmallVector<AffineExpr> source;
    llvm::SmallBitVector dropped = slice.getDroppedDims();
    unsigned next = 0;
    for (int64_t dim = 0, e = slice.getSourceType().getRank(); dim < e; ++dim) {
      std::optional<int64_t> offset =
          getConstantIntValue(slice.getMixedOffsets()[dim]);
      std::optional<int64_t> stride =
          getConstantIntValue(slice.getMixedStrides()[dim]);
      if (!offset || !stride)
        return nullptr;
      AffineExpr index =
          dropped[dim] ? indexing.getConstant(0) : indices[next++];
      source.push_back(indexing.simplify(index * *stride + *offset));
    }
    return get(slice.getSource(), source);
  }
  if (auto reshape = dyn_cast<tensor::ReshapeOp>(op))
    return isa<RankedTensorType>(reshape.getSource().getType())
               ? expandDynamicReshape(reshape.getSource(), reshape.getResult(),
                                      indices)
               : nullptr;
  if (isa<tensor::ConcatOp>(op))
    return expandConcat(op, indices);
  if (auto splat = dyn_cast<tensor::SplatOp>(op)) {
    Attribute value;
    if (matchPattern(splat.getInput(), m_Constant(&value)))
      return getConstant(cast<TypedAttr>(value));
  }
  return nullptr;
}

Node *Elements::expand(Value array, ArrayRef<AffineExpr> indices) {
  if (Value outer = getCarriedUnchanged(array))
    return get(outer, indices);
  Operation *op = array.getDefiningOp();
  auto opaque = [&] { return getLoad({array, llvm::to_vector(indices)}); };
  if (!op || !isa<RankedTensorType>(array.getType()))
    return opaque();
  Node *node = nullptr;
  ElementsAttr value;
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    if ((value = dyn_cast<ElementsAttr>(constant.getValue())))
      node = expandConstant(value, array, indices);
  } else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op)) {
    node = expandLinalg(linalgOp, cast<OpResult>(array).getResultNumber(),
                        indices);
  } else if (isa<scf::IfOp>(op)) {
    node = expandBranches(op, cast<OpResult>(array).getResultNumber(), indices);
  } else if (isa<linalg::SoftmaxOp>(op)) {
    node = expandSoftmax(op, indices);
  } else if (isa_and_nonnull<tensor::TensorDialect>(op->getDialect())) {
    node = expandTensor(op, indices);
  } else if (OpTrait::hasElementwiseMappableTraits(op) &&
             op->getNumResults() == 1) {
    node = expandElementwise(op, indices);
  } else if (op->getName().getDialectNamespace() == "stablehlo") {
    node = expandStableHLO(array, indices);
  }
  if (!node)
    return opaque();
  expanded.insert(op);
  return node;
}
