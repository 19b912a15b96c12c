//===- LazySoftmax.h - Rows and ranges of a lazy softmax --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LAZYSOFTMAX_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LAZYSOFTMAX_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnTile/Transforms/SoftmaxMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

#include <cmath>

namespace mlir::attn_gpu {

inline constexpr double kLargestFloat8 = 448; // of f8E4M3FN

/// How warps combine the partial results of a row, with or without dividing the
/// scores of a row among them.
struct RowParts {
  /// The offset in bytes of the shared memory through which warps that divide
  /// the scores of a row exchange partial results. It is -1 if each warp has
  /// all scores of its rows.
  int64_t offset = -1;

  bool areDivided() const { return offset >= 0; }
  /// Emits the combination of a row's partial results over the four lanes that
  /// share the row and, if warps divide its scores, over these warps.
  Value combine(attn::NumberBuilder &b, attn_tile::ReduceKind kind,
                Value parts) const {
    Value ofWarp = CombineQuadOp::create(b, parts.getType(), kind, parts);
    if (!areDivided())
      return ofWarp;
    return CombineWarpsOp::create(b, parts.getType(), kind, ofWarp, offset);
  }
  Value voteAny(attn::NumberBuilder &b, Value condition) const {
    if (areDivided())
      return VoteWarpsOp::create(b, b.getI1Type(), condition);
    return VoteAnyOp::create(b, b.getI1Type(), condition);
  }
};

/// The range of probabilities in a lazy softmax. `largestSum` bounds the sum of
/// a lane's probabilities of a row in one iteration, so that the probabilities'
/// type can hold each of them. When the maximum is updated, the largest
/// probability of the row becomes 2^`exponent`; a lane's sum is then below the
/// bound even if all of its probabilities are as large.
///
/// f8E4M3FN keeps four bits of a probability, and is exact only for powers of
/// two, such as the largest probability after an update. If a later key has a
/// far larger probability than all keys before, the rounding error of its
/// probability becomes that of the output. With an exact state, the maximum is
/// therefore also updated when a lane's sum exceeds a multiple of the largest
/// sum before.
struct LazyRange {
  explicit LazyRange(attn_tile::SoftmaxUpdateOp op) {
    RankedTensorType type = op.getProbabilities().getType();
    if (!isa<Float8E4M3FNType>(type.getElementType()))
      return;
    // The number of columns of a row that a lane has. The probabilities of all
    // of them may be as large as the largest one of the row.
    int64_t columns = std::max<int64_t>(type.getDimSize(1) / 4, 1);
    largestSum = kLargestFloat8;
    exponent = std::floor(std::log2(largestSum / columns));
  }
  /// Emits the limit that a lazy softmax of 8-bit probabilities has after an
  /// update of the running maximum: if a lane's sum of the probabilities of a
  /// later iteration exceeds it, the maximum is updated again. The limit is the
  /// larger one of two values, but at most `largestSum`: four times the largest
  /// of the lanes' `sums` of the row; and the limit `before` the update, times
  /// `alpha`, the factor by which the update changes probabilities.
  Value emitLimit(attn::NumberBuilder &b, attn_tile::SoftmaxMath &math,
                  Value before, Value alpha, Value sums,
                  const RowParts &parts) const {
    constexpr double kMultiple = 4;
    Value own = b.mulf(parts.combine(b, attn_tile::ReduceKind::MaxNum, sums),
                       math.splat(kMultiple));
    Value limit = b.maxnumf(b.mulf(before, alpha), own);
    return arith::MinNumFOp::create(b, limit, math.splat(largestSum));
  }
  /// Emits, for each row, by how much the new running maximum may be lowered
  /// further, in units of scores, so that probabilities become larger. Each
  /// step doubles the sums, while they stay at most half of `largestSum` and
  /// the largest probability at most 2^8.
  Value emitRoom(attn::NumberBuilder &b, attn_tile::SoftmaxMath &math,
                 Value sums) const {
    constexpr double kMostExponent = 8;
    Value step = math.splat(1 / math.getFactor()), room = math.splat(0);
    for (double most = largestSum / 4, i = exponent; i < kMostExponent;
         ++i, most /= 2) {
      Value isRoom = arith::CmpFOp::create(b, arith::CmpFPredicate::OLE, sums,
                                           math.splat(most));
      room = b.addf(room, b.select(isRoom, step, math.splat(0)));
    }
    return room;
  }
  double largestSum = 0x1p14; // f16 ends at 2^16
  double exponent = 0;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_LAZYSOFTMAX_H
