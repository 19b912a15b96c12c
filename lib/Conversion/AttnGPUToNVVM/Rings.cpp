//===- Rings.cpp - Tiles that the tensor memory accelerator brings --------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A ring's barriers are those of PTX's mbarrier, 8 bytes each: one for each
// slot that counts the bytes that have come, then one for each slot that counts
// the readers that have left.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

Value constant(ImplicitLocOpBuilder &b, int32_t value) {
  return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
}

/// The address of a slot's part that begins `first` bytes behind `base`.
Value getSlotAddress(ImplicitLocOpBuilder &b, Value base, Value slot,
                     int64_t bytes, int64_t first) {
  Value offset = arith::MulIOp::create(b, slot, constant(b, bytes));
  return arith::AddIOp::create(b, addWord(b, base, first), offset);
}

/// A loop without a time limit of its own: with one, the assembler adds
/// instructions that sleep between the attempts.
void wait(ImplicitLocOpBuilder &b, Value barrier, Value parity) {
  scf::WhileOp::create(
      b, TypeRange(), ValueRange(),
      [&](OpBuilder &inner, Location loc, ValueRange) {
        Value isDone = NVVM::MBarrierTryWaitOp::create(
            inner, loc, inner.getI1Type(), barrier, parity, /*ticks=*/Value());
        Value isTrue = arith::ConstantIntOp::create(inner, loc, 1, 1);
        Value again = arith::XOrIOp::create(inner, loc, isDone, isTrue);
        scf::ConditionOp::create(inner, loc, again, ValueRange());
      },
      [&](OpBuilder &inner, Location loc, ValueRange) {
        scf::YieldOp::create(inner, loc);
      });
}

void arrive(ImplicitLocOpBuilder &b, Value barrier) {
  NVVM::MBarrierArriveOp::create(b, Type(), barrier, Value(),
                                 NVVM::MemScopeKind::CTA, /*relaxed=*/false);
}

/// The slots of a sequence and their barriers, which begin at `address`.
class Slots {
public:
  Slots(ImplicitLocOpBuilder &b, Value address, int64_t count)
      : b(b), address(address), count(count) {}

  /// Number `index`: its slot, and whether the slot was used before an odd
  /// number of times.
  Value getSlot(Value index) {
    return arith::RemUIOp::create(b, index, constant(b, count));
  }
  Value getParity(Value index) {
    Value round = arith::DivUIOp::create(b, index, constant(b, count));
    return arith::AndIOp::create(b, round, constant(b, 1));
  }
  /// The slot of number `index`, once it is filled.
  Value waitUntilFilled(Value index) {
    Value slot = getSlot(index);
    wait(b, getFilled(slot), getParity(index));
    return slot;
  }
  /// The slot of number `index`, once it is free.
  Value waitUntilFree(Value index) {
    Value slot = getSlot(index), parity = getFreeParity(index);
    wait(b, getFree(slot), parity);
    return slot;
  }
  /// Of the phase after which the slot is free for number `index`. The first
  /// round finds its slots free: a barrier's phase before its first counts as
  /// complete, and has parity 1.
  Value getFreeParity(Value index) {
    return arith::XOrIOp::create(b, getParity(index), constant(b, 1));
  }
  Value getFilled(Value slot) { return getBarrier(slot, 0); }
  Value getFree(Value slot) { return getBarrier(slot, kBarrierBytes * count); }

  void init(int64_t readers, int64_t writers = 1) {
    for (int64_t i = 0; i < count; ++i) {
      Value slot = constant(b, i);
      NVVM::MBarrierInitOp::create(b, getFilled(slot), constant(b, writers),
                                   Value());
      NVVM::MBarrierInitOp::create(b, getFree(slot), constant(b, readers),
                                   Value());
    }
  }

protected:
  ImplicitLocOpBuilder &b;
  Value address;
  int64_t count;

private:
  Value getBarrier(Value slot, int64_t first) {
    return getSharedPointer(
        b, getSlotAddress(b, address, slot, kBarrierBytes, first));
  }
};

/// The addresses of one ring.
class RingAddresses : public Slots {
public:
  /// `tiles` is the address of the ring's first tile.
  static FailureOr<RingAddresses> get(ImplicitLocOpBuilder &b,
                                      TypedValue<RingType> ring, Value tiles) {
    auto op = ring.getDefiningOp<RingOp>();
    if (!op)
      return failure();
    return RingAddresses(b, op, tiles);
  }

  Value getTile(Value slot) {
    return getSlotAddress(b, tiles, slot, type.getTileBytes(), 0);
  }
  RingType getType() { return type; }

private:
  RingAddresses(ImplicitLocOpBuilder &b, RingOp op, Value tiles)
      : Slots(b,
              addWord(b, tiles,
                      static_cast<int64_t>(op.getBarriers()) -
                          static_cast<int64_t>(op.getOffset())),
              op.getRing().getType().getStages()),
        type(op.getRing().getType()), tiles(tiles) {}

  RingType type;
  Value tiles;
};

Value getMapPointer(ImplicitLocOpBuilder &b, Value map) {
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  return UnrealizedConversionCastOp::create(b, TypeRange(pointer),
                                            ValueRange(map))
      .getResult(0);
}

void emitIf(ImplicitLocOpBuilder &b, Value condition,
            llvm::function_ref<void(ImplicitLocOpBuilder &)> emit) {
  scf::IfOp::create(b, condition, [&](OpBuilder &inner, Location loc) {
    ImplicitLocOpBuilder body(loc, inner);
    emit(body);
    scf::YieldOp::create(body);
  });
}

Value isFirstOfWarpgroup(ImplicitLocOpBuilder &b) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                               getThreadOfWarpgroup(b), constant(b, 0));
}

/// Threads of a warp.
constexpr int64_t kLanes = 32;

/// One lane for all, whose accesses come before.
void arriveWarp(ImplicitLocOpBuilder &b, Value barrier) {
  NVVM::SyncWarpOp::create(b, constant(b, -1));
  Value lane = arith::AndIOp::create(b, getThreadOfWarpgroup(b),
                                     constant(b, kLanes - 1));
  emitIf(
      b,
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane, constant(b, 0)),
      [&](ImplicitLocOpBuilder &body) { arrive(body, barrier); });
}

struct ConvertRing : OpConversionPattern<RingOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(RingOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(op, addWord(b, getSharedMemory(b),
                                   static_cast<int64_t>(op.getOffset())));
    return success();
  }
};

struct ConvertInitRing : OpConversionPattern<InitRingOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InitRingOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
    if (failed(ring))
      return failure();
    auto definition = op.getRing().getDefiningOp<RingOp>();
    ring->init(op.getReaders() * (definition.getEachWarp() ? kLanes : 1),
               op.getWriters().value_or(1));
    rewriter.eraseOp(op);
    return success();
  }
};

/// Calls `emit` for each panel of a tile, with its first column and
/// coordinates, innermost first. A vector is one.
void forEachPanel(ImplicitLocOpBuilder &b, RankedTensorType tile,
                  ValueRange outermostFirst,
                  llvm::function_ref<void(int64_t, ValueRange)> emit) {
  SmallVector<Value> coordinates =
      llvm::to_vector(llvm::reverse(outermostFirst));
  if (tile.getRank() == 1)
    return emit(0, coordinates);
  Value first = coordinates.front();
  for (int64_t column = 0; column < tile.getDimSize(1);
       column += getPanelColumns(tile.getElementType())) {
    coordinates.front() =
        b.createOrFold<arith::AddIOp>(first, constant(b, column));
    emit(column, coordinates);
  }
}

/// Calls `emit` for each copy that fills a slot, each panel of each part, with
/// its map, where it goes in the slot, in bytes, and its coordinates.
template <typename Op>
void forEachBox(ImplicitLocOpBuilder &b, Op op, ValueRange maps,
                ValueRange coordinates,
                llvm::function_ref<void(Value, int64_t, ValueRange)> emit) {
  RankedTensorType tile = op.getRing().getType().getTile();
  auto parts = static_cast<int64_t>(op.getParts());
  int64_t perPart = coordinates.size() / parts;
  int64_t partBytes = tile.getDimSize(0) / parts * kPanelRowBytes;
  for (int64_t part = 0; part < parts; ++part) {
    Value map = getMapPointer(b, FillOp::getMapOfPart(maps, part));
    forEachPanel(b, tile, coordinates.slice(part * perPart, perPart),
                 [&](int64_t column, ValueRange ofPanel) {
                   // A vector has but one part, from the beginning.
                   int64_t offset = part * partBytes;
                   if (tile.getRank() == 2)
                     offset += getPanelOffset(tile, column);
                   emit(map, offset, ofPanel);
                 });
  }
}

struct ConvertFill : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
    if (failed(ring))
      return failure();
    if (!op.getIndex())
      return rewriter.notifyMatchFailure(op, "expects an index");
    RingType type = ring->getType();
    Value slot = ring->waitUntilFree(adaptor.getIndex());
    Value filled = ring->getFilled(slot);
    RankedTensorType shape = type.getTile();
    int64_t bytes = type.getTileBytes();
    if (shape.getRank() == 1)
      bytes = shape.getNumElements() * shape.getElementTypeBitWidth() / 8;
    NVVM::MBarrierArriveExpectTxOp::create(
        b, TypeRange(), filled, constant(b, bytes), NVVM::MemScopeKind::CTA,
        /*relaxed=*/false, Value());

    Value tile = ring->getTile(slot);
    auto cluster = LLVM::LLVMPointerType::get(
        b.getContext(),
        static_cast<unsigned>(NVVM::NVVMMemorySpace::SharedCluster));
    forEachBox(b, op, adaptor.getMaps(), adaptor.getCoordinates(),
               [&](Value map, int64_t offset, ValueRange coordinates) {
                 // The CTA's window is part of the cluster's. A cast between
                 // the two is by generic addresses, which take registers.
                 Value target = LLVM::IntToPtrOp::create(
                     b, cluster, addWord(b, tile, offset));
                 NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
                     b, target, map, coordinates, filled, ValueRange(), Value(),
                     Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
                     NVVM::CTAGroupKindAttr(), Value());
               });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPrefetch : OpConversionPattern<PrefetchOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PrefetchOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    forEachBox(b, op, adaptor.getMaps(), adaptor.getCoordinates(),
               [&](Value map, int64_t, ValueRange coordinates) {
                 NVVM::CpAsyncBulkTensorPrefetchOp::create(
                     b, map, coordinates, ValueRange(), NVVM::TMALoadMode::TILE,
                     Value());
               });
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertAcquire : OpConversionPattern<AcquireOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AcquireOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
    if (failed(ring))
      return failure();
    if (!op.getIndex())
      return rewriter.notifyMatchFailure(op, "expects an index");
    Value index = adaptor.getIndex();
    Value tile = ring->getTile(ring->waitUntilFilled(index));
    if (op.getTile().getType().getRank() == 1)
      tile = getSharedPointer(b, tile);
    rewriter.replaceOp(op, {tile, index});
    return success();
  }
};

struct ConvertRelease : OpConversionPattern<ReleaseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReleaseOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
    if (failed(ring))
      return failure();
    Value barrier = ring->getFree(ring->getSlot(adaptor.getIndex()));
    // Each lane speaks for what it has read. One for its warp would have to
    // wait for the others, which costs causal attention at d128 1 %.
    if (op.getEachWarp())
      arrive(b, barrier);
    else
      emitIf(b, isFirstOfWarpgroup(b),
             [&](ImplicitLocOpBuilder &body) { arrive(body, barrier); });
    rewriter.eraseOp(op);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Tile numbers for a CTA's readers: two slots, each with the barriers of a
// ring's
//===----------------------------------------------------------------------===//

class TileSlots : public Slots {
public:
  TileSlots(ImplicitLocOpBuilder &b, int64_t offset)
      : Slots(b, addWord(b, getSharedMemory(b), offset), kSchedulerSlots) {}

  Value getNumber(Value slot) {
    return getSharedPointer(b, getSlotAddress(b, address, slot, /*bytes=*/4,
                                              2 * kBarrierBytes * count));
  }
};

struct ConvertInitScheduler : OpConversionPattern<InitSchedulerOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InitSchedulerOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileSlots(b, op.getOffset()).init(op.getReaders());
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPublishTile : OpConversionPattern<PublishTileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PublishTileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileSlots slots(b, op.getOffset());
    Value slot = slots.waitUntilFree(adaptor.getIndex());
    LLVM::StoreOp::create(b, adaptor.getTile(), slots.getNumber(slot),
                          /*alignment=*/4, /*isVolatile=*/true);
    arrive(b, slots.getFilled(slot));
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertNextTile : OpConversionPattern<NextTileOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(NextTileOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    TileSlots slots(b, op.getOffset());
    Value slot = slots.waitUntilFilled(adaptor.getIndex());
    Value number =
        LLVM::LoadOp::create(b, b.getI32Type(), slots.getNumber(slot),
                             /*alignment=*/4, /*isVolatile=*/true);
    arrive(b, slots.getFree(slot));
    // The assembler cannot know that all lanes read the same.
    rewriter.replaceOpWithNewOp<NVVM::ShflOp>(
        op, b.getI32Type(), constant(b, -1), number, constant(b, 0),
        constant(b, 31), NVVM::ShflKind::idx, UnitAttr());
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Stores through shared memory
//===----------------------------------------------------------------------===//

void synchronize(ImplicitLocOpBuilder &b, Value warpgroup, int32_t firstBarrier,
                 int32_t threads) {
  Value id = arith::AddIOp::create(b, warpgroup, constant(b, firstBarrier));
  NVVM::BarrierOp::create(b, Type(), id, constant(b, threads),
                          NVVM::BarrierReductionAttr(), Value());
}

void synchronizeWarpgroup(ImplicitLocOpBuilder &b, Value warpgroup) {
  synchronize(b, warpgroup, kFirstWarpgroupBarrier, kWarpgroup);
}

struct ConvertSyncWarpgroup : OpConversionPattern<SyncWarpgroupOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SyncWarpgroupOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    synchronizeWarpgroup(b, getWarpgroup(b));
    rewriter.eraseOp(op);
    return success();
  }
};

/// 16-bit elements by stmatrix, which is to ldmatrix as a store to a load.
void writeHalfFragments(ImplicitLocOpBuilder &b, RankedTensorType tile,
                        Value registers, Value memory) {
  auto type = cast<VectorType>(registers.getType());
  auto wordType = VectorType::get({type.getNumElements() / 2}, b.getI32Type());
  Value words = vector::BitCastOp::create(b, wordType, registers);
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  int64_t rows = tile.getDimSize(0) / layout.getWarps();
  SwizzledFragments fragments(b, tile, memory, rows, layout.getFirstWarp());
  int64_t word = 0;
  for (int64_t row = 0; row < rows; row += 16)
    for (int64_t column = 0; column < tile.getDimSize(1); column += 16) {
      SmallVector<Value> sources;
      for (int64_t i = 0; i < 4; ++i)
        sources.push_back(vector::ExtractOp::create(b, words, word++));
      NVVM::StMatrixOp::create(
          b, fragments.getAddress(row, column), sources,
          NVVM::MMALayoutAttr::get(b.getContext(), NVVM::MMALayout::row),
          NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
          NVVM::LdStMatrixEltTypeAttr::get(b.getContext(),
                                           NVVM::LdStMatrixEltType::B16));
    }
}

/// f32 elements in pairs, in panels of 32 columns. At once 16 lanes write four
/// pairs of each of four rows. Two rows whose numbers differ in the last bit
/// have the same units of 16 bytes in turn, so odd ones write the pairs two
/// blocks of 8 columns further, and those here when it is their turn: all 16
/// pairs are in different banks.
void writeFloatFragments(ImplicitLocOpBuilder &b, RankedTensorType tile,
                         Value registers, Value memory, bool takesTurns) {
  LayoutInterface layout = getLayout(tile);
  SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0),
                       columns = layout.getRegisterOffsets(tile.getShape(), 1);
  auto asWord = [&](Value index) -> Value {
    return arith::IndexCastOp::create(b, b.getI32Type(), index);
  };
  Value row = asWord(getThreadCoordinate(b, tile, 0));
  Value column = asWord(getThreadCoordinate(b, tile, 1));
  // A thread's rows are equal modulo 8: registers' are 8 apart.
  Value swizzle = arith::MulIOp::create(
      b, arith::AndIOp::create(b, row, constant(b, 7)), constant(b, 16));
  Value base = arith::AddIOp::create(
      b, memory, arith::MulIOp::create(b, row, constant(b, kPanelRowBytes)));
  // The column is 2 (lane mod 4): its bytes are below two units.
  Value bytes = arith::MulIOp::create(b, column, constant(b, 4));
  int64_t panelColumns = getPanelColumns(tile.getElementType());
  takesTurns &= tile.getDimSize(1) % panelColumns == 0;
  Value isOdd;
  if (takesTurns) {
    Value parity = arith::AndIOp::create(b, row, constant(b, 1));
    isOdd = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, parity,
                                  constant(b, 0));
    swizzle = arith::XOrIOp::create(
        b, swizzle, arith::MulIOp::create(b, parity, constant(b, 64)));
  }
  auto getPair = [&](int64_t first) -> Value {
    return vector::ShuffleOp::create(b, registers, registers,
                                     ArrayRef<int64_t>{first, first + 1});
  };
  for (int64_t i = 0, e = rows.size(); i < e; i += 2) {
    int64_t inPanel = columns[i] % panelColumns * 4;
    Value place = arith::XOrIOp::create(b, addWord(b, bytes, inPanel), swizzle);
    int64_t panel =
        columns[i] / panelColumns * tile.getDimSize(0) * kPanelRowBytes +
        rows[i] * kPanelRowBytes;
    Value address = getSharedPointer(
        b, addWord(b, arith::AddIOp::create(b, base, place), panel));
    Value pair = getPair(i);
    // A block has four registers of each thread.
    if (takesTurns)
      pair = arith::SelectOp::create(b, isOdd, getPair(i ^ 8), pair);
    LLVM::StoreOp::create(b, pair, address, /*alignment=*/8);
  }
}

void writeFragments(ImplicitLocOpBuilder &b, RankedTensorType tile,
                    Value registers, Value memory, bool takesTurns = true) {
  if (tile.getElementType().isF32())
    writeFloatFragments(b, tile, registers, memory, takesTurns);
  else
    writeHalfFragments(b, tile, registers, memory);
}

struct ConvertPut : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto ring = RingAddresses::get(b, op.getRing(), adaptor.getRing());
    if (failed(ring))
      return failure();
    if (!op.getIndex())
      return rewriter.notifyMatchFailure(op, "expects an index");
    Value slot = ring->waitUntilFree(adaptor.getIndex());
    writeFragments(b, op.getTile().getType(), adaptor.getTile(),
                   ring->getTile(slot));
    fenceAsyncReads(b);
    arriveWarp(b, ring->getFilled(slot));
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertColumns : OpConversionPattern<ColumnsOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ColumnsOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    rewriter.replaceOp(
        op, addWord(b, adaptor.getTile(),
                    getPanelOffset(op.getTile().getType(), op.getFirst())));
    return success();
  }
};

struct ConvertStoreAsync : OpConversionPattern<StoreAsyncOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreAsyncOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getTile().getType();
    MmaLayoutAttr layout = getMmaLayout(tile);
    if (!layout || layout.getWarpsN() != 1 || layout.getWarps() % 4 != 0 ||
        layout.getFirstWarp() % 4 != 0 ||
        (tile.getElementTypeBitWidth() != 16 && !tile.getElementType().isF32()))
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value memory =
        addWord(b, getSharedMemory(b), static_cast<int64_t>(op.getOffset()));
    Value warpgroup = getWarpgroup(b);
    Value isFirst = isFirstOfWarpgroup(b);
    auto waitForReads = [](ImplicitLocOpBuilder &body, int64_t pending) {
      NVVM::CpAsyncBulkWaitGroupOp::create(
          body, body.getI32IntegerAttr(pending), body.getUnitAttr());
    };
    if (!op.getWait())
      emitIf(b, isFirst, [&](ImplicitLocOpBuilder &body) {
        waitForReads(body, op.getPending());
      });
    synchronizeWarpgroup(b, warpgroup);
    writeFragments(b, tile, adaptor.getTile(), memory, mayTakeTurns(op));
    NVVM::FenceProxyOp::create(
        b, NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(b.getContext(),
                                   NVVM::SharedSpace::shared_cta));
    synchronizeWarpgroup(b, warpgroup);
    emitIf(b, isFirst, [&](ImplicitLocOpBuilder &body) {
      copy(body, op, adaptor, memory, warpgroup);
      if (op.getWait())
        waitForReads(body, 0);
    });
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Choosing whose turn it is delays the store. Where the next one waits for
  /// it and MMAs overlap, that costs more than the banks do: 8 % at d64.
  static bool mayTakeTurns(StoreAsyncOp op) {
    auto kernel = op->getParentOfType<KernelOp>();
    return op.getPending() > 0 || !kernel.getSchedule().getOverlap();
  }

  /// The warpgroup's own rows, panel by panel.
  static void copy(ImplicitLocOpBuilder &b, StoreAsyncOp op, OpAdaptor adaptor,
                   Value memory, Value warpgroup) {
    RankedTensorType tile = op.getTile().getType();
    auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
    int64_t rowsOfWarpgroup = tile.getDimSize(0) / (layout.getWarps() / 4);
    if (layout.getFirstWarp() > 0)
      warpgroup = addWord(b, warpgroup, -layout.getFirstWarp() / 4);
    SmallVector<Value> coordinates(adaptor.getCoordinates());
    Value &row = coordinates[coordinates.size() - 2];
    row = arith::AddIOp::create(
        b, row,
        arith::MulIOp::create(b, warpgroup, constant(b, rowsOfWarpgroup)));
    Value rows = arith::MulIOp::create(
        b, warpgroup, constant(b, rowsOfWarpgroup * kPanelRowBytes));
    Value source = arith::AddIOp::create(b, memory, rows);
    Value map = getMapPointer(b, adaptor.getMap());
    forEachPanel(b, tile, coordinates, [&](int64_t column, ValueRange ofPanel) {
      Value panel = addWord(b, source, getPanelOffset(tile, column));
      if (op.getAdd())
        NVVM::CpAsyncBulkTensorReduceOp::create(
            b, map, getSharedPointer(b, panel), NVVM::TMAReduxKind::ADD,
            NVVM::TMAStoreMode::TILE, ofPanel, Value());
      else
        NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
            b, map, getSharedPointer(b, panel), ofPanel, Value(),
            NVVM::TMAStoreMode::TILE, Value());
    });
    NVVM::CpAsyncBulkCommitGroupOp::create(b);
  }
};

/// A named barrier of ping-pong is between two warpgroups.
constexpr int32_t kPingPongThreads = 2 * kWarpgroup;

struct ConvertPingPongWait : OpConversionPattern<PingPongWaitOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PingPongWaitOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    synchronize(b, getWarpgroup(b), kFirstPingPongBarrier, kPingPongThreads);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertPingPongArrive : OpConversionPattern<PingPongArriveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PingPongArriveOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value own = getWarpgroup(b);
    Value isLast = arith::CmpIOp::create(
        b, arith::CmpIPredicate::eq, own,
        constant(b, static_cast<int64_t>(op.getWarpgroups()) - 1));
    Value next =
        arith::SelectOp::create(b, isLast, constant(b, 0),
                                arith::AddIOp::create(b, own, constant(b, 1)));
    Value id =
        arith::AddIOp::create(b, next, constant(b, kFirstPingPongBarrier));
    auto pass = [&](ImplicitLocOpBuilder &body) {
      NVVM::BarrierArriveOp::create(body, id, constant(body, kPingPongThreads));
    };
    if (op.getInitial())
      emitIf(b, isLast, pass);
    else
      pass(b);
    rewriter.eraseOp(op);
    return success();
  }
};

struct ConvertFinishStores : OpConversionPattern<FinishStoresOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FinishStoresOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkWaitGroupOp>(
        op, rewriter.getI32IntegerAttr(0), UnitAttr());
    return success();
  }
};

} // namespace

void attn::populateRingPatterns(const TileTypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertRing, ConvertInitRing, ConvertFill, ConvertPut,
               ConvertColumns, ConvertPrefetch, ConvertAcquire, ConvertRelease,
               ConvertInitScheduler, ConvertPublishTile, ConvertNextTile,
               ConvertStoreAsync, ConvertFinishStores, ConvertPingPongWait,
               ConvertPingPongArrive, ConvertSyncWarpgroup>(
      converter, patterns.getContext());
}
