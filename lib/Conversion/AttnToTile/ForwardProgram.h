//===- ForwardProgram.h - Attention as a tile program -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H

#include "ProgramBuilder.h"
#include "ScoreTiling.h"

namespace mlir::attn {

/// Adjacent columns of an array.
struct Columns {
  int64_t first, count;
};

/// Builds the tile program of a forward attention op and the grid that runs it.
class ForwardProgram : protected ProgramBuilder {
public:
  ForwardProgram(AttentionOp op, OpBuilder &builder);

  void emit();
  bool isMasked() const { return hasMask; }

protected:
  Value ofRows(Value vector, int64_t width) {
    return broadcast(vector, 1, {rows, width});
  }
  Value loadRows(Value array, Value head, Value position, int64_t tileRows,
                 Columns own) {
    return load(array, {tileRows, own.count},
                {at.arrayBatch, head, position, b.index(own.first)});
  }
  /// Calls `load` for each group of the query's columns (`keyGroups`), and
  /// returns the loaded tiles in the type in which they are multiplied.
  SmallVector<Value> loadGroups(function_ref<Value(Columns)> load);
  /// The accumulators of a program, one for each group of the value's columns
  /// (`valueGroups`), and the state of the softmax. The accumulators are sums
  /// of values times exponentials, before the division by the sum of
  /// exponentials.
  struct Sums {
    SmallVector<Value> accumulators;
    Value state;
  };
  /// Emits the loop over the blocks of keys of a domain, for the tiles of a
  /// query that loadGroups() returns.
  Sums emitBlocks(ArrayRef<Value> queryTiles, Value kvHead, Value domain);
  /// Returns a loaded tile of queries, keys or values, converted to `element`,
  /// the type that MMAs multiply. The array has elements of type `stored`; a
  /// tile of i4 is loaded as bytes, which are unpacked here.
  Value widen(Value tile, Type stored, Type element);
  /// Returns a loaded tile of queries in the type in which it is multiplied
  /// with keys: unchanged if MMAs multiply 8-bit queries and keys, else
  /// converted by widen(), or by scaleToHalf() if that type is f16 and the
  /// query's is bf16.
  Value widenQuery(Value tile);
  /// Returns the output divided by the operand output_scale, or unchanged if
  /// the op has no such operand.
  Value scaleOutput(Value output);
  /// Returns the normalized and scaled output in f32, a tile for each group of
  /// its columns, and the lse. With `mayBeEmpty`, rows that see no key get an
  /// output of 0.
  std::pair<SmallVector<Value>, Value> finish(const Sums &sums, Value sink,
                                              bool mayBeEmpty);
  /// Returns the query head and the token of each of the program's rows. The
  /// head is a scalar if all rows belong to one head, else a vector.
  std::pair<Value, Value> placeRows();
  /// Returns a vector of f32 with the sink of each of the program's rows, or
  /// null if the op has no sinks.
  Value emitRowSinks();
  /// Returns the head index at which query_rope or key_rope is read: `ofArray`,
  /// or 0 if all heads share the same columns.
  Value getHeadOf(Extra which, Value ofArray) {
    return op.getExtra(which).findDim('h') ? ofArray : b.index(0);
  }

  AttentionOp op;
  int64_t rows, columns;
  /// The groups of columns that the program loads at a time, of a key (and of
  /// the query) and of a value. A value within the key is some of the key's
  /// groups.
  SmallVector<Columns, 1> keyGroups, valueGroups;
  /// The heads and tokens whose rows a tile has.
  HeadRows division;
  /// The position of the program's tile, set when the program's grid is
  /// entered: the view `at` of its sequence or batch entry, its head (the first
  /// one if the tile has rows of several heads) and its first row.
  SequenceView at;
  Value head, row;
  /// The program's tile of query_rope, or null if the op has no query_rope.
  Value queryRopeTile;

private:
  void emitEmptyRows();
  void emitProgram(Value query);
  /// Whether products of a bf16 query with `stored` numbers, of keys or values,
  /// are products in f16.
  bool multipliesHalf(Type stored);
  /// Returns the tile of queries, in bf16, as f16. Multiplies each row by a
  /// power of two, with which its largest element is near the largest f16.
  /// Sets `queryFactors`.
  Value scaleToHalf(Value tile);
  /// Sets `keyGroups` and `valueGroups`.
  void divideColumns();
  /// Emits the masked scores of a block of keys, from a tile for each group of
  /// the key's columns. `ropeBlock` is the block's tile of key_rope, or null if
  /// the op has no key_rope.
  Value emitScores(ArrayRef<Value> queries, ArrayRef<Value> keyBlocks,
                   Value ropeBlock, Value keyScales, Value position,
                   Value partial, ScorePlace &place);
  /// Returns the tiles of the values that are columns of the key, from the
  /// tiles of the key's groups.
  SmallVector<Value> takeValues(ArrayRef<Value> keyBlocks);
  /// Emits a step of the softmax and rescales the accumulators, which
  /// `accumulators` then has. Returns the probabilities, in the element type
  /// `probability`, and the next state.
  std::pair<Value, Value> emitSoftmax(Value scores, Value state,
                                      Type probability,
                                      MutableArrayRef<Value> accumulators);
  /// If scores are computed apart, says that the probabilities may take the
  /// memory of a tile of keys that is read for scores alone, if one of the
  /// tiles `dead` has as many bytes.
  Value placeProbabilities(Value probabilities, ArrayRef<Value> dead);
  void emitEpilogue(const Sums &sums);
  void storeResults(ArrayRef<Value> outputs, Value lse);
  /// Loads columns of the program's tile of queries, or of query_rope. A tile
  /// with rows of several heads is loaded in parts, each of which has rows of
  /// one head.
  Value loadQuery(Value query, Columns own);
  /// Stores the output and lse of a tile with rows of several heads by
  /// scatters, since each row has its own head and token. Rows of the tile past
  /// those of the last head are not stored.
  void scatterResults(ArrayRef<Value> outputs, Value lse);

  /// Sets `scoreFactor`, `rowFactors` and `keyFactor` from those scales of
  /// query and key that all keys of the program share, or `softmaxFactors` in
  /// place of the first two. Also sets `valueHead`.
  void enterScales(Value kvHead);
  /// Sets `softmaxFactors` if the softmax can multiply by the factors that
  /// enterScales() has found.
  void moveFactorsToSoftmax();
  /// Reads the one scale, in f32, that the operand `which` has for all tokens
  /// of head `head`.
  Value readScale(Extra which, Value head);
  Value loadQueryScale();
  Value loadPagedScales(const ExtraOperand &scale, const PagedBlock &block);
  /// Whether the op has the operand `which`, a scale of keys or values, and the
  /// scale may differ among the keys of a program.
  bool hasTokenScales(Extra which);
  /// Returns a vector with the scale of each key, or value, of the block at
  /// `position`. Returns null if hasTokenScales() is false.
  Value loadTokenScales(Extra which, Value position, const PagedBlock &block);
  Value scaleScores(Value scores, Value keyScales);
  /// Returns `scores`, the products of query and key without the columns of
  /// key_rope, multiplied by the scales of the keys: by the number `keyFactor`
  /// and by the vector `keyScales`, unless these are null.
  Value scaleByKeys(Value scores, Value keyScales);
  /// Whether the op has key_rope in another element type than the key, so that
  /// the scale of keys does not apply to the columns of key_rope.
  bool hasUnscaledColumns();
  Value scaleProbabilities(Value probabilities, Value valueScales);
  /// Returns a tile for the columns `own` of the output with the elements of
  /// operand `which`, the scale or the mean of values. These elements are the
  /// same for all rows of the program.
  Value loadForOutput(Extra which, Columns own);
  /// Returns the columns `own` of the output multiplied by the scale of values.
  /// If that scale differs among keys, returns the output unchanged, since the
  /// probabilities have been multiplied by the scale.
  Value scaleAsValues(Value output, Columns own);
  /// Adds the mean of values, if the op has one, to the columns `own` of the
  /// normalized output. In each row, the mean is multiplied by the sum of the
  /// row's probabilities over keys. That sum is 0 if the row sees no key, else
  /// 1 minus the sink's probability. `inverse` and `lse` are results of the
  /// softmax with this sink; `sink` may be null.
  Value addMean(Value output, Columns own, Value inverse, Value lse,
                Value sink);

  /// The role that computes the scores and the softmax, if that is not the one
  /// that multiplies probabilities and values; else empty.
  StringRef scoresRole;
  /// The types in which the query is multiplied with keys and probabilities
  /// are multiplied with values, unless these products are of 8 bits.
  Type scoreType, valueType;
  /// A vector with the inverse of the power of two by which scaleToHalf() has
  /// multiplied each row of the query, or null.
  Value queryFactors;
  /// The factor by which scores are multiplied before the score region is
  /// evaluated.
  double scale;
  /// The value of the score region that is the operand of the softmax, and the
  /// constant factor by which the softmax multiplies that operand. Without a
  /// score region the value is null.
  ScaledScore score = {Value(), 1.0};
  /// Factors from the scales of query and key, by which scores are multiplied
  /// before the score region: `scoreFactor` is a number for all scores of the
  /// program, `rowFactors` a vector with a factor for each row. Each is null if
  /// the op has no such scale.
  Value scoreFactor, rowFactors;
  /// The product of these factors as a vector, if the softmax multiplies by it
  /// instead. `scoreFactor` and `rowFactors` are then null.
  Value softmaxFactors;
  /// The scale of keys if it applies to the key's columns but not to those of
  /// key_rope, and all keys of the program share one; else null.
  Value keyFactor;
  /// The index of the program's key and value head.
  Value valueHead;
  /// A vector with the sink of each of the program's rows, or null if the op
  /// has no sinks.
  Value sink;
  bool hasMask = false;
};

/// Builds the grids of a forward op whose keys are divided among programs
/// (split-KV): one grid computes partial results, and a second grid merges
/// them. Since rows are few, a program has the rows of all query heads that
/// share its keys.
class SplitProgram : ForwardProgram {
public:
  SplitProgram(AttentionOp op, OpBuilder &builder);

  void emit();
  using ForwardProgram::isMasked;

private:
  Value isPacked(Value array, bool ofToken);
  Value selectByOrder(Value ofTokens, Value ofHeads);
  Value collapseHeads(Value array);
  void copyQuery(Value query, Value memory, const RowPacking &packing);
  Value packQuery(Value query, int64_t width, const RowPacking &packing);
  RowPacking packRows();
  OpFoldResult countSplits();
  Value createSplitDomain(Value split);
  void emitPart(const SequenceView &all, attn_tile::GridOp grid);
  Value emitSinks();
  std::pair<Value, Value> findPackedRealRows(int64_t width);
  OpFoldResult multiplyRows(OpFoldResult number);
  Value hasOneToken();
  void scatterLse(Value lse);
  void emitResults(const Sums &sums, Value kvHead, Value split);
  void emitMerge(const SequenceView &all);

  /// The number of rows of each head, and whether types say that it is 1.
  OpFoldResult rowsOfHead;
  bool hasSingleRows;
  /// `group` is the number of query heads that share a key head, `numPacked`
  /// the number of rows of all these heads together, and `numSplits` the number
  /// of parts into which the keys are divided.
  Value group;
  OpFoldResult numPacked, numSplits;
  /// The query as programs load it: B x Hkv x rows x D, where the rows are
  /// those of all query heads of a group; or B x 1 x Hq x D if each head has a
  /// single row.
  Value packedQuery;
  /// The array query_rope in the same shape as `packedQuery`, or null if the op
  /// has no query_rope.
  Value packedRope;
  /// The output in the same shape as `packedQuery`, and the lse. `packedLse` is
  /// null unless each head has a single row.
  Value packedOutput, packedLse;
  /// An i1 that is true if the strides of the output array allow a view in
  /// which the rows of all heads of a group are one dimension, so that programs
  /// can write the output in place. Null if each head has a single row, since
  /// such a view then always exists.
  Value hasRowsInPlace;
  /// An i1: whether the rows of all heads of a group are ordered token by token
  /// and not head by head.
  Value isByToken;
  /// The partial results in workspace: `outputs` of shape B x Hkv x rows x
  /// splits x Dv, and `states`, the partial lse, of shape B x Hkv x rows x
  /// splits.
  Value outputs, states;
  /// Transposed views of `outputs` and `states` in the order in which programs
  /// write them: B x Hkv x splits x rows.
  Value partOutputs, partStates;
  /// An i1 that is true if one program has all keys of a row and stores the
  /// output itself, so that no second grid merges partial results.
  Value isWhole;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H
