//===- IndexOps.cpp - Index arithmetic ------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Agent.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims,
                 ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t lhs = evaluate(binary.getLHS(), dims, symbols);
  int64_t rhs = evaluate(binary.getRHS(), dims, symbols);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::FloorDiv:
    return rhs > 0 ? llvm::divideFloorSigned(lhs, rhs) : 0;
  case AffineExprKind::CeilDiv:
    return rhs > 0 ? llvm::divideCeilSigned(lhs, rhs) : 0;
  case AffineExprKind::Mod:
    return rhs > 0 ? llvm::mod(lhs, rhs) : 0;
  default:
    llvm_unreachable("all kinds of binary expressions are handled");
  }
}

/// The map's results, combined to one.
template <typename Op, typename Combine>
LogicalResult runAffine(Agent &agent, Op op, AffineMap map, Combine combine) {
  SmallVector<int64_t> operands;
  if (failed(agent.getInts(op, op->getOperands(), operands)))
    return failure();
  ArrayRef<int64_t> dims = ArrayRef(operands).take_front(map.getNumDims());
  ArrayRef<int64_t> symbols = ArrayRef(operands).drop_front(map.getNumDims());
  std::optional<int64_t> result;
  for (AffineExpr expr : map.getResults()) {
    int64_t value = evaluate(expr, dims, symbols);
    result = result ? combine(*result, value) : value;
  }
  agent.set(op.getResult(), *result);
  return success();
}

} // namespace

void sim::addIndexOps(Handlers &handlers) {
  handlers.add<affine::AffineApplyOp>(
      [](Agent &agent, affine::AffineApplyOp op) {
        return runAffine(agent, op, op.getAffineMap(),
                         [](int64_t, int64_t b) { return b; });
      });
  handlers.add<affine::AffineMinOp>([](Agent &agent, affine::AffineMinOp op) {
    return runAffine(agent, op, op.getAffineMap(),
                     [](int64_t a, int64_t b) { return std::min(a, b); });
  });
  handlers.add<affine::AffineMaxOp>([](Agent &agent, affine::AffineMaxOp op) {
    return runAffine(agent, op, op.getAffineMap(),
                     [](int64_t a, int64_t b) { return std::max(a, b); });
  });
}
