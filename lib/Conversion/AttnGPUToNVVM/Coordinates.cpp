//===- Coordinates.cpp - Coordinates of a thread's elements ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// The coordinates of a thread's elements of a tile, as a sum: a number that
/// depends on the thread, plus a constant for each of its registers. The affine
/// map of the coordinate op is not part of the sum until apply() has succeeded.
struct SplitCoordinate {
  SplitCoordinate(NumberBuilder &b, CoordinateOp op, VectorType type) {
    RankedTensorType tile = op.getResult().getType();
    thread = getThreadCoordinate(b, tile, op.getAxis());
    if (!type.getElementType().isIndex())
      thread = b.indexCast(type.getElementType(), thread);
    thread = vector::BroadcastOp::create(b, type, thread);
    offsets = getLayout(tile).getRegisterOffsets(tile.getShape(), op.getAxis());
  }
  /// Applies the affine map of the coordinate op to the sum, if the mapped
  /// coordinates are again a number for each thread plus a constant for each
  /// register. This is so if adding a register's constant to the coordinate
  /// changes the map's result by the same amount in all threads. Returns false
  /// and changes nothing if it is not so.
  bool apply(NumberBuilder &b, CoordinateOp op);
  Value getOffsets(NumberBuilder &b) const {
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

bool SplitCoordinate::apply(NumberBuilder &b, CoordinateOp op) {
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

Value emitElements(NumberBuilder &b, CoordinateOp op, VectorType type) {
  RankedTensorType tile = op.getResult().getType();
  Value thread = getThreadCoordinate(b, tile, op.getAxis());
  SmallVector<Value> elements;
  for (int64_t offset :
       getLayout(tile).getRegisterOffsets(tile.getShape(), op.getAxis()))
    elements.push_back(op.createElement(
        b, b.getLoc(), applyAffine(b, b.getAffineDimExpr(0) + offset, thread)));
  return vector::FromElementsOp::create(b, type, elements);
}

LogicalResult convertCoordinate(ConversionBuilder &b, CoordinateOp op,
                                CoordinateOp::Adaptor) {
  auto type = b.converter.convertType<VectorType>(op.getResult().getType());
  if (!type)
    return failure();
  SplitCoordinate coordinate(b, op, type);
  if (op.getMap() && !coordinate.apply(b, op)) {
    b.rewriter.replaceOp(op, emitElements(b, op, type));
    return success();
  }
  b.rewriter.replaceOp(op, b.addi(coordinate.thread, coordinate.getOffsets(b)));
  return success();
}

/// Splits an i32 tile that is a sum of coordinates and other terms into a
/// constant for each register and the rest of the sum. If the other terms are
/// uniform over the tile, the rest is a single number of the thread; if they
/// differ only among rows, it is one number for each of the thread's rows.
/// Without the split, the sum of each element would be kept in a register of
/// its own through the loop.
class PositionSum {
public:
  /// Splits the tile `sum`, whose registers have the vector type `type`.
  /// Returns none in three cases: the sum has no coordinate of columns; a term
  /// is not known to be so small that the sum does not wrap; a term was not
  /// converted to registers.
  static std::optional<PositionSum> emit(NumberBuilder &b,
                                         ConversionPatternRewriter &rewriter,
                                         Value sum, VectorType type) {
    PositionSum split;
    if (!split.match(sum) || !split.isOfPositions ||
        !split.emitRest(b, rewriter, type))
      return std::nullopt;
    return split;
  }
  Value getRest() const { return rest; }
  /// Whether all additions and subtractions of the split sum have the flag
  /// `nsw`.
  bool isSaidNotToWrap() const { return neverWraps; }
  ArrayRef<int64_t> getOffsets() const { return offsets; }
  Value emitFloats(NumberBuilder &b, VectorType type) const {
    auto floats = llvm::map_to_vector(offsets, [&](int64_t offset) {
      return Attribute(b.getF32FloatAttr(offset));
    });
    return arith::ConstantOp::create(b, DenseElementsAttr::get(type, floats));
  }

private:
  bool match(Value sum) {
    if (!getElementTypeOrSelf(sum.getType()).isInteger(32))
      return false;
    split(sum, /*isSubtracted=*/false);
    return llvm::any_of(coordinates,
                        [](auto part) { return part.first.getAxis() == 1; });
  }
  bool emitRest(NumberBuilder &b, ConversionPatternRewriter &rewriter,
                VectorType type) {
    VectorType words = type.clone(b.getI32Type());
    rest = b.zero(words);
    auto add = [&](Value value, bool isSubtracted) {
      rest = isSubtracted ? b.subi(rest, value) : b.addi(rest, value);
    };
    for (auto [term, isSubtracted] : terms) {
      Value value = rewriter.getRemappedValue(term);
      if (!value)
        return false;
      if (value.getType() != words)
        value = b.indexCast(words, value);
      add(value, isSubtracted);
    }
    offsets.assign(type.getNumElements(), 0);
    for (auto [coordinate, isSubtracted] : coordinates) {
      SplitCoordinate own(b, coordinate, words);
      add(own.thread, isSubtracted);
      for (auto [sum, offset] : llvm::zip(offsets, own.offsets))
        sum += isSubtracted ? -offset : offset;
    }
    return true;
  }
  void split(Value sum, bool isSubtracted) {
    if (auto cast = sum.getDefiningOp<arith::IndexCastOp>();
        cast && isWord(cast.getType()) && isWord(cast.getIn().getType()))
      return split(cast.getIn(), isSubtracted);
    auto coordinate = sum.getDefiningOp<CoordinateOp>();
    if (coordinate && !coordinate.getMap()) {
      coordinates.emplace_back(coordinate, isSubtracted);
      return;
    }
    Operation *op = sum.getDefiningOp();
    if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(op)) {
      isOfPositions &= isPosition(sum);
      terms.emplace_back(sum, isSubtracted);
      return;
    }
    neverWraps &=
        cast<arith::ArithIntegerOverflowFlagsInterface>(op).hasNoSignedWrap();
    split(op->getOperand(0), isSubtracted);
    split(op->getOperand(1), isSubtracted != isa<arith::SubIOp>(op));
  }
  static Value skipCasts(Value value) {
    while (auto cast = value.getDefiningOp<arith::IndexCastOp>())
      value = cast.getIn();
    return value;
  }
  /// Whether a term of a sum is known to be too small for the sum to wrap: the
  /// term is a coordinate, a value of type index, or a constant of at most 24
  /// bits.
  static bool isPosition(Value term) {
    term = skipCasts(term);
    if (term.getDefiningOp<CoordinateOp>())
      return true;
    DenseElementsAttr constants;
    if (matchPattern(term, m_Constant(&constants)))
      return constants.isSplat() &&
             constants.getSplatValue<APInt>().isSignedIntN(24);
    if (auto splat = term.getDefiningOp<tensor::SplatOp>())
      term = skipCasts(splat.getInput());
    return getElementTypeOrSelf(term.getType()).isIndex();
  }
  /// Whether elements of the type can be added as 32-bit integers: i32, or
  /// index, since the low 32 bits of a sum depend only on the low 32 bits of
  /// its terms.
  static bool isWord(Type type) {
    Type element = getElementTypeOrSelf(type);
    return element.isIndex() || element.isInteger(32);
  }

  bool isOfPositions = true, neverWraps = true;
  /// The coordinates and the other terms of a sum. The bool beside each of them
  /// says whether it is subtracted.
  SmallVector<std::pair<CoordinateOp, bool>> coordinates;
  SmallVector<std::pair<Value, bool>> terms;
  Value rest;
  SmallVector<int64_t> offsets;
};

/// Converts a tile that is a sum of coordinates and scalars from i32 to f32.
/// Only the part of the sum that all registers of a thread share is converted;
/// each register's constant is then added in f32. The result is exact below
/// 2^24, and above 2^24 at most one unit in the last place off.
LogicalResult convertColumnToFloat(ConversionBuilder &b, arith::SIToFPOp op,
                                   arith::SIToFPOp::Adaptor) {
  auto type =
      dyn_cast_or_null<VectorType>(b.converter.convertType(op.getType()));
  if (!type || !type.getElementType().isF32())
    return failure();
  auto sum = PositionSum::emit(b, b.rewriter, op.getIn(), type);
  if (!sum)
    return failure();
  b.rewriter.replaceOpWithNewOp<arith::AddFOp>(
      op, b.sitofp(type, sum->getRest()), sum->emitFloats(b, type));
  return success();
}

/// Multiplies a sum of coordinates that was converted to f32 by a scalar, with
/// one fma for each register. The fma multiplies the scalar by the register's
/// constant, and adds the rounded product of the scalar and the part of the sum
/// that all registers share. The conversion needs the flag `contract` on the
/// multiplication, and a factor that is a splat of a scalar.
LogicalResult convertScaledColumn(ConversionBuilder &b, arith::MulFOp op,
                                  arith::MulFOp::Adaptor adaptor) {
  auto type =
      dyn_cast_or_null<VectorType>(b.converter.convertType(op.getType()));
  if (!type || !type.getElementType().isF32() ||
      !bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::contract))
    return failure();
  for (auto [scalar, number, factor] :
       {std::tuple(op.getLhs(), op.getRhs(), adaptor.getLhs()),
        std::tuple(op.getRhs(), op.getLhs(), adaptor.getRhs())}) {
    auto conversion = number.getDefiningOp<arith::SIToFPOp>();
    if (!scalar.getDefiningOp<tensor::SplatOp>() || !conversion)
      continue;
    auto sum = PositionSum::emit(b, b.rewriter, conversion.getIn(), type);
    if (!sum)
      continue;
    Value scaledRest = b.mulf(factor, b.sitofp(type, sum->getRest()));
    b.rewriter.replaceOpWithNewOp<math::FmaOp>(
        op, factor, sum->emitFloats(b, type), scaledRest);
    return success();
  }
  return failure();
}

/// Whether a comparison stays the same if a number is subtracted from both of
/// its sides, and neither side wraps. A comparison of unsigned numbers does
/// not, since a difference may be negative.
static bool isOfDifference(arith::CmpIOp op) {
  return !llvm::is_contained(
      {arith::CmpIPredicate::ult, arith::CmpIPredicate::ule,
       arith::CmpIPredicate::ugt, arith::CmpIPredicate::uge},
      op.getPredicate());
}

/// Whether a tile of integers is computed from numbers that may be any: from
/// memory, from arguments of the kernel or of a loop, from floats or integers
/// of more bits, or from constants near the least i32. From such a number, the
/// subtraction of a position may wrap. Numbers of type index are positions.
bool hasAnyNumbers(Value tile) {
  SmallVector<Value> open = {tile};
  SmallPtrSet<Value, 8> seen;
  Type type = getElementTypeOrSelf(tile);
  while (!open.empty()) {
    Value value = open.pop_back_val();
    Type element = getElementTypeOrSelf(value);
    if (element.isIndex() || !seen.insert(value).second)
      continue;
    if (element != type && element.isInteger() && type.isInteger() &&
        element.getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
      continue;
    Operation *op = value.getDefiningOp();
    constexpr int64_t kLeast = -(int64_t(1) << 30);
    APInt constant;
    if (element != type || !op || !isPure(op) ||
        (matchPattern(value, m_ConstantInt(&constant)) &&
         constant.getSExtValue() < kLeast))
      return true;
    llvm::append_range(open, op->getOperands());
  }
  return false;
}

/// Compares a coordinate with a value. In the emitted comparison, the left side
/// is each register's constant. The right side is the value minus the thread's
/// part of the coordinate, at most one number for each row. Otherwise the
/// coordinates of columns would take a register each.
LogicalResult convertCompareCoordinate(ConversionBuilder &b, arith::CmpIOp op,
                                       arith::CmpIOp::Adaptor adaptor) {
  auto coordinate = op.getLhs().getDefiningOp<CoordinateOp>();
  auto type = dyn_cast_or_null<VectorType>(adaptor.getRhs().getType());
  if (!coordinate || coordinate.getMap() || !type || !isOfDifference(op) ||
      !type.getElementType().isInteger() || hasAnyNumbers(op.getRhs()))
    return failure();
  RankedTensorType tile = coordinate.getResult().getType();
  LayoutInterface layout = getLayout(tile);
  if (!layout)
    return failure();
  SplitCoordinate columns(b, coordinate, type);
  Value bound = b.subi(adaptor.getRhs(), columns.thread);
  b.rewriter.replaceOpWithNewOp<arith::CmpIOp>(op, op.getPredicate(),
                                               columns.getOffsets(b), bound);
  return success();
}

/// Compares a sum of coordinates that does not wrap with a constant. In the
/// emitted comparison, the left side is the part of the sum that all registers
/// of a thread share. The right side is the constant minus the register's own
/// constant.
LogicalResult convertCompareSum(ConversionBuilder &b, arith::CmpIOp op,
                                arith::CmpIOp::Adaptor adaptor) {
  auto type = dyn_cast_or_null<VectorType>(adaptor.getRhs().getType());
  APInt bound;
  if (!type || !isOfDifference(op) ||
      !matchPattern(op.getRhs(), m_ConstantInt(&bound)))
    return failure();
  auto sum = PositionSum::emit(b, b.rewriter, op.getLhs(), type);
  if (!sum || !sum->isSaidNotToWrap())
    return failure();
  SmallVector<Attribute> bounds;
  for (int64_t offset : sum->getOffsets()) {
    int64_t own = bound.getSExtValue() - offset;
    if (!llvm::isInt<32>(own))
      return failure();
    bounds.push_back(b.getI32IntegerAttr(own));
  }
  b.rewriter.replaceOpWithNewOp<arith::CmpIOp>(
      op, op.getPredicate(), sum->getRest(),
      arith::ConstantOp::create(b, DenseElementsAttr::get(type, bounds)));
  return success();
}

} // namespace

void attn::populateCoordinatePatterns(const TileTypeConverter &converter,
                                      RewritePatternSet &patterns) {
  addConversions<convertScaledColumn, convertColumnToFloat,
                 convertCompareCoordinate, convertCompareSum>(
      converter, patterns, /*benefit=*/2);
  addConversions<convertCoordinate>(converter, patterns);
}
