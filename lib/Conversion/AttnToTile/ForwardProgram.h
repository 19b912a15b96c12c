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

/// Emits the grid of a forward op, with its program.
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
  /// Emits the loop over the blocks of a domain. Returns the values' weighted
  /// sum and the state of the softmax.
  std::pair<Value, Value> emitBlocks(Value queryTile, Value kvHead,
                                     Value domain);
  /// A tile of queries, keys or values as one of the type of products. It is of
  /// an array of `stored` elements: of i4, a tile of bytes.
  Value widen(Value tile, Type stored);
  /// One of queries, as products with keys take it.
  Value widenQuery(Value tile);
  /// Multiplies the output with the scale of values, unless probabilities were
  /// multiplied with that, and divides it by the output's scale.
  Value scaleOutput(Value output);
  /// Returns the output in f32, with zeros in rows without keys if there may be
  /// such, and the lse.
  std::pair<Value, Value> finish(Value accumulator, Value state, Value sink,
                                 bool mayBeEmpty);
  /// Returns the query heads and the tokens of the program's rows.
  std::pair<Value, Value> placeRows();
  /// The head of an array of further columns that all heads may share.
  Value getHeadOf(Extra which, Value ofArray) {
    return op.getExtra(which).findDim('h') ? ofArray : b.index(0);
  }

  AttentionOp op;
  int64_t rows, columns;
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
  /// Returns columns `value_dims` of a tile of keys, which are the values; the
  /// tile itself if these are all.
  Value sliceValue(Value keyBlock);
  void emitEpilogue(Value accumulator, Value state);
  void storeResults(Value output, Value lse);

  /// Reads the scales of scores that all of the program's keys have in common.
  void enterScales(Value kvHead);
  /// Reads a scale that all of the program's tokens share.
  Value readScale(Extra which, Value head);
  Value loadQueryScale();
  Value loadPagedScales(const ExtraOperand &scale, const PagedBlock &block);
  /// Returns a vector of the scales of the block's keys; null if all of the
  /// program's keys share one, or there is none.
  Value loadTokenScales(Extra which, Value position, const PagedBlock &block);
  Value scaleScores(Value scores, Value keyScales);
  /// Multiplies scores of keys' own columns with the scale of keys.
  Value scaleByKeys(Value scores, Value keyScales);
  /// Whether the scale of keys is not that of their further columns, which have
  /// another element type.
  bool hasUnscaledColumns();
  Value scaleProbabilities(Value probabilities, Value valueScales);
  Value scaleAsValues(Value output);

  /// The factor of scores before the score region.
  double scale;
  /// The value in the region that is the score divided by a constant factor,
  /// and that factor, with which the softmax multiplies.
  ScaledScore score = {Value(), 1.0};
  /// Scales of scores that are applied before the region, or null: one number,
  /// and a vector of one for each row.
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

/// Divides keys among programs, whose results a second grid merges. A program
/// has the rows of all query heads that share its keys, one head after the
/// other, since there are few.
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
  /// The number of query heads that share a key, and of the rows of all of
  /// them.
  Value group;
  OpFoldResult numPacked, numSplits;
  /// Query rows as programs load them, B x Hkv x rows x D, or B x 1 x Hq x D
  /// where a head has one.
  Value packedQuery;
  /// Those of query_rope likewise, or null.
  Value packedRope;
  /// Outputs likewise, and lse where a head has one row.
  Value packedOutput, packedLse;
  /// Whether the output is a view of the array; null where it is in any case.
  Value hasRowsInPlace;
  /// Whether rows of a group are in the order of tokens.
  Value isByToken;
  /// B x Hkv x rows x splits x Dv, and without the last dimension.
  Value outputs, states;
  /// Views of the workspace for the programs that write it: B x Hkv x splits x
  /// rows.
  Value partOutputs, partStates;
  /// Whether a program has all keys and writes the output.
  Value isWhole;
  SmallVector<Value> workspace;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_FORWARDPROGRAM_H
