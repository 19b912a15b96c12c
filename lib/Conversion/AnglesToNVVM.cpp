//===- AnglesToNVVM.cpp - The sine and cosine on the GPU ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NVVMMath.h"

#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::attn;

namespace {

/// The name of an attribute of a sine or cosine whose angle is from 0 to
/// slightly more than pi.
constexpr StringLiteral kReduced = "attn_reduced_angle";

/// Subtracts from an angle the multiple of 2 pi that is nearest to it. 2 pi is
/// the sum of two floats: with one, the difference would be wrong by 2e-7 for
/// each turn. It is wrong by some 3e-7 for up to 2^22 turns.
Value reduceAngle(NumberBuilder &b, Value x) {
  Type type = x.getType();
  constexpr float kTurnsOfRadian = 0x1.45f306p-3f;
  Value turns = math::FloorOp::create(
      b, b.fma(x, b.real(type, kTurnsOfRadian), b.real(type, 0.5)));
  for (float part : {-0x1.921fb6p+2f, 0x1.777a5cp-23f})
    x = b.fma(turns, b.real(type, part), x);
  return x;
}

/// Computes sin(x) of f32 as sin(|r|) with the sign of r, and cos(x) as cos(r),
/// for r = x - 2 pi n. MLIR's polynomials, which compute the sine and cosine of
/// |r|, subtract multiples of pi/2 as one float, which is wrong by 4e-8 for
/// each. Their error is also one unit in the last place of 1, rather than of
/// the result: without |r|, the sine of a small negative number, which occurs
/// in a cosine near pi/2, could be positive.
template <typename Source>
LogicalResult toReducedAngle(Source op, PatternRewriter &rewriter) {
  if (!hasF32Elements(op) || op->hasAttr(kReduced))
    return failure();
  NumberBuilder b(op.getLoc(), rewriter);
  Value angle = reduceAngle(b, op.getOperand());
  // Angles of more than 2^22 turns are not reduced to a turn. The polynomials
  // stay in the range from -1 to 1 for the magnitudes that are left.
  constexpr float kMost = 0x1p20f;
  Value magnitude = b.minimumf(b.absf(angle), b.real(op.getType(), kMost));
  auto ofMagnitude = Source::create(b, magnitude);
  ofMagnitude->setAttr(kReduced, b.getUnitAttr());
  if constexpr (std::is_same_v<Source, math::CosOp>) {
    rewriter.replaceOp(op, ofMagnitude);
  } else {
    Value negative = b.negf(ofMagnitude);
    Value isNegative = b.olt(angle, b.zero(op.getType()));
    rewriter.replaceOp(op, b.select(isNegative, negative, ofMagnitude));
  }
  return success();
}

} // namespace

void mlir::attn::populateAnglesToNVVMPatterns(RewritePatternSet &patterns) {
  patterns.add(toReducedAngle<math::SinOp>, /*benefit=*/2)
      .add(toReducedAngle<math::CosOp>, /*benefit=*/2);
}
