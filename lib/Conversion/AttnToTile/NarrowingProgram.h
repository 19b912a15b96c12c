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

/// The columns of an array that the columns of a tile are: all columns (step
/// 1), or only the even or the odd ones (step 2), for arrays that have two
/// 4-bit integers in a byte.
struct ColumnStep {
  int64_t first = 0, step = 1;
};

/// Base class of the builders of programs of rowwise ops that store numbers of
/// 8 or 4 bits.
class NarrowingProgram : protected RowProgram {
protected:
  using RowProgram::RowProgram;

  /// Returns, for each element of a tile of `type`, the column of the array
  /// that corresponds to the element's index along `axis`: step.first + index *
  /// step.step.
  Value getColumns(RankedTensorType type, int64_t axis, ColumnStep step);
  /// Returns the magnitudes of a tile's elements in f32, with 0 for elements
  /// that are not finite.
  Value findMagnitudes(Value tile);
  /// Returns a vector of scales for a vector of largest magnitudes: each
  /// magnitude divided by the largest number of the element type, but at least
  /// the smallest normal f32.
  Value findScales(Value most, Type element);
  /// Rounds a tile of f32 to the element type, to nearest even, and clamps it
  /// to the type's range. NaN becomes 0 in integer types. A result of i4 is
  /// returned as i32.
  Value narrow(Value numbers, Type element);
  /// Returns a tile of bytes whose low halves are the i4 numbers of `low`, and
  /// whose high halves are those of `high`. Both arguments are i32, as narrow()
  /// returns i4.
  Value packHalves(Value low, Value high);
  /// Stores only the first element of a vector, to the array at `place`. The
  /// last index of the other elements is past the array's end, so that the
  /// scatter does not store them. If `place` is empty, for an array of rank 0,
  /// all elements are stored and must be equal.
  void storeFirst(Value ofRows, Value array, ArrayRef<Value> place);
  /// Stores a vector to that row of the array that the indices `place` select,
  /// from column `column` on. Elements past the end of the row are not stored.
  void storeColumns(Value ofColumns, Value array, ArrayRef<Value> place,
                    Value column);
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_NARROWINGPROGRAM_H
