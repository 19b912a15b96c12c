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

#include <optional>

namespace mlir::attn {

/// A NumberBuilder (arithmetic) that also has methods for the ops of tile
/// programs.
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

/// Whether a size of the array is known to be 0. A view of such an array could
/// be out of bounds.
inline bool isKnownEmpty(Value array) {
  return llvm::is_contained(cast<ShapedType>(array.getType()).getShape(), 0);
}

/// Base class of builders of tile programs, with shorthands for common ops.
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
  AffineExpr dim(unsigned i) { return b.getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return b.getAffineConstantExpr(c); }
  bool isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                OpFoldResult limit);
  OpFoldResult getSize(Value view, int64_t dim);
  /// Allocates workspace that grids share, and that the caller frees.
  Value allocate(ArrayRef<OpFoldResult> sizes, Type element);
  /// Allocates workspace for as many rows as the array has, of its number of
  /// columns or of `columns`. Rows begin at multiples of 16 bytes, so that any
  /// kind of copy can load them. Returns the memory and a view of the columns,
  /// which are the same for an array that is known to be empty.
  std::pair<Value, Value>
  allocateRows(Value array, Type element,
               std::optional<int64_t> columns = std::nullopt);
  SmallVector<Value> getSizes(Value array);
  /// Returns a view of `length` elements from `first` on in dimension `dim`, by
  /// default that of rows or keys; `view` itself if that is the whole
  /// dimension.
  Value slice(Value view, OpFoldResult first, OpFoldResult length,
              int64_t dim = 2);
  Value clip(Value view, OpFoldResult length) {
    return slice(view, b.getIndexAttr(0), length);
  }
  /// Returns a view with the array's dimensions in that order.
  Value transpose(Value array, ArrayRef<unsigned> order);
  /// Returns a view of the array without those dimensions of size 1 for which
  /// `isKept` is false.
  Value dropDims(Value array, function_ref<bool(int64_t)> isKept);
  /// Emits a grid that fills an array of any rank above 0 with zeros; nothing
  /// if the array is known to be empty.
  void emitZeros(Value array, TileSizesAttrInterface schedule);
  /// Returns the operand if it is a number; if it is a memref with one element,
  /// reads that.
  Value readNumber(Value operand);
  /// Divides in 32 bits: heads are far fewer than 2^31, and a 64-bit division,
  /// or a multiplication by an inverse, takes more registers.
  Value divideHeads(Value head, Value count);
  /// Returns a vector of i1: which of the `rows` rows from `first` on are
  /// before `length`. Null if `arrayLength` is known to be at most `length`.
  Value findRealRows(OpFoldResult arrayLength, OpFoldResult length, Value first,
                     int64_t rows);
  /// Emits a loop over the blocks of a domain and returns its results.
  /// `emitBody` gets the block's position, an i1 that says whether it is
  /// partial, and the carried values, and returns the next ones.
  SmallVector<Value> loopOverBlocks(
      Value domain, ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody);
  /// Returns the tile with zeros where `keep`, a tile of i1, is false; the tile
  /// itself if `keep` is null.
  Value dropOut(Value tile, Value keep);
  /// Returns a tile of the numbers that count up from `first` along `axis`.
  Value countFrom(Value first, RankedTensorType type, int64_t axis = 0) {
    return b.addi(b.coordinate(type, axis), b.splat(first, type));
  }
  /// Returns a constant tile of floats, or of integers or indices.
  Value splat(RankedTensorType type, double value);
  Value splat(RankedTensorType type, int64_t value);
  /// Load or store a tile at `position`. Dimensions of the array for which
  /// `position` has no index are the last ones, and get index 0.
  Value load(Value array, ArrayRef<int64_t> shape, ValueRange position,
             bool beside = false);
  void store(Value tile, Value array, ValueRange position, bool add = false);
  SmallVector<Value> completePosition(Value array, ValueRange position);
  /// Returns a tile of the vector, repeated along `axis`.
  Value broadcast(Value vector, int64_t axis, ArrayRef<int64_t> shape);
  /// Returns floats extended to f32.
  Value extend(Value value);
  /// Returns the tile rounded to `element`, which is not wider than the tile's
  /// element type; the tile itself if that is the same.
  Value round(Value tile, Type element);
  /// Moves the builder into the grid's program and returns its coordinates.
  Block::BlockArgListType enter(attn_tile::GridOp grid) {
    b.setInsertionPointToStart(&grid.getBody().front());
    return grid.getBody().getArguments();
  }
  /// Creates a grid of the op's programs, and copies the attribute with the
  /// reasons for its schedule from the op.
  attn_tile::GridOp createGridOf(Operation *op, ArrayRef<Value> sizes,
                                 ArrayRef<int64_t> steps,
                                 TileSizesAttrInterface schedule);

  TileBuilder b;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H
