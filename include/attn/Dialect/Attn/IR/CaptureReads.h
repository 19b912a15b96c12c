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

/// How a score region reads an array whose gradient is asked for. All reads use
/// the same position (batch entry, head, row or key) or a computed index for a
/// dimension, in the order of the positions. A pair therefore reads one element
/// along the dimensions of positions, and pairs that differ in such a position
/// read different ones.
struct CaptureReads {
  /// The index of a dimension: one of the problem's positions, none for a
  /// dimension of one element (`One`), or a computed one (`Computed`).
  enum Position : int { Computed = -2, One = -1, Batch, Head, Row, Key };
  /// The largest number of elements that all computed dimensions have together:
  /// a gradient has a sum for each row and element.
  static constexpr int64_t kMostComputed = 1 << 16;

  SmallVector<ReadOp> reads;
  /// The index of each dimension of the array.
  SmallVector<Position> dims;

  bool has(Position position) const {
    return llvm::is_contained(dims, position);
  }
  /// Whether its gradient is a number for each pair, else a sum of them.
  bool isOfPairs() const { return has(Row) || has(Key); }
  ShapedType getType() const {
    return cast<ShapedType>(ReadOp(reads.front()).getArray().getType());
  }
};

/// Returns how the score region reads its capture `number`. Fails with an
/// error, at a read or at the op, if the gradient cannot be summed in a fixed
/// order.
FailureOr<CaptureReads> findCaptureReads(AttentionInterface op, int64_t number);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H
