//===- AttnTile.cpp - The attn_tile dialect -------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_tile;

#include "attn/Dialect/AttnTile/IR/AttnTileDialect.cpp.inc"
#include "attn/Dialect/AttnTile/IR/AttnTileEnums.cpp.inc"

#define GET_OP_CLASSES
#include "attn/Dialect/AttnTile/IR/AttnTileOps.cpp.inc"

void AttnTileDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "attn/Dialect/AttnTile/IR/AttnTileOps.cpp.inc"
      >();
}

LogicalResult attn_tile::verifyAccess(Operation *op, MemRefType view,
                                      OperandRange indices,
                                      RankedTensorType tile) {
  if (static_cast<int64_t>(indices.size()) != view.getRank())
    return op->emitOpError("expected ")
           << view.getRank() << " indices, one for each dimension of " << view
           << ", found " << indices.size();
  if (view.getRank() < tile.getRank())
    return op->emitOpError("expected a memref of rank ")
           << tile.getRank() << " or more for a tile of type " << tile
           << ", found rank " << view.getRank();
  if (view.getElementType() != tile.getElementType())
    return op->emitOpError("expected the tile's element type to be ")
           << view.getElementType() << ", as the memref's, found "
           << tile.getElementType();
  return success();
}

LogicalResult LoadOp::verify() {
  return verifyAccess(*this, getSource().getType(), getIndices(),
                      getResult().getType());
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getSourceMutable());
}

LogicalResult StoreOp::verify() {
  return verifyAccess(*this, getDestination().getType(), getIndices(),
                      getTile().getType());
}

void StoreOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Write::get(), &getDestinationMutable());
}

LogicalResult attn_tile::verifyProduct(Operation *op, RankedTensorType lhs,
                                       RankedTensorType rhs,
                                       RankedTensorType acc, bool transposeLhs,
                                       bool transposeRhs) {
  Type element = lhs.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32())
    return op->emitOpError("expected lhs elements of f16, bf16 or f32, found ")
           << element;
  if (rhs.getElementType() != element)
    return op->emitOpError("expected rhs elements of ")
           << element << ", as lhs, found " << rhs.getElementType();
  if (!acc.getElementType().isF32())
    return op->emitOpError("expected accumulator elements of f32, found ")
           << acc.getElementType();

  int64_t m = lhs.getDimSize(transposeLhs ? 1 : 0);
  int64_t k = lhs.getDimSize(transposeLhs ? 0 : 1);
  int64_t rhsK = rhs.getDimSize(transposeRhs ? 1 : 0);
  int64_t n = rhs.getDimSize(transposeRhs ? 0 : 1);
  if (k != rhsK)
    return op->emitOpError("expected equal contraction sizes, found ")
           << k << " in lhs and " << rhsK << " in rhs";
  if (acc.getDimSize(0) != m || acc.getDimSize(1) != n)
    return op->emitOpError("expected an accumulator of ")
           << m << "x" << n << ", found " << acc.getDimSize(0) << "x"
           << acc.getDimSize(1);
  return success();
}

LogicalResult DotOp::verify() {
  return verifyProduct(*this, getLhs().getType(), getRhs().getType(),
                       getAccumulator().getType(), getTransposeLhs(),
                       getTransposeRhs());
}

LogicalResult attn_tile::verifySlice(Operation *op, RankedTensorType tile,
                                     RankedTensorType slice, uint64_t axis) {
  int64_t kept = tile.getDimSize(axis == 0 ? 1 : 0);
  if (slice.getDimSize(0) != kept)
    return op->emitOpError("expected a slice of ")
           << kept << " elements for axis " << axis << " of " << tile
           << ", found " << slice.getDimSize(0);
  if (slice.getElementType() != tile.getElementType())
    return op->emitOpError("expected equal element types, found ")
           << tile.getElementType() << " and " << slice.getElementType();
  return success();
}

LogicalResult ReduceOp::verify() {
  if (!isa<FloatType>(getInput().getType().getElementType()))
    return emitOpError("expected floating-point elements, found ")
           << getInput().getType().getElementType();
  return verifySlice(*this, getInput().getType(), getResult().getType(),
                     getAxis());
}

LogicalResult BroadcastOp::verify() {
  return verifySlice(*this, getResult().getType(), getInput().getType(),
                     getAxis());
}

LogicalResult CoordinateOp::verify() {
  RankedTensorType type = getResult().getType();
  Type element = type.getElementType();
  if (!element.isIndex() && !element.isSignlessInteger(32) &&
      !element.isSignlessInteger(64))
    return emitOpError("expected elements of i32, i64 or index, found ")
           << element;
  if (static_cast<int64_t>(getAxis()) >= type.getRank())
    return emitOpError("expected an axis below the rank of ")
           << type << ", found " << getAxis();
  return success();
}
