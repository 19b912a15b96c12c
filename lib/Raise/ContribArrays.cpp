//===- ContribArrays.cpp - Arrays of attention of ONNX Runtime ------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribAttention.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <algorithm>

using namespace mlir;
using namespace mlir::attn::raise;

static Type getElement(Value array) {
  return cast<RankedTensorType>(array.getType()).getElementType();
}

Value ContribArrays::extract(Value array, ArrayRef<OpFoldResult> offsets,
                             ArrayRef<OpFoldResult> sizes,
                             std::optional<int64_t> dropped) {
  SmallVector<OpFoldResult> kept(sizes);
  if (dropped)
    kept.erase(kept.begin() + *dropped);
  SmallVector<int64_t> shape;
  for (OpFoldResult size : kept) {
    auto number = dyn_cast<Attribute>(size);
    shape.push_back(number ? cast<IntegerAttr>(number).getInt()
                           : ShapedType::kDynamic);
  }
  // The offset of a tensor.extract_slice must be that of an element, also if
  // the slice has none.
  if (llvm::is_contained(shape, 0))
    return tensor::EmptyOp::create(b, kept, getElement(array));
  SmallVector<OpFoldResult> strides(offsets.size(), b.getIndexAttr(1));
  return tensor::ExtractSliceOp::create(
      b, RankedTensorType::get(shape, getElement(array)), array, offsets, sizes,
      strides);
}

/// Returns the part from `offset` on, of `size` elements, of a dimension. A
/// size of 0 stands for one element without its dimension.
Value ContribArrays::slice(Value array, int64_t dim, int64_t offset,
                           int64_t size) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  offsets[dim] = b.getIndexAttr(offset);
  sizes[dim] = b.getIndexAttr(std::max<int64_t>(size, 1));
  return extract(array, offsets, sizes,
                 size > 0 ? std::nullopt : std::optional(dim));
}

void ContribArrays::unpack(Value packed) {
  int64_t ofQuery = call.heads * call.headDim,
          ofKey = call.kvHeads * call.headDim,
          ofValue = call.kvHeads * call.valueDim;
  call.query = slice(packed, 2, 0, ofQuery);
  call.key = slice(packed, 2, ofQuery, ofKey);
  call.value = slice(packed, 2, ofQuery + ofKey, ofValue);
}

void ContribArrays::unpackParts(Value packed, bool hasQuery) {
  if (hasQuery)
    call.query = slice(packed, 3, 0, 0);
  call.key = slice(packed, 3, hasQuery, 0);
  call.value = slice(packed, 3, hasQuery + 1, 0);
}

Value ContribArrays::addBias(Value array, Value bias, int64_t offset) {
  auto type = cast<RankedTensorType>(array.getType());
  Value part = slice(bias, 0, offset, type.getDimSize(2));
  Value empty = tensor::EmptyOp::create(
      b, tensor::getMixedSizes(b, b.getLoc(), array), type.getElementType());
  AffineMap identity = b.getMultiDimIdentityMap(3),
            ofBias = AffineMap::get(3, 0, b.getAffineDimExpr(2));
  SmallVector<utils::IteratorType> loops(3, utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             b, TypeRange(type), ValueRange{array, part}, ValueRange(empty),
             {identity, ofBias, identity}, loops,
             [](OpBuilder &inner, Location loc, ValueRange x) {
               Value sum = arith::AddFOp::create(inner, loc, x[0], x[1]);
               linalg::YieldOp::create(inner, loc, sum);
             })
      .getResult(0);
}

void ContribArrays::requireEqual(Value lhs, Value rhs, int64_t dim,
                                 StringRef where, const Twine &what) {
  if (!ShapedType::isDynamic(getShape(lhs)[dim]) &&
      !ShapedType::isDynamic(getShape(rhs)[dim]))
    return;
  Value isSame = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       tensor::DimOp::create(b, lhs, dim),
                                       tensor::DimOp::create(b, rhs, dim));
  cf::AssertOp::create(b, isSame, (where + ": expected equal " + what).str());
}

void ContribArrays::addProjectionBias(Value bias) {
  int64_t ofQuery = call.heads * call.headDim;
  call.query = addBias(call.query, bias, 0);
  call.key = addBias(call.key, bias, ofQuery);
  call.value = addBias(call.value, bias, 2 * ofQuery);
}

/// Returns an array of batch entries, rows and heads with their columns as an
/// array of batch entries, heads, rows and columns.
Value ContribArrays::putHeadsFirst(Value array, int64_t columns) {
  ArrayRef<int64_t> shape = getShape(array);
  Type element = getElement(array);
  SmallVector<int64_t> split = {shape[0], shape[1], call.kvHeads, columns};
  if (shape.size() == 3)
    array = tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(split, element), array,
        ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), array);
  std::swap(sizes[1], sizes[2]);
  Value empty = tensor::EmptyOp::create(b, sizes, element);
  return linalg::TransposeOp::create(b, array, empty,
                                     ArrayRef<int64_t>{0, 2, 1, 3})
      ->getResult(0);
}

void ContribArrays::putHeadsFirst() {
  if (call.keysAreHeadsFirst)
    return;
  call.key = putHeadsFirst(call.key, call.headDim);
  call.value = putHeadsFirst(call.value, call.valueDim);
  call.keysAreHeadsFirst = true;
}

void ContribArrays::prepend(Value pastKey, Value pastValue) {
  putHeadsFirst();
  call.past = pastKey;
  call.pastValue = pastValue;
  call.key = tensor::ConcatOp::create(b, 2, ValueRange{pastKey, call.key});
  call.value =
      tensor::ConcatOp::create(b, 2, ValueRange{pastValue, call.value});
}

/// Returns the number of the key of a batch entry's first row: the number of
/// keys before it. A prompt that is padded has fewer keys than rows, and none
/// before them.
Value ContribArrays::getFirstRow(ImplicitLocOpBuilder &inner, Value batch,
                                 Value numRows) {
  Value zero = arith::ConstantIndexOp::create(inner, 0),
        one = arith::ConstantIndexOp::create(inner, 1);
  SmallVector<Value> ofLast(getShape(call.lastKeys).size(), zero);
  ofLast[0] = batch;
  Value last = arith::IndexCastOp::create(
      inner, inner.getIndexType(),
      tensor::ExtractOp::create(inner, call.lastKeys, ofLast));
  Value keys = arith::AddIOp::create(inner, last, one);
  return arith::MaxSIOp::create(
      inner, arith::SubIOp::create(inner, keys, numRows), zero);
}

/// Returns an array of batch entries, heads, keys and columns. Its keys are
/// the rows of `past` as far as each batch entry has such, then the rows of
/// `rows`, and zeros after these.
Value ContribArrays::insertRows(Value past, Value rows, Value size,
                                int64_t numKeys) {
  Type element = getElement(past);
  Value numPast = tensor::DimOp::create(b, past, 2),
        numRows = tensor::DimOp::create(b, rows, 1);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), past);
  sizes[2] = b.getIndexAttr(numKeys);
  if (size)
    sizes[2] = arith::MaxSIOp::create(b, size, numPast).getResult();
  Value empty = tensor::EmptyOp::create(b, sizes, element);
  int64_t columns = getShape(past)[3];
  SmallVector<utils::IteratorType> loops(4, utils::IteratorType::parallel);
  auto build = [&](OpBuilder &builder, Location loc, ValueRange) {
    ImplicitLocOpBuilder inner(loc, builder);
    Value zero = arith::ConstantIndexOp::create(inner, 0);
    SmallVector<Value> at;
    for (int64_t dim = 0; dim < 4; ++dim)
      at.push_back(linalg::IndexOp::create(inner, dim));
    Value first = getFirstRow(inner, at[0], numRows);
    // Nothing is read outside of the arrays, whatever the lengths are.
    Value isOld =
        arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, at[2],
                              arith::MinSIOp::create(inner, first, numPast));
    Value row = arith::SubIOp::create(inner, at[2], first);
    Value isNew = arith::AndIOp::create(
        inner,
        arith::CmpIOp::create(inner, arith::CmpIPredicate::sge, row, zero),
        arith::CmpIOp::create(inner, arith::CmpIPredicate::slt, row, numRows));
    Value none = arith::ConstantOp::create(
        inner, cast<TypedAttr>(inner.getZeroAttr(element)));
    auto readOld = [&](OpBuilder &branch, Location loc) {
      Value found = tensor::ExtractOp::create(branch, loc, past, at);
      scf::YieldOp::create(branch, loc, found);
    };
    auto readNew = [&](OpBuilder &branch, Location loc) {
      SmallVector<Value> ofNew = {at[0], row, at[1], at[3]};
      if (getShape(rows).size() == 3) {
        Value width = arith::ConstantIndexOp::create(branch, loc, columns);
        Value column = arith::AddIOp::create(
            branch, loc, arith::MulIOp::create(branch, loc, at[1], width),
            at[3]);
        ofNew = {at[0], row, column};
      }
      Value found = tensor::ExtractOp::create(branch, loc, rows, ofNew);
      scf::YieldOp::create(branch, loc, found);
    };
    auto getOther = [](Value value) {
      return [value](OpBuilder &branch, Location loc) {
        scf::YieldOp::create(branch, loc, value);
      };
    };
    Value old =
        scf::IfOp::create(inner, isOld, readOld, getOther(none)).getResult(0);
    Value result =
        scf::IfOp::create(inner, isNew, readNew, getOther(old)).getResult(0);
    linalg::YieldOp::create(inner, result);
  };
  return linalg::GenericOp::create(b, TypeRange(empty.getType()), ValueRange(),
                                   ValueRange(empty),
                                   {b.getMultiDimIdentityMap(4)}, loops, build)
      .getResult(0);
}

void ContribArrays::insert(Value pastKey, Value pastValue, Value total,
                           int64_t numKeys) {
  Value size;
  if (ShapedType::isDynamic(numKeys)) {
    SmallVector<Value> at(getShape(total).size(),
                          arith::ConstantIndexOp::create(b, 0));
    size = arith::IndexCastOp::create(b, b.getIndexType(),
                                      tensor::ExtractOp::create(b, total, at));
  }
  call.key = insertRows(pastKey, call.key, size, numKeys);
  call.value = insertRows(pastValue, call.value, size, numKeys);
  call.keysAreHeadsFirst = true;
}
