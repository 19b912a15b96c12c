//===- AttnTileToLinalg.cpp - Tile programs to linalg ---------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostLoads.h"

#include "attn/Conversion/Passes.h"
#include "attn/Dialect/AttnTile/IR/RowScatter.h"
#include "attn/Dialect/AttnTile/Transforms/Reductions.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::attn {
#define GEN_PASS_DEF_CONVERTATTNTILETOLINALGPASS
#include "attn/Conversion/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

namespace {

/// Creates a parallel linalg.generic over all elements of a tile of type
/// `type`, and returns the tile. The op reads `inputs` through `inputMaps`, and
/// `body` emits the value of one element of the tile.
Value createParallel(
    RewriterBase &rewriter, Location loc, RankedTensorType type,
    ValueRange inputs, ArrayRef<AffineMap> inputMaps,
    function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
  SmallVector<AffineMap> maps(inputMaps);
  maps.push_back(rewriter.getMultiDimIdentityMap(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             rewriter, loc, type, inputs, createEmpty(rewriter, loc, type),
             maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               linalg::YieldOp::create(b, loc, body(b, loc, args));
             })
      .getResult(0);
}

AffineMap getMapToDim(RewriterBase &rewriter, int64_t dim) {
  return AffineMap::get(2, 0, rewriter.getAffineDimExpr(dim));
}

void lower(LoadOp op, RewriterBase &rewriter) {
  rewriter.replaceOp(op, readTile(rewriter, op));
}

void lower(GatherOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  auto type = dyn_cast<RankedTensorType>(op.getResult().getType());
  if (!type) {
    rewriter.replaceOp(
        op, createRead(rewriter, loc, op.getSource(), op.getIndices()));
    return;
  }
  SmallVector<Value> tiles;
  for (Value index : op.getIndices())
    if (isa<RankedTensorType>(index.getType()))
      tiles.push_back(index);
  SmallVector<AffineMap> maps(tiles.size(),
                              rewriter.getMultiDimIdentityMap(type.getRank()));
  auto body = [&](OpBuilder &b, Location loc, ValueRange elements) {
    SmallVector<Value> indices(op.getIndices());
    unsigned next = 0;
    for (Value &index : indices)
      if (isa<RankedTensorType>(index.getType()))
        index = elements[next++];
    return createRead(b, loc, op.getSource(), indices);
  };
  rewriter.replaceOp(op,
                     createParallel(rewriter, loc, type, tiles, maps, body));
}

/// Lowers a scatter to loops over the tile's elements. An element is stored, or
/// with `add` added atomically, only if all of its indices are in bounds.
void lower(ScatterOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> position;
  for (int64_t size : op.getTile().getType().getShape()) {
    Value end = arith::ConstantIndexOp::create(rewriter, loc, size);
    auto loop = scf::ForOp::create(rewriter, loc, zero, end, one);
    position.push_back(loop.getInductionVar());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  Value isInside =
      arith::ConstantOp::create(rewriter, loc, rewriter.getBoolAttr(true));
  SmallVector<Value> place;
  bool isOfRows = scattersRows(op);
  for (auto [dim, index] : llvm::enumerate(op.getIndices())) {
    auto type = dyn_cast<RankedTensorType>(index.getType());
    Value own = index;
    if (type)
      own = tensor::ExtractOp::create(
          rewriter, loc, index,
          ArrayRef<Value>(position).take_front(type.getRank()));
    else if (isOfRows && dim + 1 == op.getIndices().size())
      own = arith::AddIOp::create(rewriter, loc, index, position.back());
    place.push_back(own);
    Value size = getValueOrCreateConstantIndexOp(
        rewriter, loc,
        memref::getMixedSize(rewriter, loc, op.getDestination(), dim));
    // The comparison of an index with a size is unsigned, so that it also fails
    // for negative indices.
    Value isBelow = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::ult, place.back(), size);
    isInside = arith::AndIOp::create(rewriter, loc, isInside, isBelow);
  }
  Value element =
      tensor::ExtractOp::create(rewriter, loc, op.getTile(), position);
  scf::IfOp::create(
      rewriter, loc, isInside, [&](OpBuilder &inner, Location loc) {
        if (op.getAdd())
          memref::AtomicRMWOp::create(inner, loc, arith::AtomicRMWKind::addf,
                                      element, op.getDestination(), place);
        else
          memref::StoreOp::create(inner, loc, element, op.getDestination(),
                                  place);
        scf::YieldOp::create(inner, loc);
      });
  rewriter.eraseOp(op);
}

/// Adds those elements of a tile that are in the view to memory, one by one.
/// The additions are atomic, since other threads may add to the same elements.
void addToMemory(StoreOp op, const CoveredPart &part, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(rewriter, loc, 0);
  Value one = arith::ConstantIndexOp::create(rewriter, loc, 1);
  SmallVector<Value> ends, position;
  for (OpFoldResult size : part.sizes)
    ends.push_back(getValueOrCreateConstantIndexOp(rewriter, loc, size));
  OpBuilder::InsertionGuard guard(rewriter);
  for (Value end : ends) {
    auto loop = scf::ForOp::create(rewriter, loc, zero, end, one);
    position.push_back(loop.getInductionVar());
    rewriter.setInsertionPointToStart(loop.getBody());
  }
  Value element =
      tensor::ExtractOp::create(rewriter, loc, op.getTile(), position);
  memref::AtomicRMWOp::create(rewriter, loc, arith::AtomicRMWKind::addf,
                              element, part.subview, position);
}

void lower(StoreOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getTile().getType();
  CoveredPart part =
      getCoveredPart(rewriter, loc, op.getDestination(), op.getIndices(), type);
  if (op.getAdd()) {
    addToMemory(op, part, rewriter);
    rewriter.eraseOp(op);
    return;
  }
  Value source = op.getTile();
  if (!part.isWholeTile) {
    SmallVector<OpFoldResult> offsets(type.getRank(), rewriter.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    source = tensor::ExtractSliceOp::create(rewriter, loc, source, offsets,
                                            part.sizes, strides);
  }
  auto store = bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, /*result=*/Type(), source, part.subview);
  store.setRestrict(true);
  store.setWritable(true);
  rewriter.eraseOp(op);
}

/// Unpacks two signed 4-bit numbers from each byte of a tile, the low half
/// first. The two numbers first form a new innermost dimension of size 2, which
/// is then merged with the dimension of the bytes.
void lower(UnpackOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType bytes = op.getBytes().getType(), type = op.getType();
  auto halves = RankedTensorType::get(
      {bytes.getDimSize(0), bytes.getDimSize(1), 2}, type.getElementType());
  auto body = [&](OpBuilder &inner, Location loc, ValueRange args) -> Value {
    NumberBuilder b(loc, inner);
    Value half = b.indexCast(b.getI8Type(), linalg::IndexOp::create(b, 2));
    auto number = [&](int64_t value) -> Value {
      return arith::ConstantOp::create(b, b.getI8IntegerAttr(value));
    };
    Value odd = b.subi(number(1), half);
    Value shifted = b.shli(args[0], b.shli(odd, number(2)));
    return b.sitofp(type.getElementType(), b.shrsi(shifted, number(4)));
  };
  Value numbers =
      createParallel(rewriter, loc, halves, op.getBytes(),
                     AffineMap::getMultiDimIdentityMap(3, rewriter.getContext())
                         .getMajorSubMap(2),
                     body);
  rewriter.replaceOpWithNewOp<tensor::CollapseShapeOp>(
      op, type, numbers, ArrayRef<ReassociationIndices>{{0}, {1, 2}});
}

/// Returns an operand of a matrix product, converted to f32 and, if
/// `transpose`, transposed. These are two separate ops, since a vector of bf16
/// is extended fastest in the order in which its elements lie in memory.
Value createDotOperand(RewriterBase &rewriter, Location loc, Value operand,
                       bool transpose) {
  auto type = cast<RankedTensorType>(operand.getType());
  ArrayRef<int64_t> shape = type.getShape();
  if (!type.getElementType().isF32())
    operand = createParallel(
        rewriter, loc, RankedTensorType::get(shape, rewriter.getF32Type()),
        operand, rewriter.getMultiDimIdentityMap(2),
        [](OpBuilder &b, Location loc, ValueRange args) -> Value {
          return arith::ExtFOp::create(b, loc, b.getF32Type(), args[0]);
        });
  if (!transpose)
    return operand;
  Value empty = createEmpty(
      rewriter, loc,
      RankedTensorType::get({shape[1], shape[0]}, rewriter.getF32Type()));
  return linalg::TransposeOp::create(rewriter, loc, operand, empty,
                                     ArrayRef<int64_t>{1, 0})
      ->getResult(0);
}

void lower(DotOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  Value lhs =
      createDotOperand(rewriter, loc, op.getLhs(), op.getTransposeLhs());
  Value rhs =
      createDotOperand(rewriter, loc, op.getRhs(), op.getTransposeRhs());
  rewriter.replaceOpWithNewOp<linalg::MatmulOp>(
      op, TypeRange{op.getResult().getType()}, ValueRange{lhs, rhs},
      ValueRange{op.getAccumulator()});
}

void lower(ReduceOp op, RewriterBase &rewriter) {
  Location loc = op.getLoc();
  RankedTensorType type = op.getResult().getType();
  Value init = createFilled(rewriter, loc, type,
                            getNeutral(op.getKind(), type.getElementType()));
  int64_t axis = op.getAxis();
  SmallVector<utils::IteratorType> iterators(2, utils::IteratorType::parallel);
  iterators[axis] = utils::IteratorType::reduction;
  rewriter.replaceOpWithNewOp<linalg::GenericOp>(
      op, TypeRange(type), ValueRange(op.getInput()), ValueRange(init),
      ArrayRef<AffineMap>{rewriter.getMultiDimIdentityMap(2),
                          getMapToDim(rewriter, 1 - axis)},
      iterators, [&](OpBuilder &inner, Location loc, ValueRange args) {
        NumberBuilder b(loc, inner);
        linalg::YieldOp::create(b, combine(b, op.getKind(), args[0], args[1]));
      });
}

void lower(BroadcastOp op, RewriterBase &rewriter) {
  rewriter.replaceOp(
      op, createParallel(
              rewriter, op.getLoc(), op.getResult().getType(), op.getInput(),
              getMapToDim(rewriter, 1 - op.getAxis()),
              [](OpBuilder &, Location, ValueRange args) { return args[0]; }));
}

void lower(RareOp op, RewriterBase &rewriter) {
  rewriter.replaceOp(op, op.getCondition());
}

void lower(CoordinateOp op, RewriterBase &rewriter) {
  RankedTensorType type = op.getResult().getType();
  rewriter.replaceOp(
      op, createParallel(rewriter, op.getLoc(), type, {}, {},
                         [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                           return op.createElement(
                               b, loc,
                               linalg::IndexOp::create(b, loc, op.getAxis()));
                         }));
}

void lower(ReuseOp op, RewriterBase &rewriter) {
  rewriter.replaceOp(op, op.getTile());
}

void lower(tensor::SplatOp op, RewriterBase &rewriter) {
  auto type = cast<RankedTensorType>(op.getType());
  rewriter.replaceOp(
      op, createParallel(rewriter, op.getLoc(), type, {}, {},
                         [&](OpBuilder &, Location, ValueRange) -> Value {
                           return op.getInput();
                         }));
}

void lower(GridOp op, RewriterBase &rewriter) {
  int64_t rank = op.getSteps().size();
  SmallVector<OpFoldResult> starts(rank, rewriter.getIndexAttr(0)), steps;
  for (int64_t step : op.getSteps())
    steps.push_back(rewriter.getIndexAttr(step));
  auto loop = scf::ForallOp::create(rewriter, op.getLoc(), starts,
                                    getAsOpFoldResult(op.getSizes()), steps,
                                    ValueRange(), /*mapping=*/std::nullopt);
  Operation *yield = op.getBody().front().getTerminator();
  rewriter.eraseOp(yield);
  rewriter.inlineBlockBefore(&op.getBody().front(), loop.getTerminator(),
                             loop.getInductionVars());
  rewriter.eraseOp(op);
}

/// Clones the op that makes a tile, so that each use has an op of its own.
/// Fusion can then compute the tile's elements where they are used, and the
/// tile needs no memory.
void rematerialize(Operation *op, RewriterBase &rewriter) {
  Value result = op->getResult(0);
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    if (result.hasOneUse())
      return;
    rewriter.setInsertionPoint(use.getOwner());
    Operation *copy = rewriter.clone(*op);
    rewriter.modifyOpInPlace(use.getOwner(),
                             [&] { use.set(copy->getResult(0)); });
  }
}

/// Allocates the workspace, and frees it at the end of its block.
void lower(WorkspaceOp op, RewriterBase &rewriter) {
  auto memory = rewriter.replaceOpWithNewOp<memref::AllocOp>(op, op.getType(),
                                                             op.getSizes());
  rewriter.setInsertionPoint(memory->getBlock()->getTerminator());
  memref::DeallocOp::create(rewriter, memory.getLoc(), memory);
}

void lower(ProcessorsOp op, RewriterBase &rewriter) {
  constexpr int64_t kProcessors = 4;
  rewriter.replaceOpWithNewOp<arith::ConstantIndexOp>(op, kProcessors);
}

/// Lets a loop carry each of its tiles in a single buffer. If the initial tile
/// is a constant, it is written to a new buffer that only this loop uses. A
/// tile that the body yields is stored to the buffer of the carried tile.
void carryInPlace(scf::ForOp loop, RewriterBase &rewriter) {
  for (OpOperand &init : loop.getInitArgsMutable()) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    SplatElementsAttr constant;
    if (!type || !matchPattern(init.get(), m_Constant(&constant)))
      continue;
    rewriter.setInsertionPoint(loop);
    // The buffer is an alloc_tensor, since two equal tensor.empty ops could be
    // merged, while each loop must write to a buffer of its own.
    Location loc = loop.getLoc();
    Value own =
        bufferization::AllocTensorOp::create(rewriter, loc, type,
                                             /*dynamicSizes=*/ValueRange());
    Value element = arith::ConstantOp::create(
        rewriter, loc, constant.getSplatValue<TypedAttr>());
    Value filled =
        linalg::FillOp::create(rewriter, loc, element, own).getResult(0);
    rewriter.modifyOpInPlace(loop, [&] { init.set(filled); });
  }
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  for (auto [i, carried] : llvm::enumerate(loop.getRegionIterArgs())) {
    if (!isa<RankedTensorType>(carried.getType()))
      continue;
    OpOperand &operand = yield->getOpOperand(i);
    // A tile that an inner loop yields is in the right buffer already, since
    // the initial value of the inner loop was the carried tile.
    if (operand.get().getDefiningOp<scf::ForOp>())
      continue;
    auto moved = bufferization::MaterializeInDestinationOp::create(
        rewriter, loop.getLoc(), carried.getType(), operand.get(), carried);
    rewriter.modifyOpInPlace(yield, [&] { operand.set(moved.getResult()); });
  }
}

struct ConvertAttnTileToLinalgPass
    : public attn::impl::ConvertAttnTileToLinalgPassBase<
          ConvertAttnTileToLinalgPass> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<Operation *> ops;
    SmallVector<scf::ForOp> loops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttnTileDialect>(op->getDialect()) || isa<tensor::SplatOp>(op))
        ops.push_back(op);
      else if (auto loop = dyn_cast<scf::ForOp>(op))
        loops.push_back(loop);
    });
    // Only loops whose bodies directly contain tile ops get their carried tiles
    // in buffers: these are loops of tile programs, not loops of a function
    // around them.
    for (scf::ForOp loop : loops)
      if (llvm::any_of(
              ops, [&](Operation *op) { return op->getParentOp() == loop; }))
        carryInPlace(loop, rewriter);
    for (Operation *op : llvm::to_vector(ops))
      if (isa<BroadcastOp, CoordinateOp, tensor::SplatOp>(op))
        rematerialize(op, rewriter);
    ops.clear();
    getOperation()->walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      rewriter.setInsertionPoint(op);
      TypeSwitch<Operation *>(op)
          .Case<GridOp, LoadOp, GatherOp, ScatterOp, StoreOp, DotOp, ReduceOp,
                UnpackOp, ReuseOp, BroadcastOp, CoordinateOp, ProcessorsOp,
                RareOp, WorkspaceOp, tensor::SplatOp>(
              [&](auto tileOp) { lower(tileOp, rewriter); });
    }
  }
};

} // namespace
