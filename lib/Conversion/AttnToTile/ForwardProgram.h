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

/// Emits the grid of a forward attention op and its program.
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
                 int64_t tileColumns) {
    return load(array, {tileRows, tileColumns},
                {at.arrayBatch, head, position});
  }
  /// Emits the loop over the blocks of keys in a domain. Returns the
  /// accumulator, which is the sum of values times their exponentials that are
  /// not yet normalized, and the state of the softmax.
  std::pair<Value, Value> emitBlocks(Value queryTile, Value kvHead,
                                     Value domain);
  /// Returns a loaded tile of queries, keys or values in the type that MMAs
  /// multiply. The array has elements of type `stored`; tiles of i4 are loaded
  /// as bytes and unpacked.
  Value widen(Value tile, Type stored);
  /// Returns a loaded tile of queries in the type that its product with keys
  /// takes: as it is if MMAs multiply 8-bit queries and keys, else as widen()
  /// does.
  Value widenQuery(Value tile);
  /// Divides the output by its scale, if there is one.
  Value scaleOutput(Value output);
  /// Returns the normalized and scaled output in f32, and the lse. With
  /// `mayBeEmpty`, rows without keys get an output of zeros.
  std::pair<Value, Value> finish(Value accumulator, Value state, Value sink,
                                 bool mayBeEmpty);
  /// Returns the query head and the token of each of the program's rows; the
  /// head is a scalar if all rows are of one head.
  std::pair<Value, Value> placeRows();
  /// Returns the sink of each of the program's rows in f32, or null.
  Value emitRowSinks();
  /// Returns the index in the dimension of heads of query_rope or key_rope:
  /// `ofArray`, or 0 if all heads share one.
  Value getHeadOf(Extra which, Value ofArray) {
    return op.getExtra(which).findDim('h') ? ofArray : b.index(0);
  }

  AttentionOp op;
  int64_t rows, columns;
  /// A tile has the rows of this many heads that share keys, one head after the
  /// other, and each has rows for this many tokens.
  int64_t headsOfTile = 1, tokensOfTile;
  /// The position of the program's tile, set when its grid is entered: its
  /// sequence, its head (the first one, if several) and its first row.
  SequenceView at;
  Value head, row;
  /// The program's tile of query_rope, or null.
  Value queryRopeTile;

private:
  void emitEmptyRows();
  void emitProgram(Value query);
  /// `ropeBlock` has the further columns of the keys, or is null.
  Value emitScores(Value query, Value keyBlock, Value ropeBlock,
                   Value keyScales, Value position, Value partial,
                   ScorePlace &place);
  /// Returns the columns of a tile of keys that are its values (attribute
  /// `value_dims`); the tile itself if all columns are.
  Value sliceValue(Value keyBlock);
  void emitEpilogue(Value accumulator, Value state);
  void storeResults(Value output, Value lse);
  /// Sets `headsOfTile` and `tokensOfTile`: whether tiles have the rows of
  /// several heads, which only those of packed sequences may have.
  void divideTile();
  /// Loads the program's tile of queries, or of their further columns, with
  /// `width` columns. If it has rows of several heads, loads it in parts of one
  /// head each.
  Value loadQuery(Value query, int64_t width);
  /// Stores the results of a tile with rows of several heads row by row, by
  /// scatters; rows past those of the last head are not stored.
  void scatterResults(Value output, Value lse);

  /// Sets the factors of scores from those scales of query and key that do not
  /// differ between the program's keys: `scoreFactor`, `rowFactors` and
  /// `keyFactor`. Also sets `valueHead`.
  void enterScales(Value kvHead);
  /// Reads the one scale that a head has for all tokens, in f32.
  Value readScale(Extra which, Value head);
  Value loadQueryScale();
  Value loadPagedScales(const ExtraOperand &scale, const PagedBlock &block);
  /// Whether the op has a scale of keys or values that may differ between the
  /// keys of a program.
  bool hasTokenScales(Extra which);
  /// Returns a vector with the scale of each of the block's keys or values;
  /// null if hasTokenScales() is false.
  Value loadTokenScales(Extra which, Value position, const PagedBlock &block);
  Value scaleScores(Value scores, Value keyScales);
  /// Returns `scores`, products of the keys' columns without key_rope, times
  /// the scales of keys: keyFactor and the vector `keyScales`, as far as they
  /// are not null.
  Value scaleByKeys(Value scores, Value keyScales);
  /// Whether keys have further columns (key_rope) to which the scale of keys
  /// does not apply, since they have another element type.
  bool hasUnscaledColumns();
  Value scaleProbabilities(Value probabilities, Value valueScales);
  /// Returns a tile of the output's shape with the elements of the scale or the
  /// mean of values, which are the same for all of the program's rows.
  Value loadForOutput(Extra which);
  /// Multiplies the output by the scale of values, unless the scale differs
  /// between keys and has multiplied the probabilities.
  Value scaleAsValues(Value output);
  /// Adds the mean of values, if the op has one, to the normalized output: to
  /// each row times the sum of its probabilities, which is 0 without keys and
  /// else 1 less that of the sink. `inverse` and `lse` are results of the
  /// softmax with this sink, which may be null.
  Value addMean(Value output, Value inverse, Value lse, Value sink);

  /// The factor by which scores are multiplied before the score region.
  double scale;
  /// The value of the score region that is the softmax's operand, and the
  /// constant factor by which the softmax multiplies it. Without a region the
  /// value is null.
  ScaledScore score = {Value(), 1.0};
  /// Scales of query and key, by which scores are multiplied before the score
  /// region: a number for all of the program's scores, and a vector with one
  /// for each row. Each is null if there is none.
  Value scoreFactor, rowFactors;
  /// The scale of keys that applies to their own columns, but not to the
  /// further ones of key_rope, if all of the program's keys share one; else
  /// null.
  Value keyFactor;
  /// The head of the program's keys and values.
  Value valueHead;
  /// The sink for each of the program's rows, or null.
  Value sink;
  bool hasMask = false;
};

/// Emits the forward op with keys divided among programs (split-KV), whose
/// results a second grid merges. A program has the rows of all query heads that
/// share its keys, since rows are few.
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
  std::pair<Value, Value> findPackedRealRows();
  void scatterLse(Value lse);
  void emitResults(Value accumulator, Value state, Value kvHead, Value split);
  void emitMerge(const SequenceView &all);

  int64_t rowsOfHead;
  /// The number of query heads that share a key head, the number of rows of all
  /// these heads, and the number of parts into which keys are divided.
  Value group;
  OpFoldResult numPacked, numSplits;
  /// The query as programs load it: B x Hkv x rows x D with the rows of all
  /// heads of a group or, if each head has one row, B x 1 x Hq x D.
  Value packedQuery;
  /// The columns of query_rope in the same shape, or null.
  Value packedRope;
  /// The output in the same shape and, only if each head has one row, the lse.
  Value packedOutput, packedLse;
  /// An i1: whether the output array's strides allow this shape as a view, so
  /// that programs can write it; null if each head has one row, when they
  /// always do.
  Value hasRowsInPlace;
  /// Whether the rows of a group are ordered token by token instead of head by
  /// head.
  Value isByToken;
  /// The results of the parts: outputs of B x Hkv x rows x splits x Dv, and
  /// states (lse) of the same shape without Dv.
  Value outputs, states;
  /// Views of outputs and states in the order in which programs write them: B x
  /// Hkv x splits x rows.
  Value partOutputs, partStates;
  /// An i1: whether one program has all keys of a row and stores the output
  /// itself, so that nothing is merged.
  Value isWhole;
  SmallVector<Value> workspace;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H
