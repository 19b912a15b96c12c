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
  Value allocate(ArrayRef<OpFoldResult> sizes);
  /// to[.., r] = the sum of row r, rounded
  void addRows(Value from, Value to);

  OpBuilder &outer;
  TileSizesAttrInterface rowwise;
};

/// Sums of a number for each row of each query head, one sum for a head: over
/// batch entries and rows.
class HeadSums : public SumPrograms {
public:
  HeadSums(AttentionInterface op, OpBuilder &builder,
           TileSizesAttrInterface rowwise)
      : SumPrograms(op, builder, rowwise) {}

  /// Memory for the numbers: B x Hq x at least Sq. The grid that writes it
  /// goes over all of its rows, with zeros where there is none of the query.
  Value allocateTerms();
  /// The sums, behind that grid, in a vector of Hq.
  void finish(Value out);

private:
  /// B x Hq x stretches x kStretch
  Value terms;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SUMPROGRAMS_H
