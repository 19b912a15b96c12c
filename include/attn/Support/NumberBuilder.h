//===- NumberBuilder.h - Arithmetic by methods of a builder -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_SUPPORT_NUMBERBUILDER_H
#define ATTN_SUPPORT_NUMBERBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/TypeUtilities.h"

namespace mlir::attn {

/// A builder with a short method for each often used op of the arith and math
/// dialects. A method has the name of the op. A method for a comparison has the
/// name of the predicate. A method whose name ends with OrFold returns the
/// folded value instead, without creating an op, if the op can be folded.
class NumberBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  static NumberBuilder atBlockBegin(Location loc, Block *block,
                                    Listener *listener = nullptr) {
    return NumberBuilder(loc, block, block->begin(), listener);
  }
  static NumberBuilder atBlockEnd(Location loc, Block *block,
                                  Listener *listener = nullptr) {
    return NumberBuilder(loc, block, block->end(), listener);
  }

#define ATTN_BINARY(name, Op)                                                  \
  Value name(Value lhs, Value rhs) {                                           \
    return arith::Op::create(*this, lhs, rhs);                                 \
  }                                                                            \
  Value name##OrFold(Value lhs, Value rhs) {                                   \
    return createOrFold<arith::Op>(lhs, rhs);                                  \
  }
  ATTN_BINARY(addi, AddIOp)
  ATTN_BINARY(subi, SubIOp)
  ATTN_BINARY(muli, MulIOp)
  ATTN_BINARY(divui, DivUIOp)
  ATTN_BINARY(remui, RemUIOp)
  ATTN_BINARY(ceildivui, CeilDivUIOp)
  ATTN_BINARY(minsi, MinSIOp)
  ATTN_BINARY(maxsi, MaxSIOp)
  ATTN_BINARY(minui, MinUIOp)
  ATTN_BINARY(maxui, MaxUIOp)
  ATTN_BINARY(andi, AndIOp)
  ATTN_BINARY(ori, OrIOp)
  ATTN_BINARY(xori, XOrIOp)
  ATTN_BINARY(shli, ShLIOp)
  ATTN_BINARY(shrui, ShRUIOp)
  ATTN_BINARY(shrsi, ShRSIOp)
#undef ATTN_BINARY
#define ATTN_BINARY(name, Op)                                                  \
  Value name(Value lhs, Value rhs,                                             \
             arith::FastMathFlags flags = arith::FastMathFlags::none) {        \
    return arith::Op::create(*this, lhs, rhs, flags);                          \
  }
  ATTN_BINARY(addf, AddFOp)
  ATTN_BINARY(subf, SubFOp)
  ATTN_BINARY(mulf, MulFOp)
  ATTN_BINARY(divf, DivFOp)
  ATTN_BINARY(maximumf, MaximumFOp)
  ATTN_BINARY(minimumf, MinimumFOp)
  ATTN_BINARY(maxnumf, MaxNumFOp)
  ATTN_BINARY(minnumf, MinNumFOp)
#undef ATTN_BINARY
#define ATTN_COMPARE(name, kind, predicate)                                    \
  Value name(Value lhs, Value rhs) {                                           \
    return arith::kind##Op::create(*this, arith::kind##Predicate::predicate,   \
                                   lhs, rhs);                                  \
  }                                                                            \
  Value name##OrFold(Value lhs, Value rhs) {                                   \
    return createOrFold<arith::kind##Op>(arith::kind##Predicate::predicate,    \
                                         lhs, rhs);                            \
  }
  ATTN_COMPARE(eq, CmpI, eq)
  ATTN_COMPARE(ne, CmpI, ne)
  ATTN_COMPARE(slt, CmpI, slt)
  ATTN_COMPARE(sle, CmpI, sle)
  ATTN_COMPARE(sgt, CmpI, sgt)
  ATTN_COMPARE(sge, CmpI, sge)
  ATTN_COMPARE(ult, CmpI, ult)
  ATTN_COMPARE(ule, CmpI, ule)
  ATTN_COMPARE(ugt, CmpI, ugt)
  ATTN_COMPARE(uge, CmpI, uge)
  ATTN_COMPARE(oeq, CmpF, OEQ)
  ATTN_COMPARE(ogt, CmpF, OGT)
  ATTN_COMPARE(olt, CmpF, OLT)
#undef ATTN_COMPARE
#define ATTN_CAST(name, Op)                                                    \
  Value name(Type type, Value value) {                                         \
    return arith::Op::create(*this, type, value);                              \
  }
  ATTN_CAST(indexCast, IndexCastOp)
  ATTN_CAST(indexCastUI, IndexCastUIOp)
  ATTN_CAST(extui, ExtUIOp)
  ATTN_CAST(trunci, TruncIOp)
  ATTN_CAST(bitcast, BitcastOp)
  ATTN_CAST(extf, ExtFOp)
  ATTN_CAST(truncf, TruncFOp)
  ATTN_CAST(uitofp, UIToFPOp)
  ATTN_CAST(sitofp, SIToFPOp)
  ATTN_CAST(fptosi, FPToSIOp)
#undef ATTN_CAST
#define ATTN_UNARY(name, Op)                                                   \
  Value name(Value value) { return Op::create(*this, value); }
  ATTN_UNARY(negf, arith::NegFOp)
  ATTN_UNARY(absf, math::AbsFOp)
  ATTN_UNARY(exp, math::ExpOp)
  ATTN_UNARY(exp2, math::Exp2Op)
  ATTN_UNARY(log, math::LogOp)
#undef ATTN_UNARY

  Value cmpi(arith::CmpIPredicate predicate, Value lhs, Value rhs) {
    return arith::CmpIOp::create(*this, predicate, lhs, rhs);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(*this, condition, yes, no);
  }
  Value selectOrFold(Value condition, Value yes, Value no) {
    return createOrFold<arith::SelectOp>(condition, yes, no);
  }
  Value fma(Value lhs, Value rhs, Value addend) {
    return math::FmaOp::create(*this, lhs, rhs, addend);
  }
  /// Returns the value, or creates a constant of type index for the attribute.
  Value asValue(OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(*this, getLoc(), ofr);
  }
  /// Creates a constant of type index.
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  /// Creates a constant of type i32.
  Value word(int64_t value) {
    return arith::ConstantOp::create(
        *this, getI32IntegerAttr(static_cast<int32_t>(value)));
  }
  Value i64(int64_t value) {
    return arith::ConstantOp::create(*this, getI64IntegerAttr(value));
  }
  Value f32(float value) {
    return arith::ConstantOp::create(*this, getF32FloatAttr(value));
  }
  Value boolean(bool value) {
    return arith::ConstantOp::create(*this, getBoolAttr(value));
  }
  /// Creates a constant of type `type`, that of a number or of a vector or
  /// tensor of equal numbers.
  Value zero(Type type) {
    return arith::ConstantOp::create(*this, getZeroAttr(type));
  }
  Value real(Type type, double value) {
    return createSplat(type, getFloatAttr(getElementTypeOrSelf(type), value));
  }
  Value integer(Type type, int64_t value) {
    return createSplat(type, getIntegerAttr(getElementTypeOrSelf(type), value));
  }

private:
  Value createSplat(Type type, TypedAttr number) {
    if (auto shaped = dyn_cast<ShapedType>(type))
      number = DenseElementsAttr::get(shaped, Attribute(number));
    return arith::ConstantOp::create(*this, number);
  }
};

} // namespace mlir::attn

#endif // ATTN_SUPPORT_NUMBERBUILDER_H
