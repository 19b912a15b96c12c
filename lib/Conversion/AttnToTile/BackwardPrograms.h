//===- BackwardPrograms.h - Gradients as tile programs ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H

#include "ProgramBuilder.h"

#include "attn/Dialect/Attn/IR/CaptureReads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {

/// A tile of scores and what its gradients are made of. Rows are along
/// `rowAxis`, keys along the other axis.
struct ScoreTile {
  int64_t rowAxis;
  /// Of the first row and key; `head` is a query head.
  Value batch, head, row, key;
  /// Whether some pairs of it may be masked, an i1.
  Value partial;
  Value queryTile, keyTile, valueTile, dOutputTile;
  /// Of rows: exponents are scores less the bias.
  Value bias, delta;
  /// What dropout keeps, or null.
  Value keep;
};

class BackwardPrograms : ProgramBuilder {
public:
  BackwardPrograms(AttentionBackwardOp op, OpBuilder &builder)
      : ProgramBuilder(op, builder), op(op), schedule(op.getScheduleAttr()),
        own(schedule.getTileQ()), block(schedule.getTileKv()),
        scale(op.getScaleValue()) {}

  LogicalResult emit();

private:
  using Body = function_ref<void(Value batch, Value head, Value position)>;

  /// Over all rows of an array.
  void emitRowwise(Value like, Body body);
  /// Over rows, or keys, of sequences; of so many heads, or those of the array.
  attn_tile::GridOp emitGrid(bool ofKeys, Value like, int64_t step,
                             TileSizesAttrInterface schedule, Body body,
                             OpFoldResult heads = {});
  bool isPacked() { return !op.getPacked().empty(); }
  /// An array's rows of the program's sequence, and those that count.
  Value ofSequence(Value array) {
    return isPacked() ? slice(array, sequenceRow, numRows) : array;
  }
  Value ofRealRows(Value array) {
    return op.isRagged() ? slice(array, sequenceRow, numRows) : array;
  }
  /// A sequence's units of vectors of rows; none for an entry of no tile.
  Value ofUnits(Value all);
  /// A row's place in vectors of rows.
  Value placeInVectors(Value row);
  void emitZeros(Value out);
  /// Of f32, row by row.
  Value createWorkspace(ArrayRef<OpFoldResult> sizes) {
    workspace.push_back(allocate(sizes, b.getF32Type()));
    return workspace.back();
  }
  void createRowVectors();
  void createSums();
  void emitRows();
  LogicalResult deriveRegion();
  LogicalResult findCaptures();
  /// Of a captured number, or of an array that the region reads: the gradient,
  /// and the region's derivative with respect to it.
  struct CaptureGradient {
    std::optional<CaptureReads> reads;
    Value out, derivative;
  };
  void addGradient(CaptureGradient gradient);
  /// The gradient of an array that is read at computed places.
  struct TableGradient {
    CaptureReads reads;
    Value out;
    /// Each read has the region's derivative with respect to it, and the number
    /// of the element that it reads.
    SmallVector<Value> derivatives, elements;
    int64_t numElements;
  };
  void addTable(const CaptureReads &reads, Value out,
                ArrayRef<Value> derivatives);
  void emitTableGradient(const TableGradient &table);
  void emitPairGradient(const CaptureGradient &gradient);
  void skipRowsWithoutKeys();
  void beginAtFirstRow();
  void emitRowGradients(Value dQuery, ArrayRef<CaptureGradient> sums);
  void divideGroup();
  Value getHeadOfPart(Value head);
  Value isDivided();
  Value createKeySums(Value out, int64_t columns, double factor);
  void emitKeyRounding();
  void emitKeyGradients(Value dKey, Value dValue,
                        TileSizesAttrInterface ofGrid);
  bool hasRoomForProbabilities();
  SmallVector<Value> placeInSums(RankedTensorType tile, Value batch, Value head,
                                 Value first);
  void addQueryGradient(const ScoreTile &tile, Value dScores);
  void emitRounding();
  /// Of all rows of `like`, f32 sums as a gradient.
  void roundSums(Value like, Value sums, int64_t columns, Value out,
                 OpFoldResult length, double factor);

  Value loadRows(Value array, int64_t count, int64_t width, Value batch,
                 Value head, Value position) {
    return load(array, {count, width}, {batch, head, position, zero});
  }
  /// Query and d_output, in the type that MMAs take, whatever that of d_output
  /// is.
  void loadQueries(ScoreTile &tile, int64_t count) {
    auto load = [&](Value array, int64_t width) {
      return loadRows(ofRealRows(array), count, width, tile.batch, tile.head,
                      tile.row);
    };
    tile.queryTile = load(query, headDim);
    tile.dOutputTile = round(load(dOutput, valueHeadDim), inputType);
  }
  /// The tile of a program of rows that begins at `row`, with its queries and
  /// with what it has of the vectors of all rows. It has no keys yet.
  ScoreTile loadRowTile(Value batch, Value head, Value row, Value allBias,
                        Value allDelta);
  /// Loads the block of keys and values at `position` into a tile of such a
  /// program.
  void loadKeys(ScoreTile &tile, Value kvHead, Value position, Value partial);
  /// Of a block of the rows that a program goes over.
  Value loadVector(Value blocks, Value batch, Value head, Value row) {
    Value number =
        asValue(apply(dim(0).floorDiv(block), {placeInVectors(row)}));
    return attn_tile::LoadOp::create(b, f32Tile({block}), blocks,
                                     ValueRange{batch, head, number, zero},
                                     /*ahead=*/true);
  }
  /// As one dimension, whose length is a multiple of both tiles' rows.
  Value collapse(Value blocks) {
    return memref::CollapseShapeOp::create(
        b, blocks, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  }
  Value emitMask(const ScoreTile &tile, Value scores, const ScorePlace &place);
  std::pair<Value, SmallVector<Value>> emitScores(ScoreTile &tile,
                                                  ArrayRef<Value> wanted);
  Value emitProbabilities(const ScoreTile &tile, Value scores);
  /// Whether scores are rounded before the lse is subtracted, as the forward
  /// program's largest one was: their difference is exact then, however large
  /// both are. Of 16-bit inputs scores are in units of log2, and the difference
  /// is one instruction with their scale, whose error is an ulp of the score.
  bool roundsScores() { return inputType.isF32(); }
  Value emitProbabilityGradient(const ScoreTile &tile);
  Value emitResultGradient(const ScoreTile &tile, Value probabilities,
                           Value dProbabilities);
  Value applyDerivative(Value gradient, Value probabilities, Value derivative);
  Value clearEmptyRows(Value rows, Value lse);
  Value copyKeptRows(Value array, int64_t width);
  Value sumPairs(const ScoreTile &tile, Value gradient);
  void storeGradient(Value gradient, Value out, OpFoldResult length,
                     double factor, ValueRange place);

  AttentionBackwardOp op;
  TileSizesAttrInterface schedule;
  /// Rows or keys that a program has, and those that it goes over at a time.
  int64_t own, block;
  double scale;
  /// What the score region yields, and its derivative with respect to the
  /// score, or null.
  Value score, derivative;
  /// By their numbers among captures that have a gradient: how arrays are read,
  /// and none for numbers.
  SmallVector<std::optional<CaptureReads>> reads;
  /// Gradients that are a number for each pair, and those that are sums of all
  /// pairs of some rows.
  SmallVector<CaptureGradient> ofPairs, ofRows;
  SmallVector<TableGradient, 1> tables;
  /// The row before which the mask leaves no key.
  OpFoldResult firstRow;
  Value zero;
  /// Memory that is freed behind all programs.
  SmallVector<Value> workspace;
  /// Arrays of the rows that count.
  Value query, output, dOutput, lse, dLse;
  /// As dOutput, of none where there are none.
  Value rowsOfDOutput;
  /// Rows of whole blocks of those, and of rowwise programs.
  int64_t unit = 0;
  /// Workspace: numbers of rows, in blocks, and what is added up of d_query.
  Value bias, delta, querySums;
  /// Query heads of a group that a program goes through, and how many programs
  /// there are for a group; or null.
  Value headsOfPart, partsOfGroup;
  /// What they add to then, and what becomes of it.
  struct KeySums {
    Value sums, out;
    int64_t columns;
    double factor;
  };
  SmallVector<KeySums> keySums;
  /// Whether programs of keys read rows with nothing to attend to as zeros.
  bool copiesKeptRows = false;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H
