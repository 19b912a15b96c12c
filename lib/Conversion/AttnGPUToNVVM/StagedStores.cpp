//===- StagedStores.cpp - Stores through shared memory --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stores tiles through shared memory, from which TMA copies them to global
// memory. Warpgroups synchronize at named barriers.
//
//===----------------------------------------------------------------------===//

#include "Slots.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

static void synchronize(NumberBuilder &b, Value warpgroup, int32_t firstBarrier,
                        int32_t threads) {
  Value id = b.addi(warpgroup, b.word(firstBarrier));
  NVVM::BarrierOp::create(b, Type(), id, b.word(threads),
                          NVVM::BarrierReductionAttr(), Value());
}

static void synchronizeWarpgroup(NumberBuilder &b, Value warpgroup) {
  synchronize(b, warpgroup, kFirstWarpgroupBarrier, kWarpgroup);
}

/// Writes the 16-bit elements of a tile from registers to swizzled shared
/// memory by stmatrix.
static void writeHalfFragments(NumberBuilder &b, RankedTensorType tile,
                               Value registers, Value memory) {
  auto type = cast<VectorType>(registers.getType());
  auto wordType = VectorType::get({type.getNumElements() / 2}, b.getI32Type());
  Value words = vector::BitCastOp::create(b, wordType, registers);
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  int64_t rows = tile.getDimSize(0) / layout.getWarps();
  SwizzledFragments fragments(b, tile, memory, rows, layout);
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

/// Writes f32 elements from registers to swizzled panels of 32 columns, in
/// pairs. At each store, a group of 16 lanes writes four pairs to each of four
/// rows: 8 columns, which are two units of 16 bytes. Between rows r and r xor 1
/// the swizzle exchanges these two units, so that both rows use the same banks.
///
/// With `takesTurns`, lanes of odd rows store block c xor 2 of 8 columns when
/// lanes of even rows store block c. All 16 pairs of a store are then in
/// different banks.
static void writeFloatFragments(NumberBuilder &b, RankedTensorType tile,
                                Value registers, Value memory,
                                bool takesTurns) {
  LayoutInterface layout = getLayout(tile);
  SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0),
                       columns = layout.getRegisterOffsets(tile.getShape(), 1);
  auto asWord = [&](Value index) -> Value {
    return b.indexCast(b.getI32Type(), index);
  };
  Value row = asWord(getThreadCoordinate(b, tile, 0));
  Value column = asWord(getThreadCoordinate(b, tile, 1));
  // All rows of a thread's registers have the same swizzle, since they are 8
  // apart and the swizzle repeats after 8 rows.
  Value swizzle = b.muli(b.andi(row, b.word(7)), b.word(16));
  Value base = b.addi(memory, b.muli(row, b.word(kPanelRowBytes)));
  // The thread's first column is 2 * (lane mod 4), so this column's byte is in
  // the first two units of 16 bytes of a row.
  Value bytes = b.muli(column, b.word(4));
  int64_t panelColumns = getPanelColumns(tile.getElementType());
  takesTurns &= tile.getDimSize(1) % panelColumns == 0;
  Value isOdd;
  if (takesTurns) {
    Value parity = b.andi(row, b.word(1));
    isOdd = b.ne(parity, b.word(0));
    swizzle = b.xori(swizzle, b.muli(parity, b.word(64)));
  }
  auto getPair = [&](int64_t first) -> Value {
    return vector::ShuffleOp::create(b, registers, registers,
                                     ArrayRef<int64_t>{first, first + 1});
  };
  for (int64_t i = 0, e = rows.size(); i < e; i += 2) {
    int64_t inPanel = columns[i] % panelColumns * 4;
    Value place = b.xori(addWord(b, bytes, inPanel), swizzle);
    int64_t panel =
        columns[i] / panelColumns * tile.getDimSize(0) * kPanelRowBytes +
        rows[i] * kPanelRowBytes;
    Value address = getSharedPointer(b, addWord(b, b.addi(base, place), panel));
    Value pair = getPair(i);
    // A thread has four registers for each block of 8 columns. Register i xor 8
    // is therefore the register at the same position two blocks away.
    if (takesTurns)
      pair = b.select(isOdd, getPair(i ^ 8), pair);
    LLVM::StoreOp::create(b, pair, address, /*alignment=*/8);
  }
}

void attn::writeFragments(NumberBuilder &b, RankedTensorType tile,
                          Value registers, Value memory, bool takesTurns) {
  if (tile.getElementType().isF32())
    writeFloatFragments(b, tile, registers, memory, takesTurns);
  else
    writeHalfFragments(b, tile, registers, memory);
}

namespace {

LogicalResult convertSyncWarpgroup(ConversionBuilder &b, SyncWarpgroupOp op,
                                   SyncWarpgroupOp::Adaptor) {
  synchronizeWarpgroup(b, getWarpgroup(b));
  b.rewriter.eraseOp(op);
  return success();
}

/// Whether lanes of odd rows store pairs of f32 in another order (`takesTurns`
/// of writeFragments), which avoids bank conflicts but delays the stores by
/// selects. This pays off if earlier stores may still be pending when the next
/// one begins, or if the schedule does not overlap MMAs with softmax. Otherwise
/// the next staged store waits for this one, and the delay costs more than bank
/// conflicts do (8 % at head dim 64).
bool mayTakeTurns(StoreAsyncOp op) {
  auto kernel = op->getParentOfType<KernelOp>();
  return op.getPending() > 0 || !kernel.getSchedule().getOverlap();
}

/// Emits the TMA copies of the calling warpgroup's rows from shared to global
/// memory, one for each panel, as one bulk group.
void copyPanels(NumberBuilder &b, StoreAsyncOp op,
                StoreAsyncOp::Adaptor adaptor, Value memory, Value warpgroup) {
  RankedTensorType tile = op.getTile().getType();
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  int64_t rowsOfWarpgroup = tile.getDimSize(0) / (layout.getWarps() / 4);
  if (layout.getFirstWarp() > 0)
    warpgroup = addWord(b, warpgroup, -layout.getFirstWarp() / 4);
  SmallVector<Value> coordinates(adaptor.getCoordinates());
  Value &row = coordinates[coordinates.size() - 2];
  row = b.addi(row, b.muli(warpgroup, b.word(rowsOfWarpgroup)));
  Value rows = b.muli(warpgroup, b.word(rowsOfWarpgroup * kPanelRowBytes));
  Value source = b.addi(memory, rows);
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

LogicalResult convertStoreAsync(ConversionBuilder &b, StoreAsyncOp op,
                                StoreAsyncOp::Adaptor adaptor) {
  RankedTensorType tile = op.getTile().getType();
  MmaLayoutAttr layout = getMmaLayout(tile);
  if (!layout || !layout.dividesRows() || layout.getWarps() % 4 != 0 ||
      layout.getFirstWarp() % 4 != 0 ||
      (tile.getElementTypeBitWidth() != 16 && !tile.getElementType().isF32()))
    return failure();
  Value memory =
      addWord(b, getSharedMemory(b), static_cast<int64_t>(op.getOffset()));
  Value warpgroup = getWarpgroup(b);
  Value isFirst = isFirstOfWarpgroup(b);
  auto waitForReads = [](NumberBuilder &body, int64_t pending) {
    NVVM::CpAsyncBulkWaitGroupOp::create(body, body.getI32IntegerAttr(pending),
                                         body.getUnitAttr());
  };
  if (!op.getWait())
    emitIf(b, isFirst,
           [&](NumberBuilder &body) { waitForReads(body, op.getPending()); });
  synchronizeWarpgroup(b, warpgroup);
  writeFragments(b, tile, adaptor.getTile(), memory, mayTakeTurns(op));
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
  synchronizeWarpgroup(b, warpgroup);
  emitIf(b, isFirst, [&](NumberBuilder &body) {
    copyPanels(body, op, adaptor, memory, warpgroup);
    if (op.getWait())
      waitForReads(body, 0);
  });
  b.rewriter.eraseOp(op);
  return success();
}

/// The number of threads that a named barrier of ping-pong expects: those of
/// two warpgroups, one that waits and one that arrives.
constexpr int32_t kPingPongThreads = 2 * kWarpgroup;

LogicalResult convertPingPongWait(ConversionBuilder &b, PingPongWaitOp op,
                                  PingPongWaitOp::Adaptor) {
  synchronize(b, getWarpgroup(b), kFirstPingPongBarrier, kPingPongThreads);
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertPingPongArrive(ConversionBuilder &b, PingPongArriveOp op,
                                    PingPongArriveOp::Adaptor) {
  Value own = getWarpgroup(b);
  Value isLast =
      b.eq(own, b.word(static_cast<int64_t>(op.getWarpgroups()) - 1));
  Value next = b.select(isLast, b.word(0), b.addi(own, b.word(1)));
  Value id = b.addi(next, b.word(kFirstPingPongBarrier));
  auto pass = [&](NumberBuilder &body) {
    NVVM::BarrierArriveOp::create(body, id, body.word(kPingPongThreads));
  };
  if (op.getInitial())
    emitIf(b, isLast, pass);
  else
    pass(b);
  b.rewriter.eraseOp(op);
  return success();
}

LogicalResult convertFinishStores(ConversionBuilder &b, FinishStoresOp op,
                                  FinishStoresOp::Adaptor) {
  b.rewriter.replaceOpWithNewOp<NVVM::CpAsyncBulkWaitGroupOp>(
      op, b.rewriter.getI32IntegerAttr(0), UnitAttr());
  return success();
}

} // namespace

void attn::populateStagedStorePatterns(const TileTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  addConversions<convertStoreAsync, convertFinishStores, convertPingPongWait,
                 convertPingPongArrive, convertSyncWarpgroup>(converter,
                                                              patterns);
}
