//===- TileBuilder.cpp - Common parts of tile programs --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileBuilder.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::attn;

Value TileBuilder::load(Value array, ArrayRef<int64_t> shape,
                        ValueRange position, bool beside) {
  Type element = cast<ShapedType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(*this, tileType(shape, element), array,
                                   completePosition(array, position),
                                   /*ahead=*/false, beside);
}

void TileBuilder::store(Value tile, Value array, ValueRange position,
                        bool add) {
  attn_tile::StoreOp::create(*this, tile, array,
                             completePosition(array, position), add);
}

SmallVector<Value> TileBuilder::completePosition(Value array,
                                                 ValueRange position) {
  SmallVector<Value> complete(position);
  size_t rank = cast<ShapedType>(array.getType()).getRank();
  while (complete.size() < rank)
    complete.push_back(index(0));
  return complete;
}

Value TileBuilder::broadcast(Value vector, int64_t axis,
                             ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  return broadcast(tileType(shape, element), vector, axis);
}

Value TileBuilder::extend(Value value) {
  if (getElementTypeOrSelf(value).isF32())
    return value;
  Type type = getF32Type();
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = f32Tile(tile.getShape());
  return extf(type, value);
}

Value TileBuilder::round(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  RankedTensorType result = tileType(type.getShape(), element);
  // Sums are of f32, and only the gradient of a captured f64 is wider.
  return element.getIntOrFloatBitWidth() > 32 ? extf(result, value)
                                              : truncf(result, value);
}

attn_tile::GridOp TileBuilder::createGridOf(Operation *op,
                                            ArrayRef<Value> sizes,
                                            ArrayRef<int64_t> steps,
                                            TileSizesAttrInterface schedule) {
  auto grid = attn_tile::GridOp::create(*this, sizes, steps, schedule);
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
  return grid;
}

OpFoldResult TileBuilder::getSize(Value view, int64_t dim) {
  if (auto workspace = view.getDefiningOp<attn_tile::WorkspaceOp>())
    return workspace.getMixedSizes()[dim];
  return memref::getMixedSize(*this, getLoc(), view, dim);
}

SmallVector<OpFoldResult> TileBuilder::getMixedSizes(Value view) {
  if (auto workspace = view.getDefiningOp<attn_tile::WorkspaceOp>())
    return workspace.getMixedSizes();
  return memref::getMixedSizes(*this, getLoc(), view);
}

bool TileBuilder::isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                           OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

Value TileBuilder::allocate(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return attn_tile::WorkspaceOp::create(*this, MemRefType::get(shape, element),
                                        dynamicSizes);
}

Value TileBuilder::allocateRows(Value array, Type element,
                                std::optional<int64_t> columns, int64_t heads) {
  SmallVector<OpFoldResult> sizes = getMixedSizes(array);
  if (heads > 1) {
    sizes[1] = apply(dim(0).floorDiv(heads), {sizes[1]});
    sizes[2] = apply(dim(0) * heads, {sizes[2]});
  }
  if (columns)
    sizes.back() = getIndexAttr(*columns);
  if (isKnownEmpty(array))
    return allocate(sizes, element);
  SmallVector<OpFoldResult> padded = sizes;
  int64_t perChunk = 128 / element.getIntOrFloatBitWidth();
  padded.back() =
      getIndexAttr(llvm::alignTo(*getConstantIntValue(sizes.back()), perChunk));
  Value memory = allocate(padded, element);
  SmallVector<OpFoldResult> offsets(sizes.size(), getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), getIndexAttr(1));
  return memref::SubViewOp::create(*this, memory, offsets, sizes, strides);
}

SmallVector<Value> TileBuilder::getSizes(Value array) {
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < cast<MemRefType>(array.getType()).getRank(); ++i)
    sizes.push_back(asValue(getSize(array, i)));
  return sizes;
}

Value TileBuilder::slice(Value view, OpFoldResult first, OpFoldResult length,
                         int64_t dim) {
  SmallVector<OpFoldResult> sizes = getMixedSizes(view);
  if ((isZeroInteger(first) && sizes[dim] == length) || isKnownEmpty(view))
    return view;
  sizes[dim] = length;
  SmallVector<OpFoldResult> offsets(sizes.size(), getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), getIndexAttr(1));
  offsets[dim] = first;
  return memref::SubViewOp::create(*this, view, offsets, sizes, strides);
}

Value TileBuilder::transpose(Value array, ArrayRef<unsigned> order) {
  AffineMap map = AffineMap::getPermutationMap(order, getContext());
  return memref::TransposeOp::create(*this, array, AffineMapAttr::get(map));
}

void TileBuilder::emitZeros(Value array, TileSizesAttrInterface schedule) {
  auto type = cast<MemRefType>(array.getType());
  if (isKnownEmpty(array))
    return;
  SmallVector<int64_t> steps(type.getRank(), 1);
  int64_t rows = steps.back() = schedule.getTileQ();
  OpBuilder::InsertionGuard guard(*this);
  auto place =
      enter(attn_tile::GridOp::create(*this, getSizes(array), steps, schedule));
  store(splat(tileType({rows}, type.getElementType()), 0.0), array, place);
}

Value TileBuilder::viewPart(Value array, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            ArrayRef<int64_t> shape) {
  SmallVector<OpFoldResult> strides(sizes.size(), getIndexAttr(1));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(array.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(*this, type, array, offsets, sizes, strides);
}

Value TileBuilder::viewRow(Value array, ArrayRef<OpFoldResult> position,
                           OpFoldResult count) {
  SmallVector<OpFoldResult> sizes(position.size(), getIndexAttr(1));
  sizes.back() = count;
  int64_t size = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  return viewPart(array, position, sizes, size);
}

Value TileBuilder::dropDims(Value array, function_ref<bool(int64_t)> isKept) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = getMixedSizes(array);
  SmallVector<OpFoldResult> offsets(sizes.size(), getIndexAttr(0));
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (isKept(dim))
      shape.push_back(type.getDimSize(dim));
  if (static_cast<int64_t>(shape.size()) == type.getRank())
    return array;
  return viewPart(array, offsets, sizes, shape);
}

Value TileBuilder::divideHeads(Value head, Value count) {
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(*this, getI32Type(), value);
  };
  return arith::IndexCastUIOp::create(
      *this, getIndexType(),
      arith::DivUIOp::create(*this, narrow(head), narrow(count)));
}

Value TileBuilder::findRealRows(OpFoldResult arrayLength, OpFoldResult length,
                                Value first, int64_t rows) {
  if (isAtMost(dim(0), {arrayLength}, length))
    return Value();
  RankedTensorType type = tileType({rows}, getIndexType());
  Value bound = asValue(apply(dim(0) - dim(1), {length, first}));
  return slt(coordinate(type, 0), splat(bound, type));
}

Value TileBuilder::readNumber(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return operand;
  SmallVector<Value> indices;
  if (type.getRank() == 1)
    indices.push_back(index(0));
  return attn_tile::GatherOp::create(*this, type.getElementType(), operand,
                                     indices);
}

Value TileBuilder::dropOut(Value tile, Value keep) {
  if (!keep)
    return tile;
  return select(keep, tile, splat(cast<RankedTensorType>(tile.getType()), 0.0));
}

/// Adds the ops within a loop from which `value` is computed to `producers`, in
/// the order of their dependences. Returns false if the value depends on the
/// block that the loop visits, on memory, or on an op with regions.
static bool takeProducers(Value value, Operation *loop,
                          llvm::SetVector<Operation *> &producers) {
  if (!loop->isAncestor(value.getParentBlock()->getParentOp()))
    return true;
  Operation *op = value.getDefiningOp();
  if (!op || !isPure(op) || op->getNumRegions() > 0 ||
      !llvm::all_of(op->getOperands(), [&](Value operand) {
        return takeProducers(operand, loop, producers);
      }))
    return false;
  producers.insert(op);
  return true;
}

/// Moves reads out of a loop over blocks if their indices do not depend on the
/// block, together with the ops that compute the indices: loads and gathers of
/// vectors anywhere in the loop, and other gathers directly in its body. Then
/// moves other pure ops of the loop's body whose operands are all defined
/// outside of the loop.
///
/// These moves are valid since programs do not write the captured arrays that
/// they read. A vector that a branch reads is then read even if the branch is
/// not taken.
static void hoistReads(attn_tile::ForBlocksOp loop) {
  SmallVector<Operation *> reads;
  loop.walk([&](Operation *op) {
    if (!isa<attn_tile::GatherOp, attn_tile::LoadOp>(op))
      return;
    auto tile = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    bool isVector = tile && tile.getRank() == 1;
    if (isVector || (isa<attn_tile::GatherOp>(op) && op->getParentOp() == loop))
      reads.push_back(op);
  });
  for (Operation *read : reads) {
    llvm::SetVector<Operation *> producers;
    if (!llvm::all_of(read->getOperands(), [&](Value operand) {
          return takeProducers(operand, loop, producers);
        }))
      continue;
    for (Operation *op : producers)
      op->moveBefore(loop);
    read->moveBefore(loop);
  }
  // Moves pure ops of the loop's body whose operands are all defined outside of
  // the loop, among them the reads that were moved above.
  for (Operation &op :
       llvm::make_early_inc_range(loop.getBody().front().without_terminator()))
    if (isPure(&op) && op.getNumRegions() == 0 &&
        llvm::all_of(op.getOperands(), [&](Value operand) {
          return !loop->isAncestor(operand.getParentBlock()->getParentOp());
        }))
      op.moveBefore(loop);
}

SmallVector<Value> TileBuilder::loopOverBlocks(
    Value domain, ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody) {
  auto loop = attn_tile::ForBlocksOp::create(*this, TypeRange(initial), domain,
                                             initial);
  OpBuilder::InsertionGuard guard(*this);
  SmallVector<Type> types = {getIndexType(), getI1Type()};
  llvm::append_range(types, TypeRange(initial));
  Block *body = createBlock(&loop.getBody(), {}, types,
                            SmallVector<Location>(types.size(), getLoc()));
  attn_tile::YieldOp::create(
      *this, emitBody(body->getArgument(0), body->getArgument(1),
                      body->getArguments().drop_front(2)));
  moveLoopInvariantCode(loop);
  hoistReads(loop);
  return loop.getResults();
}
