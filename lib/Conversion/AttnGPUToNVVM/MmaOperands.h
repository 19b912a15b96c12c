//===- MmaOperands.h - Operands of mma.sync ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNGPUTONVVM_MMAOPERANDS_H
#define ATTN_LIB_CONVERSION_ATTNGPUTONVVM_MMAOPERANDS_H

#include "Patterns.h"

namespace mlir::attn {

/// Elements of a row of a matrix that ldmatrix reads, 16 bytes.
inline int64_t getMatrixColumns(Type element) {
  return 128 / element.getIntOrFloatBitWidth();
}

/// The left operand of an MMA in shared memory: fragments of 16 rows of the
/// warps that have rows of `result`.
class SharedFragments {
public:
  SharedFragments(NumberBuilder &builder, RankedTensorType tile,
                  RankedTensorType result, Value memory, bool isTransposed);

  /// Four registers of rows 16 t to 16 t + 15 and step `kStep` of k, in the
  /// order of #attn_gpu.mma: words of 16-bit or 8-bit elements, or f32.
  SmallVector<Value> load(int64_t t, int64_t kStep);

private:
  Value at(int64_t row, int64_t k) {
    return isTransposed ? addresses->at(k, row) : addresses->at(row, k);
  }

  NumberBuilder &b;
  Type element;
  bool isTransposed;
  std::optional<SharedAddresses> addresses;
};

/// The left operand of an MMA, in registers or in shared memory.
class LeftOperand {
public:
  LeftOperand(NumberBuilder &builder, attn_tile::DotOp op, Value converted);

  /// As SharedFragments::load.
  SmallVector<Value> load(int64_t t, int64_t kStep);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  std::optional<SharedFragments> shared;
  Value registers;
};

/// Sizes of an MMA for one warp.
struct WarpShape {
  explicit WarpShape(attn_tile::DotOp op);

  attn_gpu::MmaLayoutAttr layout;
  int64_t k, columns, rowTiles;
};

/// The right operand of an MMA, at places along k and along the warp's own
/// columns of the result.
class RightOperand {
public:
  /// The thread's own place is `k` and `n`, expressions of d0, its number.
  RightOperand(NumberBuilder &builder, attn_tile::DotOp op,
               const WarpShape &shape, Value memory, AffineExpr k,
               AffineExpr n);

  Value at(int64_t k, int64_t n) {
    return isKMajor ? addresses->at(n, k) : addresses->at(k, n);
  }

private:
  bool isKMajor;
  std::optional<SharedAddresses> addresses;
};

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNGPUTONVVM_MMAOPERANDS_H
