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

/// A NumberBuilder, which has methods for arithmetic, with further methods for
/// the ops of tile programs.
class TileBuilder : public NumberBuilder {
public:
  using NumberBuilder::NumberBuilder;

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

  RankedTensorType tileType(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }
  RankedTensorType f32Tile(ArrayRef<int64_t> shape) {
    return tileType(shape, getF32Type());
  }
  AffineExpr dim(unsigned i) { return getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return getAffineConstantExpr(c); }
  bool isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                OpFoldResult limit);
  OpFoldResult getSize(Value view, int64_t dim);
  SmallVector<OpFoldResult> getMixedSizes(Value view);
  /// Creates workspace, through which grids pass numbers to later grids.
  Value allocate(ArrayRef<OpFoldResult> sizes, Type element);
  /// Creates workspace with as many rows as `array`, and with `columns`
  /// columns or, if that is not given, as many columns as `array`. Its rows are
  /// those of `heads` heads, token by token. Each row of the workspace begins
  /// at a multiple of 16 bytes, so that any kind of copy can load it. Returns a
  /// view without the columns that are added for that.
  Value allocateRows(Value array, Type element,
                     std::optional<int64_t> columns = std::nullopt,
                     int64_t heads = 1);
  SmallVector<Value> getSizes(Value array);
  /// Returns a view of the `length` elements of `view` from `first` on in
  /// dimension `dim`, which by default is 2, that of rows or keys. Returns
  /// `view` itself if these are the whole dimension, or if `view` is statically
  /// empty, since no subview of such an array verifies.
  Value slice(Value view, OpFoldResult first, OpFoldResult length,
              int64_t dim = 2);
  Value clip(Value view, OpFoldResult length) {
    return slice(view, getIndexAttr(0), length);
  }
  /// Returns a view of the array with its dimensions in the order `order`.
  Value transpose(Value array, ArrayRef<unsigned> order);
  /// Returns a view, of shape `shape`, of the part of an array that begins at
  /// `offsets` and has the sizes `sizes`, without dimensions of size 1 that are
  /// not in `shape`.
  Value viewPart(Value array, ArrayRef<OpFoldResult> offsets,
                 ArrayRef<OpFoldResult> sizes, ArrayRef<int64_t> shape);
  /// Returns a view, with one dimension, of the `count` elements of an array's
  /// last dimension from index `position` on.
  Value viewRow(Value array, ArrayRef<OpFoldResult> position,
                OpFoldResult count);
  /// Returns a view of the array without those of its dimensions for which
  /// `isKept` is false; they must have size 1.
  Value dropDims(Value array, function_ref<bool(int64_t)> isKept);
  /// Emits a grid that fills an array of any rank above 0 with zeros. Emits
  /// nothing if the array is statically empty.
  void emitZeros(Value array, TileSizesAttrInterface schedule);
  /// Returns `operand` if it is a scalar; if it is a memref with one element,
  /// emits a read of that element.
  Value readNumber(Value operand);
  /// Divides the index of a head by `count` in 32 bits. Heads are far fewer
  /// than 2^31, and a 64-bit division, or a multiplication by the inverse,
  /// takes more registers.
  Value divideHeads(Value head, Value count);
  /// Returns a vector of `rows` elements of i1 that says which rows are before
  /// `length`; the first row is row `first`. Returns null if `arrayLength` is
  /// known to be at most `length`, so that all rows of the array are.
  Value findRealRows(OpFoldResult arrayLength, OpFoldResult length, Value first,
                     int64_t rows);
  /// Emits a loop over the blocks of a domain and returns its results.
  /// `emitBody` is called with the position of the block, an i1 that says
  /// whether the block is partial, and the loop-carried values; it returns the
  /// next loop-carried values.
  SmallVector<Value> loopOverBlocks(
      Value domain, ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody);
  /// Returns `tile` with zeros where `keep`, a tile of i1, is false. If `keep`
  /// is null, returns `tile` itself.
  Value dropOut(Value tile, Value keep);
  /// Returns a tile of integers that increase by 1 along `axis`, beginning with
  /// `first`.
  Value countFrom(Value first, RankedTensorType type, int64_t axis = 0) {
    return addi(coordinate(type, axis), splat(first, type));
  }
  /// Return a constant tile that has `value` in all elements: a tile of floats,
  /// or one of integers or indices.
  Value splat(RankedTensorType type, double value) { return real(type, value); }
  Value splat(RankedTensorType type, int64_t value) {
    return integer(type, value);
  }
  /// Load or store a tile at index `position` of an array. If `position` has
  /// fewer indices than the array has dimensions, the indices of the last
  /// dimensions are 0.
  Value load(Value array, ArrayRef<int64_t> shape, ValueRange position,
             bool beside = false);
  void store(Value tile, Value array, ValueRange position, bool add = false);
  SmallVector<Value> completePosition(Value array, ValueRange position);
  /// Returns the indices of the scale of a batch entry, head and token in an
  /// array of scales. Each argument may be an index or a vector of indices.
  /// Along a dimension in which all elements share one scale, the index is 0.
  SmallVector<Value> indexScale(const ExtraOperand &scale, Value entry,
                                Value head, Value token);
  /// Returns a vector of `count` scales in f32, gathered at `indices`, each of
  /// which is a scalar or a vector. If all indices are scalars, one scale is
  /// read and repeated. Otherwise `beside` marks the gather, which then needs
  /// registers next to those of the accumulators.
  Value gatherScale(const ExtraOperand &scale, int64_t count,
                    ArrayRef<Value> indices, bool beside = false);
  /// Whether the array of scales has one element for each token, and these
  /// elements are contiguous in memory.
  static bool isContiguous(const ExtraOperand &scale);
  /// Returns a vector of the elements that an operand with an element for each
  /// channel has for `count` channels from `first` on, for one batch entry and
  /// head. If all channels share one element, it is repeated.
  Value loadChannels(const ExtraOperand &operand, Value entry, Value head,
                     Value first, int64_t count);
  /// Returns a tile of shape `shape` in which the vector is repeated along
  /// `axis`.
  Value broadcast(Value vector, int64_t axis, ArrayRef<int64_t> shape);
  /// Returns the floating-point scalar or tile extended to f32.
  Value extend(Value value);
  /// Returns the tile, of f32, rounded to the element type `element`, or
  /// extended to f64. Returns the tile itself if it has this element type.
  Value round(Value tile, Type element);
  /// Moves the builder to the start of the grid's program and returns the
  /// program's coordinates.
  Block::BlockArgListType enter(attn_tile::GridOp grid) {
    setInsertionPointToStart(&grid.getBody().front());
    return grid.getBody().getArguments();
  }
  /// Creates a grid for a program of `op`, and copies the attribute that holds
  /// the reasons for the schedule from `op` to the grid.
  attn_tile::GridOp createGridOf(Operation *op, ArrayRef<Value> sizes,
                                 ArrayRef<int64_t> steps,
                                 TileSizesAttrInterface schedule);
};

/// Whether a size of the array is statically 0. A subview of such an array
/// could be out of bounds, which the verifier of memref.subview rejects.
inline bool isKnownEmpty(Value array) {
  return llvm::is_contained(cast<ShapedType>(array.getType()).getShape(), 0);
}

/// Base class of the builders of tile programs: a TileBuilder, which is also
/// called `b`.
class TileProgram : protected TileBuilder {
protected:
  TileProgram(Location loc, OpBuilder &builder)
      : TileBuilder(loc, builder), b(*this) {}
  TileProgram(const TileProgram &) = delete;

  TileBuilder &b;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_TILEBUILDER_H
