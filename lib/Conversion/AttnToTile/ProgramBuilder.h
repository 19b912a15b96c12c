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

/// Base class of the builders of tile programs of an attention op. Its members
/// describe the op and do not change. Its methods emit code that computes
/// sizes, positions, domains and masks of what a SequenceView describes.
class ProgramBuilder : protected TileProgram {
protected:
  /// The step in columns to which head dims are padded: the number of columns
  /// that one MMA takes along K. Loads fill the padding with zeros.
  static constexpr int64_t kHeadDimStep = 16;

  ProgramBuilder(AttentionInterface op, OpBuilder &builder);

  bool isPacked() { return !op.getPacked().empty(); }
  /// Returns the SequenceView of all batch entries; to be called before a grid.
  SequenceView viewAll();
  /// Returns the SequenceView of batch entry `batch`, for use in a program. If
  /// the op has arrays of true lengths, the view has the lengths of this entry,
  /// and its arrays of keys and values are cut to the valid keys.
  SequenceView enterBatch(const SequenceView &all, Value batch);
  /// Return a view of the rows (`rowsOf`) or keys (`keysOf`) in `array` that
  /// belong to the packed sequence of `at`; if sequences are not packed, return
  /// `array`. If batch entries have arrays of true lengths, `realRowsOf`
  /// returns a view of the rows before the true length, and otherwise what
  /// `rowsOf` returns.
  Value rowsOf(const SequenceView &at, Value array) {
    return isPacked() ? slice(array, at.firstRow, at.numRows) : array;
  }
  Value realRowsOf(const SequenceView &at, Value array) {
    return op.isRagged() ? slice(array, at.firstRow, at.numRows) : array;
  }
  Value keysOf(const SequenceView &at, Value array) {
    return isPacked() ? slice(array, at.firstKey, at.numKeys) : array;
  }
  /// Cuts the arrays of `at` that have keys, columns of key_rope and values to
  /// the `at.numKeys` keys from key `first` on.
  void takeKeys(SequenceView &at, OpFoldResult first);
  /// Returns the array of values in the form that programs load: transposed if
  /// the array is stored with keys as its contiguous dimension, and as bytes if
  /// its elements are i4. If the op has no array of values, the values are
  /// columns of the key array: returns a view of these columns, or null if the
  /// key array is statically empty or if programs take the columns from the
  /// loaded tiles of keys.
  Value createValueArray();
  /// Returns the array in the form that programs load: a view of its bytes if
  /// its elements are i4, else the array itself.
  Value viewBytes(Value array);
  /// Sets the view's numbers of valid rows and keys, computed from its true
  /// lengths and the op's origin, and the offset of the mask's main diagonal.
  void boundLengths(SequenceView &view);

  /// A list, in memory, of the tiles of all packed sequences. A grid writes the
  /// list, since the tiles are only known when the kernel runs.
  struct PackedTiles {
    /// An i32 array of kNumbers x tiles: for each tile, the values that
    /// PackedNumber names.
    Value numbers;
    /// The number of rows (or keys, in a list of tiles of keys) of a tile.
    int64_t step = 0;
    OpFoldResult count;
    /// In lists of a section: an i32 array of one element, the number of
    /// entries that are used.
    Value used = {};
    /// Whether entries that are not used hold anything, and not zeros. They are
    /// read as zeros.
    bool hasUnwritten = false;
  };
  /// The values that the list of packed tiles has for each tile: the index of
  /// the tile's sequence, the sequence's first row and number of rows, its
  /// first key and number of keys, the index of its first unit (see
  /// listPackedTiles) in vectors with an element for each row, and the tile's
  /// first row or key, relative to the beginning of the sequence. In a list of
  /// tiles of pairs, kTileStart is the first row, and kKeyStart the first key.
  enum PackedNumber {
    kSequence,
    kFirstRow,
    kNumRows,
    kFirstKey,
    kNumKeys,
    kFirstUnit,
    kTileStart,
    kNumbers,
    kKeyStart = kNumbers,
    kNumbersOfPairs
  };
  /// The values that a list of tiles of pairs has for each tile if sequences
  /// are not packed: the index of the tile's key head in its section, the index
  /// of its query head in the key head's group, the first row and the first
  /// key, and whether the lists of blocks say that no pair is masked.
  enum HeadNumber {
    kPairHead,
    kPairInGroup,
    kPairRow,
    kPairKey,
    kPairIsFull,
    kNumbersOfHeadPairs
  };
  /// Emits a grid that writes the list of the tiles of all packed sequences;
  /// the tiles of shorter sequences come first. Tiles have `step` rows or, with
  /// `ofKeys`, `step` keys. Rows outside of all sequences are in tiles whose
  /// rows see no key, and keys outside of all sequences are in tiles that no
  /// row sees.
  ///
  /// Vectors in memory with an element for each row, such as delta, are padded
  /// so that each sequence has a whole number of units of `unit` elements. If
  /// there are no such vectors, `unit` is 0.
  PackedTiles listPackedTiles(bool ofKeys, int64_t step,
                              TileSizesAttrInterface rowwise, int64_t unit = 0);
  /// Whether tiles are tiles of rows, of keys, or of pairs of rows and keys.
  enum class TilesOf { Rows, Keys, Pairs };
  /// The part of the keys of each packed sequence that a section has: those of
  /// the `numTiles` tiles of `step` keys from tile `firstTile` on that the
  /// sequence has.
  struct KeySection {
    Value firstTile, numTiles;
    int64_t step;
  };
  /// Allocates the list of the tiles of rows (with `ofKeys`, of keys) of a
  /// section.
  PackedTiles createSectionTiles(bool ofKeys, int64_t step);
  /// Emits a grid that writes the list of a section's tiles to `tiles`. Tiles
  /// of keys include those outside of all sequences, which no row sees. Tiles
  /// of rows are those of sequences with keys in the section and, if the
  /// section begins at tile 0, all others. `unit` has the same meaning as in
  /// listPackedTiles(). List entries past the used ones are zeros.
  void listSectionTiles(const PackedTiles &tiles, bool ofKeys,
                        const KeySection &section,
                        TileSizesAttrInterface rowwise, int64_t unit);
  /// Reads number `number` (PackedNumber or HeadNumber) from the list, for the
  /// tile of the program whose grid coordinate along the list is `position`.
  Value readListed(const PackedTiles &tiles, int64_t number, Value position);
  /// Whether the entry at the grid coordinate `position` is one of the list's
  /// used entries.
  Value isListed(const PackedTiles &tiles, Value position);
  /// Creates a grid with one program for each tile of the list of packed tiles
  /// and each of `heads` heads.
  attn_tile::GridOp createPackedGrid(const PackedTiles &tiles,
                                     OpFoldResult heads,
                                     TileSizesAttrInterface schedule);
  /// Returns the SequenceView of the program with these grid coordinates: that
  /// of its tile's sequence if sequences are packed, else that of its batch
  /// entry. Sets `position` to the tile's first row or key in that sequence or
  /// entry.
  SequenceView enterTile(const SequenceView &all, const PackedTiles &tiles,
                         ValueRange coordinates, Value &position);
  /// Creates a grid over the batch entries of the array `like`, over `heads`
  /// heads, and over the rows of `like`, in steps of `step` rows for each
  /// program.
  attn_tile::GridOp createGrid(Value like, OpFoldResult heads, int64_t step,
                               TileSizesAttrInterface schedule);
  /// Returns the dimensions of a grid, of batch entries and of heads, along
  /// which programs read the same elements of captured arrays that regions
  /// index by row and key. The last dimension of the grid must be rows, the one
  /// before it heads and, if there are three, the first one batch entries.
  SmallVector<int64_t> findSharedDims(attn_tile::GridOp grid);
  /// Sets two attributes of a grid whose programs are complete; targets choose
  /// the order of programs by them. `shared` are the dimensions along which
  /// programs read the same tiles. The other attribute is the number of bytes
  /// that a program reads for each position of its loop: `positionBytes`,
  /// multiplied by `times` unless `times` is null.
  void describePrograms(attn_tile::GridOp grid, ArrayRef<int64_t> shared,
                        int64_t positionBytes, Value times = Value());
  /// Returns the number of bytes of one key, including its columns of key_rope
  /// and its value, in the element type that MMAs multiply. In gradients, a
  /// query row together with its d_output has the same number of bytes.
  int64_t getKeyBytes() {
    return (headDim + ropeDim + (isValueWithinKey ? 0 : valueHeadDim)) *
           inputType.getIntOrFloatBitWidth() / 8;
  }
  /// Returns a vector of `count` scales in f32, gathered at `indices`, each of
  /// which is a scalar or a vector. If all indices are scalars, one scale is
  /// read and repeated. Otherwise `beside` marks the gather, which then needs
  /// registers next to those of the accumulators.
  Value gatherScale(const ExtraOperand &scale, int64_t count,
                    ArrayRef<Value> indices, bool beside = false);
  /// Whether the array of scales has one element for each token, and these
  /// elements are contiguous in memory.
  static bool isContiguous(const ExtraOperand &scale);
  /// Returns a vector of the scales of `count` keys (or of their values), from
  /// key `position` of the program's sequence on. The keys must not be in
  /// pages. Memory past the last valid key may hold anything, so the scales of
  /// keys past it are not read. Such keys get 0 if isContiguous(), else the
  /// last key's scale.
  Value loadScalesOfKeys(const ExtraOperand &scale, const SequenceView &at,
                         Value head, Value position, int64_t count);
  /// Returns a vector of the elements that an operand with an element for each
  /// channel has for `count` channels from `first` on, for one batch entry and
  /// head. If all channels share one element, it is repeated.
  Value loadChannels(const ExtraOperand &operand, Value entry, Value head,
                     Value first, int64_t count);
  /// Returns the number of query heads that share a key and value head, or null
  /// if the numbers of query and key heads are known to be equal.
  Value getGroup();
  /// Returns the index of the key and value head that query head `queryHead`
  /// reads.
  Value getKvHead(Value queryHead);

  /// Whether tiles can have rows of several heads: if the numbers of heads are
  /// static, and no region reads captured arrays at row and key.
  bool mayJoinHeads();
  /// Returns the number of tokens of a sequence by which tiles are chosen: the
  /// static number of rows, in packed sequences the mean of their static total,
  /// or 16 if that is dynamic and the op says that it is small
  /// (kFewRowsAttrName). Otherwise returns std::nullopt: a sequence may have so
  /// many tokens that tiles with rows of one head are full.
  std::optional<int64_t> estimateTokens();
  /// Decides how many heads' rows a tile of `rows` rows has: one head's, or a
  /// divisor of the group's size with which arrays are loaded in at most 32
  /// parts. Each head gets a multiple of 8 rows, since the swizzle of shared
  /// memory repeats after 8 rows. mayJoinHeads() must be true.
  ///
  /// If about `tokensOfHead` tokens are known to be in a sequence, it is the
  /// smallest number with which there are the fewest tiles, if these are at
  /// most half as many as with rows of one head. Otherwise it is the largest
  /// number with which at least 7/8 of the tile's rows are used.
  ///
  /// If `rowsByToken` is not 0, rows are numbered token by token in arrays, so
  /// that a tile is loaded as a whole. The number of heads then divides
  /// `rowsByToken`, which divides `rows`.
  HeadRows divideTile(int64_t rows, std::optional<int64_t> tokensOfHead,
                      int64_t rowsByToken = 0);
  /// Returns the numbering of the tile's rows, which is null if these belong to
  /// one head.
  RowPacking getPacking(const HeadRows &division);
  /// Loads a tile of shape `shape` with rows of several heads in parts, each of
  /// which has rows of one head. `head` is the first head and `token` the first
  /// token. Rows of the tile that belong to no head are zeros if `clears`, else
  /// rows of the last head.
  Value loadHeads(Value array, const HeadRows &division,
                  ArrayRef<int64_t> shape, Value batch, Value head, Value token,
                  bool clears);
  /// Returns vectors with the head and the token of each row of a tile of
  /// `rows` rows, for a scatter. `head` is the tile's first head and `row` its
  /// first token. Rows that belong to no head get a head past the last one.
  std::pair<Value, Value> placeHeads(const SequenceView &at,
                                     const HeadRows &division, Value head,
                                     Value row, int64_t rows);
  /// Returns a vector of i1: which of the `rows` rows of the tile whose first
  /// row is `row` are before the true length (`len_q`). Returns null if all of
  /// the `stored` rows are.
  Value findStoredRows(const SequenceView &at, OpFoldResult stored, Value row,
                       int64_t rows);

  /// A block of keys of a paged cache; its first key is key `position` of the
  /// sequence.
  struct PagedBlock {
    /// A page from which a part of the tile is loaded: its index in the pool,
    /// the number of its rows that hold valid keys, and an i1 that says whether
    /// the page is missing.
    struct Part {
      Value page, count, isMissing;
    };
    Value position;
    /// The pages that the tile consists of, each with its rows from `row` on;
    /// empty if the keys are gathered one by one instead.
    SmallVector<Part> parts;
    Value row;
  };
  /// For each key of a tile or vector: the index of its page, its row in that
  /// page, and an i1 that is true if the key is valid (before at.numKeys) and
  /// its page exists.
  struct GatheredKeys {
    Value page, row, isKept;
  };
  GatheredKeys gatherPages(const SequenceView &at, Value position,
                           ArrayRef<int64_t> shape, int64_t axis);
  PagedBlock enterPages(const SequenceView &at, Value position,
                        int64_t numTileKeys);
  /// Returns the entries of the list of rows, at.keyList, for `count` keys from
  /// key `position` on, as a vector of i32, and a vector of i1: whether each
  /// entry names a row of the pool. Past the end of the list, entries are 0.
  std::pair<Value, Value> readList(const SequenceView &at, Value position,
                                   int64_t count);
  /// Returns where the `count` keys from key `position` on are, as vectors.
  GatheredKeys findKeys(const SequenceView &at, Value position, int64_t count);
  /// Reads entry `number` of the sequence's row in the table of pages; the
  /// table must have this entry. If the page that the entry names is not in the
  /// pool, the page is missing: the function returns page 0 with no valid rows.
  PagedBlock::Part enterPage(const SequenceView &at, Value number);
  /// Loads a block's tile of keys or values from a paged pool. Axis `keyAxis`
  /// of the tile, and of the last two dimensions of the pool, is the axis of
  /// keys.
  Value loadPaged(const SequenceView &at, const PagedBlock &block, Value pool,
                  Value head, ArrayRef<int64_t> shape, int64_t keyAxis = 0);
  /// Returns the scores with -inf for keys whose page is missing, that is,
  /// whose entry in the table of pages is not the index of a page of the pool.
  /// Keys are along axis 1.
  Value maskMissing(const SequenceView &at, Value scores,
                    const PagedBlock &block);

  /// Returns the domain, in blocks of `block` keys, of the keys that the `rows`
  /// query rows of head `head` from `row` on see. The domain is a list in
  /// memory if the op has lists of blocks of keys, else an interval computed
  /// from the mask attribute and mask region.
  Value createKeyDomain(const SequenceView &at, Value head, Value row,
                        int64_t rows, int64_t block);
  /// Returns the domain, in blocks of `block` rows, of the query rows that see
  /// the `keys` keys from `first` on. If the tile of keys reaches past the last
  /// valid key, all of its blocks are partial. Blocks that reach past the last
  /// row are partial if `cutsRows`. `head` may be null if the op has no mask
  /// region.
  Value createRowDomain(const SequenceView &at, Value head, Value first,
                        int64_t keys, int64_t block, bool cutsRows);

  /// Whether the mask region keeps different pairs for different heads.
  bool masksByHead();
  /// Whether a row may see no key although there are keys. Score and mask
  /// regions, a mask attribute, true lengths and missing pages may exclude all
  /// keys of a row. A causal mask that is aligned top left, without a lower
  /// diagonal and an origin, never does, since each row sees key 0.
  bool mayLeaveOutKeys();
  /// Returns the conditions under which pairs are valid, for a tile of
  /// `numTileKeys` keys that begins at `row` and `key`: those of the mask
  /// attribute's diagonals and that of the number of keys. The latter is
  /// omitted if at.numKeys is known to be a multiple of `numTileKeys`.
  SmallVector<MaskCondition> getMaskConditions(const SequenceView &at,
                                               OpFoldResult row,
                                               OpFoldResult key,
                                               int64_t numTileKeys);
  /// Returns the scores of a block with -inf for masked pairs; keys are along
  /// `keyAxis`. The conditions of getConditions() are tested in a branch that
  /// is taken if the block is `partial`. The mask region is evaluated in the
  /// same branch if the compiler can derive that some blocks are full, else for
  /// each block. Nothing is emitted if there are neither conditions nor a mask
  /// region.
  Value maskPartial(const SequenceView &at, Value scores, Value partial,
                    int64_t keyAxis, const ScorePlace &place,
                    function_ref<SmallVector<MaskCondition>()> getConditions);
  /// Returns the position, in the larger problem that the op is part of, of a
  /// tile of scores that begins at row `row` and key `key` of the op.
  ScorePlace getScorePlace(const SequenceView &at, Value head, Value row,
                           Value key, int64_t rowAxis);
  /// Returns the scores with -inf for pairs that the mask region excludes, or
  /// `scores` if the op has no mask region.
  Value maskByRegion(Value scores, const ScorePlace &place);
  /// Returns a vector of `rows` elements that all are the sink of query head
  /// `head` in f32, or null if the op has no sinks. `isOfNone` is null or an i1
  /// that is true at run time if the rows lie outside of all packed sequences;
  /// the elements are then -inf.
  Value emitSink(Value head, int64_t rows, Value isOfNone = Value());
  /// Returns the lse of `rows` rows that see no key: the sink where it is
  /// finite, else -inf. `sink` is the vector of the rows' sinks, or null if the
  /// op has no sinks.
  Value emitEmptyLse(Value sink, int64_t rows);
  /// Returns a tile of i1 that says whether dropout keeps each pair of the tile
  /// of scores at `place`, or null if the op has no dropout.
  Value emitKeep(ArrayRef<int64_t> shape, const SequenceView &at,
                 const ScorePlace &place);

  /// For a range of rows (or of keys), the columns [lo, hi), which are keys (or
  /// rows), that some positions of the range see, and the columns [fullLo,
  /// fullHi) that all positions of the range see.
  struct Interval {
    OpFoldResult lo, hi, fullLo, fullHi;
    /// Whether `lo`, or `hi`, differs among the tiles of a grid.
    bool loVaries = false, hiVaries = false;
  };
  Value createDomain(Value first, int64_t rows, OpFoldResult all, int64_t block,
                     function_ref<Interval(Value, Value)> emit);
  /// Returns a domain for a single row that sees all columns from `first`
  /// (inclusive) to `end` (exclusive), in blocks of `block` columns.
  Value createWholeDomain(OpFoldResult first, OpFoldResult end, int64_t block);
  /// Return the interval that the mask attribute leaves, without regard to the
  /// mask region: boundKeys() that of the keys that the rows [first, last) see,
  /// boundRows() that of the rows that see the keys [first, last).
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

  /// Emits a grid that lists, for each tile of `own` rows, the blocks of
  /// `block` keys in which the mask region may keep pairs, and a grid that
  /// orders the tiles by the lengths of their lists. Sets these lists in `all`:
  /// domains of keys of views made from `all` are then lists. Nothing is
  /// emitted if lists would exclude no more blocks than the intervals of
  /// MaskRanges. With `ofRows`, tiles are tiles of keys and blocks are blocks
  /// of rows. With `hasMap`, lists have `map` and no `order`.
  void listBlocks(SequenceView &all, bool ofRows, int64_t own, int64_t block,
                  bool cutsRows, TileSizesAttrInterface rowwise,
                  bool hasMap = false);
  /// Returns two conditions on the blocks of the `size` rows or keys from
  /// `first` on, given the list of the tile at `position`: whether at least one
  /// of these blocks is listed, and whether all are listed as full blocks. They
  /// are vectors of BlockKinds::kBlocks elements of i1, and `position` or
  /// `first` is a vector of as many indices. The lists must have `map`.
  std::pair<Value, Value> findListedBlocks(const BlockLists &lists, Value batch,
                                           Value head, Value position,
                                           Value first, int64_t size);
  void emitListOf(const SequenceView &at, const BlockLists &lists, bool ofRows,
                  bool cutsRows, ValueRange program);
  void emitPlaceOf(const BlockLists &lists, ValueRange program);
  /// Returns the first row or key of the tile that the program at grid position
  /// `position` computes. Programs take tiles in the order of the lengths of
  /// their lists, so that all SMs finish at about the same time. Without such
  /// an order, returns `position`.
  Value findListedTile(const BlockLists &lists, Value batch, Value head,
                       Value position);
  /// Returns the domain that is the list of the tile at `position`. If `end` is
  /// not null, the domain has only the listed blocks of [first, end), which are
  /// multiples of the block's size or the end of all rows or keys; the lists
  /// must then have `map`.
  Value createListedDomain(const BlockLists &lists, Value batch, Value head,
                           Value position, Value first = {}, Value end = {});
  /// Frees the memory of the lists and summaries of `all`.
  void freeLists(const SequenceView &all);
  void summarize(SequenceView &all, ArrayRef<ReadOp> reads,
                 TileSizesAttrInterface rowwise);
  Value getCapture(ReadOp read);

  /// Returns the ranges of keys (with `ofRows`, of rows) that the mask region
  /// allows for head `head`. Returns std::nullopt if the op has no mask region
  /// or if no range can be derived from it.
  std::optional<MaskRanges> getMaskRanges(const SequenceView &at, bool ofRows,
                                          Value head);
  void boundByMask(const SequenceView &at, std::optional<MaskRanges> &ranges,
                   bool ofRows, Value first, Value last, Interval &interval);

  AttentionInterface op;
  /// The element type of the operands that MMAs multiply.
  const Type inputType;
  /// The number of columns of a tile of keys, of values, and of key_rope (0 if
  /// the op has no key_rope).
  const int64_t headDim, valueHeadDim, ropeDim;
  const bool isValueWithinKey;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_PROGRAMBUILDER_H
