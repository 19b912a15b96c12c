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
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::attn {

/// A builder with methods for the ops of tile programs, besides arithmetic.
class TileBuilder : public NumberBuilder {
public:
  using NumberBuilder::NumberBuilder;

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

/// Base of builders of tile programs, with shorthands.
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
  /// Returns a constant tile of floats, or of integers or indices.
  Value splat(RankedTensorType type, double value);
  Value splat(RankedTensorType type, int64_t value);
  Value load(Value array, ArrayRef<int64_t> shape, ValueRange position);
  /// Returns a tile of the vector, repeated along `axis`.
  Value broadcast(Value vector, int64_t axis, ArrayRef<int64_t> shape);
  /// Returns floats extended to f32.
  Value extend(Value value);
  /// Returns the tile rounded to the element type, which is no wider.
  Value round(Value tile, Type element);
  /// Creates a grid of the op's programs, with the reasons for its schedule.
  attn_tile::GridOp createGridOf(Operation *op, ArrayRef<Value> sizes,
                                 ArrayRef<int64_t> steps,
                                 TileSizesAttrInterface schedule);

  TileBuilder b;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H
