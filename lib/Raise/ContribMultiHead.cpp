//===- ContribMultiHead.cpp - Read MultiHeadAttention ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn::raise;

/// Takes an array that has key and value, and the query if `hasQuery`, as parts
/// of each head.
bool ContribReader::takePackedParts(Value packed, bool hasQuery) {
  ArrayRef<int64_t> shape =
      isOfFloats(packed, 5) ? getShape(packed) : ArrayRef<int64_t>();
  if (shape.empty() || shape[2] != call.heads || shape[3] != 2 + hasQuery ||
      ShapedType::isDynamic(shape[4]) || shape[4] < 1 ||
      (!hasQuery && shape[4] != call.headDim))
    return refuse("expected packed arrays of batch entries, rows, static "
                  "heads, parts and columns");
  call.headDim = call.valueDim = shape[4];
  arrays.unpackParts(packed, hasQuery);
  return true;
}

bool ContribReader::readMultiHead() {
  if (!checkKnown(
          {"num_heads", "mask_filter_value", "scale", "unidirectional"}))
    return false;
  if (isPresent(8) || isPresent(9))
    return refuse("past and present keys are in one buffer, or are of beams");
  if (getInt("unidirectional", 0) != 0)
    call.right = 0;
  if (!takeHeads("num_heads", "num_heads"))
    return false;
  bool hasPast = isPresent(6) || isPresent(7), isPacked = false;
  call.query = take(0);
  if (!isPresent(1) && !isPresent(2)) {
    isPacked = true;
    if (!takePackedParts(call.query, /*hasQuery=*/true))
      return false;
  } else {
    if (!takeColumns(call.query, call.heads, call.headDim))
      return false;
    call.key = take(1);
    call.value = take(2);
    int64_t ofKey = call.headDim;
    auto isHeadsFirst = [&](Value array) {
      return isOfFloats(array, 4) && getShape(array)[1] == call.heads &&
             !ShapedType::isDynamic(getShape(array)[3]) &&
             getShape(array)[3] > 0;
    };
    if (call.key && !isPresent(2)) {
      isPacked = true;
      if (!takePackedParts(call.key, /*hasQuery=*/false))
        return false;
    } else if (isHeadsFirst(call.key) && isHeadsFirst(call.value)) {
      call.keysAreHeadsFirst = true;
      ofKey = getShape(call.key)[3];
      call.valueDim = getShape(call.value)[3];
    } else if (!takeColumns(call.key, call.heads, ofKey) ||
               !takeColumns(call.value, call.heads, call.valueDim)) {
      return false;
    }
    if (ofKey != call.headDim)
      return refuse("expected as many columns of a head of the key as of the "
                    "query");
  }
  int64_t rows = call.keysAreHeadsFirst ? 2 : 1;
  if (!fits(getShape(call.key)[0], getShape(call.query)[0]) ||
      !fits(getShape(call.value)[0], getShape(call.query)[0]) ||
      !fits(getShape(call.key)[rows], getShape(call.value)[rows]))
    return refuse("expected as many batch entries of query, key and value, and "
                  "as many rows of key and value");
  if (isPresent(3)) {
    Value bias = take(3);
    if (isPacked || call.keysAreHeadsFirst)
      return refuse("expected a bias beside arrays of 3 dimensions only");
    if (!isOfFloats(bias, 1) ||
        getElementTypeOrSelf(bias.getType()) !=
            getElementTypeOrSelf(call.query.getType()) ||
        getShape(bias)[0] != call.heads * (2 * call.headDim + call.valueDim))
      return refuse("expected a bias with a number for each column of query, "
                    "key and value");
    arrays.addProjectionBias(bias);
  }
  if (hasPast) {
    Value pastKey, pastValue;
    if (call.keysAreHeadsFirst)
      return refuse("expected no past_key beside a key of 4 dimensions");
    if (!takePast(6, pastKey, pastValue))
      return false;
    arrays.prepend(pastKey, pastValue);
  }
  if (!takeOptions() || !takeBias(5, call.key, call.keysAreHeadsFirst ? 2 : 1))
    return false;
  // With keys from before the first row, a mask of two dimensions may be of the
  // other keys only.
  return !isPresent(4) ||
         takeMask("key_padding_mask", take(4), /*mayBeNew=*/hasPast);
}
