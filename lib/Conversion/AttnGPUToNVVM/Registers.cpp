//===- Registers.cpp - Tiles that a block holds in registers --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CombinePairwise.h"
#include "Patterns.h"

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

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

Value attn::combineLanes(ImplicitLocOpBuilder &b, ReduceKind kind, Value value,
                         ArrayRef<int32_t> distances) {
  // A condition is exchanged as a word.
  Type type = value.getType();
  bool isCondition = type.isInteger(1);
  if (isCondition)
    value = arith::ExtUIOp::create(b, b.getI32Type(), value);
  for (int32_t distance : distances) {
    value =
        attn_tile::combine(b, kind, value, readOtherLane(b, value, distance));
  }
  return isCondition ? arith::TruncIOp::create(b, type, value).getResult()
                     : value;
}

Value attn::finishReduction(ImplicitLocOpBuilder &b, ReduceKind kind,
                            Value value) {
  if (kind != ReduceKind::MaxNum)
    return value;
  Type type = value.getType();
  APFloat lowest =
      APFloat::getInf(cast<FloatType>(type).getFloatSemantics(), true);
  return arith::MaxNumFOp::create(
      b, value, arith::ConstantOp::create(b, b.getFloatAttr(type, lowest)));
}

namespace {

/// The four lanes of a quad share their rows.
constexpr int32_t kQuad[] = {1, 2};

/// What `combineLanes` takes.
bool canCombine(Type element) {
  return element.isF32() || element.isInteger(1);
}

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

/// A coordinate, without its map, as what is the thread's own and constants of
/// its registers.
struct SplitCoordinate {
  SplitCoordinate(ImplicitLocOpBuilder &b, CoordinateOp op, VectorType type) {
    RankedTensorType tile = op.getResult().getType();
    thread = getThreadCoordinate(b, tile, op.getAxis());
    if (!type.getElementType().isIndex())
      thread = arith::IndexCastOp::create(b, type.getElementType(), thread);
    thread = vector::BroadcastOp::create(b, type, thread);
    offsets = getLayout(tile).getRegisterOffsets(tile.getShape(), op.getAxis());
  }
  /// Makes it what the map makes of it, if that is such a sum, too.
  bool apply(ImplicitLocOpBuilder &b, CoordinateOp op);
  Value getOffsets(ImplicitLocOpBuilder &b) const {
    auto type = cast<VectorType>(thread.getType());
    auto constants = llvm::map_to_vector(offsets, [&](int64_t offset) {
      return Attribute(b.getIntegerAttr(type.getElementType(), offset));
    });
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(type, constants));
  }

  Value thread;
  SmallVector<int64_t> offsets;
};

bool SplitCoordinate::apply(ImplicitLocOpBuilder &b, CoordinateOp op) {
  RankedTensorType tile = op.getResult().getType();
  LayoutInterface layout = getLayout(tile);
  AffineMap ofThread = AffineMap::get(
      2, 0, layout.getThreadOffset(tile.getShape(), op.getAxis()));
  llvm::SmallSetVector<int64_t, 32> positions;
  constexpr int64_t kLanes = 32, kMostWarps = 32;
  for (int64_t warp = 0; warp < kMostWarps; ++warp)
    for (int64_t lane = 0; lane < kLanes; ++lane)
      positions.insert(ofThread.compose({lane, warp}).front());
  AffineMap map = *op.getMap();
  auto getOffset = [&](int64_t position, int64_t offset) {
    return map.compose({position + offset}).front() -
           map.compose({position}).front();
  };
  SmallVector<int64_t> mapped;
  for (int64_t offset : offsets) {
    mapped.push_back(getOffset(positions.front(), offset));
    if (llvm::any_of(positions, [&](int64_t position) {
          return getOffset(position, offset) != mapped.back();
        }))
      return false;
  }
  offsets = mapped;
  Value own = op.createElement(b, b.getLoc(),
                               getThreadCoordinate(b, tile, op.getAxis()));
  thread = vector::BroadcastOp::create(b, thread.getType(), own);
  return true;
}

struct ConvertCoordinate : OpConversionPattern<CoordinateOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CoordinateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type =
        getTypeConverter()->convertType<VectorType>(op.getResult().getType());
    if (!type)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SplitCoordinate coordinate(b, op, type);
    if (op.getMap() && !coordinate.apply(b, op)) {
      rewriter.replaceOp(op, emitElements(b, op, type));
      return success();
    }
    rewriter.replaceOp(op, arith::AddIOp::create(b, coordinate.thread,
                                                 coordinate.getOffsets(b)));
    return success();
  }

private:
  static Value emitElements(ImplicitLocOpBuilder &b, CoordinateOp op,
                            VectorType type) {
    RankedTensorType tile = op.getResult().getType();
    Value thread = getThreadCoordinate(b, tile, op.getAxis());
    SmallVector<Value> elements;
    for (int64_t offset :
         getLayout(tile).getRegisterOffsets(tile.getShape(), op.getAxis()))
      elements.push_back(op.createElement(
          b, b.getLoc(),
          applyAffine(b, b.getAffineDimExpr(0) + offset, thread)));
    return vector::FromElementsOp::create(b, type, elements);
  }
};

/// A tile of integers as constants of the registers' columns and the rest,
/// which has one value for each row at most. With both in one, each column's
/// number would be kept in a register through the loop.
class ColumnSum {
public:
  /// Splits a sum in which there is a column coordinate; false if there is
  /// none.
  bool match(Value sum) {
    Type element = getElementTypeOrSelf(sum.getType());
    if (!element.isInteger(32))
      return false;
    column = split(sum, /*isSubtracted=*/false);
    return column && hasOnlyPositions;
  }
  /// The rest as floats, or null if what it is made of has no registers.
  Value emitRest(ImplicitLocOpBuilder &b, ConversionPatternRewriter &rewriter,
                 VectorType type) {
    VectorType words = type.clone(b.getI32Type());
    SplitCoordinate coordinate(b, column, words);
    offsets = coordinate.offsets;
    Value rest = arith::ConstantOp::create(b, b.getZeroAttr(words));
    auto add = [&](Value value, bool isSubtracted) {
      rest = isSubtracted ? arith::SubIOp::create(b, rest, value).getResult()
                          : arith::AddIOp::create(b, rest, value).getResult();
    };
    for (auto [term, isSubtracted] : terms) {
      Value value = rewriter.getRemappedValue(term);
      if (!value)
        return Value();
      if (value.getType() != words)
        value = arith::IndexCastOp::create(b, words, value);
      add(value, isSubtracted);
    }
    add(coordinate.thread, isColumnSubtracted);
    return arith::SIToFPOp::create(b, type, rest);
  }
  /// The constants, as floats.
  Value emitConstants(ImplicitLocOpBuilder &b, VectorType type) {
    auto constants =
        llvm::map_to_vector(offsets, [&](int64_t offset) -> Attribute {
          return b.getF32FloatAttr(isColumnSubtracted ? -offset : offset);
        });
    return arith::ConstantOp::create(b,
                                     DenseElementsAttr::get(type, constants));
  }

private:
  CoordinateOp split(Value sum, bool isSubtracted) {
    if (auto cast = sum.getDefiningOp<arith::IndexCastOp>();
        cast && isWord(cast.getType()) && isWord(cast.getIn().getType()))
      return split(cast.getIn(), isSubtracted);
    auto coordinate = sum.getDefiningOp<CoordinateOp>();
    if (coordinate && coordinate.getAxis() == 1 && !coordinate.getMap()) {
      isColumnSubtracted = isSubtracted;
      return coordinate;
    }
    auto subtraction = sum.getDefiningOp<arith::SubIOp>();
    if (!subtraction && !sum.getDefiningOp<arith::AddIOp>()) {
      hasOnlyPositions &= isPosition(sum);
      terms.emplace_back(sum, isSubtracted);
      return CoordinateOp();
    }
    Operation *op = sum.getDefiningOp();
    bool isRhsSubtracted = isSubtracted != bool(subtraction);
    if (CoordinateOp lhs = split(op->getOperand(0), isSubtracted)) {
      hasOnlyPositions &= isPosition(op->getOperand(1));
      terms.emplace_back(op->getOperand(1), isRhsSubtracted);
      return lhs;
    }
    return split(op->getOperand(1), isRhsSubtracted);
  }
  static Value skipCasts(Value value) {
    while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    return value;
  }
  /// Whether a sum with the term does not wrap: it has the type of positions,
  /// or is a small constant.
  static bool isPosition(Value term) {
    term = skipCasts(term);
    DenseElementsAttr constants;
    if (matchPattern(term, m_Constant(&constants)))
      return constants.isSplat() &&
             constants.getSplatValue<APInt>().isSignedIntN(24);
    Operation *sum = term.getDefiningOp();
    if (isa_and_nonnull<CoordinateOp>(sum))
      return true;
    if (isa_and_nonnull<arith::AddIOp, arith::SubIOp>(sum))
      return isPosition(sum->getOperand(0)) && isPosition(sum->getOperand(1));
    if (auto splat = term.getDefiningOp<tensor::SplatOp>())
      term = skipCasts(splat.getInput());
    return getElementTypeOrSelf(term.getType()).isIndex();
  }
  /// Sums modulo 2^32 are those of wider words.
  static bool isWord(Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIndex() || element.isInteger(32);
  }

  CoordinateOp column;
  bool isColumnSubtracted = false, hasOnlyPositions = true;
  /// Summands, and whether each is subtracted.
  SmallVector<std::pair<Value, bool>> terms;
  SmallVector<int64_t> offsets;
};

/// Exact below 2^24; above, at most one unit in the last place off.
struct ConvertColumnToFloat : OpConversionPattern<arith::SIToFPOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::SIToFPOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<VectorType>(
        getTypeConverter()->convertType(op.getType()));
    ColumnSum sum;
    if (!type || !type.getElementType().isF32() || !sum.match(op.getIn()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value rest = sum.emitRest(b, rewriter, type);
    if (!rest)
      return failure();
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, rest,
                                               sum.emitConstants(b, type));
    return success();
  }
};

/// The product of such a float and a scalar, as one instruction for each
/// column. Its error is that of the rest's product, which is at most a tile's
/// width from the sum.
struct ConvertScaledColumn : OpConversionPattern<arith::MulFOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::MulFOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast_or_null<VectorType>(
        getTypeConverter()->convertType(op.getType()));
    if (!type || !type.getElementType().isF32() ||
        !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract))
      return failure();
    for (auto [scalar, number, factor] :
         {std::tuple(op.getLhs(), op.getRhs(), adaptor.getLhs()),
          std::tuple(op.getRhs(), op.getLhs(), adaptor.getRhs())}) {
      auto conversion = number.getDefiningOp<arith::SIToFPOp>();
      ColumnSum sum;
      if (!scalar.getDefiningOp<tensor::SplatOp>() || !conversion ||
          !sum.match(conversion.getIn()))
        continue;
      ImplicitLocOpBuilder b(op.getLoc(), rewriter);
      Value rest = sum.emitRest(b, rewriter, type);
      if (!rest)
        continue;
      Value scaledRest = arith::MulFOp::create(b, factor, rest);
      rewriter.replaceOpWithNewOp<math::FmaOp>(
          op, factor, sum.emitConstants(b, type), scaledRest);
      return success();
    }
    return failure();
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
    if (!coordinate || coordinate.getMap() || !type ||
        !type.getElementType().isInteger())
      return failure();
    RankedTensorType tile = coordinate.getResult().getType();
    LayoutInterface layout = getLayout(tile);
    if (!layout)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SplitCoordinate columns(b, coordinate, type);
    Value bound = arith::SubIOp::create(b, adaptor.getRhs(), columns.thread);
    rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                               columns.getOffsets(b), bound);
    return success();
  }
};

struct ConvertBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType slice = op.getInput().getType(),
                     tile = op.getResult().getType();
    auto layout = dyn_cast_or_null<SliceLayoutAttr>(slice.getEncoding());
    if (!layout || layout.getAxis() != static_cast<int64_t>(op.getAxis()) ||
        tile.getEncoding() != Attribute(layout.getParent()))
      return rewriter.notifyMatchFailure(op, "expects a slice of the result");
    rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
        op, adaptor.getInput(), adaptor.getInput(),
        getSliceRegisters(tile, slice));
    return success();
  }
};

struct ConvertCombineQuad : OpConversionPattern<CombineQuadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CombineQuadOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(adaptor.getInput().getType());
    if (!type || !canCombine(type.getElementType()))
      return rewriter.notifyMatchFailure(
          op, "only f32 and conditions are combined");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> results;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      results.push_back(combineLanes(
          b, op.getKind(), vector::ExtractOp::create(b, adaptor.getInput(), i),
          kQuad));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
    return success();
  }
};

struct ConvertVoteAny : OpConversionPattern<VoteAnyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(VoteAnyOp op, OpAdaptor adaptor,
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

/// Whole rows, or what the thread itself holds of them.
template <typename Reduce> struct ConvertReduce : OpConversionPattern<Reduce> {
  using OpConversionPattern<Reduce>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Reduce op, typename Reduce::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getInput().getType();
    RankedTensorType slice = op.getResult().getType();
    auto type =
        this->getTypeConverter()->template convertType<VectorType>(slice);
    auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
    if (op.getAxis() != 1 || !canCombine(tile.getElementType()) || !type ||
        !layout || layout.getWarpsN() != 1)
      return rewriter.notifyMatchFailure(op, "only rows of f32 or conditions "
                                             "that a warp has for itself are "
                                             "reduced");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto combine = [&](Value lhs, Value rhs) {
      return attn_tile::combine(b, op.getKind(), lhs, rhs);
    };

    SmallVector<SmallVector<Value>> rows(type.getNumElements());
    for (auto [i, row] : llvm::enumerate(getSliceRegisters(tile, slice)))
      rows[row].push_back(vector::ExtractOp::create(b, adaptor.getInput(),
                                                    static_cast<int64_t>(i)));
    SmallVector<Value> results;
    for (SmallVector<Value> &row : rows) {
      Value combined = combinePairwise(std::move(row), combine);
      if constexpr (std::is_same_v<Reduce, ReduceOp>)
        combined = finishReduction(
            b, op.getKind(), combineLanes(b, op.getKind(), combined, kQuad));
      results.push_back(combined);
    }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
    return success();
  }
};

} // namespace

void attn::populateRegisterPatterns(const TileTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns
      .add<ConvertScaledColumn, ConvertColumnToFloat, ConvertCompareCoordinate>(
          converter, patterns.getContext(), /*benefit=*/2);
  patterns
      .add<ConvertElementwise, ConvertConstant, ConvertSplat, ConvertCoordinate,
           ConvertBroadcast, ConvertReduce<ReduceOp>,
           ConvertReduce<ReduceThreadOp>, ConvertCombineQuad, ConvertVoteAny>(
          converter, patterns.getContext());
}
