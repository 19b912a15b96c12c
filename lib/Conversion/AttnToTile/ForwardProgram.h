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
  /// Emits the loop over the blocks of keys in a domain. Returns the sum of
  /// values weighted with probabilities, and the state of the softmax.
  std::pair<Value, Value> emitBlocks(Value queryTile, Value kvHead,
                                     Value domain);
  /// Converts a loaded tile of queries, keys or values to the type that MMAs
  /// multiply. The array has elements of type `stored`; tiles of i4 are loaded
  /// as bytes.
  Value widen(Value tile, Type stored);
  /// Converts a loaded tile of queries to the type that its product with keys
  /// takes.
  Value widenQuery(Value tile);
  /// Multiplies the output by the scale of values, unless probabilities were
  /// multiplied by it, and divides it by the scale of the output.
  Value scaleOutput(Value output);
  /// Returns the output in f32, with zeros in rows without keys if there may be
  /// such, and the lse.
  std::pair<Value, Value> finish(Value accumulator, Value state, Value sink,
                                 bool mayBeEmpty);
  /// Returns the query heads and the tokens of the program's rows.
  std::pair<Value, Value> placeRows();
  /// Returns the sink of each of the program's rows in f32, or null.
  Value emitRowSinks();
  /// The head of an array of further columns that all heads may share.
  Value getHeadOf(Extra which, Value ofArray) {
    return op.getExtra(which).findDim('h') ? ofArray : b.index(0);
  }

  AttentionOp op;
  int64_t rows, columns;
  /// A tile has the rows of so many heads that share keys, one head after the
  /// other, and of so many tokens.
  int64_t headsOfTile = 1, tokensOfTile;
  /// Where the program's tile is, once its grid is entered: its sequence, its
  /// head and its first row.
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
  /// `value_dims`); the tile itself if these are all columns.
  Value sliceValue(Value keyBlock);
  void emitEpilogue(Value accumulator, Value state);
  void storeResults(Value output, Value lse);
  /// Decides whether tiles have rows of several heads.
  void divideTile();
  /// Loads the program's tile of queries, or of their further columns.
  Value loadQuery(Value query, int64_t width);
  /// Stores the results of rows of several heads.
  void scatterResults(Value output, Value lse);

  /// Reads those scales of query and key that all keys of the program share.
  void enterScales(Value kvHead);
  /// Reads a scale that all tokens of the program share.
  Value readScale(Extra which, Value head);
  Value loadQueryScale();
  Value loadPagedScales(const ExtraOperand &scale, const PagedBlock &block);
  /// Returns a vector of the scales of the block's keys or values; null if all
  /// of the program's keys share one scale, or if there is none.
  Value loadTokenScales(Extra which, Value position, const PagedBlock &block);
  Value scaleScores(Value scores, Value keyScales);
  /// Multiplies scores of keys' own columns with the scale of keys.
  Value scaleByKeys(Value scores, Value keyScales);
  /// Whether the scale of keys is not that of their further columns, which have
  /// another element type.
  bool hasUnscaledColumns();
  Value scaleProbabilities(Value probabilities, Value valueScales);
  Value scaleAsValues(Value output);

  /// The factor by which scores are multiplied before the score region.
  double scale;
  /// The value of the score region that is the softmax's operand, and the
  /// constant factor by which the softmax multiplies it.
  ScaledScore score = {Value(), 1.0};
  /// Scales of the stored query and keys, by which scores are multiplied before
  /// the score region, or null: a number for all scores, and a vector with one
  /// for each row.
  Value scoreFactor, rowFactors;
  /// The scale of keys beside further columns that have none, if all of the
  /// program's keys share one, else null.
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
  /// The numbers of query heads that share a key head, of the rows of all of
  /// these, and of the parts into which keys are divided.
  Value group;
  OpFoldResult numPacked, numSplits;
  /// The query as programs load it: B x Hkv x rows x D with the rows of a group
  /// or, if each head has one row, B x 1 x Hq x D.
  Value packedQuery;
  /// The columns of query_rope in the same shape, or null.
  Value packedRope;
  /// The output in the same shape, and the lse if each head has one row.
  Value packedOutput, packedLse;
  /// Whether programs can write the output array in this shape through a view;
  /// null if they always can.
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
  /// Whether one program has all keys of a row and writes the output itself.
  Value isWhole;
  SmallVector<Value> workspace;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H
