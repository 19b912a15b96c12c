//===- FloatOps.cpp - Arithmetic of floats --------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

bool compare(arith::CmpFPredicate predicate, float a, float b) {
  using P = arith::CmpFPredicate;
  bool isUnordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !isUnordered && a != b;
  case P::ORD:
    return !isUnordered;
  case P::UEQ:
    return isUnordered || a == b;
  case P::UGT:
    return isUnordered || a > b;
  case P::UGE:
    return isUnordered || a >= b;
  case P::ULT:
    return isUnordered || a < b;
  case P::ULE:
    return isUnordered || a <= b;
  case P::UNE:
    return isUnordered || a != b;
  case P::UNO:
    return isUnordered;
  case P::AlwaysTrue:
    return true;
  }
  return false;
}

float maxNum(float a, float b) { return std::fmax(a, b); }
float minNum(float a, float b) { return std::fmin(a, b); }
float maximum(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmax(a, b);
}
float minimum(float a, float b) {
  return std::isnan(a) || std::isnan(b) ? NAN : std::fmin(a, b);
}

/// A condition.
template <typename Op> void addTest(Handlers &handlers, bool (*test)(float)) {
  handlers.add<Op>([test](Agent &agent, Op op) {
    return applyElementwise<int64_t, float>(
        agent, op, [test](float a) { return int64_t(test(a)); });
  });
}

} // namespace

void sim::addFloatOps(Handlers &handlers) {
  addFloat<arith::AddFOp>(handlers, [](float a, float b) { return a + b; });
  addFloat<arith::SubFOp>(handlers, [](float a, float b) { return a - b; });
  addFloat<arith::MulFOp>(handlers, [](float a, float b) { return a * b; });
  addFloat<arith::DivFOp>(handlers, [](float a, float b) { return a / b; });
  addFloat<arith::RemFOp>(handlers,
                          [](float a, float b) { return std::fmod(a, b); });
  addFloat<arith::NegFOp>(handlers, [](float a) { return -a; });
  addFloat<arith::MaxNumFOp>(handlers, maxNum);
  addFloat<arith::MinNumFOp>(handlers, minNum);
  addFloat<arith::MaximumFOp>(handlers, maximum);
  addFloat<arith::MinimumFOp>(handlers, minimum);
  addFloat<arith::TruncFOp>(handlers, [](float a) { return a; });
  addFloat<arith::ExtFOp>(handlers, [](float a) { return a; });
  addFloat<math::FmaOp>(
      handlers, [](float a, float b, float c) { return std::fma(a, b, c); });
  addFloat<math::AbsFOp>(handlers, [](float a) { return std::fabs(a); });
  addFloat<math::ExpOp>(handlers, [](float a) { return std::exp(a); });
  addFloat<math::Exp2Op>(handlers, [](float a) { return std::exp2(a); });
  addFloat<math::ExpM1Op>(handlers, [](float a) { return std::expm1(a); });
  addFloat<math::LogOp>(handlers, [](float a) { return std::log(a); });
  addFloat<math::Log2Op>(handlers, [](float a) { return std::log2(a); });
  addFloat<math::Log10Op>(handlers, [](float a) { return std::log10(a); });
  addFloat<math::Log1pOp>(handlers, [](float a) { return std::log1p(a); });
  addFloat<math::TanhOp>(handlers, [](float a) { return std::tanh(a); });
  addFloat<math::SinOp>(handlers, [](float a) { return std::sin(a); });
  addFloat<math::CosOp>(handlers, [](float a) { return std::cos(a); });
  addFloat<math::TanOp>(handlers, [](float a) { return std::tan(a); });
  addFloat<math::AsinOp>(handlers, [](float a) { return std::asin(a); });
  addFloat<math::AcosOp>(handlers, [](float a) { return std::acos(a); });
  addFloat<math::AtanOp>(handlers, [](float a) { return std::atan(a); });
  addFloat<math::Atan2Op>(handlers,
                          [](float a, float b) { return std::atan2(a, b); });
  addFloat<math::SinhOp>(handlers, [](float a) { return std::sinh(a); });
  addFloat<math::CoshOp>(handlers, [](float a) { return std::cosh(a); });
  addFloat<math::AsinhOp>(handlers, [](float a) { return std::asinh(a); });
  addFloat<math::AcoshOp>(handlers, [](float a) { return std::acosh(a); });
  addFloat<math::AtanhOp>(handlers, [](float a) { return std::atanh(a); });
  addFloat<math::CbrtOp>(handlers, [](float a) { return std::cbrt(a); });
  addFloat<math::SqrtOp>(handlers, [](float a) { return std::sqrt(a); });
  addFloat<math::RsqrtOp>(handlers, [](float a) { return 1 / std::sqrt(a); });
  addFloat<math::ErfOp>(handlers, [](float a) { return std::erf(a); });
  addFloat<math::ErfcOp>(handlers, [](float a) { return std::erfc(a); });
  addFloat<math::PowFOp>(handlers,
                         [](float a, float b) { return std::pow(a, b); });
  addFloat<math::FloorOp>(handlers, [](float a) { return std::floor(a); });
  addFloat<math::CeilOp>(handlers, [](float a) { return std::ceil(a); });
  addFloat<math::TruncOp>(handlers, [](float a) { return std::trunc(a); });
  addFloat<math::RoundEvenOp>(handlers,
                              [](float a) { return std::nearbyint(a); });
  addFloat<math::RoundOp>(handlers, [](float a) { return std::round(a); });
  addFloat<math::CopySignOp>(
      handlers, [](float a, float b) { return std::copysign(a, b); });
  addFloat<math::ClampFOp>(handlers, [](float a, float low, float high) {
    return minimum(maximum(a, low), high);
  });
  addTest<math::IsNaNOp>(handlers, [](float a) { return std::isnan(a); });
  addTest<math::IsInfOp>(handlers, [](float a) { return std::isinf(a); });
  addTest<math::IsFiniteOp>(handlers, [](float a) { return std::isfinite(a); });
  addTest<math::IsNormalOp>(handlers, [](float a) { return std::isnormal(a); });
  handlers.add<arith::CmpFOp>([](Agent &agent, arith::CmpFOp op) {
    arith::CmpFPredicate predicate = op.getPredicate();
    return applyElementwise<int64_t, float>(agent, op, [&](float a, float b) {
      return int64_t(compare(predicate, a, b));
    });
  });
}
