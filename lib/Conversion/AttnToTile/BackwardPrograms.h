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

/// A tile of scores, with the tiles and vectors from which its gradients are
/// computed. Rows are along axis `rowAxis`, keys along the other axis.
struct ScoreTile {
  int64_t rowAxis;
  SequenceView at;
  /// Positions of the first row and key; `head` is a query head.
  Value head, row, key;
  /// Whether some pairs of the tile may be masked, an i1.
  Value partial;
  Value queryTile, keyTile, valueTile, dOutputTile;
  /// The tiles of 8 bits whose product are the scores, in place of queryTile
  /// and keyTile, or null. That product times `narrowFactor`, an f32 number,
  /// are the scores as emitScores scales them; null for the op's scale alone.
  Value narrowQueryTile, narrowKeyTile, narrowFactor;
  /// Vectors with a number for each row. `bias` is the lse, which is subtracted
  /// from scores before exp, in units of log2 unless roundsScores(); `delta` is
  /// the sum of output times d_output.
  Value bias, delta;
  /// With narrow_products: the tile of numbers to which d_output is rounded,
  /// and the vector by which its product with values is multiplied, or null.
  Value roundedTile, roundedScales;
  /// The pairs that dropout keeps, a tile of i1, or null.
  Value keep;
};

class BackwardPrograms : ProgramBuilder {
public:
  /// `narrow` is the op before its arrays of 8 bits were copied, or null.
  BackwardPrograms(AttentionBackwardOp op, OpBuilder &builder,
                   AttentionBackwardOp narrow = {})
      : ProgramBuilder(op, builder), op(op), narrow(narrow),
        schedule(op.getScheduleAttr()), own(schedule.getTileQ()),
        block(schedule.getTileKv()), scale(op.getScaleValue()) {
    copiesKeptRows = mustCopyKeptRows();
  }

  LogicalResult emit();
  /// Whether 8-bit MMAs multiply the rounded d_output by the numbers that value
  /// stores.
  bool multipliesNarrowValues();

private:
  using Body =
      function_ref<void(const SequenceView &at, Value head, Value position)>;

  /// Emits a grid over the batch entries, heads and rows of `like`, in tiles of
  /// the rowwise schedule, whose programs `body` emits.
  void
  emitRowwise(Value like,
              function_ref<void(Value batch, Value head, Value position)> body);
  /// Emits a grid of tiles of `step` rows (with `ofKeys`, keys) of all batch
  /// entries or packed sequences, and of `heads` heads, or those of `like` if
  /// null. `body` emits the program of a tile.
  attn_tile::GridOp emitGrid(bool ofKeys, Value like, int64_t step,
                             TileSizesAttrInterface schedule, Body body,
                             OpFoldResult heads = {});
  /// Returns the packed sequence's part of a row vector, which is whole units
  /// of `unit` rows; without packed sequences, the vector. The part is empty
  /// where the list of tiles has an unused entry.
  Value ofUnits(const SequenceView &at, Value vector);
  /// Returns the index in row vectors of row `row` of the view: for packed
  /// sequences, plus `unit` times the sequence's first unit.
  Value placeInVectors(const SequenceView &at, Value row);
  bool mayMultiplyNarrow();
  void loadNarrowKeys(ScoreTile &tile, Value kvHead);
  Value readNarrowFactor(const SequenceView &at, Value head, Value kvHead);
  void emitZeros(Value out);
  /// Allocates f32 memory that is freed after all grids.
  Value createWorkspace(ArrayRef<OpFoldResult> sizes) {
    workspace.push_back(allocate(sizes, b.getF32Type()));
    return workspace.back();
  }
  bool mustCopyKeptRows();
  void createRowVectors();
  void createRounded();
  Value findRoundingScales(
      int64_t rows, function_ref<void(function_ref<void(Value)>)> forEachPanel);
  Value storeRounded(Value tile, Value scales, Value array, ValueRange place);
  Value scaleByValue(Value scales, const SequenceView &at, Value head);
  void createSums();
  Value subtractMean(Value panel, Value batch, Value head, Value column);
  void emitRows();
  LogicalResult deriveRegion();
  LogicalResult findCaptures();
  /// The gradient `out` of a captured scalar (`reads` is then none), or of a
  /// captured array that the region reads at row or key, and the region's
  /// derivative with respect to what it reads.
  struct CaptureGradient {
    std::optional<CaptureReads> reads;
    Value out, derivative;
  };
  void addGradient(CaptureGradient gradient);
  /// The gradient of a captured array that the region reads at computed
  /// indices.
  struct TableGradient {
    CaptureReads reads;
    Value out;
    /// For each read of the array: the region's derivative with respect to what
    /// it reads, and the flat index of the element.
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
  /// A part of the problem whose P and dS are in memory at the same time:
  /// `numHeads` heads of keys from `firstHead` on, counted through all batch
  /// entries, and of each the `numKeys` keys from `firstKey` on.
  struct Section {
    Value firstHead, numHeads, firstKey, numKeys;
  };
  /// The program's head of keys, and its view of that head's batch entry.
  struct SectionPlace {
    SequenceView at;
    Value kvHead;
  };
  void emitStoredGradients();
  void emitSection(const Section &section, Value dQuery);
  SectionPlace enterSection(const Section &section, Value number);
  SmallVector<Value> placeStored(Value head, Value number, Value row,
                                 Value key);
  Value getQueryHead(Value kvHead, Value number);
  Interval boundKeysOfTile(const SequenceView &at,
                           std::optional<MaskRanges> &ranges, Value row,
                           Value first, Value last);
  void emitStoredScores(const Section &section);
  void emitKeyProduct(const Section &section, Value scores, Value rows,
                      Value out, double factor);
  void emitQueryProduct(const Section &section, Value out);
  void roundStoredSums(Value out);
  void storeQueryGradient(const SequenceView &at, Value gradient, Value out,
                          ArrayRef<Value> place);
  SmallVector<Value> placeInSums(RankedTensorType tile, const SequenceView &at,
                                 Value head, Value first);
  void addQueryGradient(const ScoreTile &tile, Value dScores);
  void emitRounding();
  /// Emits a grid that multiplies the f32 sums by `factor` and stores them,
  /// rounded, as the gradient `out`, for all rows of `like`; rows from `length`
  /// on get zeros.
  void roundSums(Value like, Value sums, int64_t columns, Value out,
                 OpFoldResult length, double factor);

  Value loadRows(Value array, int64_t count, int64_t width, Value batch,
                 Value head, Value position) {
    return load(array, {count, width}, {batch, head, position});
  }
  /// Loads the tiles of query and d_output: the tile for the product with
  /// values `ofScores`, and the one for d_value `ofValues`, which are the same
  /// unless d_output is rounded. d_output is rounded to the element type that
  /// MMAs multiply.
  void loadQueries(ScoreTile &tile, int64_t count, bool ofScores,
                   bool ofValues) {
    auto load = [&](Value array, int64_t width) {
      return loadRows(realRowsOf(tile.at, array), count, width,
                      tile.at.arrayBatch, tile.head, tile.row);
    };
    tile.queryTile = load(query, headDim);
    if (narrowQuery)
      tile.narrowQueryTile = load(narrowQuery, getNarrowColumns());
    if (ofValues || !roundedRows)
      tile.dOutputTile = round(load(dOutput, valueHeadDim), inputType);
    if (ofScores && roundedRows)
      tile.roundedTile = load(roundedRows, getValueColumns());
  }
  /// The columns of tiles of values and of the rounded d_output.
  int64_t getValueColumns() {
    return multipliesNarrow ? llvm::alignTo<32>(op.getValueHeadDim())
                            : valueHeadDim;
  }
  /// The columns of tiles of 8 bits: a multiple of what an 8-bit MMA adds up.
  int64_t getNarrowColumns() { return llvm::alignTo<32>(op.getHeadDim()); }
  /// Loads the tile of a program of rows that begins at `row`: its queries, its
  /// d_output and its part of the vectors of all rows. It has no keys yet.
  ScoreTile loadRowTile(const SequenceView &at, Value head, Value row,
                        Value allBias, Value allDelta);
  /// Sets the tile's keys: loads the block of keys and values at `position` in
  /// a program of rows.
  void loadKeys(ScoreTile &tile, Value kvHead, Value position, Value partial);
  /// Loads the part of a row vector that belongs to the tile's block of rows,
  /// in a program of keys.
  Value loadVector(Value blocks, const ScoreTile &tile) {
    Value number = asValue(
        apply(dim(0).floorDiv(block), {placeInVectors(tile.at, tile.row)}));
    return attn_tile::LoadOp::create(
        b, f32Tile({block}), blocks,
        completePosition(blocks, {tile.at.arrayBatch, tile.head, number}),
        /*ahead=*/true);
  }
  /// Returns a view of a row vector, which is stored as blocks x rows of a
  /// block, with one dimension for all rows. Its length is a multiple of the
  /// rows of both kinds of tiles.
  Value collapse(Value blocks) {
    return memref::CollapseShapeOp::create(
        b, blocks, ArrayRef<ReassociationIndices>{{0}, {1}, {2, 3}});
  }
  Value emitMask(const ScoreTile &tile, Value scores, const ScorePlace &place);
  Value multiply(const ScoreTile &tile, Value ofRows, Value ofKeys);
  std::pair<Value, SmallVector<Value>> emitScores(ScoreTile &tile,
                                                  ArrayRef<Value> wanted);
  std::pair<Value, SmallVector<Value>>
  scaleScores(ScoreTile &tile, Value scores, ArrayRef<Value> wanted);
  Value emitProbabilities(const ScoreTile &tile, Value scores);
  /// Whether scores are rounded before the lse is subtracted, as for f32
  /// inputs. The forward program rounded the row's largest score in the same
  /// way, so the difference is exact, however large both are. With 16-bit
  /// inputs, scores are in units of log2 instead, and one instruction scales
  /// them and subtracts; its error is an ulp of the score.
  bool roundsScores() { return inputType.isF32(); }
  Value emitProbabilityGradient(const ScoreTile &tile);
  Value dropProduct(const ScoreTile &tile, Value product);
  Value scaleRows(const ScoreTile &tile, Value product);
  Value emitResultGradient(const ScoreTile &tile, Value probabilities,
                           Value dProbabilities);
  /// Returns the probabilities, and the gradient with respect to the score that
  /// the region yields (without a region, to the score).
  std::pair<Value, Value> emitGradient(const ScoreTile &tile, Value scores) {
    Value probabilities = emitProbabilities(tile, scores);
    Value dProbabilities = scaleRows(tile, emitProbabilityGradient(tile));
    return {probabilities,
            emitResultGradient(tile, probabilities, dProbabilities)};
  }
  Value applyDerivative(Value gradient, Value probabilities, Value derivative);
  Value clearEmptyRows(Value rows, Value lse);
  Value copyKeptRows(Value array, int64_t width);
  Value sumPairs(const ScoreTile &tile, Value gradient);
  void storeGradient(Value gradient, Value out, OpFoldResult length,
                     double factor, ValueRange place);

  AttentionBackwardOp op, narrow;
  TileSizesAttrInterface schedule;
  /// The number of rows or keys of a program's own tile, and that of the keys
  /// or rows of each block that it visits.
  int64_t own, block;
  double scale;
  /// The value that the score region yields, and its derivative with respect to
  /// the score that it gets; null without a region.
  Value score, derivative;
  /// For each capture that needs a gradient, how the region reads it; none for
  /// a captured scalar.
  SmallVector<std::optional<CaptureReads>> reads;
  /// Gradients of captures with an element for each pair of row and key, and
  /// those with a sum over all keys for each row.
  SmallVector<CaptureGradient> ofPairs, ofRows;
  SmallVector<TableGradient, 1> tables;
  /// The first row that may see a key, by the mask's diagonals.
  OpFoldResult firstRow;
  /// The view of the rows and keys of all batch entries. From beginAtFirstRow()
  /// on, its rows begin at firstRow.
  SequenceView all;
  /// Memory that is freed after all programs.
  SmallVector<Value> workspace;
  /// Arrays, limited to the rows that count.
  Value query, output, dOutput, lse, dLse;
  /// The query of 8 bits, likewise limited, if 8-bit MMAs compute scores.
  Value narrowQuery;
  /// d_output of the valid rows; it has no rows if none is valid.
  Value rowsOfDOutput;
  /// The least common multiple of the rows of a program's block and of a
  /// row-wise program's tile. The vectors of lse and delta have a multiple of
  /// it for each sequence.
  int64_t unit = 0;
  /// Workspace: the vectors of lse (see ScoreTile::bias) and delta, in blocks,
  /// and the f32 sums of d_query, which are null if programs add none.
  Value bias, delta, querySums;
  /// With narrow_products, workspace, too: the vector of the scales of rows of
  /// d_output, times the scale of values if these are not multiplied by it, and
  /// the numbers to which these rows are rounded, of 8 bits if
  /// MMAs multiply these (`multipliesNarrow`).
  Value roundedScales, roundedRows;
  bool multipliesNarrow = false;
  /// The number of query heads of a group that each program goes through, and
  /// the number of programs that share a group; null if one program goes
  /// through all heads.
  Value headsOfPart, partsOfGroup;
  /// The f32 sums of d_key or d_value, to which the programs that share a group
  /// of query heads add, and the gradient `out`, to which they are rounded
  /// after multiplication by `factor`.
  struct KeySums {
    Value sums, out;
    int64_t columns;
    double factor;
  };
  SmallVector<KeySums> keySums;
  /// P and dS of a section, each of the shape: query heads, tiles of keys,
  /// rows, keys of a tile. Null if no gradient needs them.
  Value storedProbabilities, storedScores;
  /// The number of query heads of a group; and an i1, or null for no: whether
  /// several sections have keys of the same head. These then add d_query to
  /// `querySums`.
  Value groupSize, dividesKeys;
  /// Whether programs of keys read copies of query and d_output in which rows
  /// that attend to nothing are zeros.
  bool copiesKeptRows = false;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H
