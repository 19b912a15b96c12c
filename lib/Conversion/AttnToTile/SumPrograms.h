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
  /// The number of neighboring elements of a row that one reduction of a tile
  /// sums.
  static constexpr int64_t kStretch = 64;

  SumPrograms(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : ProgramBuilder(op, builder), outer(builder), rowwise(rowwise) {}

  /// Moves the builder to the insertion point of the caller's builder.
  void follow() { b.restoreInsertionPoint(outer.saveInsertionPoint()); }
  Value allocate(ArrayRef<OpFoldResult> sizes) {
    return ProgramBuilder::allocate(sizes, b.getF32Type());
  }
  /// Emits a grid that sums each row of `from` over its last dimension and
  /// stores the sum, rounded, as that row's element of `to`.
  void addRows(Value from, Value to);

  OpBuilder &outer;
  TileSizesAttrInterface rowwise;
};

/// Sums terms, of which there is one for each row of each query head: over the
/// rows, over batch entries unless `keepsBatch`, and over heads unless
/// `keepsHeads`.
class RowSums : public SumPrograms {
public:
  RowSums(AttentionInterface op, OpBuilder &builder,
          TileSizesAttrInterface rowwise, bool keepsBatch, bool keepsHeads)
      : SumPrograms(op, builder, rowwise), keepsBatch(keepsBatch),
        keepsHeads(keepsHeads) {}

  /// Allocates memory for the terms, B x Hq x at least Sq, and returns it. With
  /// `isCleared`, a grid fills it with zeros; otherwise the grid that writes
  /// the terms must write all of its rows, with zeros past the query's last
  /// row.
  Value allocateTerms(bool isCleared);
  /// Emits the grids that store the sums to `out`, after the grid that writes
  /// the terms. `out` has the kept dimensions, batch entries first; if none is
  /// kept, it is a vector with one element.
  void finish(Value out);

private:
  bool keepsBatch, keepsHeads;
  /// The terms, B x Hq x stretches x kStretch: a stretch is kStretch rows.
  Value terms;
};

// Sums the gradients of captures, which have a term for each pair of row and
// key. The program of a block of rows sums them over the keys and writes a
// number for each row. For a captured scalar, three small grids sum these
// numbers, in an order that does not change from run to run: over stretches of
// a head's rows, over heads, over stretches.

class CaptureSums : SumPrograms {
public:
  CaptureSums(AttentionInterface op, OpBuilder &builder,
              TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise) {}

  /// Allocates workspace for the sums over keys, one array for each capture,
  /// before the grid whose programs call store(). `captures` says how arrays
  /// are read, and has none for a captured scalar.
  void allocateRows(ArrayRef<std::optional<CaptureReads>> captures);
  /// Stores `sums`, the sums over keys of a program's terms for capture `i`,
  /// with a number for each of its rows from `row` on, to that capture's
  /// workspace.
  void store(unsigned i, Value sums, Value batch, Value head, Value row);
  /// Emits the grids that sum all captures' terms to their gradients `outs`.
  void finish(ValueRange outs);
  /// Stores zeros as the captures' gradients, for problems without pairs.
  void storeZeros(ValueRange outs);

private:
  void addStretches(Value from, Value to);
  Value asVector(Value out);

  /// The workspace to which programs write their sums over keys, one array for
  /// each capture. For a captured scalar it is a matrix with a row for each
  /// head of each batch entry and a column for each query row; for a captured
  /// array, it is the terms of its RowSums.
  SmallVector<Value> partial;
  /// The sums of arrays; numbers have none.
  std::deque<std::optional<RowSums>> sums;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
