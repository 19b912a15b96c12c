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

/// How a score region reads an array whose gradient is asked for: all reads are
/// of one element for a pair, and of another one for pairs that differ in a
/// position that is an index.
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

/// Fails with an error at a read, or at the op, of which gradients cannot be
/// summed in an order that does not change.
FailureOr<CaptureReads> findCaptureReads(AttentionInterface op, int64_t number);

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_CAPTUREREADS_H
