//===- Registers.cpp - Tiles that a block holds in registers
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

namespace {

/// arith and math on tiles are the same ops on a thread's registers.
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

struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());
    if (!elements || !type)
      return failure();
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   elements.resizeSplat(type));
    return success();
  }
};

struct ConvertSplat : OpConversionPattern<tensor::SplatOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(tensor::SplatOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<VectorType>(op.getType());
    if (!type)
      return failure();
    rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type,
                                                     adaptor.getInput());
    return success();
  }
};

struct ConvertCoordinate : OpConversionPattern<CoordinateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CoordinateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getResult().getType();
    auto type = getTypeConverter()->convertType<VectorType>(tile);
    if (!type)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value thread = getThreadCoordinate(b, tile, op.getAxis());
    Type element = tile.getElementType();
    if (!element.isIndex())
      thread = arith::IndexCastOp::create(b, element, thread);
    SmallVector<Attribute> offsets;
    for (int64_t offset :
         getLayout(tile).getRegisterOffsets(tile.getShape(), op.getAxis()))
      offsets.push_back(b.getIntegerAttr(element, offset));
    Value inThread =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, offsets));
    rewriter.replaceOp(
        op, arith::AddIOp::create(
                b, vector::BroadcastOp::create(b, type, thread), inThread));
    return success();
  }
};

/// A comparison of a coordinate: constants on the left, and the thread's part
/// on the right, which has one value for each row at most. Else the sums of
/// both would be one register for each column.
struct ConvertCompareCoordinate : OpConversionPattern<arith::CmpIOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::CmpIOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto coordinate = op.getLhs().getDefiningOp<CoordinateOp>();
    auto type = dyn_cast_or_null<VectorType>(adaptor.getRhs().getType());
    if (!coordinate || !type || !type.getElementType().isInteger())
      return failure();
    RankedTensorType tile = coordinate.getResult().getType();
    LayoutInterface layout = getLayout(tile);
    if (!layout)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = type.getElementType();
    int64_t axis = coordinate.getAxis();
    SmallVector<Attribute> offsets;
    for (int64_t offset : layout.getRegisterOffsets(tile.getShape(), axis))
      offsets.push_back(b.getIntegerAttr(element, offset));
    Value inThread =
        arith::ConstantOp::create(b, DenseElementsAttr::get(type, offsets));
    Value thread = arith::IndexCastOp::create(
        b, element, getThreadCoordinate(b, tile, axis));
    Value bound = arith::SubIOp::create(
        b, adaptor.getRhs(), vector::BroadcastOp::create(b, type, thread));
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(), inThread,
                                               bound);
    return success();
  }
};

/// For each register of a tile, the register of its row in the slice.
SmallVector<int64_t> getRowRegisters(RankedTensorType tile,
                                     RankedTensorType slice) {
  SmallVector<int64_t> rows =
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0);
  SmallVector<int64_t> registers;
  for (int64_t row : getLayout(tile).getRegisterOffsets(tile.getShape(), 0))
    registers.push_back(llvm::find(rows, row) - rows.begin());
  return registers;
}

struct ConvertBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getAxis() != 1)
      return rewriter.notifyMatchFailure(op, "only rows are broadcast");
    rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
        op, adaptor.getInput(), adaptor.getInput(),
        getRowRegisters(op.getResult().getType(), op.getInput().getType()));
    return success();
  }
};

Value combineElements(ImplicitLocOpBuilder &b, ReduceKind kind, Value lhs,
                      Value rhs) {
  if (kind == ReduceKind::MaxNum)
    return arith::MaxNumFOp::create(b, lhs, rhs);
  return arith::AddFOp::create(b, lhs, rhs);
}

/// The four lanes of a quad share their rows.
Value combineQuad(ImplicitLocOpBuilder &b, ReduceKind kind, Value value) {
  auto word = [&](int32_t number) {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(number));
  };
  for (int32_t distance : {1, 2}) {
    Value other =
        NVVM::ShflOp::create(b, b.getF32Type(), word(-1), value, word(distance),
                             word(31), NVVM::ShflKind::bfly, UnitAttr());
    value = combineElements(b, kind, value, other);
  }
  return value;
}

struct ConvertCombineLanes : OpConversionPattern<CombineLanesOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CombineLanesOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(adaptor.getInput().getType());
    if (!type || !type.getElementType().isF32())
      return rewriter.notifyMatchFailure(op, "only f32 are combined");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      results.push_back(
          combineQuad(b, op.getKind(),
                      vector::ExtractOp::create(b, adaptor.getInput(), i)));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
    return success();
  }
};

struct ConvertAny : OpConversionPattern<AnyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AnyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(adaptor.getCondition().getType());
    if (!type || !type.getElementType().isInteger(1))
      return rewriter.notifyMatchFailure(op, "expects conditions");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value any;
    for (int64_t i = 0; i < type.getNumElements(); ++i) {
      Value own = vector::ExtractOp::create(b, adaptor.getCondition(), i);
      any = any ? arith::OrIOp::create(b, any, own).getResult() : own;
    }
    Value all = arith::ConstantOp::create(b, b.getI32IntegerAttr(-1));
    rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, b.getI1Type(), all, any,
                                                  NVVM::VoteSyncKind::any);
    return success();
  }
};

struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getInput().getType();
    RankedTensorType slice = op.getResult().getType();
    auto type = getTypeConverter()->convertType<VectorType>(slice);
    if (op.getAxis() != 1 || !tile.getElementType().isF32() || !type)
      return rewriter.notifyMatchFailure(op, "only rows of f32 are reduced");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto combine = [&](Value lhs, Value rhs) {
      return combineElements(b, op.getKind(), lhs, rhs);
    };

    SmallVector<SmallVector<Value>> rows(type.getNumElements());
    for (auto [i, row] : llvm::enumerate(getRowRegisters(tile, slice)))
      rows[row].push_back(vector::ExtractOp::create(b, adaptor.getInput(),
                                                    static_cast<int64_t>(i)));
    SmallVector<Value> results;
    for (SmallVector<Value> &row : rows) {
      // Pairwise, so that additions do not wait for each other.
      while (row.size() > 1) {
        SmallVector<Value> next;
        for (size_t i = 0; i + 1 < row.size(); i += 2)
          next.push_back(combine(row[i], row[i + 1]));
        if (row.size() % 2)
          next.push_back(row.back());
        row = std::move(next);
      }
      results.push_back(op.getPartial()
                            ? row.front()
                            : combineQuad(b, op.getKind(), row.front()));
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
    return success();
  }
};

} // namespace

void attn::populateRegisterPatterns(const TileTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertCompareCoordinate>(converter, patterns.getContext(),
                                         /*benefit=*/2);
  patterns
      .add<ConvertElementwise, ConvertConstant, ConvertSplat, ConvertCoordinate,
           ConvertBroadcast, ConvertReduce, ConvertCombineLanes, ConvertAny>(
          converter, patterns.getContext());
}
