//===- SumPrograms.h - Sums over many programs' numbers ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs without MMAs that add up what others have written, in an order that
// does not change from run to run.
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
  /// Columns that are added at a time.
  static constexpr int64_t kStretch = 64;

  SumPrograms(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : ProgramBuilder(op, builder), outer(builder), rowwise(rowwise) {}

  /// Goes on where the caller's builder is.
  void follow() { b.restoreInsertionPoint(outer.saveInsertionPoint()); }
  Value allocate(ArrayRef<OpFoldResult> sizes) {
    return ProgramBuilder::allocate(sizes, b.getF32Type());
  }
  /// to[.., r] = the sum of row [.., r] of `from`, rounded
  void addRows(Value from, Value to);

  OpBuilder &outer;
  TileSizesAttrInterface rowwise;
};

/// Sums of a number for each row of each query head: over rows and, unless they
/// have a sum each, batch entries and heads.
class RowSums : public SumPrograms {
public:
  RowSums(AttentionInterface op, OpBuilder &builder,
          TileSizesAttrInterface rowwise, bool keepsBatch, bool keepsHeads)
      : SumPrograms(op, builder, rowwise), keepsBatch(keepsBatch),
        keepsHeads(keepsHeads) {}

  /// Memory for the numbers: B x Hq x at least Sq. The grid that writes it
  /// goes over all of its rows, with zeros where there is none of the query,
  /// or they are cleared before.
  Value allocateTerms(bool isCleared);
  /// The sums, behind that grid, in an array of as many dimensions as have sums
  /// of their own, batch entries first, or in a vector of one.
  void finish(Value out);

private:
  bool keepsBatch, keepsHeads;
  /// B x Hq x stretches x kStretch
  Value terms;
};

// What the gradient of a captured scalar adds up is of each pair. The program
// that has a block of rows sums it over the keys and writes a number for each
// row. Three small grids add those, in an order that does not change from run
// to run: over stretches of a head's rows, over heads, over stretches.

class CaptureSums : SumPrograms {
public:
  CaptureSums(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise) {}

  /// Workspace for captures that are numbers, which have no reads, or arrays,
  /// before the grid that calls `store`.
  void allocateRows(ArrayRef<std::optional<CaptureReads>> captures);
  /// What a program has of capture `i`: a number for each of its rows.
  void store(unsigned i, Value sums, Value batch, Value head, Value row);
  /// The sums of all, behind that grid.
  void finish(ValueRange outs);
  /// The sums of nothing.
  void storeZeros(ValueRange outs);

private:
  void addStretches(Value from, Value to);
  Value asVector(Value out);

  /// A row for each head of a batch entry, a column for each of its rows. Of
  /// arrays, as RowSums has it.
  SmallVector<Value> partial;
  /// Of arrays; the others have none.
  std::deque<std::optional<RowSums>> sums;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
