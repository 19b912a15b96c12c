//===- ContribGroupQuery.cpp - Read GroupQueryAttention -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ContribReader.h"
#include "Torch.h"

#include <limits>

using namespace mlir;
using namespace mlir::attn::raise;

bool ContribReader::readGrouped() {
  if (!checkKnown({"num_heads", "kv_num_heads", "causal", "scale", "softcap",
                   "local_window_size", "sliding_window_cache", "do_rotary",
                   "rotary_interleaved", "smooth_softmax", "qk_output",
                   "k_quant_type", "v_quant_type", "kv_cache_bit_width",
                   "qk_norm_epsilon", "unidirectional"}))
    return false;
  for (StringRef name : {"k_quant_type", "v_quant_type"})
    if (auto type = dyn_cast_or_null<StringAttr>(getAttr(name));
        type && type != "NONE")
      return refuse("its cache is quantized");
  if (getInt("kv_cache_bit_width", 0) != 0 || isPresent(12) || isPresent(13))
    return refuse("its cache is quantized");
  if (getInt("sliding_window_cache", 0) != 0)
    return refuse("its cache has the keys of a window only");
  if (getInt("causal", getInt("unidirectional", 1)) != 0)
    call.right = 0;
  if (int64_t window = getInt("local_window_size", -1); window != -1) {
    if (window < 1 || window > std::numeric_limits<int32_t>::max() ||
        !call.right)
      return refuse("expected a local_window_size of 1 or more, and causal");
    call.left = window - 1;
  }
  call.hasSink = getInt("smooth_softmax", 0) == 1 || isPresent(11);
  if (!takeHeads("num_heads", "kv_num_heads"))
    return false;
  Value query = take(0);
  if (!isPresent(1) && !isPresent(2)) {
    if (!takeColumns(query, call.heads + 2 * call.kvHeads, call.headDim))
      return false;
    call.valueDim = call.headDim;
    arrays.unpack(query);
  } else {
    call.query = query;
    call.key = take(1);
    call.value = take(2);
    int64_t ofKey = 0;
    if (!takeColumns(call.query, call.heads, call.headDim) ||
        !takeColumns(call.key, call.kvHeads, ofKey) ||
        !takeColumns(call.value, call.kvHeads, call.valueDim))
      return false;
    if (ofKey != call.headDim)
      return refuse("expected as many columns of a head of the key as of the "
                    "query");
  }
  for (int64_t dim : {0, 1})
    for (Value array : {call.key, call.value})
      if (!fits(getShape(array)[dim], getShape(call.query)[dim]))
        return refuse("expected as many batch entries and rows of key and "
                      "value as of the query");
  auto require = [&](Value array, StringRef name, int64_t dim) {
    arrays.requireEqual(call.query, array, dim, "GroupQueryAttention",
                        (dim == 0 ? "batch sizes in query and "
                                  : "numbers of rows in query and ") +
                            name);
  };
  for (int64_t dim : {0, 1}) {
    require(call.key, "key", dim);
    require(call.value, "value", dim);
  }
  call.lastKeys = take(5);
  ArrayRef<int64_t> ofLast =
      isOfInts(call.lastKeys) ? getShape(call.lastKeys) : ArrayRef<int64_t>();
  if (ofLast.empty() || ofLast.size() > 2 ||
      !fits(ofLast[0], getShape(call.query)[0]) ||
      (ofLast.size() == 2 && ofLast[1] != 1))
    return refuse("expected seqlens_k of i32, one for each batch entry");
  require(call.lastKeys, "seqlens_k", 0);
  if (!takeOptions())
    return false;
  if (isPresent(11)) {
    call.sink = take(11);
    if (!isOfFloats(call.sink, 1) || getShape(call.sink)[0] != call.heads)
      return refuse("expected a head_sink with a number for each head");
  }
  call.hasPast = isPresent(3) || isPresent(4);
  if (!takeNorms() || !takeRotation())
    return false;
  if (!call.hasPast)
    return takeBias(10, call.key, 1);
  Value pastKey, pastValue;
  if (!takePast(3, pastKey, pastValue))
    return false;
  require(pastKey, "past_key", 0);
  require(pastValue, "past_value", 0);
  int64_t numKeys = ShapedType::kDynamic;
  if (op->getNumResults() > 1) {
    RankedTensorType present = getTensorType(op->getResult(1).getType());
    if (present && present.getRank() == 4)
      numKeys = present.getDimSize(2);
  }
  Value total;
  if (ShapedType::isDynamic(numKeys)) {
    total = take(6);
    if (!isOfInts(total) || getShape(total).size() > 1 ||
        (getShape(total).size() == 1 && getShape(total)[0] != 1))
      return refuse("expected a total_sequence_length of one i32");
  } else if (numKeys < 1) {
    return refuse("expected a present_key with keys");
  }
  arrays.insert(pastKey, pastValue, total, numKeys);
  // Biases may have fewer keys than a cache has room for.
  return takeBias(10, nullptr, 0);
}
