//===- TileBuilder.h - Arithmetic on scalars and tiles ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::attn {

/// A builder with a method for each op of arithmetic that programs are made of,
/// by the op's name; a comparison has its predicate's.
class TileBuilder : public ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

#define ATTN_BINARY(name, Op)                                                  \
  Value name(Value lhs, Value rhs) {                                           \
    return arith::Op::create(*this, lhs, rhs);                                 \
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
  ATTN_BINARY(shrui, ShRUIOp)
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
  ATTN_BINARY(maxnumf, MaxNumFOp)
  ATTN_BINARY(minnumf, MinNumFOp)
#undef ATTN_BINARY
#define ATTN_COMPARE(name, kind, predicate)                                    \
  Value name(Value lhs, Value rhs) {                                           \
    return arith::kind##Op::create(*this, arith::kind##Predicate::predicate,   \
                                   lhs, rhs);                                  \
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
  Value asValue(OpFoldResult ofr) {
    return getValueOrCreateConstantIndexOp(*this, getLoc(), ofr);
  }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return affine::makeComposedFoldedAffineApply(*this, getLoc(), expr,
                                                 operands);
  }
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineMin(
        *this, getLoc(), getMultiDimIdentityMap(2), {lhs, rhs});
  }
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineMax(
        *this, getLoc(), getMultiDimIdentityMap(2), {lhs, rhs});
  }
  /// A constant of type index.
  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(*this, value);
  }
  Value splat(Value scalar, RankedTensorType type) {
    return tensor::SplatOp::create(*this, scalar, type);
  }
  Value coordinate(RankedTensorType type, int64_t axis,
                   AffineMapAttr map = AffineMapAttr()) {
    return map ? attn_tile::CoordinateOp::create(*this, type, axis, map)
               : attn_tile::CoordinateOp::create(*this, type, axis);
  }
  Value broadcast(Type type, Value vector, int64_t axis) {
    return attn_tile::BroadcastOp::create(*this, type, vector, axis);
  }
  Value reduce(Type type, attn_tile::ReduceKind kind, Value tile,
               int64_t axis) {
    return attn_tile::ReduceOp::create(*this, type, kind, tile, axis);
  }
};

/// Short forms for what tile programs are made of.
class TileProgram {
protected:
  TileProgram(Location loc, OpBuilder &builder) : b(loc, builder) {}

  RankedTensorType tileType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType f32Tile(ArrayRef<int64_t> shape) {
    return tileType(shape, b.getF32Type());
  }
  Value asValue(OpFoldResult ofr) { return b.asValue(ofr); }
  OpFoldResult apply(AffineExpr expr, ArrayRef<OpFoldResult> operands) {
    return b.apply(expr, operands);
  }
  OpFoldResult min(OpFoldResult lhs, OpFoldResult rhs) {
    return b.min(lhs, rhs);
  }
  OpFoldResult max(OpFoldResult lhs, OpFoldResult rhs) {
    return b.max(lhs, rhs);
  }
  /// A constant of floats, of integers or of indices.
  Value splat(RankedTensorType type, double value);
  Value splat(RankedTensorType type, int64_t value);
  Value load(Value array, ArrayRef<int64_t> shape, ValueRange position);
  /// The vector repeated along `axis` of a tile.
  Value broadcast(Value vector, int64_t axis, ArrayRef<int64_t> shape);
  /// Floats as f32.
  Value extend(Value value);
  /// The tile with elements of that type, which are no wider.
  Value round(Value tile, Type element);
  /// A grid of programs of the op, with the reasons for its schedule.
  attn_tile::GridOp createGridOf(Operation *op, ArrayRef<Value> sizes,
                                 ArrayRef<int64_t> steps,
                                 TileSizesAttrInterface schedule);

  TileBuilder b;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H
