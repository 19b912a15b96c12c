//===- Extensions.cpp - Numbers of 8 and 4 bits in registers --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Assembly.h"
#include "MmaOperands.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Returns the two 4-bit integers of byte `byte` of a word, as a vector of two
/// bf16. A permutation of the bytes of the word, and of the word shifted by 4
/// bits, has one integer in the low bits of each half. These bits, with the
/// sign bit inverted, which adds 8, become the low bits of a mantissa whose
/// last bit counts 1. An offset is then subtracted, which includes the 8.
Value unpackByte(NumberBuilder &b, Value word, int64_t byte) {
  constexpr int64_t kOne = 0x43084308;
  Value shifted = b.shrui(word, b.word(4));
  Value halves = permuteBytes(b, word, shifted, b.word(0x4400 + byte * 0x1111));
  Value bits = b.xori(b.andi(halves, b.word(0x000f000f)), b.word(kOne));
  auto pair = VectorType::get({2}, b.getBF16Type());
  return b.subf(LLVM::BitcastOp::create(b, pair, bits), b.real(pair, 128 + 8));
}

/// Returns integer `number` of 4 bits of each half of a word, as a vector of
/// two f16 or bf16. As in unpackByte(), they become the low bits of mantissas.
/// In f16, which has a longer mantissa, that may also be the bits above the
/// lowest four, which count 16 times as much, so that fewer words are shifted.
Value unpackHalves(NumberBuilder &b, Value word, int64_t number, Type element) {
  auto pair = VectorType::get({2}, element);
  bool isF16 = element.isF16(), isHigh = isF16 && number % 2 == 1;
  if (int64_t shift = 4 * (number - isHigh))
    word = b.shrui(word, b.word(shift));
  int64_t one = !isF16 ? 0x43084308 : isHigh ? 0x64806480 : 0x64086408;
  // LLVM would emit two operations with a constant each, which ptxas does not
  // join.
  Value bits = createAssembly(
      b, b.getI32Type(),
      {word, b.word(isHigh ? 0x00f000f0 : 0x000f000f), b.word(one)},
      "lop3.b32 $0, $1, $2, $3, 0x6a;", "=r,r,r,r", /*hasEffects=*/false);
  Value sum = LLVM::BitcastOp::create(b, pair, bits);
  if (isHigh)
    return b.fma(sum, b.real(pair, 1.0 / 16), b.real(pair, -(64 + 8)));
  return b.subf(sum, b.real(pair, isF16 ? 1024 + 8 : 128 + 8));
}

/// Returns the words that the 8-bit registers of a tile of layout
/// #attn_gpu.right are, of four registers each. Returns an empty vector for
/// other tiles.
SmallVector<Value> getWordsOfRight(ConversionBuilder &b, RankedTensorType tile,
                                   Value registers) {
  auto layout = dyn_cast_or_null<RightLayoutAttr>(tile.getEncoding());
  if (!layout || tile.getElementTypeBitWidth() != 8 || layout.getRun() % 4 != 0)
    return {};
  int64_t count = cast<VectorType>(registers.getType()).getNumElements();
  if (attn::isFloat8(tile.getElementType()))
    registers = b.bitcast(VectorType::get({count}, b.getI8Type()), registers);
  Value words = LLVM::BitcastOp::create(
      b, VectorType::get({count / 4}, b.getI32Type()), registers);
  SmallVector<Value> result;
  for (int64_t i = 0; i < count / 4; ++i)
    result.push_back(vector::ExtractOp::create(b, words, i));
  return result;
}

/// Calls `use` for each pair of words with elements of the same columns of two
/// neighboring rows of a tile of layout #attn_gpu.right, and the numbers of the
/// first registers of these words.
void forPairsOfRows(ArrayRef<Value> words, int64_t run,
                    function_ref<void(Value, Value, int64_t, int64_t)> use) {
  int64_t ofRow = run / 4;
  for (int64_t i = 0, e = words.size(); i < e; i += 2 * ofRow)
    for (int64_t j = i; j < i + ofRow; ++j)
      use(words[j], words[j + ofRow], 4 * j, 4 * (j + ofRow));
}

/// Converts the extension of elements of 8 bits to a right operand of MMAs,
/// which read the elements of a column in two neighboring rows as one register.
/// Permutes bytes before they are extended, since that are half as many words
/// as after it.
template <typename Op>
LogicalResult convertOfRight(ConversionBuilder &b, Op op,
                             typename Op::Adaptor adaptor) {
  auto from = dyn_cast<RankedTensorType>(op.getIn().getType());
  auto type = dyn_cast_or_null<VectorType>(
      b.converter.convertType(op.getResult().getType()));
  if (!from || !type || type.getElementTypeBitWidth() != 16)
    return failure();
  SmallVector<Value> words = getWordsOfRight(b, from, adaptor.getIn());
  if (words.empty())
    return failure();
  SmallVector<Value> permuted;
  SmallVector<int64_t> order(type.getNumElements());
  int64_t next = 0;
  forPairsOfRows(words, getLayout(from).getRun(),
                 [&](Value even, Value odd, int64_t first, int64_t second) {
                   for (int64_t selector : {0x5140, 0x7362})
                     permuted.push_back(
                         permuteBytes(b, even, odd, b.word(selector)));
                   for (int64_t i = 0; i < 4; ++i) {
                     order[first + i] = next++;
                     order[second + i] = next++;
                   }
                 });
  Value bytes = joinWords(b, permuted, type.clone(from.getElementType()));
  Value extended = Op::create(b, type, bytes);
  b.rewriter.replaceOpWithNewOp<vector::ShuffleOp>(op, extended, extended,
                                                   order);
  return success();
}

LogicalResult convertUnpack(ConversionBuilder &b, UnpackOp op,
                            UnpackOp::Adaptor adaptor) {
  auto type = b.converter.convertType<VectorType>(op.getType());
  auto bytes = dyn_cast<VectorType>(adaptor.getBytes().getType());
  LayoutInterface layout = getLayout(op.getBytes().getType());
  if (!type || !bytes || !layout)
    return failure();
  Type element = type.getElementType();
  SmallVector<Value> numbers(type.getNumElements());
  auto place = [&](Value pair, int64_t first, int64_t second) {
    numbers[first] = vector::ExtractOp::create(b, pair, 0);
    numbers[second] = vector::ExtractOp::create(b, pair, 1);
  };
  // MMAs read the elements of a column in two neighboring rows of a right
  // operand as one register. So a word has bytes of one row in its lower half,
  // those of the other row in its upper half.
  SmallVector<Value> words;
  if (!element.isF32())
    words = getWordsOfRight(b, op.getBytes().getType(), adaptor.getBytes());
  if (!words.empty()) {
    forPairsOfRows(
        words, layout.getRun(),
        [&](Value even, Value odd, int64_t first, int64_t second) {
          for (int64_t part : {0, 1}) {
            Value halves =
                permuteBytes(b, even, odd, b.word(part == 0 ? 0x5410 : 0x7632));
            for (int64_t i = 0; i < 4; ++i)
              place(unpackHalves(b, halves, i, element),
                    2 * first + 4 * part + i, 2 * second + 4 * part + i);
          }
        });
    b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, numbers);
    return success();
  }
  // A thread holds runs of neighboring bytes of a row, of which up to four are
  // unpacked together, as one word.
  constexpr int64_t kMost = 4;
  int64_t count = std::min(kMost, layout.getRun());
  for (int64_t i = 0, e = bytes.getNumElements(); i < e; i += count) {
    Value run =
        vector::ShuffleOp::create(b, adaptor.getBytes(), adaptor.getBytes(),
                                  llvm::to_vector(llvm::seq(i, i + count)));
    Value word = LLVM::BitcastOp::create(b, b.getIntegerType(8 * count), run);
    if (count < kMost)
      word = b.extui(b.getI32Type(), word);
    if (element.isF16() && count == kMost) {
      for (int64_t number = 0; number < 4; ++number)
        place(unpackHalves(b, word, number, element), 2 * i + number,
              2 * i + number + 4);
      continue;
    }
    for (int64_t byte = 0; byte < count; ++byte) {
      int64_t first = 2 * (i + byte);
      if (element.isBF16()) {
        place(unpackByte(b, word, byte), first, first + 1);
        continue;
      }
      for (int64_t half : {0, 1}) {
        Value top = b.shli(word, b.word(28 - 8 * byte - 4 * half));
        numbers[first + half] = b.sitofp(element, b.shrsi(top, b.word(28)));
      }
    }
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, numbers);
  return success();
}

} // namespace

void attn::populateExtensionPatterns(const TileTypeConverter &converter,
                                     RewritePatternSet &patterns) {
  addConversions<convertOfRight<arith::ExtFOp>,
                 convertOfRight<arith::SIToFPOp>>(converter, patterns,
                                                  /*benefit=*/2);
  addConversions<convertUnpack>(converter, patterns);
}
