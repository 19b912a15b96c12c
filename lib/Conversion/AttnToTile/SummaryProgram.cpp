//===- SummaryProgram.cpp - Bounds of an array's cells --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SummaryProgram.h"

#include "Programs.h"
#include "ScoreTiling.h"

#include "attn/Dialect/AttnTile/IR/AttnTile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn;
using attn_tile::ReduceKind;

/// Columns of the tile through which all threads learn a number: as many as a
/// warp has where each lane loads eight neighbours at once.
static constexpr int64_t kShared = 32;
/// Integers of lower magnitude are exact in f32.
static constexpr float kExact = 1 << 24;

SmallVector<OpFoldResult> mlir::attn::getSummarySizes(ImplicitLocOpBuilder &b,
                                                      Value array) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  AffineExpr size = b.getAffineDimExpr(0);
  for (OpFoldResult &own : MutableArrayRef(sizes).take_back(2))
    own = affine::makeComposedFoldedAffineApply(
        b, b.getLoc(), size.ceilDiv(kSummaryCell), {own});
  sizes.push_back(b.getIndexAttr(2));
  return sizes;
}

namespace {
/// The program of a cell.
class SummaryProgram {
public:
  explicit SummaryProgram(ImplicitLocOpBuilder &b) : b(b) {}

  void emit(Value array, Value summary, ValueRange cell);

private:
  RankedTensorType getType(ArrayRef<int64_t> shape) {
    return RankedTensorType::get(shape, b.getF32Type());
  }
  Value number(float value) {
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(getType(kSummaryCell),
                                  b.getF32FloatAttr(value)));
  }
  Value combine(ReduceKind kind, Value tile);

  ImplicitLocOpBuilder &b;
};
} // namespace

/// What the elements of a tile make, in each element of a vector: by way of
/// rows, and of columns that all have.
Value SummaryProgram::combine(ReduceKind kind, Value tile) {
  RankedTensorType ofRows = getType(kSummaryCell);
  RankedTensorType shared = getType({kSummaryCell, kShared});
  Value rows = attn_tile::ReduceOp::create(b, ofRows, kind, tile, 1);
  rows = attn_tile::BroadcastOp::create(b, shared, rows, 1);
  Value columns =
      attn_tile::ReduceOp::create(b, getType(kShared), kind, rows, 0);
  columns = attn_tile::BroadcastOp::create(b, shared, columns, 0);
  return attn_tile::ReduceOp::create(b, ofRows, ReduceKind::MaxNum, columns, 1);
}

void SummaryProgram::emit(Value array, Value summary, ValueRange cell) {
  Type element = cast<MemRefType>(array.getType()).getElementType();
  SmallVector<Value> place(cell), destination(cell);
  Value size = arith::ConstantIndexOp::create(b, kSummaryCell);
  for (Value &index : MutableArrayRef(place).take_back(2))
    index = arith::MulIOp::create(b, index, size);
  destination.push_back(arith::ConstantIndexOp::create(b, 0));
  SmallVector<int64_t> shape = {kSummaryCell, kSummaryCell};
  // What lies beyond the array reads as 0.
  Value tile = attn_tile::LoadOp::create(
      b, RankedTensorType::get(shape, element), array, place);
  Value least, most;
  if (element.isInteger(1)) {
    // One sum says both.
    tile = arith::UIToFPOp::create(b, getType(shape), tile);
    Value sum = combine(ReduceKind::Add, tile);
    auto isMore = [&](float than) -> Value {
      Value is = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT, sum,
                                       number(than));
      return arith::UIToFPOp::create(b, getType(kSummaryCell), is);
    };
    least = isMore(kSummaryCell * kSummaryCell - 0.5f);
    most = isMore(0.5f);
  } else {
    tile = arith::SIToFPOp::create(b, getType(shape), tile);
    most = combine(ReduceKind::MaxNum, tile);
    least = arith::NegFOp::create(
        b, combine(ReduceKind::MaxNum, arith::NegFOp::create(b, tile)));
  }
  auto words = RankedTensorType::get(kSummaryCell, b.getI32Type());
  Value at = attn_tile::CoordinateOp::create(b, words, 0);
  Value first = arith::ConstantOp::create(b, b.getZeroAttr(words));
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, at, first);
  Value both = arith::SelectOp::create(b, isFirst, least, most);
  both = arith::MaxNumFOp::create(
      b, number(-kExact), arith::MinNumFOp::create(b, number(kExact), both));
  // The array has room for two.
  attn_tile::StoreOp::create(b, arith::FPToSIOp::create(b, words, both),
                             summary, destination);
}

void mlir::attn::emitSummaryGrid(ImplicitLocOpBuilder &b, Value array,
                                 Value summary,
                                 TileSizesAttrInterface rowwise) {
  if (llvm::is_contained(cast<MemRefType>(array.getType()).getShape(), 0))
    return;
  OpBuilder::InsertionGuard guard(b);
  SmallVector<OpFoldResult> sizes = getSummarySizes(b, array);
  sizes.pop_back();
  SmallVector<int64_t> steps(sizes.size(), 1);
  auto grid = attn_tile::GridOp::create(
      b, getValueOrCreateConstantIndexOp(b, b.getLoc(), sizes), steps, rowwise);
  b.setInsertionPointToStart(&grid.getBody().front());
  SummaryProgram(b).emit(array, summary, grid.getBody().getArguments());
}

void mlir::attn::emitSummarize(SummarizeOp op, OpBuilder &builder) {
  ImplicitLocOpBuilder b(op.getLoc(), builder);
  emitSummaryGrid(b, op.getArray(), op.getSummary(), op.getScheduleAttr());
}
