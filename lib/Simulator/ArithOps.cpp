//===- ArithOps.cpp - Arithmetic ------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Elementwise.h"

#include "../Oracle/ScalarOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

/// A division by zero ends the host's program. What a tile's lanes outside of
/// an array divide by may be anything.
LogicalResult checkDivisor(Agent &agent, Operation *op) {
  if (agent.cta || !op->getOperand(1).getType().isIntOrIndex())
    return success();
  FailureOr<int64_t> divisor = agent.getInt(op, op->getOperand(1));
  if (failed(divisor))
    return failure();
  return *divisor == 0
             ? agent.fail(op, "expected the host to divide by a number other "
                              "than 0")
             : success();
}

template <typename Op, typename Fn> void addFloats(Handlers &handlers, Fn fn) {
  handlers.add<Op>([fn](Agent &agent, Op op) {
    return applyElementwise<float, float>(agent, op, fn);
  });
}

/// Of integers that are sign-extended or, if In is unsigned, zero-extended. The
/// function takes their width, too.
template <typename Op, typename In, typename Fn>
void addIntegers(Handlers &handlers, Fn fn) {
  handlers.add<Op>([fn](Agent &agent, Op op) -> LogicalResult {
    if (isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op) &&
        failed(checkDivisor(agent, op)))
      return failure();
    unsigned width = getWidth(getElement(op->getOperand(0)));
    auto extend = [width](int64_t a) -> In {
      return std::is_signed_v<In> ? signExtend(a, width) : zeroExtend(a, width);
    };
    if constexpr (std::is_invocable_v<Fn, unsigned, In>)
      return applyElementwise<int64_t, int64_t>(
          agent, op, [&](int64_t a) { return int64_t(fn(width, extend(a))); });
    else
      return applyElementwise<int64_t, int64_t>(
          agent, op, [&](int64_t a, int64_t b) {
            return int64_t(fn(width, extend(a), extend(b)));
          });
  });
}

/// A condition of a float. The function takes the smallest normal one, too.
template <typename Op, typename Fn> void addTest(Handlers &handlers, Fn test) {
  handlers.add<Op>([test](Agent &agent, Op op) {
    auto type = cast<FloatType>(getElement(op->getOperand(0)));
    float smallest =
        llvm::APFloat::getSmallestNormalized(type.getFloatSemantics())
            .convertToFloat();
    return applyElementwise<int64_t, float>(
        agent, op, [&](float a) { return int64_t(test(smallest, a)); });
  });
}

template <typename Op> void addFromFloat(Handlers &handlers, bool isSigned) {
  handlers.add<Op>([isSigned](Agent &agent, Op op) {
    unsigned width = getWidth(getElement(op.getResult()));
    return applyElementwise<int64_t, float>(
        agent, op, [=](float a) { return toInteger(a, width, isSigned); });
  });
}

LogicalResult runCompareFloats(Agent &agent, arith::CmpFOp op) {
  uint8_t outcomes = getOutcomes(op.getPredicate());
  return applyElementwise<int64_t, float>(agent, op, [&](float a, float b) {
    return int64_t((outcomes & compareNumbers(a, b)) != 0);
  });
}

LogicalResult runCompareIntegers(Agent &agent, arith::CmpIOp op) {
  uint8_t outcomes = getOutcomes(op.getPredicate());
  unsigned width = getWidth(getElement(op.getLhs()));
  bool isZeroExtended = isUnsigned(op.getPredicate());
  return applyElementwise<int64_t, int64_t>(
      agent, op, [&](int64_t a, int64_t b) {
        Outcome outcome =
            isZeroExtended
                ? compareNumbers(zeroExtend(a, width), zeroExtend(b, width))
                : compareNumbers(signExtend(a, width), signExtend(b, width));
        return int64_t((outcomes & outcome) != 0);
      });
}

/// The halves of a product of two numbers.
LogicalResult runWideProduct(Agent &agent, arith::MulUIExtendedOp op) {
  FailureOr<int64_t> lhs = agent.getInt(op, op.getLhs()),
                     rhs = agent.getInt(op, op.getRhs());
  if (failed(lhs) || failed(rhs))
    return failure();
  Type type = op.getLhs().getType();
  auto low = static_cast<uint64_t>(*lhs) * static_cast<uint64_t>(*rhs);
  agent.set(op.getLow(), wrapInteger(type, static_cast<int64_t>(low)));
  agent.set(op.getHigh(),
            wrapInteger(type, multiplyHigh(*lhs, *rhs, getWidth(type),
                                           /*isSigned=*/false)));
  return success();
}

} // namespace

void sim::addArithOps(Handlers &handlers) {
  using T = float;
  using S = int64_t;
  using U = uint64_t;
#define ATTN_ADD(add, op, value, ...)                                          \
  add<op>(handlers, [](__VA_ARGS__) { return value; });
#define ATTN_FLOAT1(dialect, op, value, ...)                                   \
  ATTN_ADD(addFloats, dialect::op##Op, value, T a)
#define ATTN_FLOAT2(dialect, op, value)                                        \
  ATTN_ADD(addFloats, dialect::op##Op, value, T a, T b)
#define ATTN_FLOAT3(dialect, op, value)                                        \
  ATTN_ADD(addFloats, dialect::op##Op, value, T a, T b, T c)
#define ATTN_TEST(dialect, op, value)                                          \
  ATTN_ADD(addTest, dialect::op##Op, value, T smallest, T a)
#define ATTN_INTEGER1(dialect, op, type, value)                                \
  addIntegers<dialect::op##Op, type>(                                          \
      handlers, [](unsigned width, type a) { return value; });
#define ATTN_INTEGER2(dialect, op, type, value)                                \
  addIntegers<dialect::op##Op, type>(                                          \
      handlers, [](unsigned width, type a, type b) { return value; });
#define ATTN_SIGNED1(dialect, op, value) ATTN_INTEGER1(dialect, op, S, value)
#define ATTN_UNSIGNED1(dialect, op, value) ATTN_INTEGER1(dialect, op, U, value)
#define ATTN_SIGNED2(dialect, op, value) ATTN_INTEGER2(dialect, op, S, value)
#define ATTN_UNSIGNED2(dialect, op, value) ATTN_INTEGER2(dialect, op, U, value)

  ATTN_UNARY_FLOAT_OPS(ATTN_FLOAT1)
  ATTN_STEP_OPS(ATTN_FLOAT1)
  ATTN_BINARY_FLOAT_OPS(ATTN_FLOAT2)
  ATTN_TERNARY_FLOAT_OPS(ATTN_FLOAT3)
  ATTN_FLOAT_TESTS(ATTN_TEST)
  ATTN_UNARY_SIGNED_OPS(ATTN_SIGNED1)
  ATTN_UNARY_UNSIGNED_OPS(ATTN_UNSIGNED1)
  ATTN_BINARY_SIGNED_OPS(ATTN_SIGNED2)
  ATTN_BINARY_UNSIGNED_OPS(ATTN_UNSIGNED2)
  ATTN_FLOAT1(arith, TruncF, a)
  ATTN_FLOAT1(arith, ExtF, a)
  ATTN_UNSIGNED1(arith, ExtUI, a)
  ATTN_UNSIGNED1(arith, IndexCastUI, a)
  ATTN_SIGNED1(arith, ExtSI, a)
  ATTN_SIGNED1(arith, IndexCast, a)
  ATTN_SIGNED1(arith, TruncI, a)
#undef ATTN_ADD
#undef ATTN_FLOAT1
#undef ATTN_FLOAT2
#undef ATTN_FLOAT3
#undef ATTN_TEST
#undef ATTN_INTEGER1
#undef ATTN_INTEGER2
#undef ATTN_SIGNED1
#undef ATTN_UNSIGNED1
#undef ATTN_SIGNED2
#undef ATTN_UNSIGNED2
  addFromFloat<arith::FPToSIOp>(handlers, /*isSigned=*/true);
  addFromFloat<arith::FPToUIOp>(handlers, /*isSigned=*/false);
  handlers.add<arith::SIToFPOp>([](Agent &agent, arith::SIToFPOp op) {
    unsigned width = getWidth(getElement(op.getIn()));
    return applyElementwise<float, int64_t>(
        agent, op, [&](int64_t a) { return float(signExtend(a, width)); });
  });
  handlers.add<arith::UIToFPOp>([](Agent &agent, arith::UIToFPOp op) {
    unsigned width = getWidth(getElement(op.getIn()));
    return applyElementwise<float, int64_t>(
        agent, op, [&](int64_t a) { return float(zeroExtend(a, width)); });
  });
  handlers.add<arith::CmpFOp>(runCompareFloats);
  handlers.add<arith::CmpIOp>(runCompareIntegers);
  handlers.add<arith::MulUIExtendedOp>(runWideProduct);
}
