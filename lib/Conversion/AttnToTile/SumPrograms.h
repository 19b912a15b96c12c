//===- SumPrograms.h - Sums over many programs' numbers ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs without MMAs that sum numbers which other programs have written, in
// an order that does not change from run to run.
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
  /// The number of adjacent elements of a row that one reduction of a tile
  /// sums.
  static constexpr int64_t kStretch = 64;

  SumPrograms(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : ProgramBuilder(op, builder), outer(builder), rowwise(rowwise) {}

  /// Moves the class's own builder to the insertion point of the caller's
  /// builder.
  void follow() { b.restoreInsertionPoint(outer.saveInsertionPoint()); }
  Value allocate(ArrayRef<OpFoldResult> sizes) {
    return ProgramBuilder::allocate(sizes, b.getF32Type());
  }
  /// Emits a grid that sums the rows of `from` along its last dimension, and
  /// stores the sum of each row, rounded, as an element of `to`.
  void addRows(Value from, Value to);

  OpBuilder &outer;
  TileSizesAttrInterface rowwise;
};

/// Sums terms that have one number for each row of each query head. The sums
/// are over the rows, over batch entries unless `keepsBatch`, and over heads
/// unless `keepsHeads`.
class RowSums : public SumPrograms {
public:
  RowSums(AttentionInterface op, OpBuilder &builder,
          TileSizesAttrInterface rowwise, bool keepsBatch, bool keepsHeads)
      : SumPrograms(op, builder, rowwise), keepsBatch(keepsBatch),
        keepsHeads(keepsHeads) {}

  /// Allocates and returns memory for the terms, of shape B x Hq x (at least
  /// Sq). With `isCleared`, a grid fills it with zeros. Otherwise the grid that
  /// writes the terms must write all elements, with zeros past the last row of
  /// the query.
  Value allocateTerms(bool isCleared);
  /// Emits the grids that add up the terms, one for each row, and store the
  /// sums to `out`. To be called after the grid that writes the terms was
  /// emitted. `out` has a dimension of batch entries and one of heads, each
  /// only if sums are not over it, or one element if sums are over both.
  void finish(Value out);

private:
  bool keepsBatch, keepsHeads;
  /// The terms to be summed, of shape B x Hq x stretches x kStretch. A stretch
  /// is kStretch adjacent rows.
  Value terms;
};

// Sums the gradients of captures, which have a term for each pair of row and
// key. The program of a tile of rows sums the terms over the keys and writes a
// number for each row. For a captured scalar, three small grids sum these
// numbers, in an order that is the same in each run. They sum over the rows of
// each stretch of a head, over heads, and over stretches.

class CaptureSums : SumPrograms {
public:
  CaptureSums(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise) {}

  /// Allocates workspace for the sums over keys, one array for each capture. To
  /// be called before the grid whose programs call store() is emitted.
  /// `captures` says how each array is read, and has std::nullopt for a
  /// captured scalar.
  void allocateRows(ArrayRef<std::optional<CaptureReads>> captures);
  /// Stores `sums`, a program's sums over keys for capture `i`, to the
  /// capture's workspace. They have one number for each of the program's rows,
  /// which begin at `row`.
  void store(unsigned i, Value sums, Value batch, Value head, Value row);
  /// Does the same for rows of several heads; `heads` and `rows` are vectors of
  /// indices (see placeHeads()).
  void scatter(unsigned i, Value sums, Value batch, Value heads, Value rows);
  /// Emits the grids that sum the terms of each capture to its gradient in
  /// `outs`.
  void finish(ValueRange outs);
  /// Emits grids that store zeros as the captures' gradients, for problems that
  /// have no pairs.
  void storeZeros(ValueRange outs);

private:
  void addStretches(Value from, Value to);
  Value asVector(Value out);

  /// The workspace to which programs write their sums over keys, one array for
  /// each capture. For a captured scalar it is a matrix with a row for each
  /// head of each batch entry and a column for each query row. For a captured
  /// array it holds the terms of the capture's RowSums.
  SmallVector<Value> partial;
  /// For each capture that is an array, the object that sums its terms;
  /// std::nullopt for a captured scalar.
  std::deque<std::optional<RowSums>> sums;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
