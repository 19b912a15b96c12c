//===- Rings.cpp - Rings of tiles in shared memory ------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Slots.h"
#include "ThreadCopies.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Computes the shared-memory addresses of a ring's slots and barriers.
class RingAddresses : public Slots {
public:
  /// Returns the addresses of the ring `ring`, whose first slot is at address
  /// `tiles`. Fails if `ring` is not the result of a RingOp.
  static FailureOr<RingAddresses> get(NumberBuilder &b,
                                      TypedValue<RingType> ring, Value tiles) {
    auto op = ring.getDefiningOp<RingOp>();
    if (!op)
      return failure();
    return RingAddresses(b, op, tiles);
  }

  /// Emit a wait at the barrier of the slot of item `index`, until it is filled
  /// or until it is free, and return the slot. For a ring without barriers no
  /// wait is emitted, since its warps wait for each other at barriers of the
  /// CTA.
  Value waitUntilFilled(Value index) {
    return isWithBarriers ? Slots::waitUntilFilled(index) : getSlot(index);
  }
  Value waitUntilFree(Value index) {
    return isWithBarriers ? Slots::waitUntilFree(index) : getSlot(index);
  }

  Value getTile(Value slot) {
    return getSlotAddress(b, tiles, slot, slotBytes, 0);
  }
  RingType getType() { return type; }
  RingOp getOp() const { return op; }
  bool hasBarriers() const { return isWithBarriers; }

private:
  RingAddresses(NumberBuilder &b, RingOp op, Value tiles)
      : Slots(b,
              addWord(b, tiles,
                      static_cast<int64_t>(op.getBarriers().value_or(0)) -
                          static_cast<int64_t>(op.getOffset())),
              op.getRing().getType().getStages()),
        op(op), type(op.getRing().getType()), tiles(tiles),
        slotBytes(op.getSlotBytes()), isWithBarriers(op.getBarriers()) {}

  RingOp op;
  RingType type;
  Value tiles;
  int64_t slotBytes;
  bool isWithBarriers;
};

constexpr int64_t kLanes = 32;

/// Makes the calling warp arrive once at `barrier`, after the memory accesses
/// of all its lanes.
void arriveWarp(NumberBuilder &b, Value barrier) {
  NVVM::SyncWarpOp::create(b, b.word(-1));
  Value lane = b.andi(getThreadOfWarpgroup(b), b.word(kLanes - 1));
  emitIf(b, b.eq(lane, b.word(0)),
         [&](NumberBuilder &body) { arrive(body, barrier); });
}

LogicalResult convertRing(ConversionBuilder &b, RingOp op, RingOp::Adaptor) {
  b.rewriter.replaceOp(
      op, addWord(b, getSharedMemory(b), static_cast<int64_t>(op.getOffset())));
  return success();
}

LogicalResult convertInitRing(ConversionBuilder &b, InitRingOp op,
                              InitRingOp::Adaptor adaptor) {
  auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
  if (failed(ring))
    return failure();
  ring->init(op.getReaders() * (ring->getOp().getEachWarp() ? kLanes : 1),
             op.getWriters().value_or(1));
  b.rewriter.eraseOp(op);
  return success();
}

/// Calls `emit` for each TMA copy that a fill of a slot makes: one for each
/// panel of each part of the tile. A part is a group of the tile's rows with
/// coordinates of its own. The arguments are the tensor map, the byte offset in
/// the slot, and the coordinates of the copy in the array.
template <typename Op>
void forEachBox(NumberBuilder &b, Op op, ValueRange maps,
                ValueRange coordinates,
                llvm::function_ref<void(Value, int64_t, ValueRange)> emit) {
  RankedTensorType tile = op.getRing().getType().getTile();
  auto parts = static_cast<int64_t>(op.getParts());
  int64_t perPart = coordinates.size() / parts;
  int64_t partBytes = tile.getDimSize(0) / parts * kPanelRowBytes;
  bool hasMapOfPanel = static_cast<int64_t>(maps.size()) > parts;
  int64_t box = 0;
  for (int64_t part = 0; part < parts; ++part) {
    Value map;
    if (!hasMapOfPanel)
      map = getMapPointer(b, FillOp::getMapOfPart(maps, part));
    forEachPanel(b, tile, coordinates.slice(part * perPart, perPart),
                 [&](int64_t column, ValueRange ofPanel) {
                   if (hasMapOfPanel)
                     map = getMapPointer(b, maps[box++]);
                   // A vector has a single part, which is not divided into
                   // panels and begins at offset 0 of the slot.
                   int64_t offset = part * partBytes;
                   if (tile.getRank() == 2)
                     offset += getPanelOffset(tile, column);
                   emit(map, offset, ofPanel);
                 });
  }
}

/// Returns the calling thread's number among the threads that copy for the
/// fill, which is counted from the fill's first thread.
Value getThread(NumberBuilder &b, FillOp op) {
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  if (int64_t first = op.getFirstThread().value_or(0))
    thread = b.subi(thread, b.index(first));
  return thread;
}

/// Describes the copy of part `part` of the tile by the threads of the fill, as
/// a ThreadCopy. `thread` is the calling thread's number among them. The caller
/// must set the ThreadCopy's `target`, the pointer to the tile in shared
/// memory.
ThreadCopy getCopy(FillOp op, Value thread, int64_t part) {
  RankedTensorType tile = op.getRing().getType().getTile();
  int64_t rows = (tile.getRank() == 1 ? 1 : tile.getDimSize(0)) /
                 static_cast<int64_t>(op.getParts());
  int64_t threads =
      op.getThreads().value_or(op->getParentOfType<KernelOp>().getThreads());
  return {op.getSources()[part],
          op.getIndicesOfPart(part),
          tile,
          /*target=*/Value(),
          part * rows,
          rows,
          threads,
          thread,
          op.getList(),
          op.getEntry()};
}

/// Makes each thread copy its share of the tile, and arrive at the slot's full
/// barrier when its copies have ended. `rows` has entries of the list of rows
/// that were loaded ahead, if the fill has a list.
void fillByThreads(NumberBuilder &b, FillOp op, RingAddresses &ring, Value slot,
                   ArrayRef<ListedRows::Row> rows) {
  Value thread = getThread(b, op);
  Value target = getSharedPointer(b, ring.getTile(slot));
  for (int64_t part = 0, e = op.getParts(); part < e; ++part) {
    ThreadCopy copy = getCopy(op, thread, part);
    copy.target = target;
    copy.firstRows.assign(rows.begin(), rows.end());
    if (op.getAligned())
      copy.copyChunks(b);
    else
      copy.copyElements(b);
  }
  if (!ring.hasBarriers())
    return;
  if (op.getAligned())
    NVVM::CpAsyncMBarrierArriveOp::create(b, ring.getFilled(slot),
                                          /*noinc=*/true);
  else
    arrive(b, ring.getFilled(slot));
}

LogicalResult convertFill(ConversionBuilder &b, FillOp op,
                          FillOp::Adaptor adaptor) {
  auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
  if (failed(ring))
    return failure();
  if (!op.getIndex())
    return b.rewriter.notifyMatchFailure(op, "expects an index");
  RingType type = ring->getType();
  // Loads entries of the list of rows before the wait for a free slot, which
  // hides their latency.
  SmallVector<ListedRows::Row> rows;
  if (op.getList() && op.getAligned())
    rows = getCopy(op, getThread(b, op), /*part=*/0).readRows(b);
  Value slot = ring->waitUntilFree(adaptor.getIndex());
  if (op.isByThreads()) {
    fillByThreads(b, op, *ring, slot, rows);
    b.rewriter.eraseOp(op);
    return success();
  }
  Value filled = ring->getFilled(slot);
  RankedTensorType shape = type.getTile();
  int64_t bytes = type.getTileBytes();
  if (shape.getRank() == 1)
    bytes = shape.getNumElements() * shape.getElementTypeBitWidth() / 8;
  NVVM::MBarrierArriveExpectTxOp::create(b, TypeRange(), filled, b.word(bytes),
                                         NVVM::MemScopeKind::CTA,
                                         /*relaxed=*/false, Value());

  Value tile = ring->getTile(slot);
  auto cluster = LLVM::LLVMPointerType::get(
      b.getContext(),
      static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
  forEachBox(b, op, adaptor.getMaps(), adaptor.getCoordinates(),
             [&](Value map, int64_t offset, ValueRange coordinates) {
               // TMA takes an address in the cluster's address space. That
               // space includes the shared memory of the CTA, in which the same
               // number is a valid address. The number is therefore used
               // without an address space cast, which would go through a
               // generic address and take registers.
               Value target = LLVM::IntToPtrOp::create(
                   b, cluster, addWord(b, tile, offset));
               NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
                   b, target, map, coordinates, filled, ValueRange(), Value(),
                   Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
                   NVVM::CTAGroupKindAttr(), Value());
             });
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertPrefetch(ConversionBuilder &b, PrefetchOp op,
                              PrefetchOp::Adaptor adaptor) {
  forEachBox(b, op, adaptor.getMaps(), adaptor.getCoordinates(),
             [&](Value map, int64_t, ValueRange coordinates) {
               NVVM::CpAsyncBulkTensorPrefetchOp::create(
                   b, map, coordinates, ValueRange(), NVVM::TMALoadMode::TILE,
                   Value());
             });
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertAcquire(ConversionBuilder &b, AcquireOp op,
                             AcquireOp::Adaptor adaptor) {
  auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
  if (failed(ring))
    return failure();
  if (!op.getIndex())
    return b.rewriter.notifyMatchFailure(op, "expects an index");
  Value index = adaptor.getIndex();
  Value tile = ring->getTile(ring->waitUntilFilled(index));
  if (ring->getOp().getUnfenced())
    fenceAsyncReads(b);
  if (isa<SharedLayoutAttr>(op.getTile().getType().getEncoding()))
    tile = getSharedPointer(b, tile);
  b.rewriter.replaceOp(op, {tile, index});
  return success();
}

LogicalResult convertRelease(ConversionBuilder &b, ReleaseOp op,
                             ReleaseOp::Adaptor adaptor) {
  auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
  if (failed(ring))
    return failure();
  Value barrier = ring->getFree(ring->getSlot(adaptor.getIndex()));
  // In a release by each warp's lanes, each lane arrives for its own reads. If
  // one lane arrived for all, lanes would first have to wait for each other,
  // which makes causal attention at head dim 128 slower by 1 %.
  //
  // While MMAs read operands from shared memory, a lane's loads from there are
  // delayed, and its arrival does not wait for them. TMA could then write the
  // slot's next tile before the loads. A fence before the arrival prevents
  // this. The fence is not needed where earlier ops have waited for the loads
  // (`ordered`), or where the fill waits for more than this release (`follows`
  // of the ring).
  if (op.getEachWarp()) {
    if (!op.getOrdered() &&
        op->getParentOfType<KernelOp>().getChip().hasTma() &&
        !ring->getOp().getFollows())
      fenceAsyncReads(b);
    arrive(b, barrier);
  } else {
    emitIf(b, isFirstOfWarpgroup(b),
           [&](NumberBuilder &body) { arrive(body, barrier); });
  }
  b.rewriter.eraseOp(op);
  return success();
}

/// Extends elements in registers to `element`, a type of floats.
Value extend(NumberBuilder &b, Value registers, Type element) {
  Type wide = cast<VectorType>(registers.getType()).clone(element);
  if (isa<IntegerType>(getElementTypeOrSelf(registers)))
    return arith::SIToFPOp::create(b, wide, registers);
  return arith::ExtFOp::create(b, wide, registers);
}

/// Writes a vector from registers to shared memory, element by element.
void writeVector(NumberBuilder &b, RankedTensorType vector, Value registers,
                 Value memory) {
  int64_t bytes = vector.getElementTypeBitWidth() / 8;
  Value first = applyAffine(b, b.getAffineDimExpr(0) * bytes,
                            getThreadCoordinate(b, vector, 0));
  Value own = addBytes(b, getSharedPointer(b, memory), first);
  for (auto [i, offset] : llvm::enumerate(
           getLayout(vector).getRegisterOffsets(vector.getShape(), 0)))
    LLVM::StoreOp::create(b, vector::ExtractOp::create(b, registers, i),
                          addBytes(b, own, offset * bytes), bytes);
}

LogicalResult convertPut(ConversionBuilder &b, PutOp op,
                         PutOp::Adaptor adaptor) {
  auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
  if (failed(ring))
    return failure();
  if (!op.getIndex())
    return b.rewriter.notifyMatchFailure(op, "expects an index");
  Value slot = ring->waitUntilFree(adaptor.getIndex());
  if (op.getMeets())
    SyncWarpgroupOp::create(b);
  RankedTensorType target = ring->getType().getTile(),
                   source = op.getTile().getType();
  Value memory = ring->getTile(slot), registers = adaptor.getTile();
  Type element = target.getElementType();
  auto tile = cast<RankedTensorType>(source.clone(element));
  if (source.getElementType() != element)
    registers = extend(b, registers, element);
  // stmatrix stores 16 columns of 16 bits at a time.
  constexpr int64_t kBits = 16, kColumns = 16;
  MmaLayoutAttr layout = getMmaLayout(tile);
  if (op.getTranspose())
    writeTransposed(b, source, registers, target, memory);
  else if (tile.getRank() == 1)
    writeVector(b, tile, registers, memory);
  else if (layout && layout.dividesRows() &&
           tile.getElementTypeBitWidth() == kBits &&
           tile.getDimSize(1) % kColumns == 0)
    writeFragments(b, tile, registers, memory);
  else
    writeRuns(b, tile, target, registers, memory);
  // Threads, not MMAs, read vectors.
  if (tile.getRank() == 2)
    fenceAsyncReads(b);
  arriveWarp(b, ring->getFilled(slot));
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertReuse(ConversionBuilder &b, ReuseOp op,
                           ReuseOp::Adaptor adaptor) {
  b.rewriter.replaceOp(op, adaptor.getTile());
  return success();
}

LogicalResult convertColumns(ConversionBuilder &b, ColumnsOp op,
                             ColumnsOp::Adaptor adaptor) {
  RankedTensorType tile = op.getTile().getType();
  if (isa<MmaLayoutAttr>(tile.getEncoding())) {
    b.rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
        op, adaptor.getTile(), adaptor.getTile(), op.getRegisters());
    return success();
  }
  if (isa<SharedLayoutAttr>(tile.getEncoding())) {
    auto first = static_cast<int64_t>(op.getFirst());
    OpFoldResult bytes =
        b.getIndexAttr(first * tile.getElementTypeBitWidth() / 8);
    b.rewriter.replaceOp(op, addBytes(b, adaptor.getTile(), bytes));
    return success();
  }
  b.rewriter.replaceOp(
      op, addWord(b, adaptor.getTile(), getPanelOffset(tile, op.getFirst())));
  return success();
}

} // namespace

void attn::populateRingPatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns) {
  addConversions<convertRing, convertInitRing, convertFill, convertPut,
                 convertReuse, convertColumns, convertPrefetch, convertAcquire,
                 convertRelease>(converter, patterns);
}
