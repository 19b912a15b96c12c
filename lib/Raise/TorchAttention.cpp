//===- TorchAttention.cpp - Attention kernels of torch and gradients ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the ops that scaled_dot_product_attention becomes where gradients are
// computed: kernels that also give the lse, and their gradients.
//
//===----------------------------------------------------------------------===//

#include "AttentionCalls.h"
#include "Elements.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn::raise;

namespace {
/// The operands of an op by their numbers. Those that an op lacks are -1.
struct Signature {
  StringRef name;
  unsigned count;
  int query, outputGradient, output, lse, dropout, isCausal, mask, scale;
  /// Whether a causal mask lets the last row read the last key, not the first
  /// row the first key only.
  bool isBottomRight = false;
};
} // namespace

static constexpr StringRef kPrefix = "torch.aten._scaled_dot_product_";

static const Signature kSignatures[] = {
    {"flash_attention_for_cpu", 7, 0, -1, -1, -1, 3, 4, 5, 6},
    {"flash_attention_for_cpu_backward", 10, 1, 0, 4, 5, 6, 7, 8, 9},
    {"flash_attention", 7, 0, -1, -1, -1, 3, 4, -1, 6, true},
    {"flash_attention_backward", 15, 1, 0, 4, 5, 10, 11, -1, 14, true},
    {"efficient_attention", 8, 0, -1, -1, -1, 5, 6, 3, 7},
    {"efficient_attention_backward", 13, 1, 0, 5, 6, 9, 11, 4, 12}};

/// Returns the signature of an op by its name, or by the attribute of an op
/// that torch-mlir has no definition of. Returns null for other ops.
static const Signature *findSignature(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name == "torch.operator")
    if (auto its = dyn_cast_or_null<StringAttr>(op->getAttr("name")))
      name = its.getValue();
  if (!name.consume_front(kPrefix))
    return nullptr;
  const Signature *found = llvm::find_if(
      kSignatures, [&](const Signature &its) { return its.name == name; });
  return found == std::end(kSignatures) ? nullptr : found;
}

bool mlir::attn::raise::isTorchAttentionCall(Operation *op) {
  return findSignature(op) != nullptr;
}

/// Sets the sizes of a call from its arrays. Returns whether the arrays' types
/// fit each other.
static bool takeSizes(AttentionCall &call) {
  RankedTensorType query = getCallArray(call.query),
                   key = getCallArray(call.key),
                   value = getCallArray(call.value);
  if (!query || !key || !value)
    return false;
  call.headsFirst = true;
  call.group = 1;
  call.batch = query.getDimSize(0);
  call.kvHeads = query.getDimSize(1);
  call.rows = query.getDimSize(2);
  call.headDim = query.getDimSize(3);
  call.keys = key.getDimSize(2);
  call.valueDim = value.getDimSize(3);
  Type element = query.getElementType();
  auto is = [&](RankedTensorType type, int64_t rows, int64_t columns) {
    return type == RankedTensorType::get(
                       {call.batch, call.kvHeads, rows, columns}, element);
  };
  return is(key, call.keys, call.headDim) &&
         is(value, call.keys, call.valueDim) &&
         (!call.outputGradient ||
          is(getCallArray(call.outputGradient), call.rows, call.valueDim));
}

/// Takes the mask of a call, whose last dimensions are rows and keys. A mask of
/// floats is a bias. Returns false if its sizes do not fit the scores.
static bool takeMask(ShadowBuilder &s, AttentionCall &call, Value mask) {
  auto type = dyn_cast<RankedTensorType>(mask.getType());
  if (!type || type.getRank() < 2 || type.getRank() > 4)
    return false;
  SmallVector<int64_t> shape(type.getShape());
  while (shape.size() < 4)
    shape.insert(shape.begin(), 1);
  auto fits = [&](int64_t size, int64_t whole) {
    return size == 1 || size == whole;
  };
  if (!fits(shape[0], call.batch) || !fits(shape[1], call.kvHeads) ||
      shape[2] != call.rows || shape[3] != call.keys)
    return false;
  Value four = s.reshape(type.clone(shape), mask);
  if (type.getElementType().isInteger(1))
    call.kept = four;
  else if (isa<FloatType>(type.getElementType()))
    call.bias = four;
  return call.kept || call.bias;
}

std::optional<AttentionCall>
mlir::attn::raise::readTorchCall(ShadowBuilder &s, Operation *op, GetTensor get,
                                 bool &isBackward, std::string &reason) {
  const Signature &its = *findSignature(op);
  auto refuse = [&](const Twine &text) {
    reason = text.str();
    return std::nullopt;
  };
  isBackward = its.outputGradient >= 0;
  if (op->getNumOperands() != its.count)
    return refuse("expected " + Twine(its.count) + " operands, found " +
                  Twine(op->getNumOperands()));
  if (op->getNumResults() < (isBackward ? 3 : 2))
    return refuse("expected " + Twine(isBackward ? 3 : 2) +
                  " or more results, found " + Twine(op->getNumResults()));
  auto getOperand = [&](int number) {
    return number < 0 ? Value() : op->getOperand(number);
  };
  if (getTorchNumber(getOperand(its.dropout)) != 0.0)
    return refuse("it has a dropout, or one that is not constant");
  std::optional<bool> isCausal = getTorchBool(getOperand(its.isCausal));
  Value scale = getOperand(its.scale), mask = getOperand(its.mask);
  std::optional<double> number = getTorchNumber(scale);
  if (!isCausal || (!isTorchNone(scale) && !number))
    return refuse("its is_causal or scale is not constant");
  AttentionCall call;
  call.query = get(getOperand(its.query));
  call.key = get(getOperand(its.query + 1));
  call.value = get(getOperand(its.query + 2));
  if (isBackward) {
    call.outputGradient = get(getOperand(its.outputGradient));
    call.output = getOperand(its.output);
    call.lse = getOperand(its.lse);
  }
  if ((isBackward && !call.outputGradient) || !takeSizes(call))
    return refuse("expected tensors of f16, bf16 or f32 with 4 static sizes "
                  "that fit each other");
  call.scale = number.value_or(1 / std::sqrt(double(call.headDim)));
  call.isCausal = *isCausal;
  if (call.isCausal && its.isBottomRight)
    call.diagonal = call.keys - call.rows;
  if (call.diagonal < 0)
    return refuse("its first rows read no key, of which the kernel's lse is "
                  "inf");
  if (mask && !isTorchNone(mask)) {
    call.mask = mask;
    Value tensor = get(mask);
    if (!tensor || !takeMask(s, call, tensor))
      return refuse("expected a mask of rows and keys, perhaps of batches and "
                    "heads");
  }
  return call;
}
