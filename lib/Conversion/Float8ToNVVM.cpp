//===- Float8ToNVVM.cpp - Conversions of 8-bit floats by instructions -----===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts 8-bit floats by PTX's cvt instructions, which exist from sm_89 on:
// pairs of f32 to pairs of 8 bits, and pairs of 8 bits to pairs of f16.
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {

StringRef getPairName(Type element) {
  return isa<Float8E4M3FNType>(element) ? "e4m3x2" : "e5m2x2";
}

Value callFloat8(ImplicitLocOpBuilder &b, Type type, const Twine &name,
                 ValueRange operands) {
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResults();
}

/// Returns the elements of a vector of rank 1 or, if the value is a scalar, the
/// value itself.
SmallVector<Value> takeApart(ImplicitLocOpBuilder &b, Value value) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return {value};
  SmallVector<Value> elements;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    elements.push_back(vector::ExtractOp::create(b, value, i));
  return elements;
}

Value putTogether(ImplicitLocOpBuilder &b, ArrayRef<Value> elements,
                  Type type) {
  if (!isa<VectorType>(type))
    return elements.front();
  return vector::FromElementsOp::create(b, type, elements);
}

bool isOfRank1(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return !vector || (vector.getRank() == 1 && !vector.isScalable());
}

/// Returns the 8-bit elements of a vector or scalar packed in 16-bit integers,
/// two in each, the first in the lower half. If the number of elements is odd,
/// the last integer has one element.
SmallVector<Value> getPairs(ImplicitLocOpBuilder &b, Value value) {
  Type i16 = b.getI16Type();
  auto type = dyn_cast<VectorType>(value.getType());
  int64_t count = type ? type.getNumElements() : 1;
  if (count % 2 == 0)
    return takeApart(b, vector::BitCastOp::create(
                            b, VectorType::get({count / 2}, i16), value));
  SmallVector<Value> bytes = takeApart(b, value), pairs;
  for (Value &byte : bytes)
    byte = arith::ExtUIOp::create(
        b, i16, arith::BitcastOp::create(b, b.getI8Type(), byte));
  Value eight = arith::ConstantOp::create(b, b.getI16IntegerAttr(8));
  for (int64_t i = 0; i < count; i += 2)
    pairs.push_back(
        i + 1 == count
            ? bytes[i]
            : arith::OrIOp::create(
                  b, bytes[i], arith::ShLIOp::create(b, bytes[i + 1], eight)));
  return pairs;
}

LogicalResult toExtension(arith::ExtFOp op, PatternRewriter &rewriter) {
  Type element = getElementTypeOrSelf(op.getIn()), type = op.getType();
  if (!attn::isFloat8(element) || !isOfRank1(type))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Type f16 = b.getF16Type(), halves = f16;
  int64_t count = 1;
  if (auto vector = dyn_cast<VectorType>(type)) {
    halves = vector.clone(f16);
    count = vector.getNumElements();
  }
  SmallVector<Value> elements;
  for (Value pair : getPairs(b, op.getIn()))
    llvm::append_range(
        elements, takeApart(b, callFloat8(b, VectorType::get({2}, f16),
                                          "llvm.nvvm." + getPairName(element) +
                                              ".to.f16x2.rn",
                                          pair)));
  elements.resize(count);
  rewriter.replaceOp(
      op, attn::convertFloat(b, putTogether(b, elements, halves), type));
  return success();
}

LogicalResult toTruncation(arith::TruncFOp op, PatternRewriter &rewriter) {
  Type element = getElementTypeOrSelf(op.getType()), type = op.getType();
  if (!attn::isTruncationToFloat8(op) || !isOfRank1(type))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  Type f32 = b.getF32Type();
  auto vector = dyn_cast<VectorType>(type);
  SmallVector<Value> elements = takeApart(
      b, attn::convertFloat(b, op.getIn(), vector ? vector.clone(f32) : f32));
  int64_t count = elements.size();
  if (count % 2)
    elements.push_back(elements.back());
  SmallVector<Value> pairs;
  // The first operand of the intrinsic becomes the upper half of its result.
  for (size_t i = 0; i < elements.size(); i += 2)
    pairs.push_back(callFloat8(
        b, b.getI16Type(), "llvm.nvvm.ff.to." + getPairName(element) + ".rn",
        {elements[i + 1], elements[i]}));
  auto words =
      VectorType::get(static_cast<int64_t>(pairs.size()), b.getI16Type());
  auto all = VectorType::get(static_cast<int64_t>(elements.size()), element);
  Value bytes = vector::BitCastOp::create(
      b, all, vector::FromElementsOp::create(b, words, pairs));
  if (all != type) {
    SmallVector<Value> needed = takeApart(b, bytes);
    needed.resize(count);
    bytes = putTogether(b, needed, type);
  }
  rewriter.replaceOp(op, bytes);
  return success();
}

} // namespace

void attn::populateFloat8ToNVVMPatterns(RewritePatternSet &patterns) {
  patterns.add(toExtension).add(toTruncation);
}
