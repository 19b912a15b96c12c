//===- BackwardPairs.cpp - The gradient of an array of pairs --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BackwardPrograms.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;

/// Emits the grid that computes the gradient of a captured array that the score
/// region reads at row and key. The gradient of an element is that of one pair
/// of row and key. If the array has no dimension of batch entries or heads, it
/// is the sum over these: one program then visits them one after another and
/// adds.
void BackwardPrograms::emitPairGradient(const CaptureGradient &gradient) {
  const CaptureReads &reads = *gradient.reads;
  auto has = [&](CaptureReads::Position p) { return reads.has(p); };
  TileSizesAttrInterface rowwise = schedule.getRowwise();
  Value out = dropDims(gradient.out, [&](int64_t dim) {
    return reads.dims[dim] != CaptureReads::One;
  });
  OpFoldResult one = b.getIndexAttr(1);
  OpFoldResult batches = getSize(op.getQuery(), 0);
  OpFoldResult heads = getSize(op.getQuery(), 1);
  bool adds = (!has(CaptureReads::Batch) && !isOneInteger(batches)) ||
              (!has(CaptureReads::Head) && !isOneInteger(heads));
  Type element = cast<MemRefType>(out.getType()).getElementType();
  Value sums = out;
  if (adds && !element.isF32())
    sums = createWorkspace(b.getMixedSizes(out));
  // The gradient is set to zero first, since the programs visit, and store,
  // only those blocks of pairs that some row sees.
  TileBuilder::emitZeros(sums, rowwise);
  Value allBias = collapse(bias), allDelta = collapse(delta);
  listBlocks(op, b, all, /*ofRows=*/false, own, block, /*heads=*/1,
             /*cutsRows=*/false, rowwise);
  {
    OpBuilder::InsertionGuard guard(b);
    SmallVector<Value> sizes = {
        asValue(has(CaptureReads::Batch) ? batches : one),
        asValue(has(CaptureReads::Head) ? heads : one),
        asValue(getSize(op.getQuery(), 2))};
    // The number of combinations of batch entry and head over which a program
    // sums. A dimension that the captured array has is not summed, and counts
    // as 1.
    Value times =
        b.muliOrFold(asValue(has(CaptureReads::Batch) ? one : batches),
                     asValue(has(CaptureReads::Head) ? one : heads));
    auto grid = createGridOf(op, sizes, {1, 1, own}, schedule);
    auto place = enter(grid);
    Value row = place[2];
    auto emitTiles = [&](Value batch, Value head) {
      SequenceView at = enterBatch(op, b, all, batch);
      Value kvHead = getKvHead(op, b, head);
      ScoreTile tile = loadRowTile(at, head, kvHead, row, allBias, allDelta);
      Value isReal =
          findRealRows(getSize(op.getQuery(), 2), at.numRows, row, own);
      auto emitBlock = [&](Value position, Value partial, ValueRange) {
        loadKeys(tile, kvHead, position, partial);
        auto [scores, tiles] = emitScores(tile, gradient.derivative);
        auto [probabilities, ofResult] = emitGradient(tile, scores);
        Value term = applyDerivative(ofResult, probabilities, tiles.front());
        RankedTensorType type = f32Tile({own, block});
        if (isReal)
          term = b.select(broadcast(isReal, 1, type.getShape()), term,
                          splat(type, 0.0));
        SmallVector<Value> indices;
        for (CaptureReads::Position position : reads.dims)
          if (position != CaptureReads::One)
            indices.push_back(
                ArrayRef<Value>{batch, head, row, tile.key}[position]);
        store(adds ? term : round(term, element), sums, indices, adds);
        return SmallVector<Value>();
      };
      loopOverBlocks(createKeyDomain(op, b, at, head, row, own, block), {},
                     emitBlock);
    };
    auto overAll = [&](bool isKept, Value own, OpFoldResult count,
                       function_ref<void(Value)> emit) {
      if (isKept || isOneInteger(count))
        return emit(own);
      auto loop = scf::ForOp::create(b, b.index(0), asValue(count), b.index(1));
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(loop.getBody());
      emit(loop.getInductionVar());
    };
    overAll(has(CaptureReads::Batch), place[0], batches, [&](Value batch) {
      overAll(has(CaptureReads::Head), place[1], heads,
              [&](Value head) { emitTiles(batch, head); });
    });
    describePrograms(b, grid, findSharedDims(op, grid), getKeyBytes(), times);
  }
  if (sums == out)
    return;
  OpBuilder::InsertionGuard guard(b);
  int64_t rows = rowwise.getTileQ();
  constexpr int64_t kColumns = 64;
  SmallVector<Value> sizes = getSizes(sums);
  size_t rank = sizes.size();
  SmallVector<int64_t> steps(rank, 1);
  steps[rank - 2] = rows;
  steps[rank - 1] = kColumns;
  auto place = enter(attn_tile::GridOp::create(b, sizes, steps, rowwise));
  store(round(load(sums, {rows, kColumns}, place), element), out, place);
}
