//===- ProgramBuilder.h - Base of attention programs ------------*- C++ -*-===//
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
#include "SequenceView.h"

namespace mlir::attn {

/// Base class for builders of an op's tile programs: computes sizes, positions,
/// domains and masks.
class ProgramBuilder : protected TileProgram {
protected:
  /// Head dims are padded to a multiple of an MMA's K; loads fill with zeros.
  static constexpr int64_t kHeadDimStep = 16;

  ProgramBuilder(AttentionInterface op, OpBuilder &builder);

  bool isPacked() { return !op.getPacked().empty(); }
  /// Returns, before a grid, the view of all batch entries.
  SequenceView viewAll();
  /// Returns, in a program, the view of its batch entry, whose index `batch` is
  /// also the index in arrays: with the entry's true lengths, if the op has
  /// such, and keys and values cut to the keys that count.
  SequenceView enterBatch(const SequenceView &all, Value batch);
  /// Return a view of the packed sequence's rows, or keys, in an array; without
  /// packed sequences, the array. realRowsOf also cuts the rows past the true
  /// length in ragged batches, and otherwise returns the array.
  Value rowsOf(const SequenceView &at, Value array) {
    return isPacked() ? slice(array, at.firstRow, at.numRows) : array;
  }
  Value realRowsOf(const SequenceView &at, Value array) {
    return op.isRagged() ? slice(array, at.firstRow, at.numRows) : array;
  }
  Value keysOf(const SequenceView &at, Value array) {
    return isPacked() ? slice(array, at.firstKey, at.numKeys) : array;
  }
  /// Cuts the views of keys, further columns of keys, and values to at.numKeys
  /// keys from `first` on.
  void takeKeys(SequenceView &at, OpFoldResult first);
  /// Returns the array of values as programs load it: transposed if it is
  /// stored along keys, as bytes for i4. If the op has no values, they are
  /// columns of the key: returns a view of these columns, or null if the key is
  /// empty or if programs slice the tiles of keys instead.
  Value createValueArray();
  /// Returns the array in the form that programs load: for i4, a view of its
  /// bytes.
  Value viewBytes(Value array);
  /// Sets the view's numbers of rows and keys that count, from its true lengths
  /// and the op's origin, and the mask's diagonal.
  void boundLengths(SequenceView &view);

  /// The tiles of all packed sequences, as a list that a grid writes to memory.
  struct PackedTiles {
    /// An i32 array of kNumbers x tiles with the numbers of each tile, see
    /// PackedNumber.
    Value numbers;
    /// Rows or keys of a tile.
    int64_t step = 0;
    OpFoldResult count;
  };
  /// The numbers that the list has for each tile: the index of its sequence,
  /// the sequence's first row and number of rows, its first key and number of
  /// keys, the first of its units in row vectors, and the tile's first row or
  /// key, counted from the sequence's first.
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
  /// Emits a grid that writes the list of the tiles of all sequences, shorter
  /// sequences first. Tiles have `step` rows or, with `ofKeys`, keys. Rows
  /// outside of sequences are in tiles that see no key, and keys outside of
  /// sequences in tiles that see no row. Vectors in memory with an element for
  /// each row, such as delta, have a multiple of `unit` elements for each
  /// sequence, so that each begins at such a multiple; `unit` is 0 if there are
  /// no such vectors.
  PackedTiles listPackedTiles(bool ofKeys, int64_t step,
                              TileSizesAttrInterface rowwise, int64_t unit = 0);
  /// Creates a grid with a program for each listed tile and each of `heads`
  /// heads.
  attn_tile::GridOp createPackedGrid(const PackedTiles &tiles,
                                     OpFoldResult heads,
                                     TileSizesAttrInterface schedule);
  /// Returns the view of the program with these coordinates: for packed
  /// sequences, that of its tile's sequence, and else that of its batch entry.
  /// Sets `position` to the tile's first row or key.
  SequenceView enterTile(const SequenceView &all, const PackedTiles &tiles,
                         ValueRange coordinates, Value &position);
  /// Creates a grid over the batch entries of `like`, `heads` heads, and the
  /// rows of `like`, of which a program has `step`.
  attn_tile::GridOp createGrid(Value like, OpFoldResult heads, int64_t step,
                               TileSizesAttrInterface schedule);
  /// Returns the dimensions of a grid along which programs read the same
  /// elements of a captured array at row and key. The grid's last dimension is
  /// rows, the one before is heads, and the one before that, if there are
  /// three, is batch entries.
  SmallVector<int64_t> findSharedDims(attn_tile::GridOp grid);
  /// Sets attributes of a grid whose programs are complete: the dimensions
  /// `shared` along which programs read the same tiles, and the bytes that they
  /// read for each position they go over, `positionBytes`, times `times` unless
  /// that is null.
  void describePrograms(attn_tile::GridOp grid, ArrayRef<int64_t> shared,
                        int64_t positionBytes, Value times = Value());
  /// Returns the number of bytes of a key, with its further columns and its
  /// value, in the type that MMAs multiply. A query row and its d_output have
  /// as many.
  int64_t getKeyBytes() {
    return (headDim + ropeDim + (isValueWithinKey ? 0 : valueHeadDim)) *
           inputType.getIntOrFloatBitWidth() / 8;
  }
  /// Returns the indices of scales for an entry, head and token of the scaled
  /// array; each may be an index or a vector of indices. A dimension that
  /// shares one scale gets index 0.
  SmallVector<Value> indexScale(const ExtraOperand &scale, Value entry,
                                Value head, Value token);
  /// Returns a vector of `count` scales in f32, at indices that are scalars or
  /// vectors; if all are scalars, it repeats one scale. With `beside`, a gather
  /// of a vector gets this mark.
  Value gatherScale(const ExtraOperand &scale, int64_t count,
                    ArrayRef<Value> indices, bool beside = false);
  /// Returns a vector of the elements that an operand has for the `count`
  /// channels from `first` on of an entry and head; channels that share one
  /// element repeat it.
  Value loadChannels(const ExtraOperand &operand, Value entry, Value head,
                     Value first, int64_t count);
  /// Returns how many query heads share a key and value head; null if the
  /// numbers of query and key heads are known to be the same.
  Value getGroup();
  /// Returns the key and value head that a query head reads.
  Value getKvHead(Value queryHead);

  /// The block of keys from `position` on, in a cache whose keys are in pages.
  struct PagedBlock {
    /// A page, the number of its valid rows, and whether the page is missing.
    struct Part {
      Value page, count, isMissing;
    };
    Value position;
    /// The pages whose rows from `row` on make up the tile, one part for each;
    /// empty if keys are gathered row by row.
    SmallVector<Part> parts;
    Value row;
  };
  /// For each key of a tile or vector: its page, its row in the page, and
  /// whether it is before the last valid key and its page exists.
  struct GatheredKeys {
    Value page, row, isKept;
  };
  GatheredKeys gatherPages(const SequenceView &at, Value position,
                           ArrayRef<int64_t> shape, int64_t axis);
  PagedBlock enterPages(const SequenceView &at, Value position,
                        int64_t numTileKeys);
  /// Reads entry `number` of the sequence in the table of pages, which must
  /// exist. If the page that it names is not in the pool, the page is missing:
  /// it becomes page 0 without valid rows.
  PagedBlock::Part enterPage(const SequenceView &at, Value number);
  /// Loads the block's tile of keys or values; keys are along `keyAxis` of the
  /// tile and of the last two dimensions of the pool.
  Value loadPaged(const SequenceView &at, const PagedBlock &block, Value pool,
                  Value head, ArrayRef<int64_t> shape, int64_t keyAxis = 0);
  /// Sets the scores of keys whose page is missing, that is, has a number out
  /// of range, to -inf; keys are along axis 1.
  Value maskMissing(const SequenceView &at, Value scores,
                    const PagedBlock &block);

  /// Returns the domain, in blocks of `block` keys, of the keys that `rows`
  /// query rows of a head from `row` on see: a listed one if there are lists of
  /// blocks, else intervals by mask and mask region.
  Value createKeyDomain(const SequenceView &at, Value head, Value row,
                        int64_t rows, int64_t block);
  /// Returns the domain, in blocks of `block` rows, of the query rows that see
  /// `keys` keys from `first` on. All blocks are partial if these keys reach
  /// past the last one; blocks that reach past the last row are partial if
  /// `cutsRows`. The query head may be null without a mask region.
  Value createRowDomain(const SequenceView &at, Value head, Value first,
                        int64_t keys, int64_t block, bool cutsRows);

  /// Whether a row may see no key although there are keys: regions, the mask,
  /// true lengths or missing pages may exclude all. A causal mask from the top
  /// left without an origin never does, since each row sees the first key.
  bool mayLeaveOutKeys();
  /// Returns the conditions that the mask's diagonals and the number of keys
  /// set for pairs that count, in a tile of `numTileKeys` keys that begins at
  /// `row` and `key`. The one for keys is left out if numKeys is known to be a
  /// multiple of numTileKeys.
  SmallVector<MaskCondition> getMaskConditions(const SequenceView &at,
                                               OpFoldResult row,
                                               OpFoldResult key,
                                               int64_t numTileKeys);
  /// Returns the scores of a block with -inf for pairs that do not count; keys
  /// are along `keyAxis`. The conditions of getConditions() are tested in a
  /// branch that is taken if the block is `partial`. The mask region is
  /// evaluated in that branch, too, if it is possible to derive from it that
  /// some blocks are full, and else for each block. Without conditions and
  /// region, nothing is emitted.
  Value maskPartial(Value scores, Value partial, int64_t keyAxis,
                    const ScorePlace &place,
                    function_ref<SmallVector<MaskCondition>()> getConditions);
  /// Returns the position of a tile of scores, which begins at the op's `row`
  /// and `key`, in the larger problem that the op is part of.
  ScorePlace getScorePlace(const SequenceView &at, Value head, Value row,
                           Value key, int64_t rowAxis);
  /// Returns the scores with -inf for pairs that the mask region excludes;
  /// without a mask region, `scores`.
  Value maskByRegion(Value scores, const ScorePlace &place);
  /// Returns the sink of a query head in f32, repeated for `rows` rows; null if
  /// the op has no sinks. If `isOfNone` is not null and true at run time, the
  /// rows lie outside of all packed sequences, and get -inf.
  Value emitSink(Value head, int64_t rows, Value isOfNone = Value());
  /// Returns the lse of `rows` rows that see no key: the sink if it is finite,
  /// else -inf; `sink` is null if there is none.
  Value emitEmptyLse(Value sink, int64_t rows);
  /// Returns a tile of i1: whether dropout keeps each pair of the tile of
  /// scores at `place`. Null without dropout.
  Value emitKeep(ArrayRef<int64_t> shape, const SequenceView &at,
                 const ScorePlace &place);

  /// The columns [lo, hi), keys or rows, that some positions of a range see,
  /// and the columns [fullLo, fullHi) that all of them see.
  struct Interval {
    OpFoldResult lo, hi, fullLo, fullHi;
    /// Whether `lo`, or `hi`, differs between tiles of rows.
    bool loVaries = false, hiVaries = false;
  };
  Value createDomain(Value first, int64_t rows, OpFoldResult all, int64_t block,
                     function_ref<Interval(Value, Value)> emit);
  /// Returns a domain with a single row, which sees all columns from `first` to
  /// before `end`, in blocks of `block`.
  Value createWholeDomain(OpFoldResult first, OpFoldResult end, int64_t block);
  /// Return the interval that the mask attribute, without the mask region,
  /// leaves: of keys that rows from `first` to before `last` see, or of rows
  /// that see such keys.
  Interval boundKeys(const SequenceView &at, Value first, Value last);
  Interval boundRows(const SequenceView &at, Value first, Value last,
                     int64_t block, bool cutsRows);
  Interval boundByDiagonals(const SequenceView &at, int64_t sign, Value first,
                            Value last, OpFoldResult hi, OpFoldResult fullHi);
  void cutLastKeys(const SequenceView &at, Interval &interval, int64_t keys,
                   Value last);
  OpFoldResult selectForTile(Value first, OpFoldResult own, OpFoldResult value,
                             OpFoldResult behind);
  OpFoldResult countForTile(Value first, OpFoldResult own, OpFoldResult count);
  Value placeForTile(Value first, OpFoldResult own);

  /// Lists of blocks in memory, one for each tile of rows or of keys.
  struct Lists {
    /// i32 arrays: the numbers of the listed blocks and 1 where such a block is
    /// partial, else 0, both batch x heads x tiles x blocks; and the number of
    /// listed blocks, batch x heads x tiles.
    Value blocks, partial, counts;
    /// The numbers of the tiles in the order in which programs take them, those
    /// with few blocks first, of the shape of `counts`; or null.
    Value order;
    /// The number of rows of a tile and of keys of a block or, in lists of
    /// blocks of rows, of keys of a tile and of rows of a block.
    int64_t own = 0, block = 0;
    bool hasBatch = false, hasHead = false;
  };
  /// Emits a grid that lists, for each tile of `own` rows, the blocks of
  /// `block` keys in which the mask region may keep pairs, and one that orders
  /// the tiles; does nothing if MaskRanges' ranges of keys say as much. Domains
  /// of keys are then these lists. With `ofRows`, tiles are of keys and blocks
  /// are of rows.
  void listBlocks(const SequenceView &all, bool ofRows, int64_t own,
                  int64_t block, bool cutsRows, TileSizesAttrInterface rowwise);
  void emitListOf(const SequenceView &at, const Lists &lists, bool ofRows,
                  bool cutsRows, ValueRange program);
  void emitPlaceOf(const Lists &lists, ValueRange program);
  /// Returns the position of the tile that the program at `position` computes:
  /// programs take tiles in the order of their lists' lengths, so that SMs end
  /// at the same time. Without such an order, returns `position`.
  Value findListedTile(const Lists &lists, Value batch, Value head,
                       Value position);
  Value createListedDomain(const Lists &lists, Value batch, Value head,
                           Value position);
  void freeLists();
  void summarize(ArrayRef<ReadOp> reads, TileSizesAttrInterface rowwise);
  Value getCapture(ReadOp read);

  /// Returns the ranges of keys (with `ofRows`, of rows) that the mask region
  /// allows for a head; none without a mask region, or if no range can be
  /// derived from it.
  std::optional<MaskRanges> getMaskRanges(const SequenceView &at, bool ofRows,
                                          Value head);
  void boundByMask(const SequenceView &at, std::optional<MaskRanges> &ranges,
                   bool ofRows, Value first, Value last, Interval &interval);

  AttentionInterface op;
  /// The element type of products.
  const Type inputType;
  /// Columns of tiles of keys, of values, and of key_rope, or 0 without it.
  const int64_t headDim, valueHeadDim, ropeDim;
  const bool isValueWithinKey;
  /// Lists of blocks of keys, and of rows; empty if there are none.
  Lists keyLists, rowLists;
  /// The summary, in memory, of each array that the mask region reads at row
  /// and key without the operand `bounds`.
  llvm::MapVector<Value, Value> summaries;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
