//===- ContribMasks.cpp - Read masks of attention of ONNX Runtime ---------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

/// Takes numbers of keys: the first keys that are masked, one for each of n
/// batch entries. They may be followed, in a mask of 2 n elements and with
/// `mayHaveStarts`, by the first keys that are not masked; or, in one of
/// 3 n + 2, by offsets of packed sequences, which say the same again.
bool ContribReader::takeLengths(StringRef name, Value mask,
                                bool mayHaveStarts) {
  int64_t size = getShape(mask)[0], batch = getShape(call.query)[0];
  bool isOpen = ShapedType::isDynamic(size) || ShapedType::isDynamic(batch),
       isPair = size % 2 == 0 && size / 2 == batch,
       isPacked = size >= 2 && (size - 2) % 3 == 0 && (size - 2) / 3 == batch,
       hasStarts = mayHaveStarts && (isOpen || isPair);
  if (!isOpen && size != batch && !hasStarts && !isPacked)
    return refuse("expected a " + name + " of n " +
                  (mayHaveStarts ? "or 2 n " : "") +
                  "lengths, or of 3 n + 2 numbers, for n = " + Twine(batch) +
                  " batch entries, found " + Twine(size));
  if (getFloat("mask_filter_value", -10000) > -10000)
    return refuse("its mask_filter_value leaves weights to keys after a "
                  "length");
  arrays.setLengths(mask, hasStarts);
  return true;
}

/// Takes a mask by lengths, of keys, or of rows and keys. The key has all keys
/// by now. With `mayBeNew`, a mask of keys may be of those only that are no
/// part of a cache.
bool ContribReader::takeMask(StringRef name, Value mask, bool mayBeNew) {
  if (!isOfInts(mask))
    return refuse("expected a " + name + " of i32");
  ArrayRef<int64_t> shape = getShape(mask), query = getShape(call.query);
  int64_t keys = getShape(call.key)[call.keysAreHeadsFirst ? 2 : 1];
  if (shape.size() == 1)
    return takeLengths(name, mask, name == "mask_index");
  bool isOfKeys = shape.size() == 2, isOfRows = shape.size() == 3;
  bool hasAllKeys = (isOfKeys || isOfRows) && fits(shape.back(), keys) &&
                    (isOfRows || !mayBeNew ||
                     (!ShapedType::isDynamic(keys) && shape.back() == keys));
  if (!hasAllKeys || !fits(shape[0], query[0]) ||
      (isOfRows && !fits(shape[1], query[1])))
    return refuse("expected a " + name +
                  " of lengths, or of batch entries, perhaps rows, and all "
                  "keys, found " +
                  describe(mask));
  call.mask = mask;
  call.maskedScore = getFloat("mask_filter_value", -10000);
  if (!std::isfinite(call.maskedScore))
    return refuse("expected a finite mask_filter_value");
  return true;
}

void ContribArrays::setLengths(Value mask, bool hasStarts) {
  int64_t batch = getShape(call.query)[0], size = getShape(mask)[0];
  OpFoldResult numBatches = tensor::getMixedSize(b, b.getLoc(), call.query, 0);
  auto type = RankedTensorType::get(batch, b.getI32Type());
  auto take = [&](int64_t offset) {
    return extract(mask, {b.getIndexAttr(offset)}, {numBatches});
  };
  call.keyLengths = take(0);
  if (!hasStarts)
    return;
  if (!ShapedType::isDynamic(batch) && !ShapedType::isDynamic(size)) {
    call.keyStarts = take(batch);
    return;
  }
  // The size of the mask says whether there are starts.
  Value count = getValueOrCreateConstantIndexOp(b, b.getLoc(), numBatches),
        twice = arith::AddIOp::create(b, count, count),
        isPair =
            arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                  tensor::DimOp::create(b, mask, 0), twice);
  Value zero = arith::ConstantIndexOp::create(b, 0),
        first = arith::SelectOp::create(b, isPair, count, zero),
        none = arith::ConstantIntOp::create(b, 0, 32);
  Value empty = tensor::EmptyOp::create(b, ArrayRef<OpFoldResult>{numBatches},
                                        b.getI32Type());
  call.keyStarts =
      linalg::GenericOp::create(
          b, TypeRange(type), ValueRange(), ValueRange(empty),
          {b.getMultiDimIdentityMap(1)}, {utils::IteratorType::parallel},
          [&](OpBuilder &inner, Location loc, ValueRange) {
            Value entry = linalg::IndexOp::create(inner, loc, 0);
            Value at = arith::AddIOp::create(inner, loc, first, entry);
            Value start =
                tensor::ExtractOp::create(inner, loc, mask, ValueRange(at));
            Value found =
                arith::SelectOp::create(inner, loc, isPair, start, none);
            linalg::YieldOp::create(inner, loc, found);
          })
          .getResult(0);
}

Value ContribArrays::takeOfPositions(Value mask) {
  Location loc = b.getLoc();
  OpFoldResult zero = b.getIndexAttr(0), one = b.getIndexAttr(1);
  OpFoldResult past =
      call.past ? tensor::getMixedSize(b, loc, call.past, 2) : zero;
  return extract(mask, {zero, zero, past, zero},
                 {tensor::getMixedSize(b, loc, call.query, 0), one,
                  tensor::getMixedSize(b, loc, call.query, 1),
                  tensor::getMixedSize(b, loc, call.key, 2)},
                 /*dropped=*/1);
}
