//===- Int8ToNVVM.cpp - Conversions of bytes to 16-bit floats -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU's conversion of an integer to a float takes four times as long as an
// addition. Vectors of signed 8-bit integers are converted to f16 and bf16
// without it: a byte becomes the low bits of the mantissa of a float whose unit
// in the last place is 1 or 1/2, and an exact operation takes the float's own
// value away. Two integers at a time take a byte permutation, that operation
// and, for bf16, two logic operations.
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace {

/// Returns a word of two 16-bit halves. The low bytes of the halves are bytes 2
/// `pair` and 2 `pair` + 1 of `bytes`, and both high bytes are `high`.
Value permute(attn::NumberBuilder &b, Value bytes, int64_t pair,
              uint32_t high) {
  // In the selector of prmt, digits 0 to 3 choose bytes of the first operand,
  // and digit 4 chooses the lowest byte of the second.
  uint32_t selectors = pair == 0 ? 0x4140 : 0x4342;
  return LLVM::CallIntrinsicOp::create(
             b, b.getI32Type(), b.getStringAttr("llvm.nvvm.prmt"),
             ValueRange{bytes, b.word(high), b.word(selectors)})
      .getResults();
}

/// Returns two of the four signed bytes of a word as bf16. With bit 7 set, a
/// byte is the low byte of a bf16 that is 64 plus half of the byte's other
/// bits. Twice this bf16 exceeds the byte's value by 128 or, if the byte is
/// negative, by 256. An fma doubles it and subtracts the excess, since sm_80
/// has an fma for pairs of bf16, but no addition.
Value toBF16(attn::NumberBuilder &b, Value bytes, int64_t pair, Type halves) {
  Value bits = permute(b, bytes, pair, 0x42);
  Value half = b.ori(bits, b.word(0x00800080));
  Value excess = b.ori(b.andi(bits, b.word(0x00800080)), b.word(0xc300c300));
  Value two = b.real(halves, 2.0);
  return b.fma(LLVM::BitcastOp::create(b, halves, half), two,
               LLVM::BitcastOp::create(b, halves, excess));
}

/// Returns two of the four bytes of a word as f16. The caller has added 128 to
/// each signed byte. With the high byte 0x64, the result is the f16 with the
/// value 1024 plus the byte, from which 1152 is subtracted.
Value toF16(attn::NumberBuilder &b, Value bytes, int64_t pair, Type halves) {
  Value offset = b.real(halves, 1024 + 128);
  Value bits = permute(b, bytes, pair, 0x64);
  return b.subf(LLVM::BitcastOp::create(b, halves, bits), offset);
}

/// Converts vectors of i8, whose number of elements is a multiple of four, to
/// f16 or bf16 by byte permutations.
LogicalResult toPermutations(arith::SIToFPOp op, PatternRewriter &rewriter) {
  auto type = dyn_cast<VectorType>(op.getType());
  constexpr int64_t kBytes = 4;
  if (!type || type.getRank() != 1 || type.isScalable() ||
      type.getNumElements() % kBytes != 0 ||
      !getElementTypeOrSelf(op.getIn()).isInteger(8) ||
      !(type.getElementType().isF16() || type.getElementType().isBF16()))
    return failure();
  bool isF16 = type.getElementType().isF16();
  attn::NumberBuilder b(op.getLoc(), rewriter);
  int64_t numWords = type.getNumElements() / kBytes;
  Type halves = VectorType::get({2}, type.getElementType());
  Value words = vector::BitCastOp::create(
      b, VectorType::get({numWords}, b.getI32Type()), op.getIn());
  SmallVector<Value> elements;
  for (int64_t i = 0; i < numWords; ++i) {
    Value bytes = vector::ExtractOp::create(b, words, i);
    if (isF16)
      bytes = b.xori(bytes, b.word(0x80808080));
    for (int64_t pair : {0, 1}) {
      Value both = isF16 ? toF16(b, bytes, pair, halves)
                         : toBF16(b, bytes, pair, halves);
      for (int64_t half : {0, 1})
        elements.push_back(vector::ExtractOp::create(b, both, half));
    }
  }
  rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
  return success();
}

} // namespace

void attn::populateInt8ToNVVMPatterns(RewritePatternSet &patterns) {
  patterns.add(toPermutations);
}
