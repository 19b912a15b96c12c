//===- Products.cpp - Products, reductions and the softmax ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::attn_tile;

LogicalResult attn_tile::verifyProduct(Operation *op, RankedTensorType lhs,
                                       RankedTensorType rhs,
                                       RankedTensorType acc, bool transposeLhs,
                                       bool transposeRhs) {
  Type element = lhs.getElementType();
  if (!element.isF16() && !element.isBF16() && !element.isF32() &&
      !attn::isFloat8(element))
    return op->emitOpError("expected lhs elements of f16, bf16, f32, f8E4M3FN "
                           "or f8E5M2, found ")
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
  if (getApart() == "")
    return emitOpError("expected the name of a role as 'apart', found none");
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

LogicalResult attn_tile::verifyElements(Operation *op, ReduceKind kind,
                                        Type element) {
  if (isOfConditions(kind)) {
    if (!element.isInteger(1))
      return op->emitOpError("expected elements of i1 for ")
             << stringifyReduceKind(kind) << ", found " << element;
  } else if (!isa<FloatType>(element)) {
    return op->emitOpError("expected floating-point elements, found ")
           << element;
  } else if (attn::isFloat8(element)) {
    return op->emitOpError("expected elements of 16 bits or more to combine, "
                           "found ")
           << element;
  }
  return success();
}

LogicalResult ReduceOp::verify() {
  if (failed(verifyElements(*this, getKind(),
                            getInput().getType().getElementType())))
    return failure();
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
  if (std::optional<AffineMap> map = getMap();
      map && (map->getNumInputs() != 1 || map->getNumDims() != 1 ||
              map->getNumResults() != 1))
    return emitOpError("expected a map of one dimension and one result, found ")
           << getMapAttr();
  return success();
}

Value CoordinateOp::createElement(OpBuilder &b, Location loc, Value position) {
  if (std::optional<AffineMap> map = getMap())
    position = affine::AffineApplyOp::create(b, loc, *map, position);
  Type element = getResult().getType().getElementType();
  if (element.isIndex())
    return position;
  return arith::IndexCastOp::create(b, loc, element, position);
}

LogicalResult RandomKeepOp::verify() {
  RankedTensorType type = getResult().getType();
  if (!type.getElementType().isInteger(1))
    return emitOpError("expected elements of i1, found ")
           << type.getElementType();
  if (getThreshold() > 65536)
    return emitOpError("expected a threshold from 0 to 65536, found ")
           << static_cast<int64_t>(getThreshold());
  ValueRange distances = getDistances();
  if (!distances.empty() && distances.size() != 2)
    return emitOpError("expected a tile of planes and a tile of rows, found ")
           << distances.size() << " tiles";
  for (Value tile : distances)
    if (auto own = cast<RankedTensorType>(tile.getType());
        own.getShape() != type.getShape() ||
        !own.getElementType().isInteger(32))
      return emitOpError("expected tiles of planes and rows of i32 with the "
                         "shape of the result, ")
             << type << ", found " << own;
  return success();
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

LogicalResult SoftmaxType::verify(function_ref<InFlightDiagnostic()> emitError,
                                  int64_t rows, FloatAttr factor,
                                  bool /*exact*/) {
  if (rows < 1)
    return emitError() << "expected at least one row, found " << rows;
  // `factor`, the factor of scores in a softmax, is limited to between 2^-90
  // and 2^90, so that the constants which the softmax recurrence derives from
  // it are normal f32 numbers.
  double value = factor.getValueAsDouble();
  if (!factor.getType().isF64() || !(value > 0x1p-90 && value < 0x1p90))
    return emitError() << "expected an f64 'factor' between 2^-90 and 2^90, "
                          "found "
                       << factor;
  return success();
}

LogicalResult SoftmaxUpdateOp::verify() {
  RankedTensorType scores = getScores().getType();
  RankedTensorType probabilities = getProbabilities().getType();
  SoftmaxType state = getState().getType();
  if (!scores.getElementType().isF32())
    return emitOpError("expected scores of f32, found ")
           << scores.getElementType();
  if (scores.getDimSize(0) != state.getRows())
    return emitOpError("expected scores of ")
           << state.getRows() << " rows, as the state's, found "
           << scores.getDimSize(0);
  if (Value factors = getRowFactors()) {
    auto type = cast<RankedTensorType>(factors.getType());
    if (type.getDimSize(0) != state.getRows() || !type.getElementType().isF32())
      return emitOpError("expected row factors of ")
             << state.getRows() << " x f32, found " << type;
  }
  Type element = probabilities.getElementType();
  if (probabilities.getShape() != scores.getShape() ||
      !(element.isF16() || element.isBF16() || element.isF32() ||
        isa<Float8E4M3FNType>(element)))
    return emitOpError("expected probabilities of the scores' shape and f16, "
                       "bf16, f32 or f8E4M3FN, found ")
           << probabilities;
  if (state.getExact() && !isa<Float8E4M3FNType>(element))
    return emitOpError("expected probabilities of f8E4M3FN, which an exact "
                       "state is for, found ")
           << element;
  if (getNewState().getType() != state)
    return emitOpError("expected a new state of type ")
           << state << ", found " << getNewState().getType();
  if (getAccumulators().getTypes() != getRescaled().getTypes())
    return emitOpError("expected a result for each accumulator, of its type");
  for (Value accumulator : getAccumulators()) {
    auto type = cast<RankedTensorType>(accumulator.getType());
    if (type.getDimSize(0) != state.getRows() || !type.getElementType().isF32())
      return emitOpError("expected accumulators of ")
             << state.getRows() << " rows of f32, found " << type;
  }
  return success();
}

LogicalResult ReuseOp::verify() {
  RankedTensorType tile = getTile().getType(), dead = getDead().getType();
  auto getBits = [](RankedTensorType type) {
    return type.getDimSize(1) * type.getElementTypeBitWidth();
  };
  if (tile.getDimSize(0) != dead.getDimSize(0) ||
      getBits(tile) != getBits(dead))
    return emitOpError("expected tiles of as many rows of as many bytes, "
                       "found ")
           << tile << " over " << dead;
  for (Operation *user : getDead().getUsers())
    if (Operation *reader = (*this)->getBlock()->findAncestorOpInBlock(*user);
        reader && (*this)->isBeforeInBlock(reader)) {
      InFlightDiagnostic error = emitOpError(
          "expected no reader of the dead tile after this op, found one");
      error.attachNote(user->getLoc()) << "it is read here";
      return error;
    }
  return success();
}

LogicalResult SoftmaxFactorOp::verify() {
  RankedTensorType type = getFactor().getType();
  int64_t rows = getBefore().getType().getRows();
  if (type.getDimSize(0) == rows && type.getElementType().isF32())
    return success();
  return emitOpError("expected a factor of ")
         << rows << " x f32, one for each row of the states, found " << type;
}

LogicalResult RescaleOp::verify() {
  RankedTensorType type = getFactor().getType(), tile = getResult().getType();
  if (!tile.getElementType().isF32())
    return emitOpError("expected a tile of f32, found ") << tile;
  if (type.getDimSize(0) == tile.getDimSize(0) && type.getElementType().isF32())
    return success();
  return emitOpError("expected a factor of ")
         << tile.getDimSize(0) << " x f32, one for each row of the tile, found "
         << type;
}

LogicalResult SoftmaxFinishOp::verify() {
  if (Value sink = getSink()) {
    auto type = cast<RankedTensorType>(sink.getType());
    if (type.getDimSize(0) != getState().getType().getRows() ||
        !type.getElementType().isF32())
      return emitOpError("expected a sink of ")
             << getState().getType().getRows() << " x f32, found " << type;
  }
  for (Value result : getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    if (type.getDimSize(0) != getState().getType().getRows() ||
        !type.getElementType().isF32())
      return emitOpError("expected results of ")
             << getState().getType().getRows() << " x f32, found " << type;
  }
  return success();
}
