//===- Registers.cpp - Ops on tiles in registers --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Assembly.h"
#include "../CombinePairwise.h"
#include "MmaOperands.h"

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<int64_t> attn::getSliceRegisters(RankedTensorType tile,
                                             RankedTensorType slice) {
  int64_t kept = 1 - cast<SliceLayoutAttr>(slice.getEncoding()).getAxis();
  SmallVector<int64_t> positions =
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0);
  SmallVector<int64_t> registers;
  for (int64_t position :
       getLayout(tile).getRegisterOffsets(tile.getShape(), kept))
    registers.push_back(llvm::find(positions, position) - positions.begin());
  return registers;
}

SmallVector<SmallVector<Value>> attn::groupBySlice(NumberBuilder &b,
                                                   Value registers,
                                                   RankedTensorType tile,
                                                   RankedTensorType slice) {
  SmallVector<SmallVector<Value>> groups(
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0).size());
  for (auto [i, group] : llvm::enumerate(getSliceRegisters(tile, slice)))
    groups[group].push_back(
        vector::ExtractOp::create(b, registers, static_cast<int64_t>(i)));
  return groups;
}

Value attn::combineLanes(NumberBuilder &b, ReduceKind kind, Value value,
                         ArrayRef<int32_t> distances) {
  // Shuffles do not accept an i1, so a condition is extended to i32 before
  // them.
  Type type = value.getType();
  bool isCondition = type.isInteger(1);
  if (isCondition)
    value = b.extui(b.getI32Type(), value);
  for (int32_t distance : distances) {
    value =
        attn_tile::combine(b, kind, value, readOtherLane(b, value, distance));
  }
  return isCondition ? b.trunci(type, value) : value;
}

Value attn::finishReduction(NumberBuilder &b, ReduceKind kind, Value value) {
  if (kind != ReduceKind::MaxNum)
    return value;
  return b.maxnumf(value, b.real(value.getType(), -INFINITY));
}

Value attn::joinConditions(NumberBuilder &b, Value conditions) {
  auto type = dyn_cast<VectorType>(conditions.getType());
  if (!type || !type.getElementType().isInteger(1))
    return Value();
  Value any;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value own = vector::ExtractOp::create(b, conditions, i);
    any = any ? b.ori(any, own) : own;
  }
  return any;
}

namespace {

/// The masks of the butterfly shuffles that combine the four lanes of a quad,
/// which hold the same rows.
constexpr int32_t kQuad[] = {1, 2};

/// Whether combineLanes() can combine elements of the type: f32 and i1.
bool canCombine(Type element) {
  return element.isF32() || element.isInteger(1);
}

/// Converts element-wise ops on tiles to the same ops on vectors that have the
/// elements of a thread's registers.
struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

LogicalResult convertConstant(ConversionBuilder &b, arith::ConstantOp op,
                              arith::ConstantOp::Adaptor) {
  auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
  auto type = b.converter.convertType<VectorType>(op.getType());
  if (!elements || !type)
    return failure();
  b.rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   elements.resizeSplat(type));
  return success();
}

LogicalResult convertSplat(ConversionBuilder &b, tensor::SplatOp op,
                           tensor::SplatOp::Adaptor adaptor) {
  auto type = b.converter.convertType<VectorType>(op.getType());
  if (!type)
    return failure();
  b.rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type,
                                                     adaptor.getInput());
  return success();
}

LogicalResult convertBroadcast(ConversionBuilder &b, BroadcastOp op,
                               BroadcastOp::Adaptor adaptor) {
  RankedTensorType slice = op.getInput().getType(),
                   tile = op.getResult().getType();
  auto layout = dyn_cast_or_null<SliceLayoutAttr>(slice.getEncoding());
  auto ofTile = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (!layout || !ofTile ||
      layout != SliceLayoutAttr::getOf(ofTile, op.getAxis()))
    return b.rewriter.notifyMatchFailure(op, "expects a slice of the result");
  b.rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
      op, adaptor.getInput(), adaptor.getInput(),
      getSliceRegisters(tile, slice));
  return success();
}

/// Converts a vector of layout spread to a slice. Each register of the slice is
/// a shuffle of one register: lanes that hold neighboring columns of a tile
/// read neighboring lanes.
LogicalResult convertSpread(ConversionBuilder &b, ConvertLayoutOp op,
                            ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType(),
                   slice = op.getResult().getType();
  auto layout = dyn_cast_or_null<SpreadLayoutAttr>(input.getEncoding());
  auto type = b.converter.convertType<VectorType>(slice);
  if (!layout || !type)
    return failure();
  int64_t width = layout.getWidth(input.getDimSize(0));
  MmaLayoutAttr parent = layout.getParent();
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  AffineExpr column =
      b.getAffineDimExpr(0) % parent.getLanes() * parent.getColumns();
  Value first = b.indexCast(b.getI32Type(), applyAffine(b, column, thread));
  SmallVector<Value> elements;
  for (int64_t offset :
       getLayout(slice).getRegisterOffsets(slice.getShape(), 0)) {
    Value own =
        vector::ExtractOp::create(b, adaptor.getInput(), offset / width);
    Value lane = b.addi(first, b.word(offset % width));
    elements.push_back(NVVM::ShflOp::create(b, own.getType(), b.word(-1), own,
                                            lane, b.word(31),
                                            NVVM::ShflKind::idx, UnitAttr()));
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
  return success();
}

LogicalResult convertCombineQuad(ConversionBuilder &b, CombineQuadOp op,
                                 CombineQuadOp::Adaptor adaptor) {
  auto type = dyn_cast<VectorType>(adaptor.getInput().getType());
  if (!type || !canCombine(type.getElementType()))
    return b.rewriter.notifyMatchFailure(
        op, "only f32 and conditions are combined");
  SmallVector<Value> results;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    results.push_back(combineLanes(
        b, op.getKind(), vector::ExtractOp::create(b, adaptor.getInput(), i),
        kQuad));
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

LogicalResult convertRare(ConversionBuilder &b, RareOp op,
                          RareOp::Adaptor adaptor) {
  b.rewriter.replaceOp(
      op, LLVM::ExpectOp::create(b, adaptor.getCondition(), b.boolean(false)));
  return success();
}

LogicalResult convertVoteAny(ConversionBuilder &b, VoteAnyOp op,
                             VoteAnyOp::Adaptor adaptor) {
  Value any = joinConditions(b, adaptor.getCondition());
  if (!any)
    return b.rewriter.notifyMatchFailure(op, "expects conditions");
  Value all = b.word(-1);
  b.rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, b.getI1Type(), all, any,
                                                  NVVM::VoteSyncKind::any);
  return success();
}

/// Reduces the rows of a tile. For ReduceOp, the elements of a row are combined
/// over all lanes that hold some of them. For ReduceThreadOp, only those that
/// the calling thread holds are combined.
template <typename Reduce>
LogicalResult convertReduce(ConversionBuilder &b, Reduce op,
                            typename Reduce::Adaptor adaptor) {
  RankedTensorType tile = op.getInput().getType();
  RankedTensorType slice = op.getResult().getType();
  auto type = b.converter.convertType<VectorType>(slice);
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (op.getAxis() != 1 || !canCombine(tile.getElementType()) || !type ||
      !layout || (std::is_same_v<Reduce, ReduceOp> && layout.getWarpsN() != 1))
    return b.rewriter.notifyMatchFailure(op, "only rows of f32 or conditions "
                                             "that a warp has for itself are "
                                             "reduced");
  auto combine = [&](Value lhs, Value rhs) {
    return attn_tile::combine(b, op.getKind(), lhs, rhs);
  };

  SmallVector<Value> results;
  for (SmallVector<Value> &row :
       groupBySlice(b, adaptor.getInput(), tile, slice)) {
    Value combined = combinePairwise(std::move(row), combine);
    if constexpr (std::is_same_v<Reduce, ReduceOp>)
      combined = finishReduction(
          b, op.getKind(), combineLanes(b, op.getKind(), combined, kQuad));
    results.push_back(combined);
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

} // namespace

void attn::populateRegisterPatterns(const TileTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise>(converter, patterns.getContext());
  addConversions<convertConstant, convertSplat, convertBroadcast, convertSpread,
                 convertReduce<ReduceOp>, convertReduce<ReduceThreadOp>,
                 convertCombineQuad, convertRare, convertVoteAny>(converter,
                                                                  patterns);
}
