//===- BackwardPrograms.h - Gradients as tile programs ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H

#include "GradientScales.h"
#include "ScoreTile.h"

#include "attn/Dialect/Attn/IR/CaptureReads.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::attn {

class BackwardPrograms : GradientScales {
public:
  /// `stored` is the original op with arrays of 8 bits, if `op` reads copies of
  /// these in 16 bits; else it is `op`.
  BackwardPrograms(AttentionBackwardOp op, OpBuilder &builder,
                   AttentionBackwardOp stored)
      : GradientScales(op, builder, stored), op(op),
        schedule(op.getScheduleAttr()), own(schedule.getTileQ()),
        block(schedule.getTileKv()), scale(op.getScaleValue()) {
    copiesKeptRows = mustCopyKeptRows();
    multipliesStored = mayMultiplyStored();
  }

  LogicalResult emit();
  /// Whether 8-bit MMAs compute dP from the 8-bit values, as they are stored,
  /// and from d_output rounded to 8 bits.
  bool multipliesNarrowValues();
  using GradientScales::multipliesStored;

private:
  using Body =
      function_ref<void(const SequenceView &at, Value head, Value position)>;

  /// Emits a grid over the batch entries, heads and rows of `like`, in tiles of
  /// the rowwise schedule. `body` emits the grid's program.
  void
  emitRowwise(Value like,
              function_ref<void(Value batch, Value head, Value position)> body);
  /// Emits a grid over tiles of `step` rows (with `ofKeys`, `step` keys) of all
  /// batch entries or packed sequences, and over `heads` heads; if `heads` is
  /// null, over the heads of `like`. `body` emits the program of a tile.
  attn_tile::GridOp emitGrid(bool ofKeys, Value like, int64_t step,
                             TileSizesAttrInterface schedule, Body body,
                             OpFoldResult heads = {});
  /// Returns a view of the part of a vector of rows (lse or delta, say) that
  /// belongs to the packed sequence, a whole number of units of `unit` tokens;
  /// without packed sequences, the vector. The part is empty if the program has
  /// an unused entry of the list of tiles.
  Value ofUnits(const SequenceView &at, Value vector);
  /// Returns the index of token `row` among those of vectors such as lse and
  /// delta. In packed sequences, this is `row` plus `unit` times the index of
  /// the sequence's first unit.
  Value placeInVectors(const SequenceView &at, Value row);
  void joinRows();
  Value getHeadTiles();
  /// Whether emitRows() writes all rows of all blocks: whether all rows of a
  /// block belong to heads, and a program's rows are those of whole blocks.
  bool coversBlocks() {
    return ofBlock.heads == 1 ||
           (ofBlock.heads * ofBlock.tokens == block &&
            (isPacked(op) ||
             schedule.getRowwise().getTileQ() % ofBlock.tokens == 0));
  }
  std::pair<Value, Value> findInVectors(Value heads, Value tokens);
  void storeToVector(Value tile, Value vector, const SequenceView &at,
                     Value head, Value row, Value column = {});
  Value gatherSums(RankedTensorType type, const SequenceView &at, Value head,
                   Value row);
  Value clearRowsOfNone(const ScoreTile &tile, Value scores);
  bool mayMultiplyStored();
  void loadNarrowKeys(ScoreTile &tile, Value kvHead);
  /// Reads the scale that all tokens of a head share. Returns null if the array
  /// has no scale.
  Value readHeadScale(Extra which, Value batch, Value head);
  void enterScales(ScoreTile &tile, Value kvHead);
  void loadKeyScales(ScoreTile &tile, Value kvHead, int64_t count);
  Value multiplyByScale(Value factors);
  std::pair<Value, Value> gatherQueryScales(const SequenceView &at, Value head,
                                            Value row, int64_t count);
  Value scaleProducts(const ScoreTile &tile, Value products);
  Value scaleGradient(const ScoreTile &tile, Value gradient, bool ofKeys);
  /// Whether scaleGradient() returns other tiles for d_query than for d_key.
  bool hasTwoGradients() {
    return scalesAddends(Extra::QueryScale) || scalesAddends(Extra::KeyScale);
  }
  Value scaleSums(Value sums, Gradients of, Value batch, Value head);
  void emitZeros(Value out);
  Value createWorkspace(ArrayRef<OpFoldResult> sizes) {
    return allocate(sizes, b.getF32Type());
  }
  bool mustCopyKeptRows();
  void createRowVectors();
  /// Whether the operands of products for gradients are rounded to 8 bits, too:
  /// P, dS, and d_output for d_value.
  bool roundsOperands() {
    return op.getNarrowProducts() == NarrowProducts::All;
  }
  void createRounded(ArrayRef<OpFoldResult> ofVectors);
  Value findRoundingScales(
      int64_t rows, function_ref<void(function_ref<void(Value)>)> forEachPanel);
  Value storeRounded(Value tile, Value scales, const SequenceView &at,
                     ValueRange place);
  Value roundOperand(Value tile);
  Value scaleByValue(Value scales, const SequenceView &at, Value head);
  void createSums();
  Value subtractMean(Value panel, Value batch, Value head, Value column);
  void emitRows();
  LogicalResult deriveRegion();
  LogicalResult findCaptures();
  /// A gradient that is computed for a captured scalar, or for a captured array
  /// that the region indexes only by positions (batch entry, head, row, key).
  /// `reads` says how the region reads the array, and is std::nullopt for a
  /// scalar. `out` is where the gradient is stored, and `derivative` the
  /// region's derivative with respect to what it reads.
  struct CaptureGradient {
    std::optional<CaptureReads> reads;
    Value out, derivative;
  };
  void addGradient(CaptureGradient gradient);
  /// The gradient of a captured array that the region reads at computed indices
  /// (a table).
  struct TableGradient {
    CaptureReads reads;
    Value out;
    /// For each of the region's reads of the array: the region's derivative
    /// with respect to the result of the read, and the flat index of the
    /// element read.
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
  void storeRowGradient(Value gradient, Value out, const SequenceView &at,
                        Value head, Value row, Value column = {});
  void divideGroup();
  Value getHeadOfPart(Value head);
  Value isDivided();
  Value createKeySums(Value out, int64_t columns, Gradients of);
  void emitKeyRounding();
  void emitKeyGradients(Value dKey, Value dValue,
                        TileSizesAttrInterface ofGrid);
  bool hasRoomForProbabilities();
  /// A part of the problem whose P and dS are in memory at the same time. It
  /// consists of `numHeads` key heads from `firstHead` on, counted through all
  /// batch entries, and of the `numKeys` keys from `firstKey` on of each of
  /// these heads, or of each packed sequence.
  struct Section {
    Value firstHead, numHeads, firstKey, numKeys;
  };
  /// The number of all key heads and of all keys of a head, how many of each a
  /// section has, and whether a section is known to have all keys.
  struct Sections {
    Value heads, headsOfSection, keys, keysOfSection;
    bool isOneOfKeys;
  };
  /// If sequences are packed, the lists of a section's tiles of keys and of
  /// rows.
  PackedTiles sectionKeys, sectionRows;
  /// The list of a section's pairs of tiles for which P and dS are stored, and
  /// two i32 arrays: the number of listed pairs of each of the section's tiles
  /// of rows, and what findStoredPairs() returns for each tile of rows and tile
  /// of keys. Null if P and dS of all pairs of tiles are stored.
  PackedTiles storedPairs;
  Value pairsOfRows, kindsOfPairs;
  /// The tile of a section that a program computes: the key head's index in the
  /// section, the key head itself, and the view of its batch entry; the index
  /// of the query head (of the tile of heads, see `ofTile`) in the key head's
  /// group, and the (first) query head itself; the tile's first row, first key
  /// (in its sequence and in the section) and first column. Positions along
  /// which the program's grid has no dimension are null. Of listed pairs, also
  /// whether the list's entry is used and, if there are lists of blocks,
  /// whether no pair of the tile is masked. Of rows, their number among the
  /// section's tiles of rows.
  struct StoredTile {
    SequenceView at;
    Value number, kvHead, inGroup, head, row, key, localKey, column;
    Value isUsed, isFull, numberOfRows;
  };
  void emitStoredGradients();
  bool numbersPairs();
  std::optional<int64_t> getConstantDiagonal();
  Sections planSections(int64_t bytesOfPair,
                        SmallVectorImpl<OpFoldResult> &memory);
  static int64_t getTileColumns(int64_t columns);
  void emitSections(const Sections &all, Value dQuery);
  void emitSection(const Section &section, Value dQuery);
  StoredTile createStoredGrid(const Section &section, TilesOf kind,
                              Value out = {});
  void enterSection(const Section &section, StoredTile &tile);
  bool listsPairs();
  bool keepsKinds();
  void createPairList(Value numTiles);
  StoredTile createRowTileGrid(const Section &section);
  Value numberRowTile(Value queryHead, Value row);
  bool listsByRanges();
  Value isKeptByRanges(const SequenceView &at, Value head, Value row,
                       Value key);
  Value findStoredPairs(const Section &section, const StoredTile &tile,
                        Value from);
  Value getSectionKeys(const Section &section, Value from);
  void listStoredPairs(const Section &section);
  StoredTile createListedGrid(const Section &section);
  SmallVector<Value> placeStored(const Section &section, const StoredTile &tile,
                                 Value inGroup, Value row, Value localKey);
  Value getQueryHead(Value kvHead, Value number);
  Value getFirstHead(Value tileOfHeads);
  OpFoldResult placeOfToken(OpFoldResult token);
  OpFoldResult countTokens();
  Interval boundKeysOfTile(const SequenceView &at,
                           MutableArrayRef<MaskRanges> ranges, Value row,
                           Value first, Value last);
  void emitStoredScores(const Section &section);
  void emitKeyProduct(const Section &section, Value scores, Value rows,
                      Gradients of);
  void emitQueryProduct(const Section &section, Value out);
  void roundStoredSums(Value out);
  SmallVector<Value> placeInSums(RankedTensorType tile, Value batch, Value head,
                                 Value first);
  void addQueryGradient(const ScoreTile &tile, Value dScores);
  void emitRounding();
  /// Emits a grid that multiplies the f32 sums by their factors (scaleSums()),
  /// rounds them and stores them as the gradient `out`, for all rows of `like`.
  /// Rows from `length` on get zeros.
  void roundSums(Value like, Value sums, int64_t columns, Value out,
                 OpFoldResult length, Gradients of);

  Value loadRows(Value array, int64_t count, int64_t width, Value batch,
                 Value head, Value position) {
    return load(array, {count, width}, {batch, head, position});
  }
  /// Loads the `count` rows of the array that the tile's rows stand for.
  Value loadOwnRows(const ScoreTile &tile, Value array, int64_t count,
                    int64_t width) {
    if (!tile.at.packing)
      return loadRows(array, count, width, tile.at.arrayBatch, tile.head,
                      tile.row);
    return loadHeads(b, array, tile.rowAxis == 0 ? ofTile : ofBlock,
                     {count, width}, tile.at.arrayBatch, tile.head, tile.row,
                     /*clears=*/true);
  }
  /// Loads the tiles of query and d_output. d_output is needed for two
  /// products: the product with values (`ofScores`) and that for d_value
  /// (`ofValues`). Both use the same tile, rounded to the element type that
  /// MMAs multiply, unless narrow_products gives the first one a tile that was
  /// rounded to 8 bits.
  void loadQueries(ScoreTile &tile, int64_t count, bool ofScores,
                   bool ofValues) {
    auto load = [&](Value array, int64_t width) {
      return loadOwnRows(tile, realRowsOf(op, b, tile.at, array), count, width);
    };
    tile.queryTile = load(query, headDim);
    if (narrowQuery)
      tile.narrowQueryTile = load(narrowQuery, getNarrowColumns());
    if (ofValues || !roundedRows)
      tile.dOutputTile = round(load(dOutput, valueHeadDim), inputType);
    if (ofScores && roundedRows)
      tile.roundedTile = load(roundedRows, getValueColumns());
  }
  /// The number of columns of tiles of values and of the rounded d_output.
  int64_t getValueColumns() {
    return multipliesNarrow ? llvm::alignTo<32>(op.getValueHeadDim())
                            : valueHeadDim;
  }
  /// The number of columns of 8-bit tiles: a multiple of 32, the number that an
  /// 8-bit MMA takes along K.
  int64_t getNarrowColumns() { return llvm::alignTo<32>(op.getHeadDim()); }
  /// Loads the tile of rows of a program that visits keys: the tile's queries,
  /// its d_output and its part of the vectors lse and delta. The tile begins at
  /// `row`, and gets its keys from loadKeys().
  ScoreTile loadRowTile(const SequenceView &at, Value head, Value kvHead,
                        Value row, Value allBias, Value allDelta);
  /// Loads the block of keys and values that begins at key `position` into the
  /// tile. For programs that have a tile of rows and visit keys.
  void loadKeys(ScoreTile &tile, Value kvHead, Value position, Value partial);
  /// Loads the part of a vector of rows (lse or delta, say) that belongs to the
  /// tile's block of rows. For programs that have a tile of keys and visit
  /// rows.
  Value loadVector(Value blocks, const ScoreTile &tile) {
    Value number = asValue(apply(dim(0).floorDiv(ofBlock.tokens),
                                 {placeInVectors(tile.at, tile.row)}));
    Value heads = asValue(apply(dim(0).floorDiv(ofBlock.heads), {tile.head}));
    return attn_tile::LoadOp::create(
        b, f32Tile({block}), blocks,
        completePosition(blocks, {tile.at.arrayBatch, heads, number}),
        /*ahead=*/true);
  }
  /// Returns a view, with one dimension for all rows, of a vector of rows that
  /// is stored as blocks x rows of a block. If blocks have rows of one head,
  /// the vector is padded, so that its number of rows is a multiple both of the
  /// rows of a block and of those of a rowwise program's tile.
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
  /// Whether scores are rounded before the lse is subtracted, which is so for
  /// f32 inputs. The forward program rounds the row's largest score in the same
  /// way, so the difference is exact, however large both numbers are. With
  /// 16-bit inputs, scores are instead in units of log2, and one fused
  /// instruction scales and subtracts; its error is an ulp of the score.
  bool roundsScores() { return inputType.isF32(); }
  Value emitProbabilityGradient(const ScoreTile &tile);
  Value dropProduct(const ScoreTile &tile, Value product);
  Value scaleDProbabilities(const ScoreTile &tile, Value product);
  Value emitResultGradient(const ScoreTile &tile, Value probabilities,
                           Value dProbabilities);
  /// Returns the probabilities, and the gradient with respect to the score that
  /// the score region yields or, without a score region, with respect to the
  /// score.
  std::pair<Value, Value> emitGradient(const ScoreTile &tile, Value scores) {
    Value probabilities = emitProbabilities(tile, scores);
    Value dProbabilities =
        scaleDProbabilities(tile, emitProbabilityGradient(tile));
    return {probabilities,
            emitResultGradient(tile, probabilities, dProbabilities)};
  }
  Value applyDerivative(Value gradient, Value probabilities, Value derivative);
  Value clearEmptyRows(Value rows, Value lse);
  Value copyRows(Value array, int64_t width);
  Value sumPairs(const ScoreTile &tile, Value gradient);
  void storeGradient(Value gradient, Value out, OpFoldResult length,
                     Gradients of, ValueRange place);

  AttentionBackwardOp op;
  TileSizesAttrInterface schedule;
  /// `own` is the number of rows (or keys) of a program's tile, `block` the
  /// number of keys (or rows) of each block that the program visits.
  int64_t own, block;
  /// The heads and tokens whose rows a block of rows has (`ofBlock`), and a
  /// program's tile of rows (`ofTile`).
  HeadRows ofBlock = {1, block}, ofTile = {1, own};
  double scale;
  /// The value that the score region yields, and the derivative of that value
  /// with respect to the score that the region gets; null without a score
  /// region.
  Value score, derivative;
  /// For each capture that needs a gradient, how the score region reads it;
  /// std::nullopt for a captured scalar.
  SmallVector<std::optional<CaptureReads>> reads;
  /// `ofPairs` are the gradients of captures with an element for each pair of
  /// row and key. `ofRows` are those of other captures, which programs with a
  /// tile of rows sum over keys.
  SmallVector<CaptureGradient> ofPairs, ofRows;
  /// The gradients of captured arrays that the score region does not read. They
  /// are zeros.
  SmallVector<Value> unread;
  SmallVector<TableGradient, 1> tables;
  /// `firstRow` is the first row that may see a key according to the mask's
  /// diagonals. `skippedRows` is the number of rows of the arrays before row 0
  /// of the views: 0 or, after beginAtFirstRow(), `firstRow`.
  OpFoldResult firstRow, skippedRows;
  /// The view of the rows and keys of all batch entries. After
  /// beginAtFirstRow(), its row 0 is row `firstRow` of the arrays.
  SequenceView all;
  /// The op's arrays with a dimension of rows, cut to the valid rows.
  Value query, output, dOutput, lse, dLse;
  /// The 8-bit query, cut to the valid rows, if 8-bit MMAs compute scores; else
  /// null.
  Value narrowQuery;
  /// d_output of the valid rows. Unlike `dOutput`, it has no rows if no row is
  /// valid.
  Value rowsOfDOutput;
  /// For each sequence, the vectors of lse and delta have the rows of a
  /// multiple of `unit` tokens: of those of a block and, if rows of a tile
  /// belong to one head, of those of a rowwise program's tile.
  int64_t unit = 0;
  /// Arrays in workspace: the vectors of lse (see ScoreTile::bias) and delta,
  /// stored in blocks, and the f32 sums of d_query. `querySums` is null if
  /// programs do not add d_query in memory. If blocks have rows of several
  /// heads (`ofBlock`), these arrays have their rows in the order of blocks,
  /// and a dimension of tiles of heads in place of one of heads.
  Value bias, delta, querySums;
  /// Arrays in workspace if each query token has a scale, or each head of
  /// blocks with rows of several: the vectors by which scores (see
  /// ScoreTile::scoreScales) and dS are multiplied.
  Value scoreScales, queryScales;
  /// Arrays in workspace for narrow_products. `roundedRows` is d_output rounded
  /// to f8E4M3FN, in 8 bits if 8-bit MMAs multiply it (`multipliesNarrow`),
  /// else in the type of other products. `roundedScales` has the scale of each
  /// of its rows, times the scale of the head's values if there is one.
  /// `roundedProducts` has the products of the rounded numbers and their scales
  /// (without that of values), in the type of other products, and then takes
  /// the place of `dOutput`. Arrays that programs do not read are null.
  Value roundedScales, roundedRows, roundedProducts;
  bool multipliesNarrow = false;
  /// `headsOfPart` is the number of query heads of a group (of tiles of heads,
  /// see getHeadTiles()) that each program visits, `partsOfGroup` the number of
  /// programs that share a group. Both are null if one program visits all heads
  /// of a group.
  Value headsOfPart, partsOfGroup;
  /// The f32 sums of d_key or d_value, to which the programs that share a group
  /// of query heads add. After multiplication by their factors (scaleSums()),
  /// they are rounded and stored to the gradient `out`.
  struct KeySums {
    Value sums, out;
    int64_t columns;
    Gradients of;
  };
  SmallVector<KeySums> keySums;
  /// P and dS of a section; see BackwardStoredMemory.cpp for their shape. Null
  /// if no gradient that is computed needs them. dS for d_key and dS for
  /// d_query share memory unless hasTwoGradients().
  Value storedProbabilities, storedOfKey, storedOfQuery;
  /// The number of tiles of keys of a section and, with numbersPairs(), the
  /// number of pairs of tiles that the memory has of each query head.
  Value tilesOfSection, pairsOfHead;
  /// `groupSize` is the number of query heads (of tiles of heads, see `ofTile`)
  /// of a group. `dividesKeys` is an i1, or null for false: whether several
  /// sections have keys of the same head. Such sections add d_query to
  /// `querySums`.
  Value groupSize, dividesKeys;
  /// Whether programs of d_key and d_value read copies of query and d_output in
  /// which the rows that attend to no key are zeros.
  bool copiesKeptRows = false;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_BACKWARDPROGRAMS_H
