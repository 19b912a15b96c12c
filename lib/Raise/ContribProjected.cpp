//===- ContribProjected.cpp - Read Attention of ONNX Runtime --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attention of com.microsoft has the weights of the projections of query, key
// and value, and one array for the cache. The projection becomes a product
// before attention.
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "ShadowBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/TypeUtilities.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn::raise;

/// Sets the columns of a head from the numbers of columns of query, key and
/// value in the weights.
bool ContribReader::takeHiddenSizes(int64_t columns) {
  SmallVector<int64_t> sizes(3, columns / 3);
  if (Attribute attr = getAttr("qkv_hidden_sizes")) {
    sizes.clear();
    if (auto array = dyn_cast<ArrayAttr>(attr))
      for (Attribute size : array)
        sizes.push_back(cast<IntegerAttr>(size).getValue().getLimitedValue(
            std::numeric_limits<int32_t>::max()));
    else
      llvm::append_range(sizes, cast<DenseI64ArrayAttr>(attr).asArrayRef());
  }
  auto isOfHeads = [&](int64_t size) {
    return size > 0 && size <= columns && size % call.heads == 0;
  };
  if (sizes.size() != 3 || !llvm::all_of(sizes, isOfHeads) ||
      sizes[0] != sizes[1] || sizes[0] > columns / 2 ||
      sizes[2] != columns - 2 * sizes[0])
    return refuse(
        "expected qkv_hidden_sizes of three multiples of num_heads, " +
        Twine(call.heads) +
        ", of which the first two are equal, with the sum " + Twine(columns) +
        ", the columns of the weights");
  call.headDim = sizes[0] / call.heads;
  call.valueDim = sizes[2] / call.heads;
  return true;
}

bool ContribReader::readProjected() {
  if (!checkKnown({"num_heads", "unidirectional", "qkv_hidden_sizes",
                   "past_present_share_buffer", "do_rotary",
                   "rotary_embedding_dim", "mask_filter_value", "scale"}))
    return false;
  if (getInt("do_rotary", 0) != 0)
    return refuse("it rotates query and key by angles of its own (do_rotary), "
                  "which are to be a RotaryEmbedding before a "
                  "MultiHeadAttention");
  if (getInt("past_present_share_buffer", 0) != 0)
    return refuse("past and present keys are in one buffer "
                  "(past_present_share_buffer)");
  if (getInt("unidirectional", 0) != 0)
    call.right = 0;
  if (!takeHeads("num_heads", "num_heads"))
    return false;
  Value input = take(0), weights = take(1), bias = take(2);
  auto hasElement = [&](Value array) {
    return getElementTypeOrSelf(array.getType()) ==
           getElementTypeOrSelf(input.getType());
  };
  if (!isOfFloats(input, 3) || !isOfFloats(weights, 2) ||
      !hasElement(weights) || ShapedType::isDynamic(getShape(weights)[1]) ||
      !fits(getShape(weights)[0], getShape(input)[2]))
    return refuse("expected an input of batch entries, rows and columns, and "
                  "weights of these columns and a static number of columns, "
                  "both of f16, bf16 or f32, found " +
                  describe(input) + " and " + describe(weights));
  int64_t columns = getShape(weights)[1];
  if (isPresent(2) && (!isOfFloats(bias, 1) || !hasElement(bias) ||
                       !fits(getShape(bias)[0], columns)))
    return refuse("expected a bias of " + Twine(columns) +
                  " elements in the type of the input, found " +
                  describe(bias));
  if (!takeHiddenSizes(columns))
    return false;
  arrays.unpack(arrays.project(input, weights, bias));
  if (isPresent(4)) {
    Value past = take(4);
    ArrayRef<int64_t> shape =
        isOfFloats(past, 5) ? getShape(past) : ArrayRef<int64_t>();
    if (shape.empty() || !fits(shape[0], 2) ||
        !fits(shape[1], getShape(input)[0]) || shape[2] != call.heads ||
        shape[4] != call.headDim || call.valueDim != call.headDim ||
        !hasElement(past))
      return refuse("expected a past of key and value, batch entries, " +
                    Twine(call.heads) + " heads, rows and " +
                    Twine(call.headDim) +
                    " columns, which query, key and value have, in the type "
                    "of the input, found " +
                    describe(past));
    arrays.prependParts(past);
  }
  arrays.putHeadsFirst();
  if (!takeOptions() || !takeBias(5, call.key, 2))
    return false;
  if (!isPresent(3))
    return true;
  Value mask = take(3);
  ArrayRef<int64_t> shape =
      isOfInts(mask) ? getShape(mask) : ArrayRef<int64_t>();
  // One number for all keys of a batch entry, which changes no weight.
  if (shape.size() == 2 && shape[1] == 1 &&
      (shape[0] == 1 || fits(shape[0], getShape(input)[0])))
    return true;
  if (shape.size() != 4)
    return takeMask("mask_index", mask, /*mayBeNew=*/false);
  int64_t keys = getShape(call.key)[2];
  if (!fits(shape[0], getShape(input)[0]) || shape[1] != 1 ||
      !fits(shape[2], shape[3]) || call.right ||
      llvm::any_of(shape.drop_front(2), [&](int64_t size) {
        return !ShapedType::isDynamic(size) && !ShapedType::isDynamic(keys) &&
               size < keys;
      }))
    return refuse(
        "expected a mask_index of 4 dimensions with batch entries, 1, "
        "and twice a number of at least all keys, and no "
        "unidirectional beside it, found " +
        describe(mask));
  return takeMask("mask_index", arrays.takeOfPositions(mask),
                  /*mayBeNew=*/false);
}

Value ContribArrays::project(Value input, Value weights, Value bias) {
  ShadowBuilder s(b);
  ArrayRef<int64_t> shape = getShape(input);
  Type f32 = b.getF32Type();
  auto type =
      RankedTensorType::get({shape[0], shape[1], getShape(weights)[1]}, f32);
  auto get = [&](ArrayRef<unsigned> loops) {
    SmallVector<AffineExpr> exprs;
    for (unsigned loop : loops)
      exprs.push_back(s.dim(loop));
    return exprs;
  };
  Value product = s.reduce(
      type, s.getMap(4, get({0, 1, 2})), {input, weights},
      {s.getMap(4, get({0, 1, 3})), s.getMap(4, get({3, 2}))}, /*isSum=*/true,
      [&](ImplicitLocOpBuilder &inner, ValueRange x) {
        return arith::MulFOp::create(inner, castScalar(inner, x[0], f32),
                                     castScalar(inner, x[1], f32))
            .getResult();
      });
  Type element = getElementTypeOrSelf(input.getType());
  if (!bias)
    return s.convert(product, element);
  return s.map(RankedTensorType::get(type.getShape(), element), {product, bias},
               {s.getIdentity(3), s.getMap(3, get({2}))},
               [&](ImplicitLocOpBuilder &inner, ValueRange x) {
                 Value sum = arith::AddFOp::create(
                     inner, x[0], castScalar(inner, x[1], f32));
                 return castScalar(inner, sum, element);
               });
}

void ContribArrays::prependParts(Value past) {
  Value pastKey = slice(past, 0, 0, 0), pastValue = slice(past, 0, 1, 0);
  prepend(pastKey, pastValue);
}

Value ContribArrays::stack() {
  auto expand = [&](Value array) -> Value {
    SmallVector<int64_t> shape = {1};
    llvm::append_range(shape, getShape(array));
    return tensor::ExpandShapeOp::create(
        b, RankedTensorType::get(shape, getElementTypeOrSelf(array.getType())),
        array, ArrayRef<ReassociationIndices>{{0, 1}, {2}, {3}, {4}});
  };
  return tensor::ConcatOp::create(
      b, 0, ValueRange{expand(call.key), expand(call.value)});
}
