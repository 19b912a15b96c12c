//===- Exchange.cpp - Tiles and columns that warps exchange ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../CombinePairwise.h"
#include "Patterns.h"
#include "Slots.h"

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

Value getMemory(NumberBuilder &b, int64_t offset) {
  return addWord(b, getSharedMemory(b), offset);
}

/// Returns shared-memory addresses for the elements of `tile` that the calling
/// thread holds, where the tile in shared memory begins at `memory` and has the
/// layout of `shared`. The thread holds runs of neighboring columns in several
/// rows, and at() of the result returns the address of one run.
SharedAddresses getRunAddresses(NumberBuilder &b, RankedTensorType tile,
                                RankedTensorType shared, Value memory) {
  // Eight lanes share a row of a right operand.
  constexpr int64_t kRightLanes = 8;
  auto layout = cast<LayoutInterface>(tile.getEncoding());
  auto right = dyn_cast<RightLayoutAttr>(tile.getEncoding());
  auto mma =
      right ? right.getParent() : cast<MmaLayoutAttr>(tile.getEncoding());
  ThreadOffset row(layout, mma.getFirstWarp(), tile.getShape(), 0),
      column(layout, mma.getFirstWarp(), tile.getShape(), 1);
  int64_t lanes = right ? kRightLanes : mma.getLanes();
  return SharedAddresses(b, shared, memory, row.ofWarp + row.ofLane,
                         column.ofLane, lanes * layout.getRun(),
                         mma.getWarpsN() > 1 ? column.ofWarp : AffineExpr());
}

} // namespace

void attn::writeRuns(NumberBuilder &b, RankedTensorType tile,
                     RankedTensorType result, Value registers, Value memory) {
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  SharedAddresses addresses = getRunAddresses(b, tile, result, memory);
  ArrayRef<int64_t> shape = tile.getShape();
  SmallVector<int64_t> rows = layout.getRegisterOffsets(shape, 0),
                       columns = layout.getRegisterOffsets(shape, 1);
  OpBuilder::InsertionGuard guard(b);
  if (Value writes = isWriter(b, tile))
    b.setInsertionPoint(scf::IfOp::create(b, writes).thenYield());
  constexpr int64_t kMostBits = 128;
  int64_t bits = tile.getElementTypeBitWidth(),
          length = std::min(layout.getColumns(), kMostBits / bits);
  for (int64_t i = 0; i < static_cast<int64_t>(rows.size()); i += length) {
    Value run = vector::ShuffleOp::create(
        b, registers, registers, llvm::to_vector(llvm::seq(i, i + length)));
    LLVM::StoreOp::create(b, getStorable(b, run),
                          addresses.at(rows[i], columns[i]),
                          /*alignment=*/length * bits / 8);
  }
}

namespace {

LogicalResult convertLocalStore(ConversionBuilder &b, LocalStoreOp op,
                                LocalStoreOp::Adaptor adaptor) {
  RankedTensorType tile = op.getTile().getType(),
                   result = op.getResult().getType();
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  Value memory = getMemory(b, op.getOffset());
  if (!isSwizzled(result))
    memory = getSharedPointer(b, memory);

  if (!op.getBehindBarrier())
    synchronizeWarps(b, op, layout);
  writeRuns(b, tile, result, adaptor.getTile(), memory);
  if (isSwizzled(result))
    fenceAsyncReads(b);
  synchronizeWarps(b, op, layout);
  b.rewriter.replaceOp(op, memory);
  return success();
}

void exchange(NumberBuilder &b, ReduceColumnsOp op, MmaLayoutAttr layout,
              SmallVector<Value> &results) {
  RankedTensorType slice = op.getResult().getType();
  int64_t columns = slice.getDimSize(0);
  AffineExpr d0 = b.getAffineDimExpr(0);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value memory = getSharedPointer(b, getMemory(b, op.getOffset()));
  Value column = getThreadCoordinate(b, slice, 0);
  Value read = addBytes(b, memory, applyAffine(b, d0 * 4, column));
  // The warp's number among those that divide the rows is its row in a tile
  // that has one row for each of them.
  AffineExpr warpM =
      ThreadOffset(layout, {layout.getWarpsM(), columns}, 0).ofWarp;
  Value write =
      addBytes(b, read, applyAffine(b, warpM * (columns * 4), thread));
  SmallVector<int64_t> offsets =
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0);

  if (!op.getBehindBarrier())
    synchronizeWarps(b, op, layout);
  Value isFirst = b.ult(applyAffine(b, d0 % 32, thread), b.index(4));
  if (Value writes = isWriter(b, op.getInput().getType()))
    isFirst = b.andi(isFirst, writes);
  emitIf(b, isFirst, [&](NumberBuilder &body) {
    for (auto [offset, value] : llvm::zip(offsets, results))
      LLVM::StoreOp::create(body, value, addBytes(body, write, offset * 4),
                            /*alignment=*/4);
  });
  synchronizeWarps(b, op, layout);
  for (auto [offset, value] : llvm::zip(offsets, results)) {
    SmallVector<Value> parts;
    for (int64_t warp = 0; warp < layout.getWarpsM(); ++warp)
      parts.push_back(LLVM::LoadOp::create(
          b, b.getF32Type(), addBytes(b, read, (warp * columns + offset) * 4),
          /*alignment=*/4));
    value = combinePairwise(std::move(parts), [&](Value lhs, Value rhs) {
      return attn_tile::combine(b, op.getKind(), lhs, rhs);
    });
  }
}

} // namespace

Value attn::readRuns(NumberBuilder &b, RankedTensorType input, Value memory,
                     RankedTensorType tile, VectorType type) {
  auto layout = cast<LayoutInterface>(tile.getEncoding());
  int64_t length = layout.getRun();
  SharedAddresses addresses = getRunAddresses(b, tile, input, memory);
  ArrayRef<int64_t> shape = tile.getShape();
  SmallVector<int64_t> rows = layout.getRegisterOffsets(shape, 0),
                       columns = layout.getRegisterOffsets(shape, 1);
  // 8-bit elements are loaded as 32-bit words if a run is a multiple of four
  // bytes, since LLVM would keep each loaded byte in a register of its own.
  constexpr int64_t kWord = 4;
  if (tile.getElementTypeBitWidth() == 8 && length % kWord == 0) {
    auto ofRun = VectorType::get({length / kWord}, b.getI32Type());
    SmallVector<Value> words;
    for (int64_t i = 0, e = rows.size(); i < e; i += length) {
      Value run =
          LLVM::LoadOp::create(b, ofRun, addresses.at(rows[i], columns[i]),
                               /*alignment=*/length);
      for (int64_t j = 0; j < length / kWord; ++j)
        words.push_back(vector::ExtractOp::create(b, run, j));
    }
    return joinWords(b, words, type);
  }
  // 8-bit floats are loaded as i8, since LLVM IR has no types for them.
  bool isOfBytes = isFloat8(tile.getElementType());
  Type element = isOfBytes ? b.getI8Type() : tile.getElementType();
  SmallVector<Value> elements;
  for (int64_t i = 0, e = rows.size(); i < e; i += length) {
    Value run = LLVM::LoadOp::create(b, VectorType::get({length}, element),
                                     addresses.at(rows[i], columns[i]),
                                     /*alignment=*/length *
                                         tile.getElementTypeBitWidth() / 8);
    for (int64_t j = 0; j < length; ++j)
      elements.push_back(vector::ExtractOp::create(b, run, j));
  }
  Value result =
      vector::FromElementsOp::create(b, type.clone(element), elements);
  return isOfBytes ? b.bitcast(type, result) : result;
}

namespace {

/// Loads a tile from shared memory to registers by readRuns(). This pattern has
/// a lower benefit than those that use ldmatrix, which are therefore tried
/// first.
LogicalResult convertSharedRuns(ConversionBuilder &b, ConvertLayoutOp op,
                                ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType(),
                   tile = op.getResult().getType();
  auto type = b.converter.convertType<VectorType>(tile);
  if (!isa_and_nonnull<MmaLayoutAttr, RightLayoutAttr>(tile.getEncoding()) ||
      !type || !isInSharedMemory(input))
    return failure();
  b.rewriter.replaceOp(op, readRuns(b, input, adaptor.getInput(), tile, type));
  return success();
}

/// Reduces each column of a tile to one value. The elements of a column that a
/// thread holds are combined first, then, by shuffles, those of the eight lanes
/// that share the column. If several warps divide the tile's rows, their
/// results are then combined through shared memory.
LogicalResult convertReduceColumns(ConversionBuilder &b, ReduceColumnsOp op,
                                   ReduceColumnsOp::Adaptor adaptor) {
  RankedTensorType tile = op.getInput().getType(),
                   slice = op.getResult().getType();
  auto layout = cast<MmaLayoutAttr>(tile.getEncoding());
  auto type = b.converter.convertType<VectorType>(slice);
  if (!type)
    return failure();
  auto combine = [&](Value lhs, Value rhs) {
    return attn_tile::combine(b, op.getKind(), lhs, rhs);
  };
  SmallVector<Value> results;
  for (SmallVector<Value> &column :
       groupBySlice(b, adaptor.getInput(), tile, slice))
    results.push_back(combineLanes(b, op.getKind(),
                                   combinePairwise(std::move(column), combine),
                                   {4, 8, 16}));
  if (layout.getWarpsM() > 1)
    exchange(b, op, layout, results);
  for (Value &result : results)
    result = finishReduction(b, op.getKind(), result);
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

MmaLayoutAttr getParentLayout(Value slice) {
  auto type = cast<RankedTensorType>(slice.getType());
  return cast<SliceLayoutAttr>(type.getEncoding()).getParent();
}

/// Combines the partial results of each row over the warps that share the row,
/// through shared memory, which has an f32 for each row and each of these
/// warps. One lane of each quad writes its warp's partial result, and all lanes
/// read the partial results of the other warps.
LogicalResult convertCombineWarps(ConversionBuilder &b, CombineWarpsOp op,
                                  CombineWarpsOp::Adaptor adaptor) {
  RankedTensorType slice = op.getInput().getType();
  auto type = dyn_cast<VectorType>(adaptor.getInput().getType());
  if (!type)
    return failure();
  MmaLayoutAttr layout = getParentLayout(op.getInput());
  int64_t partBytes = 4 * slice.getDimSize(0);
  AffineExpr d0 = b.getAffineDimExpr(0);
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  Value memory = getSharedPointer(b, getMemory(b, op.getOffset()));
  Value row = getThreadCoordinate(b, slice, 0);
  Value first = addBytes(b, memory, applyAffine(b, d0 * 4, row));
  AffineExpr copy = d0.floorDiv(32 * layout.getWarpsM()) % layout.getCopies();
  SmallVector<int64_t> offsets =
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0);
  auto getPart = [&](NumberBuilder &b, AffineExpr number, int64_t offset) {
    return addBytes(b, first,
                    applyAffine(b, number * partBytes + offset * 4, thread));
  };

  synchronizeWarps(b, op, layout);
  Value isFirst = b.eq(applyAffine(b, d0 % 4, thread), b.index(0));
  emitIf(b, isFirst, [&](NumberBuilder &body) {
    for (auto [i, offset] : llvm::enumerate(offsets))
      LLVM::StoreOp::create(body,
                            vector::ExtractOp::create(body, adaptor.getInput(),
                                                      static_cast<int64_t>(i)),
                            getPart(body, copy, offset), /*alignment=*/4);
  });
  synchronizeWarps(b, op, layout);
  SmallVector<Value> results;
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    Value result = vector::ExtractOp::create(b, adaptor.getInput(),
                                             static_cast<int64_t>(i));
    for (int64_t other = 1; other < layout.getCopies(); ++other) {
      AffineExpr number = (copy + other) % layout.getCopies();
      Value part = LLVM::LoadOp::create(
          b, b.getF32Type(), getPart(b, number, offset), /*alignment=*/4);
      result = attn_tile::combine(b, op.getKind(), result, part);
    }
    results.push_back(result);
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

/// Emits bar.red.or, a barrier of all consumer warps, from which each thread
/// gets an i1: whether the condition holds for any element in any of these
/// threads.
LogicalResult convertVoteWarps(ConversionBuilder &b, VoteWarpsOp op,
                               VoteWarpsOp::Adaptor adaptor) {
  Value any = joinConditions(b, adaptor.getCondition());
  if (!any)
    return b.rewriter.notifyMatchFailure(op, "expects conditions");
  auto threads =
      static_cast<int32_t>(getParentLayout(op.getCondition()).getNumThreads());
  // The barrier's reduction is emitted as a call of an LLVM intrinsic, since
  // the op nvvm.barrier supports reductions at barrier 0 only.
  Value found =
      LLVM::CallIntrinsicOp::create(
          b, b.getI1Type(),
          b.getStringAttr("llvm.nvvm.barrier.cta.red.or.aligned.count"),
          ValueRange{b.word(kConsumersBarrier), b.word(threads), any})
          .getResult(0);
  b.rewriter.replaceOp(op, found);
  return success();
}

} // namespace

void attn::populateExchangePatterns(const TileTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  addConversions<convertLocalStore, convertReduceColumns, convertCombineWarps,
                 convertVoteWarps>(converter, patterns);
  addConversions<convertSharedRuns>(converter, patterns, /*benefit=*/0);
}
