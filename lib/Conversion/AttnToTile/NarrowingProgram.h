//===- NarrowingProgram.h - Base of programs that quantise ------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_NARROWINGPROGRAM_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_NARROWINGPROGRAM_H

#include "RowProgram.h"

namespace mlir::attn {

/// The columns of the array that a tile has: all of them, or the even or the
/// odd ones (for two 4-bit integers in a byte).
struct ColumnStep {
  int64_t first = 0, step = 1;
};

/// Base of the programs of rowwise ops that store numbers of 8 bits or of 4.
class NarrowingProgram : protected RowProgram {
protected:
  using RowProgram::RowProgram;

  /// Returns, for each element of a tile of `type`, the column of the array
  /// that its index along `axis` stands for: step.first + index * step.step.
  Value getColumns(RankedTensorType type, int64_t axis, ColumnStep step);
  /// Returns the magnitudes of a tile's elements in f32, and 0 for those that
  /// are not finite.
  Value findMagnitudes(Value tile);
  /// Returns the scales for a vector of largest magnitudes: each divided by the
  /// largest number of the element type, and at least the smallest normal f32.
  Value findScales(Value most, Type element);
  /// Rounds a tile of f32 to nearest even, saturating at the smallest and the
  /// largest number of the element type; NaN becomes 0 in integers. Returns
  /// numbers of i4 as i32.
  Value narrow(Value numbers, Type element);
  /// Returns a tile of bytes with an i4 of `low` in the low half and one of
  /// `high` in the high half; both are i32, as narrow() returns them.
  Value packHalves(Value low, Value high);
  /// Stores the first element of a vector to the array at `place`: the last
  /// index of other elements is past the end, so that scatter stores nothing.
  /// If `place` is empty (an array of one number), all are stored, and must be
  /// equal.
  void storeFirst(Value ofRows, Value array, ArrayRef<Value> place);
  /// Stores a vector to the row of the array that the indices `place` select,
  /// from `column` on; elements past the row's end are not stored.
  void storeColumns(Value ofColumns, Value array, ArrayRef<Value> place,
                    Value column);
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_NARROWINGPROGRAM_H
