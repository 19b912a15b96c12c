//===- SpecializeWarps.cpp - One warpgroup copies, the others compute
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegisterSplit.h"

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"
#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Dialect/AttnTile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn_tile {
#define GEN_PASS_DEF_ATTNSPECIALIZEWARPSPASS
#include "attn/Dialect/AttnTile/Transforms/Passes.h.inc"
} // namespace mlir::attn_tile

using namespace mlir;
using namespace mlir::attn_tile;

namespace {

constexpr int64_t kTileAlignment = 1024;
/// Of a warpgroup.
constexpr int64_t kPartRows = 64;
constexpr int64_t kQueueBytes = 48;
/// At least what all barriers take.
constexpr int64_t kBarrierBytes = 1024;
/// Shared memory of a block on the chips that have warpgroup products.
constexpr int64_t kSharedBytes = 227 * 1024;

bool isSwizzled(LoadOp load) {
  return isa_and_nonnull<SwizzledLayoutAttr>(
      load.getResult().getType().getEncoding());
}

bool hasLoads(Operation *op) {
  return op
      ->walk([](LoadOp load) {
        return isSwizzled(load) ? WalkResult::interrupt()
                                : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether a product reads the tile as rows along K.
bool isLeftOperand(LoadOp load) {
  return llvm::all_of(load->getUses(), [](OpOperand &use) {
    return !isa<DiscardOp>(use.getOwner()) &&
           (isa<ConvertLayoutOp>(use.getOwner()) ||
            use.getOperandNumber() == 0);
  });
}

class WarpSpecializer {
public:
  WarpSpecializer(gpu::LaunchOp launch, attn::ScheduleAttr schedule)
      : launch(launch), schedule(schedule), consumers(schedule.getWarps() / 4),
        registers(consumers) {}

  LogicalResult run();

private:
  /// Tiles of one array: those that are read as the same operand.
  struct Ring {
    Value array, map, ring;
    /// Whether consumers copy its tiles to registers: all threads read them.
    bool isCopied = false;
  };
  using RingKey = std::tuple<Value, Type, unsigned>;
  /// For each ring, the number of its next tile.
  using Counts = llvm::MapVector<Ring *, Value>;

  RingKey getKey(LoadOp load) {
    return {load.getSource(), load.getResult().getType(), isLeftOperand(load)};
  }
  /// Results that are stored through shared memory.
  struct Output {
    StoreOp store;
    Value array, map;
    int64_t offset;
  };

  void eraseUnsharedDiscards();
  int64_t getLeftStages(ArrayRef<LoadOp> loads);
  LogicalResult createRings();
  void createOutputs();
  void createRoles();
  bool isQueue(scf::ForOp loop) {
    return schedule.getBlocks() == attn::Blocks::Queue &&
           loop->getParentOp() == launch.getOperation();
  }
  Operation *getLastReader(LoadOp load);
  void releaseCopied(LoadOp load, ArrayRef<Operation *> copies,
                     llvm::function_ref<void(OpBuilder &)> emit);

  SmallVector<Ring *> getRingsIn(Operation *op);
  SmallVector<Value> getCounts(Counts &counts, ArrayRef<Ring *> used);
  void setCounts(Counts &counts, ArrayRef<Ring *> used, ValueRange values);
  void advance(ImplicitLocOpBuilder &b, Counts &counts, Ring *ring);

  void produce(ImplicitLocOpBuilder &b, Block *block, IRMapping &mapping,
               Counts &counts);
  void produceQueue(ImplicitLocOpBuilder &b, scf::ForOp loop,
                    IRMapping &mapping, Counts &counts);
  void consumeQueue(scf::ForOp loop);
  void fill(ImplicitLocOpBuilder &b, LoadOp load, IRMapping &mapping,
            Counts &counts);
  void storeOutput(const Output &output);
  void consume(Block *block, Counts &counts);
  void acquire(LoadOp load, Counts &counts);

  gpu::LaunchOp launch;
  attn::ScheduleAttr schedule;
  int64_t consumers;
  RegisterSplit registers;
  llvm::MapVector<RingKey, std::unique_ptr<Ring>> rings;
  SmallVector<Output> outputs;
  /// Where outputs overlay a left operand, which then stays until they are
  /// read.
  bool overlaysOperand = false;
  Value launchNumber;
  int64_t queueOffset = 0;
  int64_t numBytes = 0;
};

//===----------------------------------------------------------------------===//
// Where tiles are in the arrays of the launch's surroundings
//===----------------------------------------------------------------------===//

/// The array that a view in the launch is a part of, from outside of the
/// launch, or null if anything but slices with unit strides is between.
Value getArray(gpu::LaunchOp launch, Value view) {
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

/// The index in `array` of the first element of a view that is a part of it.
SmallVector<OpFoldResult> getOrigin(ImplicitLocOpBuilder &b, Value array,
                                    Value view) {
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

/// Of the element at `indices` of a view that begins at `origin`.
SmallVector<Value> getCoordinates(ImplicitLocOpBuilder &b,
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

RingType getRingType(RankedTensorType tile, int64_t stages) {
  return RingType::get(
      tile.getContext(), stages,
      RankedTensorType::get(tile.getShape(), tile.getElementType(),
                            SwizzledLayoutAttr::get(tile.getContext())));
}

/// Two left operands, if there is room: the next tile's comes while this one's
/// is read. One that is copied to registers is free early.
int64_t WarpSpecializer::getLeftStages(ArrayRef<LoadOp> loads) {
  int64_t bytes = kBarrierBytes;
  SetVector<std::pair<Value, Type>> seen;
  for (LoadOp load : loads) {
    RankedTensorType tile = load.getResult().getType();
    if (!seen.insert({load.getSource(), tile}))
      continue;
    bool isLeft = isLeftOperand(load);
    if (isLeft &&
        llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>))
      return 1;
    bytes += getRingType(tile, 1).getTileBytes() *
             (isLeft ? 2 : schedule.getStages());
  }
  launch.walk([&](StoreOp store) {
    RankedTensorType tile = store.getTile().getType();
    if (tile.getRank() == 2 && tile.getElementTypeBitWidth() == 16)
      bytes += getRingType(tile, 1).getTileBytes();
  });
  return bytes <= kSharedBytes ? 2 : 1;
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
  int64_t leftStages = getLeftStages(loads);
  // Tiles first, then barriers.
  SmallVector<RingType> types;
  SmallVector<int64_t> offsets;
  SmallVector<Ring *> order;
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
    SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
    box[box.size() - 2] = tile.getDimSize(0);
    box.back() = 64;
    ring->array = array;
    ring->map = attn_nv::EncodeTensorMapOp::create(
        outside, attn_nv::TensorMapType::get(outside.getContext()), array,
        outside.getDenseI64ArrayAttr(box));
    ring->isCopied =
        llvm::any_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>);
    int64_t stages = isLeftOperand(load) ? leftStages : schedule.getStages();
    types.push_back(getRingType(tile, stages));
    offsets.push_back(numBytes);
    order.push_back(ring.get());
    numBytes +=
        llvm::alignTo(stages * types.back().getTileBytes(), kTileAlignment);
  }
  if (order.empty())
    return success();
  createOutputs();
  for (auto [ring, type, offset] : llvm::zip(order, types, offsets)) {
    ring->ring = RingOp::create(inside, type, offset, numBytes);
    numBytes += type.getBarrierBytes();
  }
  if (schedule.getBlocks() == attn::Blocks::Queue) {
    queueOffset = numBytes;
    numBytes += kQueueBytes;
    launchNumber =
        attn_nv::LaunchNumberOp::create(outside, outside.getI32Type());
  }
  return success();
}

/// Stores of tiles of 16-bit elements go through shared memory: behind the
/// rings if there is room, else in place of the left operand of the first ring,
/// which has as many rows.
void WarpSpecializer::createOutputs() {
  ImplicitLocOpBuilder outside(launch.getLoc(), launch);
  launch.walk([&](StoreOp store) {
    RankedTensorType tile = store.getTile().getType();
    Value array = getArray(launch, store.getDestination());
    if (tile.getRank() != 2 || tile.getElementTypeBitWidth() != 16 || !array)
      return;
    RingType type = getRingType(tile, 1);
    int64_t offset = numBytes;
    if (numBytes + type.getTileBytes() + kBarrierBytes <= kSharedBytes) {
      numBytes += llvm::alignTo(type.getTileBytes(), kTileAlignment);
    } else {
      auto [source, loaded, isLeft] = rings.front().first;
      auto operand = cast<RankedTensorType>(Type(loaded));
      if (!isLeft || operand.getDimSize(0) != tile.getDimSize(0) ||
          operand.getDimSize(1) < tile.getDimSize(1) || !outputs.empty())
        return;
      offset = 0;
      overlaysOperand = true;
    }
    SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
    box[box.size() - 2] = 64;
    box.back() = 64;
    Value map = attn_nv::EncodeTensorMapOp::create(
        outside, attn_nv::TensorMapType::get(outside.getContext()), array,
        outside.getDenseI64ArrayAttr(box));
    outputs.push_back({store, array, map, offset});
  });
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

//===----------------------------------------------------------------------===//
// The producer: the program's loads and what they depend on
//===----------------------------------------------------------------------===//

void WarpSpecializer::fill(ImplicitLocOpBuilder &b, LoadOp load,
                           IRMapping &mapping, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  SmallVector<OpFoldResult> origin =
      getOrigin(b, ring->array, mapping.lookupOrDefault(load.getSource()));
  SmallVector<Value> indices = llvm::map_to_vector(
      load.getIndices(), [&](Value v) { return mapping.lookupOrDefault(v); });
  FillOp::create(b, ring->ring, counts[ring], ring->map,
                 getCoordinates(b, origin, indices));
  advance(b, counts, ring);
}

void WarpSpecializer::produce(ImplicitLocOpBuilder &b, Block *block,
                              IRMapping &mapping, Counts &counts) {
  for (Operation &op : *block) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      fill(b, load, mapping, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op);
               loop && hasLoads(loop) && isQueue(loop)) {
      produceQueue(b, loop, mapping, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      auto copy = scf::ForOp::create(
          b, mapping.lookupOrDefault(loop.getLowerBound()),
          mapping.lookupOrDefault(loop.getUpperBound()),
          mapping.lookupOrDefault(loop.getStep()), getCounts(counts, used),
          [&](OpBuilder &inner, Location loc, Value position,
              ValueRange carried) {
            ImplicitLocOpBuilder body(loc, inner);
            mapping.map(loop.getInductionVar(), position);
            setCounts(counts, used, carried);
            produce(body, loop.getBody(), mapping, counts);
            scf::YieldOp::create(body, getCounts(counts, used));
          });
      setCounts(counts, used, copy.getResults());
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      SmallVector<Ring *> used = getRingsIn(branch);
      auto emit = [&](Block *source) {
        return [&, source](OpBuilder &inner, Location loc) {
          ImplicitLocOpBuilder body(loc, inner);
          Counts own = counts;
          if (source)
            produce(body, source, mapping, own);
          scf::YieldOp::create(body, getCounts(own, used));
        };
      };
      auto copy =
          scf::IfOp::create(b, mapping.lookupOrDefault(branch.getCondition()),
                            emit(branch.thenBlock()), emit(branch.elseBlock()));
      setCounts(counts, used, copy.getResults());
    } else if (op.getNumRegions() == 0 && isMemoryEffectFree(&op) &&
               !op.hasTrait<OpTrait::IsTerminator>() &&
               llvm::none_of(op.getOperandTypes(), llvm::IsaPred<TensorType>) &&
               llvm::none_of(op.getResultTypes(), llvm::IsaPred<TensorType>)) {
      b.clone(op, mapping);
    }
  }
}

/// Each block begins with the tile of its number. The next ones are in the
/// order in which blocks ask for them, and the consumers learn them from the
/// block's queue. The last block to finish leaves the counters as they were.
void WarpSpecializer::produceQueue(ImplicitLocOpBuilder &b, scf::ForOp loop,
                                   IRMapping &mapping, Counts &counts) {
  Type i32 = b.getI32Type();
  auto asWord = [&](ImplicitLocOpBuilder &b, Value index) -> Value {
    return arith::IndexCastOp::create(b, i32, mapping.lookupOrDefault(index));
  };
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value numBlocks = asWord(b, loop.getStep());
  Value numTiles = asWord(b, loop.getUpperBound());
  auto pointer = LLVM::LLVMPointerType::get(b.getContext(), 1);
  Value counters = attn_nv::WorkCountersOp::create(b, pointer, launchNumber);

  SmallVector<Ring *> used = getRingsIn(loop);
  SmallVector<Value> initial = {asWord(b, loop.getLowerBound()), zero};
  llvm::append_range(initial, getCounts(counts, used));
  SmallVector<Type> types(initial.size(), i32);
  scf::WhileOp::create(
      b, types, initial,
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value isTile = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, carried[0], numTiles);
        scf::ConditionOp::create(inner, loc, isTile, carried);
      },
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        ImplicitLocOpBuilder body(loc, inner);
        // Early: the answer takes its time.
        Value taken = LLVM::AtomicRMWOp::create(
            body, LLVM::AtomicBinOp::add, counters, one,
            LLVM::AtomicOrdering::monotonic, "device");
        Value next = arith::AddIOp::create(body, taken, numBlocks);
        mapping.map(
            loop.getInductionVar(),
            arith::IndexCastOp::create(body, body.getIndexType(), carried[0])
                .getResult());
        setCounts(counts, used, carried.drop_front(2));
        produce(body, loop.getBody(), mapping, counts);
        PushTileOp::create(body, next, carried[1], queueOffset);
        SmallVector<Value> results = {
            next, arith::AddIOp::create(body, carried[1], one)};
        llvm::append_range(results, getCounts(counts, used));
        scf::YieldOp::create(body, results);
      });

  Value finished =
      LLVM::GEPOp::create(b, pointer, i32, counters, ArrayRef<LLVM::GEPArg>{1});
  Value before =
      LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::add, finished, one,
                                LLVM::AtomicOrdering::acq_rel, "device");
  Value isLast =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, before,
                            arith::SubIOp::create(b, numBlocks, one));
  scf::IfOp::create(b, isLast, [&](OpBuilder &inner, Location loc) {
    for (Value counter : {counters, finished})
      LLVM::StoreOp::create(inner, loc, zero, counter, /*alignment=*/4,
                            /*isVolatile=*/true);
    scf::YieldOp::create(inner, loc);
  });
}

//===----------------------------------------------------------------------===//
// Consumers: the program, with tiles of rings in place of loads
//===----------------------------------------------------------------------===//

/// The product that an op begins has ended after this op of its block: the
/// wait, or where a branch may come before it, that of the branch's result.
Operation *getEnd(Operation *op) {
  if (!isa<DotStartOp>(op))
    return op;
  Operation *user =
      op->getBlock()->findAncestorOpInBlock(**op->getUsers().begin());
  if (!isa<scf::IfOp>(user))
    return user;
  for (Operation *next : user->getUsers())
    if (isa<DotWaitOp>(next))
      return next;
  return user;
}

/// The op after which nothing reads the tile any more, in its block.
Operation *WarpSpecializer::getLastReader(LoadOp load) {
  Block *block = load->getBlock();
  if (isLeftOperand(load) && overlaysOperand)
    return block->getTerminator()->getPrevNode();
  Operation *last = load;
  for (Operation *user : load->getUsers()) {
    Operation *inBlock = block->findAncestorOpInBlock(*getEnd(user));
    if (last->isBeforeInBlock(inBlock))
      last = inBlock;
  }
  return last;
}

/// A copy of a tile to registers has ended when the first product that uses it
/// has: nothing else waits for the registers. If that is in one of two
/// branches, the other releases the tile as well.
void WarpSpecializer::releaseCopied(
    LoadOp load, ArrayRef<Operation *> copies,
    llvm::function_ref<void(OpBuilder &)> emit) {
  SmallPtrSet<Operation *, 4> products;
  for (Operation *copy : copies)
    products.insert_range(copy->getUsers());
  auto getFirst = [&](Block *block) {
    Operation *first = nullptr;
    for (Operation &op : *block) {
      op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
        if (!products.contains(nested))
          return WalkResult::advance();
        first = nested;
        return WalkResult::interrupt();
      });
      if (first)
        break;
    }
    return first;
  };
  OpBuilder b(load->getContext());
  Operation *first = getFirst(load->getBlock());
  if (!first) {
    b.setInsertionPoint(load->getBlock()->getTerminator());
    return emit(b);
  }
  Operation *inBlock = load->getBlock()->findAncestorOpInBlock(*first);
  Block *other = nullptr;
  if (auto branch = dyn_cast<scf::IfOp>(inBlock);
      branch && branch.elseBlock() && first->getParentOp() == branch)
    other = branch.thenBlock() == first->getBlock() ? branch.elseBlock()
                                                    : branch.thenBlock();
  if (first != inBlock && (!other || getFirst(other))) {
    b.setInsertionPointAfter(inBlock);
    return emit(b);
  }
  b.setInsertionPointAfter(getEnd(first));
  emit(b);
  if (other) {
    b.setInsertionPointToStart(other);
    emit(b);
  }
}

void WarpSpecializer::acquire(LoadOp load, Counts &counts) {
  Ring *ring = rings[getKey(load)].get();
  ImplicitLocOpBuilder b(load.getLoc(), load);
  Value index = counts[ring];
  auto tile =
      AcquireOp::create(b, load.getResult().getType(), ring->ring, index);
  advance(b, counts, ring);
  auto release = [&](OpBuilder &atEnd) {
    ReleaseOp::create(atEnd, load.getLoc(), ring->ring, index,
                      ring->isCopied ? b.getUnitAttr() : UnitAttr());
  };
  bool isCopiedOnly =
      llvm::all_of(load->getUsers(), llvm::IsaPred<ConvertLayoutOp>);
  if (ring->isCopied && !overlaysOperand && isCopiedOnly) {
    releaseCopied(load, SmallVector<Operation *>(load->getUsers()), release);
  } else if (ring->isCopied) {
    b.setInsertionPoint(load->getBlock()->getTerminator());
    release(b);
  } else {
    b.setInsertionPointAfter(getLastReader(load));
    release(b);
  }
  load.replaceAllUsesWith(tile.getResult());
  load.erase();
}

/// A loop over the tiles that the queue names.
void WarpSpecializer::consumeQueue(scf::ForOp loop) {
  ImplicitLocOpBuilder b(loop.getLoc(), loop);
  Type i32 = b.getI32Type();
  Value one = arith::ConstantOp::create(b, b.getI32IntegerAttr(1));
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(0));
  Value numTiles = arith::IndexCastOp::create(b, i32, loop.getUpperBound());
  SmallVector<Value> initial = {
      arith::IndexCastOp::create(b, i32, loop.getLowerBound()), zero};
  llvm::append_range(initial, loop.getInitArgs());
  SmallVector<Type> types(initial.size(), i32);
  auto tiles = scf::WhileOp::create(
      b, types, initial,
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value isTile = arith::CmpIOp::create(
            inner, loc, arith::CmpIPredicate::ult, carried[0], numTiles);
        scf::ConditionOp::create(inner, loc, isTile, carried);
      },
      [&](OpBuilder &inner, Location loc, ValueRange carried) {
        Value number = arith::IndexCastOp::create(
            inner, loc, inner.getIndexType(), carried[0]);
        Block *body = inner.getInsertionBlock();
        Operation *yield = loop.getBody()->getTerminator();
        SmallVector<Value> arguments = {number};
        llvm::append_range(arguments, carried.drop_front(2));
        for (auto [from, to] :
             llvm::zip(loop.getBody()->getArguments(), arguments))
          from.replaceAllUsesWith(to);
        SmallVector<Value> counts(yield->getOperands());
        yield->erase();
        body->getOperations().splice(body->end(),
                                     loop.getBody()->getOperations());
        inner.setInsertionPointToEnd(body);
        SmallVector<Value> next = {
            PopTileOp::create(inner, loc, i32, carried[1], queueOffset),
            arith::AddIOp::create(inner, loc, carried[1], one)};
        llvm::append_range(next, counts);
        scf::YieldOp::create(inner, loc, next);
      });
  loop.replaceAllUsesWith(tiles.getResults().drop_front(2));
  loop.erase();
}

void WarpSpecializer::consume(Block *block, Counts &counts) {
  for (Operation &op : llvm::make_early_inc_range(*block)) {
    if (auto load = dyn_cast<LoadOp>(op); load && isSwizzled(load)) {
      acquire(load, counts);
    } else if (auto loop = dyn_cast<scf::ForOp>(op); loop && hasLoads(loop)) {
      SmallVector<Ring *> used = getRingsIn(loop);
      unsigned numCarried = loop.getNumRegionIterArgs();
      IRRewriter rewriter(loop.getContext());
      rewriter.setInsertionPoint(loop);
      loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
          rewriter, getCounts(counts, used),
          /*replaceInitOperandUsesInLoop=*/false,
          [&](OpBuilder &, Location, ArrayRef<BlockArgument> carried) {
            return SmallVector<Value>(carried.begin(), carried.end());
          }));
      setCounts(counts, used, loop.getRegionIterArgs().drop_front(numCarried));
      consume(loop.getBody(), counts);
      loop.getBody()->getTerminator()->setOperands(numCarried, used.size(),
                                                   getCounts(counts, used));
      setCounts(counts, used, loop.getResults().drop_front(numCarried));
      if (isQueue(loop)) {
        // Nothing comes after it.
        consumeQueue(loop);
        return;
      }
    } else if (auto branch = dyn_cast<scf::IfOp>(op);
               branch && hasLoads(branch)) {
      SmallVector<Ring *> used = getRingsIn(branch);
      SmallVector<Type> types(branch.getResultTypes());
      types.append(used.size(), IntegerType::get(op.getContext(), 32));
      OpBuilder b(branch);
      auto wider = scf::IfOp::create(b, branch.getLoc(), types,
                                     branch.getCondition(), true);
      for (auto [from, to] :
           llvm::zip(branch->getRegions(), wider->getRegions())) {
        to.takeBody(from);
        Counts own = counts;
        if (to.empty()) {
          b.createBlock(&to);
          scf::YieldOp::create(b, branch.getLoc());
        }
        consume(&to.front(), own);
        to.front().getTerminator()->insertOperands(branch.getNumResults(),
                                                   getCounts(own, used));
      }
      setCounts(counts, used,
                wider.getResults().drop_front(branch.getNumResults()));
      branch.replaceAllUsesWith(
          wider.getResults().take_front(branch.getNumResults()));
      branch.erase();
    }
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

void WarpSpecializer::createRoles() {
  Block &body = launch.getBody().front();
  // Rings were put in front of the program.
  Operation *lastRing = rings.back().second->ring.getDefiningOp();
  for (auto &[key, ring] : rings)
    if (lastRing->isBeforeInBlock(ring->ring.getDefiningOp()))
      lastRing = ring->ring.getDefiningOp();
  Block *program = body.splitBlock(lastRing->getNextNode());
  Operation *terminator = program->getTerminator();

  auto b = ImplicitLocOpBuilder::atBlockEnd(launch.getLoc(), &body);
  auto word = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  Value thread =
      arith::IndexCastOp::create(b, b.getI32Type(), launch.getThreadIds().x);
  // From a shuffle, the assembler knows that it is the same in each lane.
  Value group = NVVM::ShflOp::create(
      b, b.getI32Type(), word(-1),
      arith::ShRUIOp::create(b, thread, word(llvm::Log2_64(kWarpgroup))),
      word(0), word(31), NVVM::ShflKind::idx, UnitAttr());
  auto isEqual = [&](Value lhs, int32_t rhs) -> Value {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lhs, word(rhs));
  };

  auto init = scf::IfOp::create(b, isEqual(thread, 0));
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(init.thenBlock());
    for (auto &[key, ring] : rings)
      InitRingOp::create(b, ring->ring,
                         ring->isCopied ? consumers * kWarpgroup : consumers);
    if (launchNumber)
      InitQueueOp::create(b, queueOffset, consumers * kWarpgroup);
    NVVM::FenceMbarrierInitOp::create(b);
  }
  gpu::BarrierOp::create(b);

  Counts counts;
  for (auto &[key, ring] : rings)
    counts[ring.get()] = word(0);
  Value isProducer = isEqual(group, consumers);
  auto roles = scf::IfOp::create(b, isProducer, /*withElseRegion=*/true);
  b.setInsertionPointToStart(roles.thenBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.producer,
                                 NVVM::SetMaxRegisterAction::decrease);
  auto elected = scf::IfOp::create(b, isEqual(thread, consumers * kWarpgroup));
  b.setInsertionPointToStart(elected.thenBlock());
  IRMapping mapping;
  Counts produced = counts;
  produce(b, program, mapping, produced);

  for (const Output &output : outputs)
    storeOutput(output);
  consume(program, counts);
  if (!outputs.empty()) {
    b.setInsertionPoint(terminator);
    FinishStoresOp::create(b);
  }
  b.setInsertionPointToStart(roles.elseBlock());
  NVVM::SetMaxRegisterOp::create(b, registers.consumer,
                                 NVVM::SetMaxRegisterAction::increase);
  if (schedule.getPingPong())
    PassTurnOp::create(b, consumers, /*initial=*/true);
  roles.elseBlock()->getOperations().splice(
      std::prev(roles.elseBlock()->end()), program->getOperations(),
      program->begin(), terminator->getIterator());
  terminator->moveBefore(&body, body.end());
  program->erase();

  roles.walk([&](PartOffsetOp op) {
    ImplicitLocOpBuilder at(op.getLoc(), op);
    bool isProducing = roles.thenBlock()->findAncestorOpInBlock(*op);
    Value number = group;
    if (isProducing)
      number = arith::ConstantOp::create(
          at, at.getI32IntegerAttr(static_cast<int32_t>(consumers - 1)));
    Value offset = arith::MulIOp::create(
        at, arith::IndexCastOp::create(at, at.getIndexType(), number),
        arith::ConstantIndexOp::create(at, kPartRows));
    op.replaceAllUsesWith(offset);
    op.erase();
  });
}

LogicalResult WarpSpecializer::run() {
  if (failed(createRings()))
    return failure();
  if (rings.empty())
    return success();
  createRoles();
  ImplicitLocOpBuilder b(launch.getLoc(), launch);
  launch.getBlockSizeXMutable().assign(
      arith::ConstantIndexOp::create(b, (consumers + 1) * kWarpgroup));
  launch.getDynamicSharedMemorySizeMutable().assign(
      arith::ConstantOp::create(b, b.getI32IntegerAttr(numBytes)));
  return success();
}

struct AttnSpecializeWarpsPass
    : public attn_tile::impl::AttnSpecializeWarpsPassBase<
          AttnSpecializeWarpsPass> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](gpu::LaunchOp launch) {
      auto schedule =
          launch->getAttrOfType<attn::ScheduleAttr>(attn::kScheduleAttrName);
      if (schedule && schedule.getAccess() == attn::Access::Tma &&
          failed(WarpSpecializer(launch, schedule).run()))
        return WalkResult::interrupt();
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
