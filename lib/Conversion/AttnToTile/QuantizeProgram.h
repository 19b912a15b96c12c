//===- QuantizeProgram.h - Stored arrays as tile programs -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H

#include "NarrowingProgram.h"

#include "attn/Dialect/Attn/IR/Quantize.h"

namespace mlir::attn {

/// Emits the grids of an op that quantizes an array (attn.quantize).
class QuantizeProgram : NarrowingProgram {
public:
  QuantizeProgram(QuantizeOp op, OpBuilder &builder);

  void emit();

private:
  /// The position in the array of a tile's first element: batch entry, head,
  /// token and column.
  struct Place {
    Value batch, head, first, column;
  };
  using LoopBody = function_ref<SmallVector<Value>(Value, ValueRange)>;

  Block::BlockArgListType enterGrid(Value number = Value(), int64_t step = 1);
  std::pair<Value, Value> findRange(Value number, int64_t size);
  Value countParts(int64_t size);
  SmallVector<Value> overColumns(ValueRange initial, LoopBody emitBody);
  Value findColumns(const Place &place, RankedTensorType type, int64_t axis,
                    ColumnStep step);
  Value loadTokens(const Place &place, ColumnStep step = {});
  Value findMost(const Place &place, Value end, Value initial);
  SmallVector<Value> loopOver(Value first, Value end, int64_t step,
                              ValueRange initial, LoopBody emitBody);
  Value reduceColumns(attn_tile::ReduceKind kind, Value tile);
  Value reduceAll(Value tile);
  Value allocatePartials();
  Value reducePartials(attn_tile::ReduceKind kind, Value partials,
                       const Place &place, Value initial);
  Value findFactors(const Place &place, ColumnStep step);
  void storeTokens(const Place &place,
                   function_ref<Value(ColumnStep)> getFactors);
  void storeRows(const Place &place, Value scales);
  void emitSums(Value sums, Value absent);
  void emitMean();
  void emitTokens();
  void emitBlocks();
  void emitPartials(Value partials);
  void emitScales(Value partials, Value ofHeads);
  void emitArrayScale(Value ofHeads);
  void emitStores();

  Value zeros(int64_t height) { return splat(f32Tile({height, columns}), 0.0); }
  /// Returns the number of columns of a tile after padding to a multiple of 32.
  /// The tile has all of `columns` (step 1), or every second one (step 2).
  int64_t padWidth(ColumnStep step) { return padColumns(columns / step.step); }

  QuantizeOp op;
  Type stored;
  /// The array to which the quantized numbers are stored. For i4 it is a view
  /// of the array's bytes, each of which holds two numbers.
  Value destination;
  int64_t scaleRank, headDim;
  /// The number of columns of a tile.
  int64_t columns;
};

/// Emits the grids of the op, which must have memref operands and a schedule.
void emitQuantize(QuantizeOp op, OpBuilder &builder);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_QUANTIZEPROGRAM_H
