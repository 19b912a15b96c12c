//===- CaptureReads.h - Captured arrays that have gradients -----*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H
#define ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// How a score region reads a captured array that needs a gradient. All reads
/// index each dimension in the same way: by one position (batch entry, head,
/// row or key) or by a computed index; positions are in this order. A pair
/// therefore reads one element along the dimensions that positions index, and
/// pairs that differ in such a position read different elements.
struct CaptureReads {
  /// The kind of index of a dimension of the array: one of the problem's
  /// positions, none if the dimension has size 1 (`One`), or a computed index
  /// (`Computed`).
  enum Position : int { Computed = -2, One = -1, Batch, Head, Row, Key };
  /// The largest product of the sizes of all computed dimensions: computing the
  /// gradient takes a sum for each row and each of these elements.
  static constexpr int64_t kMostComputed = 1 << 16;

  SmallVector<ReadOp> reads;
  /// The index of each dimension of the array.
  SmallVector<Position> dims;

  bool has(Position position) const {
    return llvm::is_contained(dims, position);
  }
  /// Whether the array is read at row and key (findCaptureReads() rejects reads
  /// at only one of them), so that an element's gradient has terms of one row
  /// and one key. Otherwise the gradient is a sum over all rows and keys.
  bool isOfPairs() const { return has(Row) || has(Key); }
  ShapedType getType() const {
    return cast<ShapedType>(ReadOp(reads.front()).getArray().getType());
  }
};

/// Returns how the score region reads capture `number`; without reads, each
/// dimension is `One`. Fails with an error, at a read or at the op, if the
/// reads do not have the form that CaptureReads describes, have only one of row
/// and key as indices, or the op has an origin: such gradients could not be
/// summed in an order that is the same in each run.
FailureOr<CaptureReads> findCaptureReads(AttentionInterface op, int64_t number);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H
