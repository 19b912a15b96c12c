//===- Constants.cpp - Constant arrays as functions of indices ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognises constants that compilers make by folding index arithmetic:
// positions appear as the numbers 0, 1, 2 and so on, and masks as bands along a
// diagonal.
//
//===----------------------------------------------------------------------===//

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// The largest number of elements of a constant tensor whose elements are
/// inspected: that of a mask of 4096 x 4096. Elements of larger constants are
/// treated as elements of memory.
static constexpr int64_t kMostElements = int64_t(1) << 24;

/// Returns the element at `indices` of a constant tensor of integers as an
/// index expression of that integer type, if the elements are a linear function
/// of the indices. Returns null if they are not, or if the type is i1.
Node *Elements::expandAffineConstant(DenseElementsAttr value,
                                     ArrayRef<AffineExpr> indices) {
  auto element = dyn_cast<IntegerType>(value.getElementType());
  if (!element || element.getWidth() == 1)
    return nullptr;
  ArrayRef<int64_t> shape = value.getType().getShape();
  auto numbers = llvm::map_range(value.getValues<APInt>(), [](const APInt &x) {
    return x.getSExtValue();
  });
  auto begin = numbers.begin();
  int64_t first = *begin;
  SmallVector<int64_t> steps(shape.size());
  int64_t stride = 1;
  for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
    steps[dim] = shape[dim] > 1 ? *(begin + stride) - first : 0;
    stride *= shape[dim];
  }
  SmallVector<int64_t> at(shape.size(), 0);
  for (int64_t number : numbers) {
    int64_t expected = first;
    for (auto [index, step] : llvm::zip(at, steps))
      expected += index * step;
    if (number != expected)
      return nullptr;
    for (int64_t dim = shape.size() - 1; dim >= 0; --dim) {
      if (++at[dim] < shape[dim])
        break;
      at[dim] = 0;
    }
  }
  AffineExpr expr = indexing.getConstant(first);
  for (auto [index, step] : llvm::zip(indices, steps))
    expr = expr + index * step;
  return getPosition(indexing.simplify(expr), element);
}

/// Returns the element at `indices` of a constant tensor that has one number in
/// a band along the diagonal of its last two dimensions and another number
/// outside. The node is a select between the numbers by comparisons of indices.
/// Returns null if the elements are no such band, or if a dimension before the
/// last two has a size other than 1.
Node *Elements::expandBandConstant(DenseElementsAttr value,
                                   ArrayRef<AffineExpr> indices) {
  ArrayRef<int64_t> shape = value.getType().getShape();
  unsigned rank = shape.size();
  if (rank < 2 ||
      llvm::any_of(shape.drop_back(2), [](int64_t size) { return size != 1; }))
    return nullptr;
  int64_t rows = shape[rank - 2], columns = shape[rank - 1];
  auto values = value.getValues<Attribute>();
  // It is first tried whether the first element's number is that inside the
  // band, and the first number that differs from it the one outside. If that
  // does not fit, the numbers are swapped.
  Attribute inside = *values.begin(), outside;
  for (Attribute element : values)
    if (element != inside) {
      outside = element;
      break;
    }
  for (bool isSwapped : {false, true}) {
    if (isSwapped)
      std::swap(inside, outside);
    std::optional<int64_t> least, most;
    int64_t place = 0;
    bool hasOthers = false;
    for (Attribute element : values) {
      int64_t distance = place % columns - place / columns;
      ++place;
      if (element == inside) {
        least = std::min(least.value_or(distance), distance);
        most = std::max(most.value_or(distance), distance);
      } else if (element != outside) {
        hasOthers = true;
        break;
      }
    }
    if (hasOthers || !least)
      return nullptr;
    place = 0;
    bool isBand = true;
    for (Attribute element : values) {
      int64_t distance = place % columns - place / columns;
      ++place;
      if (element != inside && distance >= *least && distance <= *most) {
        isBand = false;
        break;
      }
    }
    if (!isBand)
      continue;
    AffineExpr distance = indices[rank - 1] - indices[rank - 2];
    Node *condition = getConstant(builder.getBoolAttr(true));
    auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) {
      NamedAttrList attributes;
      attributes.set("predicate", builder.getI64IntegerAttr(
                                      static_cast<int64_t>(predicate)));
      Node *comparison =
          getApply("arith.cmpi", builder.getI1Type(),
                   {getPosition(distance, builder.getI64Type()),
                    getConstant(builder.getI64IntegerAttr(bound))},
                   attributes);
      condition =
          getApply("arith.andi", builder.getI1Type(), {condition, comparison});
    };
    if (*most < columns - 1)
      compare(arith::CmpIPredicate::sle, *most);
    if (*least > 1 - rows)
      compare(arith::CmpIPredicate::sge, *least);
    return getApply("arith.select", value.getElementType(),
                    {condition, getConstant(cast<TypedAttr>(inside)),
                     getConstant(cast<TypedAttr>(outside))});
  }
  return nullptr;
}

Node *Elements::expandConstant(ElementsAttr attr, Value array,
                               ArrayRef<AffineExpr> indices) {
  auto value = dyn_cast<DenseElementsAttr>(attr);
  Node *node = nullptr;
  if (value && value.isSplat())
    return getConstant(cast<TypedAttr>(value.getSplatValue<Attribute>()));
  if (value && value.getNumElements() == 1)
    return getConstant(cast<TypedAttr>(*value.getValues<Attribute>().begin()));
  if (value && value.getNumElements() > 1 &&
      value.getNumElements() <= kMostElements &&
      value.getElementType().isIntOrFloat()) {
    node = expandAffineConstant(value, indices);
    if (!node)
      node = expandBandConstant(value, indices);
  }
  return node ? node : getLoad({array, llvm::to_vector(indices)});
}
