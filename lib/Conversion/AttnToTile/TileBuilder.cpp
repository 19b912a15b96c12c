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

Value TileProgram::load(Value array, ArrayRef<int64_t> shape,
                        ValueRange position, bool beside) {
  Type element = cast<ShapedType>(array.getType()).getElementType();
  return attn_tile::LoadOp::create(b, tileType(shape, element), array,
                                   completePosition(array, position),
                                   /*ahead=*/false, beside);
}

void TileProgram::store(Value tile, Value array, ValueRange position,
                        bool add) {
  attn_tile::StoreOp::create(b, tile, array, completePosition(array, position),
                             add);
}

SmallVector<Value> TileProgram::completePosition(Value array,
                                                 ValueRange position) {
  SmallVector<Value> complete(position);
  size_t rank = cast<ShapedType>(array.getType()).getRank();
  while (complete.size() < rank)
    complete.push_back(b.index(0));
  return complete;
}

Value TileProgram::broadcast(Value vector, int64_t axis,
                             ArrayRef<int64_t> shape) {
  Type element = cast<RankedTensorType>(vector.getType()).getElementType();
  return b.broadcast(tileType(shape, element), vector, axis);
}

Value TileProgram::extend(Value value) {
  if (getElementTypeOrSelf(value).isF32())
    return value;
  Type type = b.getF32Type();
  if (auto tile = dyn_cast<RankedTensorType>(value.getType()))
    type = f32Tile(tile.getShape());
  return b.extf(type, value);
}

Value TileProgram::round(Value value, Type element) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() == element)
    return value;
  RankedTensorType result = tileType(type.getShape(), element);
  // Sums are of f32, and only the gradient of a captured f64 is wider.
  return element.getIntOrFloatBitWidth() > 32 ? b.extf(result, value)
                                              : b.truncf(result, value);
}

attn_tile::GridOp TileProgram::createGridOf(Operation *op,
                                            ArrayRef<Value> sizes,
                                            ArrayRef<int64_t> steps,
                                            TileSizesAttrInterface schedule) {
  auto grid = attn_tile::GridOp::create(b, sizes, steps, schedule);
  if (Attribute reasons = op->getAttr(kReasonsAttrName))
    grid->setAttr(kReasonsAttrName, reasons);
  return grid;
}

OpFoldResult TileProgram::getSize(Value view, int64_t dim) {
  return memref::getMixedSize(b, b.getLoc(), view, dim);
}

bool TileProgram::isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                           OpFoldResult limit) {
  using Variable = ValueBoundsConstraintSet::Variable;
  return ValueBoundsConstraintSet::compare(
      Variable(AffineMap::get(operands.size(), 0, expr),
               llvm::map_to_vector(operands,
                                   [](OpFoldResult o) { return Variable(o); })),
      ValueBoundsConstraintSet::ComparisonOperator::LE, Variable(limit));
}

Value TileProgram::allocate(ArrayRef<OpFoldResult> sizes, Type element) {
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamicSizes;
  dispatchIndexOpFoldResults(sizes, dynamicSizes, shape);
  return memref::AllocOp::create(b, MemRefType::get(shape, element),
                                 dynamicSizes);
}

std::pair<Value, Value>
TileProgram::allocateRows(Value array, Type element,
                          std::optional<int64_t> columns, int64_t heads) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  if (heads > 1) {
    sizes[1] = apply(dim(0).floorDiv(heads), {sizes[1]});
    sizes[2] = apply(dim(0) * heads, {sizes[2]});
  }
  if (columns)
    sizes.back() = b.getIndexAttr(*columns);
  if (isKnownEmpty(array)) {
    Value memory = allocate(sizes, element);
    return {memory, memory};
  }
  SmallVector<OpFoldResult> padded = sizes;
  int64_t perChunk = 128 / element.getIntOrFloatBitWidth();
  padded.back() = b.getIndexAttr(
      llvm::alignTo(*getConstantIntValue(sizes.back()), perChunk));
  Value memory = allocate(padded, element);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  return {memory,
          memref::SubViewOp::create(b, memory, offsets, sizes, strides)};
}

SmallVector<Value> TileProgram::getSizes(Value array) {
  SmallVector<Value> sizes;
  for (int64_t i = 0; i < cast<MemRefType>(array.getType()).getRank(); ++i)
    sizes.push_back(asValue(getSize(array, i)));
  return sizes;
}

Value TileProgram::slice(Value view, OpFoldResult first, OpFoldResult length,
                         int64_t dim) {
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), view);
  if ((isZeroInteger(first) && sizes[dim] == length) || isKnownEmpty(view))
    return view;
  sizes[dim] = length;
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  offsets[dim] = first;
  return memref::SubViewOp::create(b, view, offsets, sizes, strides);
}

Value TileProgram::transpose(Value array, ArrayRef<unsigned> order) {
  AffineMap map = AffineMap::getPermutationMap(order, b.getContext());
  return memref::TransposeOp::create(b, array, AffineMapAttr::get(map));
}

void TileProgram::emitZeros(Value array, TileSizesAttrInterface schedule) {
  auto type = cast<MemRefType>(array.getType());
  if (isKnownEmpty(array))
    return;
  SmallVector<int64_t> steps(type.getRank(), 1);
  int64_t rows = steps.back() = schedule.getTileQ();
  OpBuilder::InsertionGuard guard(b);
  auto place =
      enter(attn_tile::GridOp::create(b, getSizes(array), steps, schedule));
  store(splat(tileType({rows}, type.getElementType()), 0.0), array, place);
}

Value TileProgram::viewPart(Value array, ArrayRef<OpFoldResult> offsets,
                            ArrayRef<OpFoldResult> sizes,
                            ArrayRef<int64_t> shape) {
  SmallVector<OpFoldResult> strides(sizes.size(), b.getIndexAttr(1));
  MemRefType type = memref::SubViewOp::inferRankReducedResultType(
      shape, cast<MemRefType>(array.getType()), offsets, sizes, strides);
  return memref::SubViewOp::create(b, type, array, offsets, sizes, strides);
}

Value TileProgram::viewRow(Value array, ArrayRef<OpFoldResult> position,
                           OpFoldResult count) {
  SmallVector<OpFoldResult> sizes(position.size(), b.getIndexAttr(1));
  sizes.back() = count;
  int64_t size = getConstantIntValue(count).value_or(ShapedType::kDynamic);
  return viewPart(array, position, sizes, size);
}

Value TileProgram::dropDims(Value array, function_ref<bool(int64_t)> isKept) {
  auto type = cast<MemRefType>(array.getType());
  SmallVector<OpFoldResult> sizes = memref::getMixedSizes(b, b.getLoc(), array);
  SmallVector<OpFoldResult> offsets(sizes.size(), b.getIndexAttr(0));
  SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (isKept(dim))
      shape.push_back(type.getDimSize(dim));
  if (static_cast<int64_t>(shape.size()) == type.getRank())
    return array;
  return viewPart(array, offsets, sizes, shape);
}

Value TileProgram::divideHeads(Value head, Value count) {
  auto narrow = [&](Value value) -> Value {
    return arith::IndexCastUIOp::create(b, b.getI32Type(), value);
  };
  return arith::IndexCastUIOp::create(
      b, b.getIndexType(),
      arith::DivUIOp::create(b, narrow(head), narrow(count)));
}

Value TileProgram::findRealRows(OpFoldResult arrayLength, OpFoldResult length,
                                Value first, int64_t rows) {
  if (isAtMost(dim(0), {arrayLength}, length))
    return Value();
  RankedTensorType type = tileType({rows}, b.getIndexType());
  Value bound = asValue(apply(dim(0) - dim(1), {length, first}));
  return b.slt(b.coordinate(type, 0), b.splat(bound, type));
}

Value TileProgram::readNumber(Value operand) {
  auto type = dyn_cast<MemRefType>(operand.getType());
  if (!type)
    return operand;
  SmallVector<Value> indices;
  if (type.getRank() == 1)
    indices.push_back(b.index(0));
  return attn_tile::GatherOp::create(b, type.getElementType(), operand,
                                     indices);
}

Value TileProgram::dropOut(Value tile, Value keep) {
  if (!keep)
    return tile;
  return b.select(keep, tile,
                  splat(cast<RankedTensorType>(tile.getType()), 0.0));
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

SmallVector<Value> TileProgram::loopOverBlocks(
    Value domain, ValueRange initial,
    function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody) {
  auto loop =
      attn_tile::ForBlocksOp::create(b, TypeRange(initial), domain, initial);
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Type> types = {b.getIndexType(), b.getI1Type()};
  llvm::append_range(types, TypeRange(initial));
  Block *body = b.createBlock(&loop.getBody(), {}, types,
                              SmallVector<Location>(types.size(), b.getLoc()));
  attn_tile::YieldOp::create(b, emitBody(body->getArgument(0),
                                         body->getArgument(1),
                                         body->getArguments().drop_front(2)));
  moveLoopInvariantCode(loop);
  hoistReads(loop);
  return loop.getResults();
}
