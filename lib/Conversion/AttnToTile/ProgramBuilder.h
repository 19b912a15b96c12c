//===- ProgramBuilder.h - What attention programs share ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H

#include "BlockKinds.h"
#include "MaskRanges.h"
#include "ScoreTiling.h"
#include "TileBuilder.h"

namespace mlir::attn {

/// Sizes, positions and masks of an op's problem, for its tile programs.
class ProgramBuilder : protected TileProgram {
protected:
  /// Head dims are padded to whole matrix-unit steps; loads fill with zeros.
  static constexpr int64_t kHeadDimStep = 16;

  ProgramBuilder(AttentionInterface op, OpBuilder &builder);

  AffineExpr dim(unsigned i) { return b.getAffineDimExpr(i); }
  AffineExpr constant(int64_t c) { return b.getAffineConstantExpr(c); }
  OpFoldResult getSize(Value view, int64_t dim);
  bool isAtMost(AffineExpr expr, ArrayRef<OpFoldResult> operands,
                OpFoldResult limit);
  /// Memory between grids, which the caller frees.
  Value allocate(ArrayRef<OpFoldResult> sizes, Type element);

  /// What programs share is computed before the grid.
  void computeSizes();
  /// What a program of a batch entry has is computed in it: `batch` is the
  /// entry's number, in arrays too.
  void enterBatch(Value batch);
  /// Rows or keys of a view, along dimension 2.
  Value slice(Value view, OpFoldResult first, OpFoldResult length);
  Value clip(Value view, OpFoldResult length) {
    return slice(view, b.getIndexAttr(0), length);
  }
  /// The value, columns of the key where it is no operand; null if programs
  /// take them of the key's tiles.
  Value createValueArray();
  /// A view whose dimensions are those of the array in that order.
  Value transpose(Value array, ArrayRef<unsigned> order);
  /// Lengths that are not beyond the array's.
  void boundLengths();

  /// Tiles of packed sequences that memory names.
  struct PackedTiles {
    /// Numbers of a tile, in i32: kNumbers x tiles.
    Value numbers;
    /// Rows or keys of a tile.
    int64_t step = 0;
    OpFoldResult count;
  };
  /// What a tile's numbers are: the sequence's number and place, and the
  /// tile's first row, or key, in it.
  enum PackedNumber {
    kSequence,
    kFirstRow,
    kNumRows,
    kFirstKey,
    kNumKeys,
    kFirstUnit,
    kTileStart,
    kNumbers
  };
  /// Emits a grid that lists the tiles of all sequences, longer ones later.
  /// Rows of no sequence are tiles that see no key, and keys of none see no
  /// row. With `unit`, memory has rows of sequences one behind the other, in
  /// units of so many.
  PackedTiles listPackedTiles(bool ofKeys, int64_t step,
                              TileSizesAttrInterface rowwise, int64_t unit = 0);
  /// A grid with a program for each of those and each of `heads`.
  attn_tile::GridOp createPackedGrid(const PackedTiles &tiles,
                                     OpFoldResult heads,
                                     TileSizesAttrInterface schedule);
  /// What the program has that is given a grid's last coordinate; the tile's
  /// start is the result.
  Value enterPacked(const PackedTiles &tiles, Value coordinate);
  /// The grid of programs that have `step` rows each of `lengths`.
  attn_tile::GridOp createGrid(Value like, OpFoldResult heads, int64_t step,
                               TileSizesAttrInterface schedule);
  /// Dimensions of a grid along which regions read the same pairs of an array.
  /// The last one but the rows' is that of heads, and the one before it, if
  /// there are three, that of batch entries.
  SmallVector<int64_t> findSharedDims(attn_tile::GridOp grid);
  /// Says of a grid whose programs are complete which of them take longest, by
  /// their domains, along which dimensions they read the same tiles, and how
  /// many bytes they read at each position, `times` times if that is given.
  void describePrograms(attn_tile::GridOp grid, ArrayRef<int64_t> shared,
                        int64_t positionBytes, Value times = Value());
  /// Bytes of a key and its value, which are those of a query and its d_output.
  int64_t getKeyBytes() {
    return (headDim + (isValueWithinKey ? 0 : valueHeadDim)) *
           inputType.getIntOrFloatBitWidth() / 8;
  }
  /// Indices of a scale's elements, by what those of its array are: numbers, or
  /// vectors of them. What is the same for a whole dimension has 0.
  SmallVector<Value> indexScale(const ExtraOperand &scale, Value entry,
                                Value head, Value token);
  /// A vector of its elements at indices that are numbers or vectors.
  Value gatherScale(const ExtraOperand &scale, int64_t count,
                    ArrayRef<Value> indices);
  /// A grid that writes zeros to all of an array, of any rank above 0.
  void emitZeros(Value array, TileSizesAttrInterface schedule);
  /// The array without dimensions of size 1 that are not to be kept.
  Value dropDims(Value array, function_ref<bool(int64_t)> isKept);
  /// Query heads that share a key and value head, or none if it is one.
  Value getGroup();
  /// The key and value head of a query head.
  Value getKvHead(Value queryHead);

  /// Heads are far fewer than 2^31, and a division of 32 bits takes fewer
  /// registers than one of 64, or than a multiplication by an inverse.
  Value divideHeads(Value head, Value count);

  /// Keys from `position` on, which a block has, where they are in pages.
  struct PagedBlock {
    /// The page, how many of its rows count, and whether it is not there.
    struct Part {
      Value page, count, isMissing;
    };
    Value position;
    /// Pages whose rows from `row` on are the tile's; none if keys are
    /// gathered.
    SmallVector<Part> parts;
    Value row;
  };
  /// Of each key of a tile or vector.
  struct GatheredKeys {
    Value page, row, isKept;
  };
  GatheredKeys gatherPages(Value position, ArrayRef<int64_t> shape,
                           int64_t axis);
  PagedBlock enterPages(Value position, int64_t numTileKeys);
  /// The page of a number among those of the sequence.
  PagedBlock::Part enterPage(Value number);
  /// The block's tile of key or value.
  Value loadPaged(const PagedBlock &block, Value pool, Value head,
                  ArrayRef<int64_t> shape);
  /// Scores, with keys along axis 1, of which those of pages that are not there
  /// are masked.
  Value maskMissing(Value scores, const PagedBlock &block);

  /// The keys that `rows` query rows from `row` on see, in blocks. The mask
  /// region bounds them where the batch entry and the query head are given;
  /// without them each block is partial if one of full blocks looks at it.
  Value createKeyDomain(Value row, int64_t rows, int64_t block,
                        Value batch = Value(), Value head = Value());
  /// The query rows that see `keys` keys from `first` on, in blocks. All blocks
  /// are partial where those reach beyond the last key, and blocks that reach
  /// beyond the last row are if `cutsRows`.
  Value createRowDomain(Value first, int64_t keys, int64_t block, bool cutsRows,
                        Value batch = Value(), Value head = Value());

  /// Whether a row may have no key though there are some: its mask, its region
  /// or the lengths leave all of them out. Under a causal mask from the top
  /// left each row has the first key.
  bool mayLeaveOutKeys();
  /// What pairs fulfil that count, in a tile whose first row and key are given,
  /// of `numTileKeys` keys.
  SmallVector<MaskCondition>
  getMaskConditions(OpFoldResult row, OpFoldResult key, int64_t numTileKeys);
  /// Scores, with keys along `keyAxis`, masked where the block is `partial`; as
  /// they are if there are no conditions: then no block is partial. The mask
  /// region is one where it says of some blocks that all pairs count, else it
  /// masks each block.
  Value maskPartial(Value scores, Value partial, int64_t keyAxis,
                    const ScorePlace &place,
                    function_ref<SmallVector<MaskCondition>()> getConditions);
  /// Where a tile of scores is, in the larger problem that the op is part of.
  ScorePlace getScorePlace(Value batch, Value head, Value row, Value key,
                           int64_t rowAxis);
  /// Scores of pairs that the mask region keeps, if there is one; others are
  /// -inf.
  Value maskByRegion(Value scores, const ScorePlace &place);
  /// Which of a program's rows are before `length`, a vector of i1, or null if
  /// all of the array's rows are.
  Value findRealRows(OpFoldResult arrayLength, OpFoldResult length, Value first,
                     int64_t rows);
  /// A loop over the blocks of a domain, whose body is given the block's
  /// position, whether it is partial, and what is carried.
  SmallVector<Value> loopOverBlocks(
      Value domain, ValueRange initial,
      function_ref<SmallVector<Value>(Value, Value, ValueRange)> emitBody);
  /// The sink of a query head for each of so many of the program's rows, in
  /// f32; none is null.
  Value emitSink(Value head, int64_t rows);
  /// What rows without a key have as their lse.
  Value emitEmptyLse(Value sink, int64_t rows);
  /// Whether dropout keeps the pairs of a tile, of i1; without dropout null.
  Value emitKeep(ArrayRef<int64_t> shape, const ScorePlace &place);
  /// The tile with zeros where `keep`, if it is one, says so.
  Value dropOut(Value tile, Value keep);

  /// An operand that is a number, or the one of an array.
  Value readNumber(Value operand);

  /// A domain of `rows` rows from `first` on, of `all`; `emit` yields its
  /// columns for a range.
  struct Interval {
    OpFoldResult lo, hi, fullLo, fullHi;
    /// Whether other tiles of rows have another `lo`, and another `hi`.
    bool loVaries = false, hiVaries = false;
  };
  Value createDomain(Value first, int64_t rows, OpFoldResult all, int64_t block,
                     function_ref<Interval(Value, Value)> emit);
  /// Of the op's own mask, without its region.
  Interval boundKeys(Value first, Value last);
  Interval boundRows(Value first, Value last, int64_t block, bool cutsRows);
  void cutLastKeys(Interval &interval, int64_t keys, Value last);
  OpFoldResult selectForTile(Value first, OpFoldResult own, OpFoldResult value,
                             OpFoldResult behind);
  OpFoldResult countForTile(Value first, OpFoldResult own, OpFoldResult count);
  Value placeForTile(Value first, OpFoldResult own);

  /// Blocks that memory names for each tile of rows or of keys.
  struct Lists {
    /// Numbers of blocks, whether they are partial: batch x heads x tiles x
    /// blocks, of i32. How many there are: batch x heads x tiles.
    Value blocks, partial, counts;
    /// Tiles by that number, those of few blocks first, or null: as counts.
    Value order;
    /// Positions of a tile, and of a block.
    int64_t own = 0, block = 0;
    bool hasBatch = false, hasHead = false;
  };
  /// Emits a grid that lists, for each tile of `own` rows, the blocks of keys
  /// of which the mask region may keep pairs, where that says more than ranges
  /// do. Domains of keys are then of these lists. `ofRows` is for tiles of keys
  /// and blocks of rows.
  void listBlocks(bool ofRows, int64_t own, int64_t block, bool cutsRows,
                  TileSizesAttrInterface rowwise);
  void emitListOf(const Lists &lists, bool ofRows, bool cutsRows,
                  attn_tile::GridOp grid);
  void emitPlaceOf(const Lists &lists, attn_tile::GridOp grid);
  /// The position of the tile that a program at `position` has: programs are in
  /// the order of their lists' lengths, so that SMs end at the same time.
  Value findListedTile(const Lists &lists, Value batch, Value head,
                       Value position);
  Value createListedDomain(const Lists &lists, Value batch, Value head,
                           Value position);
  void freeLists();
  void summarize(ArrayRef<ReadOp> reads, TileSizesAttrInterface rowwise);
  Value getCapture(ReadOp read);

  /// The mask region's ranges, of rows or of keys, if it has any; for `batch`
  /// and `head`, or for none.
  std::optional<MaskRanges> getMaskRanges(bool ofRows, Value batch, Value head);
  void boundByMask(std::optional<MaskRanges> &ranges, bool ofRows, bool isKnown,
                   Value first, Value last, Interval &interval);

  AttentionInterface op;
  /// Of products.
  Type inputType;
  int64_t headDim, valueHeadDim;
  bool isValueWithinKey = false;
  std::array<OpFoldResult, 4> origin;
  /// While it lives, sizes and the diagonal may be those of a batch entry or of
  /// a sequence, which a grid's program enters.
  class EntryScope {
  public:
    explicit EntryScope(ProgramBuilder &program)
        : program(program), outside(program.getBounds()) {}
    ~EntryScope() { program.getBounds() = outside; }
    EntryScope(const EntryScope &) = delete;
    EntryScope &operator=(const EntryScope &) = delete;

  private:
    ProgramBuilder &program;
    std::tuple<OpFoldResult, OpFoldResult, OpFoldResult, OpFoldResult,
               OpFoldResult>
        outside;
  };
  std::tuple<OpFoldResult &, OpFoldResult &, OpFoldResult &, OpFoldResult &,
             OpFoldResult &>
  getBounds() {
    return std::tie(lengthQ, lengthKv, numRows, numKeys, diagonal);
  }

  OpFoldResult lengthQ, lengthKv;
  /// Rows and keys that count, and the diagonal: row i of the query is at
  /// column i + diagonal of the key, without the mask's own bounds.
  OpFoldResult numRows, numKeys, diagonal;
  Value valueArray;
  /// Of the program.
  Value key, value;
  /// Whether domains of the programs that are built begin, or end, elsewhere
  /// for other tiles.
  bool domainsBegin = false, domainsEnd = false;
  /// Whether arrays may have more rows, or keys, than count.
  bool hasRowsBehind = false, hasKeysBehind = false;
  /// Of the program: the batch entry, or the sequence, and its index in arrays.
  Value batch, arrayBatch;
  /// Whether its rows are of no packed sequence, for which no sink is; null if
  /// none are.
  Value isOfNoSequence;
  /// Rows of the program's sequence in the query's arrays.
  OpFoldResult sequenceRow, sequenceKey;
  /// Its first unit in such memory.
  Value sequenceUnit;
  /// Empty if there are none.
  Lists keyLists, rowLists;
  /// Of arrays that the mask region reads at pairs, without bounds.
  llvm::MapVector<Value, Value> summaries;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
