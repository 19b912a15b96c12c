//===- ScoreTiling.cpp - Score and mask regions on tiles ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScoreTiling.h"
#include "PositionSums.h"
#include "RegionIntervals.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

Value mlir::attn::splatScalar(TileBuilder &builder, Value scalar,
                              ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(shape, scalar.getType());
  Attribute constant;
  if (matchPattern(scalar, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, SplatElementsAttr::get(type, ArrayRef(constant)));
  return builder.splat(scalar, type);
}

/// Sets fast-math flags on an op. `contract` allows fused multiply-add, `arcp`
/// multiplication by reciprocals, and `reassoc` (for products and quotients
/// with a constant) combining constants.
static void allowFusion(Operation *op) {
  if (!isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp>(op))
    return;
  auto fastMath = cast<arith::ArithFastMathInterface>(op);
  arith::FastMathFlags flags = fastMath.getFastMathFlagsAttr().getValue() |
                               arith::FastMathFlags::contract |
                               arith::FastMathFlags::arcp;
  bool hasConstant = llvm::any_of(op->getOperands(), [](Value operand) {
    return matchPattern(operand, m_Constant());
  });
  if (hasConstant && isa<arith::MulFOp, arith::DivFOp>(op))
    flags = flags | arith::FastMathFlags::reassoc;
  op->setAttr(fastMath.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(op->getContext(), flags));
}

ScaledScore mlir::attn::getScaledScore(AttentionOp op) {
  Value score = cast<YieldOp>(op.getScore().front().getTerminator()).getValue();
  auto product = score.getDefiningOp<arith::MulFOp>();
  if (!product)
    return {score, 1.0};
  for (auto [value, other] : {std::pair(product.getLhs(), product.getRhs()),
                              {product.getRhs(), product.getLhs()}}) {
    APFloat constant(0.0f);
    if (!matchPattern(other, m_ConstantFloat(&constant)))
      continue;
    double factor = constant.convertToDouble();
    bool isBounded = value.getDefiningOp<math::TanhOp>() != nullptr;
    if (mayFollowMaximum(factor) && (isBounded || factor <= llvm::numbers::ln2))
      return {value, factor};
  }
  return {score, 1.0};
}

namespace {

/// Emits the ops of a score or mask region for all elements of a tile.
class RegionTiler {
public:
  RegionTiler(AttentionInterface op, Block &body, unsigned firstCapture,
              TileBuilder &builder, ArrayRef<int64_t> shape,
              const ScorePlace &place, bool loadsAhead = false)
      : builder(builder), body(body), shape(shape), place(place),
        loadsAhead(loadsAhead), firstPosition(firstCapture - kNumMaskArguments),
        dependence(body) {
    unsigned batch = firstPosition;
    mapping.map(body.getArgument(batch), place.batch);
    if (!place.packing)
      mapping.map(body.getArgument(batch + 1), place.head);
    for (auto [argument, capture] : llvm::zip(
             body.getArguments().drop_front(firstCapture), op.getCaptures()))
      mapping.map(argument, capture);
    positions[place.rowAxis] = {body.getArgument(batch + 2), place.row};
    positions[1 - place.rowAxis] = {body.getArgument(batch + 3), place.key};
    if (fitWords(op))
      sums.emplace(positions[0].argument, positions[1].argument);
  }

  void bindScores(Value tile) { mapping.map(body.getArgument(0), tile); }
  void inlineOps();
  /// Returns a tile that has, for each pair, what `value`, a value of the
  /// region, is for that pair.
  Value getTile(Value value);

private:
  /// Bits that say along which axes of the tile a value varies, and whether it
  /// depends on reads of captured arrays.
  enum : uint8_t { kAlong0 = 1, kAlong1 = 2, kReads = 4 };
  struct Position {
    BlockArgument argument;
    Value first;
  };

  uint8_t getVariation(Value value) const;
  /// Returns the axis along which a value is computed as a vector, which takes
  /// fewer reads than a tile: if it depends on reads and varies along one axis.
  std::optional<int64_t> getVectorAxis(Value value) const;
  void findVectors();
  Value makeTile(Value scalar, ArrayRef<int64_t> tileShape);
  /// Returns the axis of the tile along which a region's argument for row, key
  /// or head varies, or std::nullopt if it is constant in the tile.
  std::optional<int64_t> getAxis(Value argument) const;
  Value getPositions(Value argument, ArrayRef<int64_t> tileShape, Type element);
  Value emitInWords(Operation &op);
  /// Whether positions along the axis are consecutive, which those of rows of
  /// several heads are not.
  bool isAffine(int64_t axis) const {
    return !place.packing || axis != place.rowAxis;
  }
  Value getVector(Value value, int64_t axis);
  Value loadTile(ReadOp read, ArrayRef<int64_t> axes);
  SmallVector<Value> emit(Operation &op, ArrayRef<int64_t> tileShape,
                          function_ref<Value(Value)> lookup);

  TileBuilder &builder;
  Block &body;
  SmallVector<int64_t, 2> shape;
  ScorePlace place;
  bool loadsAhead;
  /// The index of the region's argument for the batch entry, which those for
  /// head, row and key follow.
  unsigned firstPosition;
  /// For each axis of the tile, the region's argument for its position (row or
  /// key) and the tile's first position.
  Position positions[2];
  RegionDependence dependence;
  /// `mapping` has the scalar or tile emitted for each value of the region,
  /// `vectors` the vectors that were emitted along each axis.
  IRMapping mapping;
  DenseMap<Value, Value> vectors[2];
  /// The ops of the region whose results are vectors, and ops that these depend
  /// on.
  llvm::SmallPtrSet<Operation *, 16> onVectors;
  /// Emits sums of positions as i32; std::nullopt if positions may not fit.
  std::optional<PositionSums> sums;
};

} // namespace

std::optional<int64_t> RegionTiler::getVectorAxis(Value value) const {
  switch (getVariation(value)) {
  case kAlong0 | kReads:
    return 0;
  case kAlong1 | kReads:
    return 1;
  default:
    return std::nullopt;
  }
}

uint8_t RegionTiler::getVariation(Value value) const {
  uint8_t on = dependence.get(value);
  uint8_t ofRows = RegionDependence::OnRow | RegionDependence::OnScore;
  if (place.packing)
    ofRows |= RegionDependence::OnHead;
  uint8_t ofKeys = RegionDependence::OnKey | RegionDependence::OnScore;
  bool isRowFirst = place.rowAxis == 0;
  return (on & (isRowFirst ? ofRows : ofKeys) ? kAlong0 : 0) |
         (on & (isRowFirst ? ofKeys : ofRows) ? kAlong1 : 0) |
         (on & RegionDependence::OnReads ? kReads : 0);
}

/// Collects the ops that are emitted on vectors in `onVectors`.
void RegionTiler::findVectors() {
  for (Operation &op : llvm::reverse(body.without_terminator()))
    if (onVectors.contains(&op) || getVectorAxis(op.getResult(0))) {
      onVectors.insert(&op);
      for (Value operand : op.getOperands())
        if (Operation *source = operand.getDefiningOp();
            source && getVariation(operand) & (kAlong0 | kAlong1))
          onVectors.insert(source);
    }
}

Value RegionTiler::makeTile(Value scalar, ArrayRef<int64_t> tileShape) {
  return splatScalar(builder, scalar, tileShape);
}

std::optional<int64_t> RegionTiler::getAxis(Value argument) const {
  for (int64_t axis : {0, 1})
    if (argument == positions[axis].argument)
      return axis;
  if (place.packing && argument == body.getArgument(firstPosition + 1))
    return place.rowAxis;
  return std::nullopt;
}

/// Returns a tile of row, key or head indices, the values of the region's
/// argument `argument`. `element` must be wide enough for them.
Value RegionTiler::getPositions(Value argument, ArrayRef<int64_t> tileShape,
                                Type element) {
  int64_t axis = *getAxis(argument);
  auto type = RankedTensorType::get(tileShape, element);
  bool isKey = axis != place.rowAxis;
  bool isHead = argument != positions[axis].argument;
  int64_t axisOfType = tileShape.size() == 1 ? 0 : axis;
  Value local;
  if (isHead)
    local = place.packing.getHeads(builder, type, axisOfType);
  else if (place.packing && !isKey)
    local = place.packing.getTokens(builder, type, axisOfType);
  else
    local = builder.coordinate(type, axisOfType);
  Value first = isHead ? place.head : positions[axis].first;
  if (element != first.getType())
    first = builder.createOrFold<arith::IndexCastOp>(element, first);
  return arith::AddIOp::create(builder, local, makeTile(first, tileShape),
                               element.isIndex()
                                   ? arith::IntegerOverflowFlags::none
                                   : arith::IntegerOverflowFlags::nsw);
}

/// Emits an op on 32-bit integers; returns null if these do not suffice.
Value RegionTiler::emitInWords(Operation &op) {
  return sums->emit(op, builder, [&](Value position) {
    return getPositions(position, shape, builder.getI32Type());
  });
}

Value RegionTiler::getTile(Value value) {
  if (std::optional<int64_t> axis = getVectorAxis(value);
      axis && !mapping.contains(value)) {
    Value vector = vectors[*axis].lookup(value);
    auto type = RankedTensorType::get(shape, value.getType());
    mapping.map(value, builder.broadcast(type, vector, 1 - *axis));
  }
  if (getAxis(value) && !mapping.contains(value))
    mapping.map(value, getPositions(value, shape, builder.getIndexType()));
  Value mapped = mapping.lookupOrDefault(value);
  return isa<RankedTensorType>(mapped.getType()) ? mapped
                                                 : makeTile(mapped, shape);
}

Value RegionTiler::getVector(Value value, int64_t axis) {
  Value &vector = vectors[axis][value];
  if (!vector)
    vector = getAxis(value) == axis
                 ? getPositions(value, shape[axis], builder.getIndexType())
                 : makeTile(mapping.lookup(value), shape[axis]);
  return vector;
}

/// Loads a tile of an array whose last indices are the positions along `axes`.
/// A load that is moved out of the loop over keys runs even if the loop has no
/// iteration. For rows outside of all sequences (`isOfNone`) the array's other
/// indices may be out of bounds, so their load begins past the end of the last
/// dimensions and reads no memory.
Value RegionTiler::loadTile(ReadOp read, ArrayRef<int64_t> axes) {
  Value array = mapping.lookup(read.getArray());
  SmallVector<Value> indices;
  SmallVector<int64_t> sizes;
  for (Value index : read.getIndices().drop_back(axes.size()))
    indices.push_back(mapping.lookup(index));
  for (int64_t axis : axes) {
    Value first = positions[axis].first;
    if (place.isOfNone && read.getIndices().size() > axes.size())
      first = builder.select(
          place.isOfNone,
          builder.createOrFold<memref::DimOp>(array, indices.size()), first);
    indices.push_back(first);
    sizes.push_back(shape[axis]);
  }
  return attn_tile::LoadOp::create(
      builder, read.getLoc(), RankedTensorType::get(sizes, read.getType()),
      array, indices, loadsAhead && axes.size() == 2, place.readsBeside);
}

/// Emits an op of the region for each element of a tile or vector of shape
/// `tileShape`; `lookup` returns what was emitted for an operand.
SmallVector<Value> RegionTiler::emit(Operation &op, ArrayRef<int64_t> tileShape,
                                     function_ref<Value(Value)> lookup) {
  if (auto read = dyn_cast<ReadOp>(op)) {
    // An array is loaded as a tile if its last dimensions are in the order of
    // the tile's axes; else its elements are gathered.
    unsigned rank = read.getIndices().size();
    if (read.isOfPairs() && !place.packing &&
        positions[0].argument == read.getIndices()[rank - 2])
      return {loadTile(read, {0, 1})};
    for (int64_t axis : {0, 1})
      if (tileShape.size() == 1 && isAffine(axis) &&
          read.isOf(positions[axis].argument.getArgNumber() - firstPosition))
        return {loadTile(read, axis)};
    SmallVector<Value> indices;
    for (Value index : read.getIndices())
      indices.push_back(getVariation(index) & (kAlong0 | kAlong1)
                            ? lookup(index)
                            : mapping.lookup(index));
    auto type = RankedTensorType::get(tileShape, read.getType());
    return {attn_tile::GatherOp::create(builder, op.getLoc(), type,
                                        mapping.lookup(read.getArray()),
                                        indices, place.readsBeside)};
  }
  IRMapping onTiles;
  for (Value operand : op.getOperands())
    onTiles.map(operand, lookup(operand));
  Operation *clone = builder.clone(op, onTiles);
  allowFusion(clone);
  for (Value result : clone->getResults())
    result.setType(RankedTensorType::get(tileShape, result.getType()));
  return SmallVector<Value>(clone->getResults());
}

void RegionTiler::inlineOps() {
  findVectors();
  // Tiles of positions that any op uses are created here, before these ops.
  for (BlockArgument argument : body.getArguments())
    if (getVariation(argument) && !mapping.contains(argument) &&
        !argument.use_empty())
      (void)getTile(argument);
  for (Operation &op : body.without_terminator()) {
    uint8_t variation = getVariation(op.getResult(0)) & (kAlong0 | kAlong1);
    if (variation == 0) {
      allowFusion(emitScalar(op, builder, mapping));
      continue;
    }
    // If an op in `onVectors` does not depend on reads, it is emitted on
    // vectors and also on tiles, since ops on tiles may use its result.
    if (onVectors.contains(&op))
      for (int64_t axis : {0, 1})
        if (variation == (axis == 0 ? kAlong0 : kAlong1)) {
          SmallVector<Value> results =
              emit(op, shape[axis],
                   [&](Value operand) { return getVector(operand, axis); });
          for (auto [original, result] : llvm::zip(op.getResults(), results))
            vectors[axis][original] = result;
        }
    if (getVectorAxis(op.getResult(0)))
      continue;
    if (Value words = sums ? emitInWords(op) : Value()) {
      mapping.map(op.getResult(0), words);
      continue;
    }
    SmallVector<Value> results =
        emit(op, shape, [&](Value operand) { return getTile(operand); });
    for (auto [original, result] : llvm::zip(op.getResults(), results))
      mapping.map(original, result);
  }
}

SmallVector<Value> mlir::attn::inlineScore(AttentionInterface op,
                                           TileBuilder &builder, Value scores,
                                           const ScorePlace &place,
                                           ValueRange results,
                                           bool loadsAhead) {
  auto type = cast<RankedTensorType>(scores.getType());
  RegionTiler tiler(op, op.getScore().front(), kNumScoreArguments, builder,
                    type.getShape(), place, loadsAhead);
  tiler.bindScores(scores);
  tiler.inlineOps();
  return llvm::map_to_vector(
      results, [&](Value result) { return tiler.getTile(result); });
}

Value mlir::attn::inlineMask(AttentionInterface op, TileBuilder &builder,
                             ArrayRef<int64_t> shape, const ScorePlace &place) {
  Block &body = op.getMaskRegion().front();
  RegionTiler tiler(op, body, kNumMaskArguments, builder, shape, place);
  tiler.inlineOps();
  return tiler.getTile(cast<YieldOp>(body.getTerminator()).getValue());
}

//===----------------------------------------------------------------------===//
// Poles
//===----------------------------------------------------------------------===//

/// Whether the op has only float results that are finite for finite operands,
/// overflow aside. Constants must be finite, and divisors finite constants
/// other than 0.
static bool keepsFinite(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    auto value = dyn_cast<FloatAttr>(constant.getValue());
    return value && value.getValue().isFinite();
  }
  if (isa<arith::DivFOp, arith::RemFOp>(op)) {
    APFloat divisor(0.0f);
    return matchPattern(op.getOperand(1), m_ConstantFloat(&divisor)) &&
           divisor.isFiniteNonZero();
  }
  return isa<arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::NegFOp,
             arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
             arith::MinNumFOp, arith::SelectOp, arith::SIToFPOp,
             arith::UIToFPOp, arith::ExtFOp, arith::TruncFOp, math::FmaOp,
             math::AbsFOp, math::CeilOp, math::FloorOp, math::RoundOp,
             math::RoundEvenOp, math::TruncOp, math::ClampFOp, math::CopySignOp,
             math::SinOp, math::CosOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
             math::TanhOp, math::ErfOp, math::ErfcOp, math::AtanOp,
             math::AsinhOp, math::SinhOp, math::CoshOp, math::CbrtOp>(op);
}

bool mlir::attn::hasPole(AttentionInterface op) {
  Block &body = op.getScore().front();
  auto isFloat = [](Value value) { return isa<FloatType>(value.getType()); };
  for (BlockArgument capture :
       body.getArguments().drop_front(kNumScoreArguments))
    if (isFloat(capture) && !capture.use_empty())
      return true;
  return llvm::any_of(body.without_terminator(), [&](Operation &inner) {
    return llvm::any_of(inner.getResults(), isFloat) && !keepsFinite(inner);
  });
}
