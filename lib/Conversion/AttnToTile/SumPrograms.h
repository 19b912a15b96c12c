//===- SumPrograms.h - Sums over many programs' numbers ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs without MMAs that add up numbers that other programs have written,
// in an order that does not change from run to run.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H

#include "ProgramBuilder.h"

#include "attn/Dialect/Attn/IR/CaptureReads.h"

#include <deque>

namespace mlir::attn {

class SumPrograms : public ProgramBuilder {
protected:
  /// The number of columns that are added at a time.
  static constexpr int64_t kStretch = 64;

  SumPrograms(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : ProgramBuilder(op, builder), outer(builder), rowwise(rowwise) {}

  /// Moves to the insertion point of the caller's builder.
  void follow() { b.restoreInsertionPoint(outer.saveInsertionPoint()); }
  Value allocate(ArrayRef<OpFoldResult> sizes) {
    return ProgramBuilder::allocate(sizes, b.getF32Type());
  }
  /// Emits to[.., r] = the sum of row [.., r] of `from`, rounded.
  void addRows(Value from, Value to);

  OpBuilder &outer;
  TileSizesAttrInterface rowwise;
};

/// Sums a number for each row of each query head: over rows and, unless sums
/// are kept for each, over batch entries and heads.
class RowSums : public SumPrograms {
public:
  RowSums(AttentionInterface op, OpBuilder &builder,
          TileSizesAttrInterface rowwise, bool keepsBatch, bool keepsHeads)
      : SumPrograms(op, builder, rowwise), keepsBatch(keepsBatch),
        keepsHeads(keepsHeads) {}

  /// Allocates memory for the numbers, B x Hq x at least Sq. With `isCleared`
  /// it holds zeros; else the grid that writes it must write all of its rows,
  /// with zeros past the query's.
  Value allocateTerms(bool isCleared);
  /// Emits the sums, after that grid, to an array with the dimensions that are
  /// kept, batch entries first, or to a vector with one element.
  void finish(Value out);

private:
  bool keepsBatch, keepsHeads;
  /// The numbers, B x Hq x stretches x kStretch.
  Value terms;
};

// Sums the terms of captures' gradients, which there are for each pair. The
// program of a block of rows sums them over the keys and writes a number for
// each row. For a captured scalar, three small grids add these numbers, in an
// order that does not change from run to run: over stretches of a head's rows,
// over heads, over stretches.

class CaptureSums : SumPrograms {
public:
  CaptureSums(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise) {}

  /// Allocates workspace, before the grid that calls `store`. Captures that are
  /// numbers have no reads; others are arrays.
  void allocateRows(ArrayRef<std::optional<CaptureReads>> captures);
  /// Stores a program's terms of capture `i`: a number for each of its rows.
  void store(unsigned i, Value sums, Value batch, Value head, Value row);
  /// Emits the sums of all captures, after that grid.
  void finish(ValueRange outs);
  /// Stores zeros as gradients, for problems without pairs.
  void storeZeros(ValueRange outs);

private:
  void addStretches(Value from, Value to);
  Value asVector(Value out);

  /// For a number, a row for each head of each batch entry and a column for
  /// each of its query rows; for an array, the memory of its RowSums.
  SmallVector<Value> partial;
  /// The sums of arrays; numbers have none.
  std::deque<std::optional<RowSums>> sums;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
