//===- SpecializeRings.cpp - Rings of tiles for warpgroups
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WarpSpecializer.h"

#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

bool mlir::attn_gpu::isSwizzled(LoadOp load) {
  return isa_and_nonnull<SwizzledLayoutAttr>(
      load.getResult().getType().getEncoding());
}

bool mlir::attn_gpu::hasLoads(Operation *op) {
  return op
      ->walk([](LoadOp load) {
        return isSwizzled(load) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

bool mlir::attn_gpu::isCopied(LoadOp load) {
  return llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>);
}

bool mlir::attn_gpu::isLeftOperand(LoadOp load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    return !isa<DiscardOp>(use.getOwner()) &&
           (isa<ConvertLayoutOp>(use.getOwner()) ||
            use.getOperandNumber() == 0);
  });
}

//===----------------------------------------------------------------------===//
// Where tiles are in the arrays of the launch's surroundings
//===----------------------------------------------------------------------===//

/// The array that a view in the launch is a part of, from outside of the
/// launch, or null if anything but slices with unit strides is between.
static Value getArray(gpu::LaunchOp launch, Value view) {
  while (launch.getBody().isAncestor(view.getParentRegion())) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    if (!slice || !slice.hasUnitStride() ||
        slice.getSourceType().getRank() != slice.getType().getRank())
      return Value();
    view = slice.getSource();
  }
  return view;
}

SmallVector<OpFoldResult> mlir::attn_gpu::getOrigin(ImplicitLocOpBuilder &b,
                                                    Value array, Value view) {
  SmallVector<OpFoldResult> origin(cast<MemRefType>(view.getType()).getRank(),
                                   b.getIndexAttr(0));
  AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
  while (view != array) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    for (auto [first, offset] : llvm::zip(origin, slice.getMixedOffsets()))
      first = affine::makeComposedFoldedAffineApply(b, b.getLoc(), sum,
                                                    {first, offset});
    view = slice.getSource();
  }
  return origin;
}

SmallVector<Value> mlir::attn_gpu::getCoordinates(ImplicitLocOpBuilder &b,
                                                  ArrayRef<OpFoldResult> origin,
                                                  ValueRange indices) {
  SmallVector<Value> coordinates;
  for (auto [first, index] : llvm::zip(origin, indices)) {
    Value position = arith::AddIOp::create(
        b, getValueOrCreateConstantIndexOp(b, b.getLoc(), first), index);
    coordinates.push_back(
        arith::IndexCastOp::create(b, b.getI32Type(), position));
  }
  return coordinates;
}

//===----------------------------------------------------------------------===//
// Rings and outputs
//===----------------------------------------------------------------------===//

/// Discards of tiles that nobody uses: the producer does not load them.
void WarpSpecializer::eraseUnsharedDiscards() {
  SmallVector<DiscardOp> discards;
  SmallVector<RingKey> used;
  launch.walk([&](LoadOp load) {
    for (Operation *user : load->getUsers()) {
      if (auto discard = dyn_cast<DiscardOp>(user))
        discards.push_back(discard);
      else
        used.push_back(getKey(load));
    }
  });
  for (DiscardOp discard : discards) {
    auto load = discard.getTile().getDefiningOp<LoadOp>();
    if (llvm::is_contained(used, getKey(load)))
      continue;
    discard.erase();
    load.erase();
  }
}

static RingType getRingType(RankedTensorType tile, int64_t stages) {
  return RingType::get(
      tile.getContext(), stages,
      RankedTensorType::get(tile.getShape(), tile.getElementType(),
                            SwizzledLayoutAttr::get(tile.getContext())));
}

/// The map of an array for panels of columns.
static Value encodeMap(ImplicitLocOpBuilder &b, Value array, int64_t rows) {
  SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
  box[box.size() - 2] = rows;
  box.back() = kPanelColumns;
  return attn_nv::EncodeTensorMapOp::create(
      b, attn_nv::TensorMapType::get(b.getContext()), array,
      b.getDenseI64ArrayAttr(box));
}

LogicalResult WarpSpecializer::createRings() {
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  auto inside = ImplicitLocOpBuilder::atBlockBegin(launch.getLoc(),
                                                   &launch.getBody().front());
  eraseUnsharedDiscards();
  SmallVector<LoadOp> loads;
  launch.walk([&](LoadOp load) {
    if (isSwizzled(load))
      loads.push_back(load);
  });
  SmallVector<RingRequest> requests;
  for (LoadOp load : loads) {
    std::unique_ptr<Ring> &ring = rings[getKey(load)];
    if (ring)
      continue;
    ring = std::make_unique<Ring>();
    RankedTensorType tile = load.getResult().getType();
    Value array = getArray(launch, load.getSource());
    if (!array)
      return load.emitOpError("expected a slice with unit strides of an array "
                              "from outside of the launch");
    ring->array = array;
    ring->map = encodeMap(outside, array, tile.getDimSize(0));
    ring->isCopied = isCopied(load);
    requests.push_back({tile, isLeftOperand(load), ring->isCopied});
  }
  if (requests.empty())
    return success();

  // Stores go through shared memory where it has room for them.
  SmallVector<std::pair<StoreOp, Value>> stores;
  SmallVector<RankedTensorType> tiles;
  launch.walk([&](StoreOp store) {
    Value array = getArray(launch, store.getDestination());
    if (!array || !canStage(store.getTile().getType()))
      return;
    stores.emplace_back(store, array);
    tiles.push_back(store.getTile().getType());
  });
  RingPlan plan = planRings(schedule, chip, requests, tiles);
  for (auto [store, offset] : llvm::zip(stores, plan.outputs))
    if (offset)
      createOutput(store.first, store.second, *offset);
  overlaysOperand = plan.overlaysOperand;
  for (auto [ring, request, place] :
       llvm::zip(llvm::make_second_range(rings), requests, plan.rings))
    ring->ring = RingOp::create(inside, getRingType(request.tile, place.stages),
                                place.offset, place.barrierOffset);
  queueOffset = plan.schedulerOffset;
  numBytes = plan.numBytes;
  if (schedule.getScheduler() == SchedulerKind::Dynamic)
    workCounters = attn_nv::WorkCountersOp::create(outside);
  return success();
}

void WarpSpecializer::createOutput(StoreOp store, Value array, int64_t offset) {
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  Value map = encodeMap(outside, array, kWarpgroupRows);
  outputs.push_back({store, array, map, offset});
}

void WarpSpecializer::storeOutput(const Output &output) {
  StoreOp store = output.store;
  ImplicitLocOpBuilder b(store.getLoc(), store);
  SmallVector<OpFoldResult> origin =
      getOrigin(b, output.array, store.getDestination());
  StoreAsyncOp::create(b, store.getTile(), output.map,
                       getCoordinates(b, origin, store.getIndices()),
                       b.getI64IntegerAttr(output.offset),
                       overlaysOperand ? b.getUnitAttr() : UnitAttr());
  store.erase();
}

//===----------------------------------------------------------------------===//
// Numbers of tiles
//===----------------------------------------------------------------------===//

SmallVector<WarpSpecializer::Ring *>
WarpSpecializer::getRingsIn(Operation *op) {
  SetVector<Ring *> used;
  op->walk([&](LoadOp load) {
    if (isSwizzled(load))
      used.insert(rings[getKey(load)].get());
  });
  return used.takeVector();
}

SmallVector<Value> WarpSpecializer::getCounts(Counts &counts,
                                              ArrayRef<Ring *> used) {
  return llvm::map_to_vector(used, [&](Ring *ring) { return counts[ring]; });
}

void WarpSpecializer::setCounts(Counts &counts, ArrayRef<Ring *> used,
                                ValueRange values) {
  for (auto [ring, value] : llvm::zip(used, values))
    counts[ring] = value;
}

void WarpSpecializer::advance(ImplicitLocOpBuilder &b, Counts &counts,
                              Ring *ring) {
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  counts[ring] = arith::AddIOp::create(b, counts[ring], one);
}

scf::WhileOp WarpSpecializer::createTileLoop(ImplicitLocOpBuilder &b,
                                             Value first, Value numTiles,
                                             ValueRange counts,
                                             TileLoopBody emitBody) {
  Type i32 = b.getI32Type();
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  SmallVector<Value> initial = {
      first, arith::ConstantOp::create(b, b.getI32IntegerAttr(0))};
  llvm::append_range(initial, counts);
  SmallVector<Type> types(initial.size(), i32);
  return scf::WhileOp::create(
      b, types, initial,
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value isTile = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, carried[0], numTiles);
        scf::ConditionOp::create(inner, loc, isTile, carried);
      },
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, inner);
        SmallVector<Value> after(carried.drop_front(2));
        SmallVector<Value> next = {
            emitBody(body, carried[0], carried[1], after),
            arith::AddIOp::create(body, carried[1], one)};
        llvm::append_range(next, after);
        scf::YieldOp::create(body, next);
      });
}
