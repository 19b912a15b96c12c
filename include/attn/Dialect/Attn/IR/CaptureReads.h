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

/// The form of the reads of a captured array that needs a gradient. All reads
/// in the score region have the same kind of index in each dimension: a
/// position (batch entry, head, row or key) or a computed index. Indices that
/// are positions occur in this order. Along dimensions that positions index, a
/// pair therefore reads a single element, and pairs that differ in such a
/// position read different elements.
struct CaptureReads {
  /// The kind of index that reads have in a dimension of the array: a position
  /// of the problem, a computed index (`Computed`), or any index if the
  /// dimension has size 1 (`One`).
  enum Position : int { Computed = -2, One = -1, Batch, Head, Row, Key };
  /// The largest allowed product of the sizes of all dimensions with computed
  /// indices. The gradient needs a sum for each row and each element of these
  /// dimensions.
  static constexpr int64_t kMostComputed = 1 << 16;

  SmallVector<ReadOp> reads;
  /// The kind of index of each dimension of the array.
  SmallVector<Position> dims;

  bool has(Position position) const {
    return llvm::is_contained(dims, position);
  }
  /// Whether the indices are row and key, so that the gradient of an element
  /// has terms of one row and one key only. Otherwise it is a sum over all rows
  /// and keys. Reads that have only one of row and key as an index do not
  /// occur, since findCaptureReads() rejects them.
  bool isOfPairs() const { return has(Row) || has(Key); }
  ShapedType getType() const {
    return cast<ShapedType>(ReadOp(reads.front()).getArray().getType());
  }
};

/// Returns how the score region reads capture `number`. If there are no reads,
/// each dimension is `One`. Fails with an error in these cases: the reads do
/// not have the form that CaptureReads describes; they have only one of row and
/// key as indices, or at least one of them beside a computed index; or the op
/// has an origin. Such gradients could not be summed in an order that is the
/// same in each run.
FailureOr<CaptureReads> findCaptureReads(AttentionInterface op, int64_t number);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H
