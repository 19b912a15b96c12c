//===- SequenceView.cpp - Rows and keys of a program ----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SequenceView.h"

#include "attn/Dialect/Attn/IR/ValueOrder.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;

Value mlir::attn::viewBytes(TileBuilder &b, Value array) {
  return array && isInt4(getElementTypeOrSelf(array))
             ? attn_tile::BytesOp::create(b, array)
             : array;
}

/// Returns the array of values in the form that programs load: transposed if
/// the array is stored with keys as its contiguous dimension, and as bytes if
/// its elements are i4. If the op has no array of values, the values are
/// columns of the key array: returns a view of these columns, or null if the
/// key array is statically empty or if programs take the columns from the
/// loaded tiles of keys.
static Value createValueArray(AttentionInterface op, TileBuilder &b) {
  int64_t first = op.getFirstValueDim();
  auto forward = dyn_cast<AttentionOp>(op.getOperation());
  if (hasValueAlongKeys(op))
    return b.transpose(op.getValue(), {0, 1, 3, 2});
  if (first < 0 ||
      (forward && getHeadDimTiles(forward, op.getScheduleAttr()).isWithin))
    return viewBytes(b, op.getValue());
  // A key array that is statically empty has no view of its columns, since the
  // verifier of memref.subview would find the offsets out of bounds.
  if (isKnownEmpty(op.getKey()))
    return Value();
  return viewBytes(b, b.slice(op.getKey(), b.getIndexAttr(first),
                              b.getIndexAttr(op.getValueHeadDim()), /*dim=*/3));
}

void mlir::attn::takeKeys(AttentionInterface op, TileBuilder &b,
                          SequenceView &at, OpFoldResult first) {
  for (Value *array : {&at.key, &at.keyRope})
    if (*array)
      *array = b.slice(*array, first, at.numKeys);
  if (at.value)
    at.value = b.slice(at.value, first, at.numKeys,
                       /*dim=*/hasValueAlongKeys(op) ? 3 : 2);
}

/// Sets the view's numbers of valid rows and keys, computed from its true
/// lengths and the op's origin, and the offset of the mask's main diagonal.
static void boundLengths(AttentionInterface op, TileBuilder &b,
                         SequenceView &view) {
  OpFoldResult row = view.origin[2], key = view.origin[3];
  auto isCut = [&](OpFoldResult first, OpFoldResult count,
                   OpFoldResult length) {
    return !b.isAtMost(b.dim(0) + b.dim(1), {first, count}, length);
  };
  view.numKeys = op.getKvLength(b);
  view.hasKeysBehind = isCut(key, view.numKeys, view.lengthKv);
  if (view.hasKeysBehind)
    view.numKeys = b.max(b.getIndexAttr(0),
                         b.min(view.numKeys, b.apply(b.dim(0) - b.dim(1),
                                                     {view.lengthKv, key})));
  view.numRows = b.getSize(op.getQuery(), 2);
  view.hasRowsBehind = isCut(row, view.numRows, view.lengthQ);
  if (view.hasRowsBehind)
    view.numRows =
        b.min(view.numRows, b.apply(b.dim(0) - b.dim(1), {view.lengthQ, row}));
  // A view of a number of rows that is a constant below 0 would be an error.
  if (std::optional<int64_t> rows = getConstantIntValue(view.numRows))
    view.numRows = b.getIndexAttr(std::max<int64_t>(*rows, 0));
  view.diagonal = b.apply(b.dim(0) - b.dim(1), {row, key});
  MaskAttr mask = op.getMaskAttr();
  if (mask && mask.getAlignment() == Alignment::BottomRight)
    view.diagonal = b.apply(b.dim(0) + b.dim(1) - b.dim(2),
                            {view.diagonal, view.lengthKv, view.lengthQ});
}

SequenceView mlir::attn::viewAll(AttentionInterface op, TileBuilder &b) {
  SequenceView all;
  all.key = viewBytes(b, op.getKey());
  all.keyRope = op.getExtra(Extra::KeyRope).value;
  all.value = createValueArray(op, b);
  if (listsKeys(op, op.getScheduleAttr())) {
    for (Value *pool : {&all.key, &all.keyRope})
      if (*pool)
        *pool = b.transpose(*pool, {2, 1, 0, 3});
    if (all.value && !hasValueAlongKeys(op))
      all.value = b.transpose(all.value, {2, 1, 0, 3});
  }
  for (unsigned i = 0; i < 4; ++i)
    all.origin[i] = op.getOriginOrZero(i);
  all.firstRow = all.firstKey = b.getIndexAttr(0);
  all.lengthQ = op.getTrueQueryLength(b);
  all.lengthKv = op.getTrueKvLength(b);
  boundLengths(op, b, all);
  return all;
}

SequenceView mlir::attn::enterBatch(AttentionInterface op, TileBuilder &b,
                                    const SequenceView &all, Value batch) {
  SequenceView at = all;
  at.batch = at.arrayBatch = batch;
  auto read = [&](Value lengths) -> OpFoldResult {
    return b.indexCast(b.getIndexType(),
                       memref::LoadOp::create(b, lengths, batch));
  };
  auto clamp = [&](OpFoldResult length, OpFoldResult all) {
    return b.min(b.max(length, b.getIndexAttr(0)), all);
  };
  if (Value lengths = op.getLengthArray(0))
    at.lengthQ = clamp(read(lengths), b.getSize(op.getQuery(), 2));
  if (Value lengths = op.getLengthArray(1))
    at.lengthKv = clamp(read(lengths), op.getKvLength(b));
  if (op.isRagged())
    boundLengths(op, b, at);
  if (listsKeys(op, op.getScheduleAttr()))
    at.keyList =
        b.viewRow(op.getPages(), {batch, b.getIndexAttr(0)}, at.numKeys);
  // Keys and values past the true length (`len_kv`) must not be read: memory
  // there may hold NaN, and a probability of 0 times NaN is NaN. So where the
  // true length may be less than the length of the view, the views of keys and
  // values are cut to the valid keys. Keys in pages are cut page by page
  // instead, and an array that statically has no keys cannot be viewed.
  if (!op.getPages() && at.hasKeysBehind && op.getKeyType().getDimSize(2) != 0)
    takeKeys(op, b, at, b.getIndexAttr(0));
  return at;
}
