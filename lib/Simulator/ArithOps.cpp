//===- ArithOps.cpp - Arithmetic ------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Oracle/ScalarOps.h"
#include "Agent.h"
#include "Elementwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;

namespace {

/// Fails with an error if the host runs an integer division by zero, which
/// would end the compiled program. Kernels may divide by zero, since lanes
/// whose elements are outside of an array divide by arbitrary numbers, and the
/// results are not used.
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

/// Registers how the simulator runs an op on integers. `fn` computes one
/// element of the result from the integers' width in bits and from the
/// operands' elements. These are sign-extended to In or, if In is unsigned,
/// zero-extended. For unsigned divisions, checkDivisor() is called first.
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

/// Registers how the simulator runs an op that tests each element of a float
/// operand, such as for NaN. `test` gets the smallest normal number of the
/// element type, and the element.
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

template <typename Op, typename Fn>
void addToFloat(Handlers &handlers, Fn extend) {
  handlers.add<Op>([extend](Agent &agent, Op op) {
    unsigned width = getWidth(getElement(op.getIn()));
    return applyElementwise<float, int64_t>(
        agent, op, [=](int64_t a) { return float(extend(a, width)); });
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

/// Runs a bitcast between f32 and i32, of scalars or tiles.
LogicalResult runBitcast(Agent &agent, arith::BitcastOp op) {
  Type from = getElement(op.getIn()), to = getElement(op.getOut());
  if (from.isF32() && to.isInteger(32))
    return applyElementwise<int64_t, float>(
        agent, op, [](float a) { return int64_t(llvm::bit_cast<int32_t>(a)); });
  if (from.isInteger(32) && to.isF32())
    return applyElementwise<float, int64_t>(agent, op, [](int64_t a) {
      return llvm::bit_cast<float>(static_cast<uint32_t>(a));
    });
  return agent.fail(op, "expected f32 and i32");
}

/// Runs arith.mului_extended: computes the low and the high half of the product
/// of two unsigned integers.
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
  addToFloat<arith::SIToFPOp>(handlers, signExtend);
  addToFloat<arith::UIToFPOp>(handlers, zeroExtend);
  handlers.add<arith::BitcastOp>(runBitcast);
  handlers.add<arith::CmpFOp>(runCompareFloats);
  handlers.add<arith::CmpIOp>(runCompareIntegers);
  handlers.add<arith::MulUIExtendedOp>(runWideProduct);
}

//===----------------------------------------------------------------------===//
// Affine maps
//===----------------------------------------------------------------------===//

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

/// Evaluates an affine map on the op's operands. Sets the op's result to the
/// combination of all results of the map by `combine`, from the first to the
/// last; `combine` is the minimum or maximum for affine.min and affine.max.
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

//===----------------------------------------------------------------------===//
// Constants and choices
//===----------------------------------------------------------------------===//

namespace {

template <typename T>
LogicalResult select(Agent &agent, arith::SelectOp op,
                     Elements<int64_t> condition) {
  auto yes = getElements<T>(agent, op, op.getTrueValue());
  auto no = getElements<T>(agent, op, op.getFalseValue());
  if (failed(yes) || failed(no))
    return failure();
  size_t count = std::max({condition.count, yes->count, no->count});
  return fillResult<T>(agent, op.getResult(), count, [&](size_t i) {
    return condition[i] ? (*yes)[i] : (*no)[i];
  });
}

LogicalResult runSelect(Agent &agent, arith::SelectOp op) {
  auto condition = getElements<int64_t>(agent, op, op.getCondition());
  if (failed(condition))
    return failure();
  Type type = getElement(op.getResult());
  bool isArray = isa<BaseMemRefType>(op.getType());
  if (!isArray && isa<FloatType>(type))
    return select<float>(agent, op, *condition);
  if (!isArray && type.isIntOrIndex())
    return select<int64_t>(agent, op, *condition);
  if (condition->count != 1)
    return agent.failKind(op, op.getCondition());
  agent.set(op.getResult(), agent.get((*condition)[0] ? op.getTrueValue()
                                                      : op.getFalseValue()));
  return success();
}

/// Runs an arith.constant. A number becomes a scalar, and a splat becomes a
/// tile with the number in each register of each lane. Refuses other constants,
/// and splats whose type is no tile in registers.
LogicalResult runConstant(Agent &agent, arith::ConstantOp op) {
  Attribute value = op.getValue();
  Type type = op.getType();
  size_t count = 1;
  if (auto elements = dyn_cast<SplatElementsAttr>(value)) {
    const TileLayout *layout = agent.simulation.getLayout(type);
    if (!layout)
      return agent.refuse(op, "expected a tile with a layout in registers");
    count = layout->getSize();
    value = elements.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    auto element = static_cast<float>(number.getValueAsDouble());
    return fillResult<float>(agent, op.getResult(), count,
                             [&](size_t) { return element; });
  }
  if (auto number = dyn_cast<IntegerAttr>(value)) {
    int64_t element = number.getValue().getSExtValue();
    return fillResult<int64_t>(agent, op.getResult(), count,
                               [&](size_t) { return element; });
  }
  return agent.refuse(op, "expected a number or a tile of one number");
}

template <typename T>
LogicalResult splat(Agent &agent, tensor::SplatOp op, size_t count) {
  auto element = getElements<T>(agent, op, op.getInput());
  if (failed(element))
    return failure();
  return fillResult<T>(agent, op.getResult(), count,
                       [&](size_t) { return (*element)[0]; });
}

LogicalResult runSplat(Agent &agent, tensor::SplatOp op) {
  const TileLayout *layout = agent.simulation.getLayout(op.getType());
  if (!layout)
    return agent.refuse(op, "expected a tile with a layout in registers");
  return isa<FloatType>(getElement(op.getResult()))
             ? splat<float>(agent, op, layout->getSize())
             : splat<int64_t>(agent, op, layout->getSize());
}

} // namespace

void sim::addConstantOps(Handlers &handlers) {
  handlers.add<arith::SelectOp>(runSelect);
  handlers.add<arith::ConstantOp>(runConstant);
  handlers.add<tensor::SplatOp>(runSplat);
}
