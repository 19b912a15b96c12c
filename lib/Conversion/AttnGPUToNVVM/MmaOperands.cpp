//===- MmaOperands.cpp - Operands of mma.sync -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// A number of columns that exceeds the column of each lane's first element in
/// an operand of an MMA, or in the matrices of one ldmatrix.
static constexpr int64_t kMatrixColumns = 32;

SharedFragments::SharedFragments(NumberBuilder &b, RankedTensorType tile,
                                 RankedTensorType result, Value memory,
                                 bool isTransposed)
    : b(b), element(tile.getElementType()), isTransposed(isTransposed) {
  auto layout = cast<MmaLayoutAttr>(result.getEncoding());
  AffineExpr lane = b.getAffineDimExpr(0) % 32;
  AffineExpr firstRow = ThreadOffset(layout, result.getShape(), 0).ofWarp;
  // `row` and `k` are the position of the thread's first element in the left
  // operand of the product, even if the operand is stored transposed. f32
  // elements are loaded one by one. 16-bit and 8-bit elements are loaded by
  // ldmatrix, as four matrices: rows 0-7 and 8-15 of the lower half of k, then
  // the same rows of the upper half.
  AffineExpr row = lane.floorDiv(4), k = lane % 4 * 2;
  if (!element.isF32()) {
    row = lane.floorDiv(8) % 2 * 8;
    k = lane.floorDiv(16) * getMatrixColumns(element);
    // ldmatrix takes from each lane the address of one row of a matrix as it is
    // stored. The row's number, `lane % 8`, is therefore added to `k` if the
    // operand is stored transposed, else to `row`.
    (isTransposed ? k : row) = (isTransposed ? k : row) + lane % 8;
  }
  if (isTransposed)
    addresses.emplace(b, tile, memory, k, row, kMatrixColumns, firstRow);
  else
    addresses.emplace(b, tile, memory, firstRow + row, k, kMatrixColumns);
}

SmallVector<Value> SharedFragments::load(int64_t t, int64_t kStep) {
  if (!element.isF32())
    return loadMatrices(b, at(16 * t, 2 * getMatrixColumns(element) * kStep),
                        isTransposed);
  SmallVector<Value> registers;
  for (int64_t row : {0, 8})
    for (int64_t column : {0, 1})
      registers.push_back(
          LLVM::LoadOp::create(b, element, at(16 * t + row, 8 * kStep + column),
                               /*alignment=*/4));
  return registers;
}

/// Returns, as an i32, the 32 bits of a vector that begin with element `first`:
/// two elements of 16 bits or four elements of 8 bits.
static Value getWord(NumberBuilder &b, Value vector, int64_t first) {
  int64_t bits = getElementTypeOrSelf(vector.getType()).getIntOrFloatBitWidth();
  Value part = vector::ShuffleOp::create(
      b, vector, vector,
      llvm::to_vector(llvm::seq<int64_t>(first, first + 32 / bits)));
  return LLVM::BitcastOp::create(b, b.getI32Type(), getStorable(b, part));
}

LeftOperand::LeftOperand(NumberBuilder &b, DotOp op, Value converted)
    : b(b), tile(op.getLhs().getType()) {
  if (isInSharedMemory(tile))
    shared.emplace(b, tile, op.getResult().getType(), converted,
                   op.getTransposeLhs());
  else
    registers = converted;
}

SmallVector<Value> LeftOperand::load(int64_t t, int64_t kStep) {
  if (shared)
    return shared->load(t, kStep);
  SmallVector<Value> words;
  // For each tile of 16 rows and each step of the MMA instruction along k, a
  // lane holds four registers of the left operand, which have a quarter of the
  // elements of each of two rows.
  Type element = tile.getElementType();
  bool isF32 = element.isF32();
  int64_t perWord = 32 / element.getIntOrFloatBitWidth();
  int64_t first = t * (tile.getDimSize(1) / 2) + kStep * 4 * perWord;
  for (int64_t i = 0; i < 4; ++i)
    words.push_back(
        isF32 ? Value(vector::ExtractOp::create(b, registers, first + i))
              : getWord(b, registers, first + perWord * i));
  return words;
}

Value attn::interleave(NumberBuilder &b, Value registers) {
  auto type = cast<VectorType>(registers.getType());
  int64_t count = type.getNumElements() / 2;
  Value pairs = vector::BitCastOp::create(
      b, VectorType::get({count}, b.getI16Type()), registers);
  // In each block of 8 columns, the thread holds two pairs of columns, one in
  // each of two rows. In the new order, a row's pairs in two neighboring blocks
  // follow each other.
  SmallVector<int64_t> order;
  for (int64_t blocks = 0; blocks < count; blocks += 4)
    for (int64_t row : {0, 1})
      for (int64_t block : {0, 2})
        order.push_back(blocks + block + row);
  return vector::BitCastOp::create(
      b, type, vector::ShuffleOp::create(b, pairs, pairs, order));
}

Value attn::exchangePairs(NumberBuilder &b, Value registers) {
  auto type = cast<VectorType>(registers.getType());
  int64_t count = type.getNumElements() / 4;
  auto wordsType = VectorType::get(count, b.getI32Type());
  Value words =
      vector::BitCastOp::create(b, wordsType, interleave(b, registers));
  // Let t be the lane's number among the four lanes of a row. Before the
  // exchange, its word has pairs t and t + 4 of the eight pairs in 16 columns;
  // after it, pairs 2 t and 2 t + 1.
  Value lane = b.indexCast(b.getI32Type(),
                           gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value first = b.ori(b.andi(lane, b.word(~3)),
                      b.andi(b.shli(lane, b.word(1)), b.word(2)));
  Value second = b.ori(first, b.word(1));
  Value isUpper = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        b.andi(lane, b.word(2)), b.word(0));
  Value selector = b.select(isUpper, b.word(0x7632), b.word(0x5410));
  auto read = [&](Value word, Value from) -> Value {
    return NVVM::ShflOp::create(b, word.getType(), b.word(-1), word, from,
                                b.word(31), NVVM::ShflKind::idx, UnitAttr());
  };
  SmallVector<Value> exchanged;
  for (int64_t i = 0; i < count; ++i) {
    Value word = vector::ExtractOp::create(b, words, SmallVector<int64_t>{i});
    exchanged.push_back(
        permuteBytes(b, read(word, first), read(word, second), selector));
  }
  return vector::BitCastOp::create(
      b, type, vector::FromElementsOp::create(b, wordsType, exchanged));
}

WarpShape::WarpShape(DotOp op)
    : layout(cast<MmaLayoutAttr>(op.getResult().getType().getEncoding())),
      k(op.getRhs().getType().getDimSize(op.getTransposeRhs() ? 1 : 0)),
      columns(op.getResult().getType().getDimSize(1) / layout.getWarpsN()),
      rowTiles(op.getResult().getType().getDimSize(0) /
               (16 * layout.getWarpsM())) {}

RightOperand::RightOperand(NumberBuilder &b, DotOp op, const WarpShape &shape,
                           Value memory, AffineExpr k, AffineExpr n)
    : isKMajor(op.getTransposeRhs()) {
  AffineExpr first;
  if (shape.layout.getWarpsN() > 1)
    first = ThreadOffset(shape.layout, op.getResult().getType().getShape(), 1)
                .ofWarp;
  RankedTensorType tile = op.getRhs().getType();
  if (isKMajor)
    addresses.emplace(b, tile, memory, first ? first + n : n, k,
                      kMatrixColumns);
  else
    addresses.emplace(b, tile, memory, k, n, kMatrixColumns, first);
}
