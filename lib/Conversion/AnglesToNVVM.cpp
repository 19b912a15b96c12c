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
template <typename Source> void reduce(Source op) {
  NumberBuilder b(op.getLoc(), op);
  Value angle = reduceAngle(b, op.getOperand());
  // Angles of more than 2^22 turns are not reduced to a turn. The polynomials
  // stay in the range from -1 to 1 for the magnitudes that are left.
  constexpr float kMost = 0x1p20f;
  Value magnitude = b.minimumf(b.absf(angle), b.real(op.getType(), kMost));
  Value result = Source::create(b, magnitude);
  if constexpr (std::is_same_v<Source, math::SinOp>) {
    Value negative = b.negf(result);
    Value isNegative = b.olt(angle, b.zero(op.getType()));
    result = b.select(isNegative, negative, result);
  }
  op.replaceAllUsesWith(result);
  op.erase();
}

} // namespace

void mlir::attn::reduceAngles(Operation *root) {
  root->walk([](math::TanOp op) {
    if (!hasF32Elements(op))
      return;
    NumberBuilder b(op.getLoc(), op);
    Value sine = math::SinOp::create(b, op.getOperand());
    op.replaceAllUsesWith(
        b.divf(sine, math::CosOp::create(b, op.getOperand())));
    op.erase();
  });
  // The sine and cosine above were inserted before the tangent, which the walk
  // had already passed, so another walk is needed.
  root->walk([](math::SinOp op) {
    if (hasF32Elements(op))
      reduce(op);
  });
  root->walk([](math::CosOp op) {
    if (hasF32Elements(op))
      reduce(op);
  });
}
