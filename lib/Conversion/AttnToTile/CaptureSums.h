//===- CaptureSums.h - Gradients of captures, from sums ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the gradient of a captured scalar adds up is of each pair. The program
// that has a block of rows sums it over the keys and writes a number for each
// row. Three small grids add those, in an order that does not change from run
// to run: over stretches of a head's rows, over heads, over stretches.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_CAPTURESUMS_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_CAPTURESUMS_H

#include "SumPrograms.h"

#include "attn/Dialect/Attn/IR/CaptureReads.h"

#include <deque>

namespace mlir::attn {

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

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_CAPTURESUMS_H
