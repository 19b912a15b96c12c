//===- ScorePoles.cpp - Infinite scores of finite ones --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScorePoles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;

/// Whether the op's result, a float, is finite where its operands are.
static bool keepsFinite(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    return value && value.getValue().isFinite();
  }
  if (auto division = dyn_cast<arith::DivFOp>(op)) {
    APFloat divisor(0.0f);
    return matchPattern(division.getRhs(), m_ConstantFloat(&divisor)) &&
           divisor.isFiniteNonZero();
  }
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::SelectOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::ExtFOp, arith::TruncFOp, math::FmaOp,
             math::AbsFOp, math::CeilOp, math::FloorOp, math::RoundOp,
             math::RoundEvenOp, math::TruncOp, math::ClampFOp, math::CopySignOp,
             math::SinOp, math::CosOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
             math::TanhOp, math::ErfOp, math::ErfcOp, math::AtanOp,
             math::AsinhOp, math::SinhOp, math::CoshOp, math::CbrtOp>(op);
}

bool mlir::attn::hasPole(AttentionInterface op) {
  Block &body = op.getScore().front();
  auto isFloat = [](Value value) { return isa<FloatType>(value.getType()); };
  for (BlockArgument capture :
       body.getArguments().drop_front(kNumScoreArguments))
    if (isFloat(capture) && !capture.use_empty())
      return true;
  return llvm::any_of(body.without_terminator(), [&](Operation &inner) {
    return llvm::any_of(inner.getResults(), isFloat) && !keepsFinite(inner);
  });
}
