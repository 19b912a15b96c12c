//===- ExpandMath.cpp - Math functions as polynomials
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Conversion/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNEXPANDMATHPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;

/// Ops whose polynomial is accurate to a few units in the last place over the
/// whole range of f32.
static bool hasAccuratePolynomial(StringRef name) {
  return llvm::is_contained({math::ExpOp::getOperationName(),
                             math::LogOp::getOperationName(),
                             math::TanhOp::getOperationName()},
                            name);
}

namespace {
struct AttnExpandMathPass
    : public attn::impl::AttnExpandMathPassBase<AttnExpandMathPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns,
                                                hasAccuratePolynomial);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
