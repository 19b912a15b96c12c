//===- ExpandFloat8.cpp - Conversions of 8-bit floats by integer ops ------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM has no 8-bit floats, so they become bytes. Extensions are exact.
// Truncations round to nearest even and saturate as PTX's cvt.rn.satfinite
// does: numbers beyond the largest one, also infinities, become that one, and
// NaN stays NaN.
//
//===----------------------------------------------------------------------===//

#include "MathPatterns.h"

#include "attn/Support/ElementDType.h"

#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/bit.h"

#include <cmath>

using namespace mlir;

namespace {

/// The format of an 8-bit float type: the number of its mantissa bits, the
/// exponent bias, the bits of its largest finite number and those of its NaN.
struct Float8Format {
  explicit Float8Format(Type element) {
    if (isa<Float8E4M3FNType>(element)) {
      mantissaBits = 3, bias = 7, largest = 0x7e;
      return;
    }
    mantissaBits = 2, bias = 15, largest = 0x7b;
  }
  /// Returns by how many bits the mantissa of f32 is longer than that of the
  /// 8-bit type.
  int64_t getDropped() const { return 23 - mantissaBits; }
  /// Returns the exponent bias of f32 minus that of the 8-bit type.
  int64_t getRebias() const { return 127 - bias; }

  int64_t mantissaBits, bias, largest, nan = 0x7f;
};

/// Builds ops on i32 and f32. If `like` is a shaped type, the ops are on
/// vectors or tensors of that shape, else on scalars.
class WordBuilder {
public:
  WordBuilder(ImplicitLocOpBuilder &b, Type like) : b(b), like(like) {}

  Type getType(Type element) const { return attn::getTypeLike(like, element); }
  Type getWord() const { return getType(b.getI32Type()); }
  Value number(int64_t value) {
    return createScalarOrSplatConstant(b, b.getLoc(), getWord(), value);
  }
  Value real(float value) {
    return createScalarOrSplatConstant(b, b.getLoc(), getType(b.getF32Type()),
                                       APFloat(value));
  }
  Value shiftLeft(Value value, int64_t bits) {
    return arith::ShLIOp::create(b, value, number(bits));
  }
  Value shiftRight(Value value, int64_t bits) {
    return arith::ShRUIOp::create(b, value, number(bits));
  }
  Value mask(Value value, int64_t bits) {
    return arith::AndIOp::create(b, value, number(bits));
  }
  Value add(Value value, int64_t other) {
    return arith::AddIOp::create(b, value, number(other));
  }
  Value isCompared(arith::CmpIPredicate predicate, Value value, int64_t other) {
    return arith::CmpIOp::create(b, predicate, value, number(other));
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Value asReal(Value word) {
    return arith::BitcastOp::create(b, getType(b.getF32Type()), word);
  }
  Value asWord(Value real) {
    return arith::BitcastOp::create(b, getWord(), real);
  }

private:
  ImplicitLocOpBuilder &b;
  Type like;
};

/// Returns an E4M3 number as f32. `byte` is a 32-bit word with the number's
/// bits in its low byte.
Value extendE4M3(ImplicitLocOpBuilder &b, WordBuilder &words, Value byte) {
  using Predicate = arith::CmpIPredicate;
  Float8Format format((Float8E4M3FNType::get(b.getContext())));
  Value magnitude = words.mask(byte, 0x7f);
  Value normal = words.add(words.shiftLeft(magnitude, format.getDropped()),
                           format.getRebias() << 23);
  // A subnormal E4M3 number is a multiple of the smallest one, 2^-9.
  Value count =
      arith::UIToFPOp::create(b, words.getType(b.getF32Type()), magnitude);
  Value small =
      words.asWord(arith::MulFOp::create(b, count, words.real(0x1p-9F)));
  Value isSmall = words.isCompared(Predicate::ult, magnitude,
                                   int64_t(1) << format.mantissaBits);
  Value isNaN = words.isCompared(Predicate::eq, magnitude, format.nan);
  Value bits = words.select(isNaN, words.number(0x7fc00000),
                            words.select(isSmall, small, normal));
  Value sign = words.shiftLeft(words.mask(byte, 0x80), 24);
  return words.asReal(arith::OrIOp::create(b, bits, sign));
}

LogicalResult expandExtension(arith::ExtFOp op, PatternRewriter &rewriter) {
  Value x = op.getIn();
  Type element = getElementTypeOrSelf(x), type = op.getType();
  if (!attn::isFloat8(element))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  WordBuilder words(b, type);
  Value byte = arith::BitcastOp::create(b, words.getType(b.getI8Type()), x);
  byte = arith::ExtUIOp::create(b, words.getWord(), byte);
  Value result;
  if (isa<Float8E4M3FNType>(element)) {
    result = extendE4M3(b, words, byte);
  } else {
    // The bits of an E5M2 number are the upper half of the f16 with the same
    // value.
    Value half = arith::TruncIOp::create(b, words.getType(b.getI16Type()),
                                         words.shiftLeft(byte, 8));
    result = arith::BitcastOp::create(b, words.getType(b.getF16Type()), half);
  }
  rewriter.replaceOp(op, attn::convertFloat(b, result, type));
  return success();
}

LogicalResult expandTruncation(arith::TruncFOp op, PatternRewriter &rewriter) {
  using Predicate = arith::CmpIPredicate;
  Type element = getElementTypeOrSelf(op.getType());
  if (!attn::isTruncationToFloat8(op))
    return failure();
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  WordBuilder words(b, op.getType());
  Float8Format format(element);
  int64_t dropped = format.getDropped();
  Value x = attn::convertFloat(b, op.getIn(), words.getType(b.getF32Type()));
  Value bits = words.asWord(x), magnitude = words.mask(bits, 0x7fffffff);

  // The magnitude is rounded to nearest even by an integer addition, after
  // which the low bits are dropped. The addend is half a unit in the last
  // place of the result, minus 1. It is 1 larger if the last bit that is kept
  // is set.
  Value lastBit = words.mask(words.shiftRight(magnitude, dropped), 1);
  Value rounded = words.add(magnitude, (int64_t(1) << (dropped - 1)) - 1);
  rounded = arith::AddIOp::create(b, rounded, lastBit);
  Value normal = words.add(words.shiftRight(rounded, dropped),
                           -(format.getRebias() << format.mantissaBits));
  normal = arith::MinSIOp::create(b, normal, words.number(format.largest));

  // If the result is subnormal, `magic` is added to the magnitude. The unit
  // in the last place of `magic` is the smallest number of the 8-bit type, so
  // the addition rounds to a multiple of that.
  float magic = std::ldexp(
      1.0F, static_cast<int>(24 - format.bias - format.mantissaBits));
  Value sum =
      arith::AddFOp::create(b, words.asReal(magnitude), words.real(magic));
  Value small =
      words.add(words.asWord(sum), -int64_t(llvm::bit_cast<uint32_t>(magic)));

  Value isNormal = words.isCompared(Predicate::uge, magnitude,
                                    (format.getRebias() + 1) << 23);
  Value isNaN = words.isCompared(Predicate::ugt, magnitude, 0x7f800000);
  Value sign = words.mask(words.shiftRight(bits, 24), 0x80);
  Value byte =
      arith::OrIOp::create(b, words.select(isNormal, normal, small), sign);
  byte = words.select(isNaN, words.number(format.nan), byte);
  byte = arith::TruncIOp::create(b, words.getType(b.getI8Type()), byte);
  rewriter.replaceOpWithNewOp<arith::BitcastOp>(op, op.getType(), byte);
  return success();
}

} // namespace

bool attn::isTruncationToFloat8(arith::TruncFOp op) {
  using arith::RoundingMode;
  Type source = getElementTypeOrSelf(op.getIn());
  return isFloat8(getElementTypeOrSelf(op.getType())) &&
         (source.isF16() || source.isBF16() || source.isF32()) &&
         op.getRoundingmode().value_or(RoundingMode::to_nearest_even) ==
             RoundingMode::to_nearest_even;
}

Value attn::convertFloat(ImplicitLocOpBuilder &b, Value value, Type type) {
  auto getWidth = [](Type type) {
    return getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  };
  if (value.getType() == type)
    return value;
  if (getWidth(value.getType()) < getWidth(type))
    return arith::ExtFOp::create(b, type, value);
  // f16 and bf16 are converted to each other through f32.
  if (getWidth(value.getType()) == getWidth(type))
    value = arith::ExtFOp::create(b, attn::getTypeLike(type, b.getF32Type()),
                                  value);
  return arith::TruncFOp::create(b, type, value);
}

LogicalResult attn::checkFloat8Ops(Operation *root) {
  auto hasFloat8 = [](Type type) {
    return isFloat8(getElementTypeOrSelf(type));
  };
  WalkResult result = root->walk([&](Operation *op) -> WalkResult {
    if (!isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) ||
        isa<arith::ConstantOp, arith::BitcastOp, arith::SelectOp>(op) ||
        !(llvm::any_of(op->getOperandTypes(), hasFloat8) ||
          llvm::any_of(op->getResultTypes(), hasFloat8)))
      return WalkResult::advance();
    return op->emitError(
               "expected floats of 8 bits to be extended by "
               "arith.extf before they are calculated with, and made "
               "of f16, bf16 or f32 by arith.truncf, to nearest even; "
               "found '")
           << op->getName() << "'";
  });
  return failure(result.wasInterrupted());
}

void attn::populateFloat8Expansions(RewritePatternSet &patterns) {
  patterns.add(expandExtension).add(expandTruncation);
}
