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

/// Returns the number of elements in a row of a matrix that ldmatrix reads.
/// Such a row has 16 bytes.
inline int64_t getMatrixColumns(Type element) {
  return 128 / element.getIntOrFloatBitWidth();
}

/// Reorders the 8-bit elements of a thread from the register order of an
/// accumulator to that of a left operand with k = 32, without moving elements
/// between lanes. Afterwards each 32-bit register holds a row's two pairs of
/// columns from two neighboring blocks of eight columns. The order along k is
/// thus not that of the columns, and the right operand must be read in the same
/// order.
Value interleave(NumberBuilder &b, Value registers);

/// Moves 8-bit elements among the four lanes of a row, from the layout of an
/// accumulator to that of a left operand. In the former, a lane has pairs of
/// columns; in the latter, each 32-bit register has four neighboring columns.
/// Returns the new registers.
Value exchangePairs(NumberBuilder &b, Value registers);

/// Returns a word of four bytes that are selected from two words (the
/// instruction prmt). Each hexadecimal digit of `selector` chooses one byte: 0
/// to 3 from `low`, and 4 to 7 from `high`.
Value permuteBytes(NumberBuilder &b, Value low, Value high, Value selector);

/// Emits one mma.sync of 16-bit fragments (m16n8k16) or of 8-bit fragments
/// (m16n8k32), which adds the products to `acc` in f32.
void multiplyFragments(NumberBuilder &b, Type element, ArrayRef<Value> lhs,
                       ArrayRef<Value> rhs, MutableArrayRef<Value> acc);

/// An MMA's left operand in shared memory, from which the calling warp loads
/// the fragments for its rows of the tile `result`, 16 rows at a time.
class SharedFragments {
public:
  SharedFragments(NumberBuilder &builder, RankedTensorType tile,
                  RankedTensorType result, Value memory, bool isTransposed);

  /// Loads the four registers of the left operand for rows 16 t to 16 t + 15 of
  /// the warp and for step `kStep` along k, in the order of the layout
  /// #attn_gpu.mma. The registers are i32 if elements have 16 or 8 bits, and
  /// f32 if elements are f32.
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

/// The left operand of a mma.sync, which is either in registers or in shared
/// memory.
class LeftOperand {
public:
  LeftOperand(NumberBuilder &builder, attn_tile::DotOp op, Value converted);

  /// Returns the four registers of the left operand for rows 16 t to 16 t + 15
  /// of the warp and for step `kStep` along k, as SharedFragments::load does.
  /// They are loaded if the operand is in shared memory.
  SmallVector<Value> load(int64_t t, int64_t kStep);

private:
  NumberBuilder &b;
  RankedTensorType tile;
  std::optional<SharedFragments> shared;
  Value registers;
};

/// The shape of the product that one warp computes by mma.sync: its length
/// along k, the warp's number of columns of the result, and the warp's number
/// of tiles of 16 rows.
struct WarpShape {
  explicit WarpShape(attn_tile::DotOp op);

  attn_gpu::MmaLayoutAttr layout;
  int64_t k, columns, rowTiles;
};

/// The right operand of a mma.sync in shared memory. Its elements are addressed
/// by k and by n, the column of the result, counted from the warp's first
/// column.
class RightOperand {
public:
  /// `k` and `n` are the position of the calling thread's first element in the
  /// right operand, as affine expressions of d0, the thread's number. `n`
  /// counts columns from the warp's first column.
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
