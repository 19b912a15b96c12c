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

/// The number of elements in a row of a matrix that ldmatrix reads; such a row
/// has 16 bytes.
inline int64_t getMatrixColumns(Type element) {
  return 128 / element.getIntOrFloatBitWidth();
}

/// Returns 8-bit elements, which are in the layout of an accumulator, in the
/// order of registers of a left operand of k = 32, without a move between
/// lanes: each 32-bit register then has a row's pairs of two blocks of eight
/// columns.
Value interleave(NumberBuilder &b, Value registers);

/// Moves 8-bit elements among the four lanes of a row, from the layout of an
/// accumulator to that of a left operand, in which each 32-bit register has
/// four neighboring columns. Returns the new registers.
Value exchangePairs(NumberBuilder &b, Value registers);

/// Returns a word of four bytes of two words (prmt): each digit of `selector`
/// names one, 0 to 3 of `low` and 4 to 7 of `high`.
Value permuteBytes(NumberBuilder &b, Value low, Value high, Value selector);

/// The left operand of an MMA in shared memory. The calling warp loads the
/// fragments of its rows of `result`, 16 rows at a time.
class SharedFragments {
public:
  SharedFragments(NumberBuilder &builder, RankedTensorType tile,
                  RankedTensorType result, Value memory, bool isTransposed);

  /// Loads the left operand's four registers for the warp's rows 16 t to 16 t +
  /// 15 and the `kStep`-th step of the instruction along k, in the order of
  /// #attn_gpu.mma. They are i32 with elements of 16 or 8 bits, or f32.
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

/// The left operand of an MMA, which is in registers or in shared memory.
class LeftOperand {
public:
  LeftOperand(NumberBuilder &builder, attn_tile::DotOp op, Value converted);

  /// Loads registers as SharedFragments::load does.
  SmallVector<Value> load(int64_t t, int64_t kStep);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  std::optional<SharedFragments> shared;
  Value registers;
};

/// The shape of the product that one warp computes: its length along k, the
/// warp's columns of the result, and the warp's number of tiles of 16 rows.
struct WarpShape {
  explicit WarpShape(attn_tile::DotOp op);

  attn_gpu::MmaLayoutAttr layout;
  int64_t k, columns, rowTiles;
};

/// The right operand of an MMA, in shared memory. Its elements are addressed by
/// k and by the column of the result within the warp's columns.
class RightOperand {
public:
  /// `k` and `n` are the position of the thread's first element, as expressions
  /// of d0, the thread's number; `n` counts from the warp's first column.
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
