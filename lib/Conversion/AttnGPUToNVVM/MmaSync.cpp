//===- MmaSync.cpp - Dots by mma.sync -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers attn_tile.dot to mma.sync; wgmma is attn_gpu.mma, which Wgmma.cpp
// lowers. The fragments are those of the PTX ISA's mma.m16n8k16, which
// #attn_gpu.mma describes register by register. An f32 is split into three
// bf16. In mma.m16n8k32, two elements of 8 bits take the place of one of 16.
// Where a right operand of 8 bits is not stored along K, ldmatrix transposes
// pairs of bytes, two columns each. Byte permutes make two MMAs' operands of
// them: one has the even columns, one the odd ones.
//
//===----------------------------------------------------------------------===//

#include "../VectorElements.h"
#include "MmaOperands.h"

#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<Value> attn::loadMatrices(NumberBuilder &b, Value address,
                                      bool transpose, int64_t count) {
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(count, b.getI32Type()));
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), /*m=*/8, /*n=*/8);
  Value loaded = NVVM::LdMatrixOp::create(b, type, address, count,
                                          transpose ? NVVM::MMALayout::col
                                                    : NVVM::MMALayout::row,
                                          shape, NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < count; ++i)
    registers.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
  return registers;
}

/// Returns a vector of the elements that 32-bit words hold, by a bitcast.
/// 16-bit elements are instead extracted from each word separately, as pairs.
/// Rounding f32 to 16 bits produces pairs of the same form, so LLVM sees no
/// conversion between the two.
Value attn::joinWords(NumberBuilder &b, ArrayRef<Value> words,
                      VectorType type) {
  Type element = type.getElementType();
  if (element.getIntOrFloatBitWidth() != 16) {
    auto packed =
        VectorType::get(static_cast<int64_t>(words.size()), b.getI32Type());
    return vector::BitCastOp::create(
        b, type, vector::FromElementsOp::create(b, packed, words));
  }
  auto pairType = VectorType::get({2}, element);
  SmallVector<Value> elements;
  for (Value word : words) {
    Value pair = LLVM::BitcastOp::create(b, pairType, word);
    for (int64_t i = 0; i < 2; ++i)
      elements.push_back(vector::ExtractOp::create(b, pair, i));
  }
  return vector::FromElementsOp::create(b, type, elements);
}

namespace {

/// Emits one MMA of 8-bit fragments by an LLVM intrinsic, since nvvm.mma.sync
/// does not take 8-bit floats.
Value multiply8(NumberBuilder &b, Type element, Type type, ArrayRef<Value> lhs,
                ArrayRef<Value> rhs, ArrayRef<Value> acc) {
  SmallVector<Value> operands(lhs);
  llvm::append_range(operands, rhs);
  llvm::append_range(operands, acc);
  StringRef name = isa<Float8E4M3FNType>(element)
                       ? "llvm.nvvm.mma.m16n8k32.row.col.f32.e4m3.e4m3.f32"
                       : "llvm.nvvm.mma.m16n8k32.row.col.f32.e5m2.e5m2.f32";
  return LLVM::CallIntrinsicOp::create(b, type, b.getStringAttr(name), operands)
      .getResults();
}

} // namespace

void attn::multiplyFragments(NumberBuilder &b, Type element,
                             ArrayRef<Value> lhs, ArrayRef<Value> rhs,
                             MutableArrayRef<Value> acc) {
  auto f32 = b.getF32Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  auto setResults = [&](Value result) {
    for (auto [i, value] : llvm::enumerate(acc))
      value = LLVM::ExtractValueOp::create(b, result, i);
  };
  if (isFloat8(element))
    return setResults(multiply8(b, element, type, lhs, rhs, acc));
  NVVM::MMATypes ptxType =
      element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  // The op nvvm.mma.sync takes f16 operands as vectors of two elements, but
  // bf16 operands as i32.
  auto convert = [&](ArrayRef<Value> words) {
    SmallVector<Value> operands(words);
    if (element.isF16())
      for (Value &word : operands)
        word = LLVM::BitcastOp::create(b, VectorType::get({2}, element), word);
    return operands;
  };
  Value result = NVVM::MmaOp::create(
      b, type, convert(lhs), convert(rhs), ValueRange(acc),
      ArrayRef<int64_t>{16, 8, 16}, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{ptxType, ptxType},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  setResults(result);
}

namespace {

/// A fragment of an f32 operand as three bf16 fragments, of which it is the
/// sum: together, the three keep all 24 bits of the significand.
using Parts = std::array<SmallVector<Value>, 3>;

/// Splits each f32 value into three bf16 parts, and packs the corresponding
/// parts of two consecutive values into an i32, that of the first into the
/// lower half. Each part is rounded to nearest. With truncation, an error would
/// always have the sign of its value, and the errors of products would add up.
Parts split(NumberBuilder &b, ArrayRef<Value> values) {
  Type f32 = b.getF32Type(), i32 = b.getI32Type();
  auto wide = VectorType::get({2}, f32);
  auto narrow = VectorType::get({2}, b.getBF16Type());
  // A bf16 part is converted back to f32 by shifts and masks, since its 16 bits
  // are the upper half of the f32. If the bf16 were extended instead, LLVM
  // would split the packed pair.
  Value sixteen = b.word(16);
  Value upper = b.word(0xffff0000);
  auto subtract = [&](Value &value, Value bits) {
    value = b.subf(value, b.bitcast(f32, bits));
  };
  Parts parts;
  for (size_t i = 0; i < values.size(); i += 2) {
    Value first = values[i], second = values[i + 1];
    for (SmallVector<Value> &part : parts) {
      Value pair =
          vector::FromElementsOp::create(b, wide, ValueRange{first, second});
      Value word = LLVM::BitcastOp::create(b, i32, b.truncf(narrow, pair));
      part.push_back(word);
      subtract(first, b.shli(word, sixteen));
      subtract(second, b.andi(word, upper));
    }
  }
  return parts;
}

/// Passes a value through empty inline assembly, so that LLVM does not move the
/// additions that compute it to a later point. Otherwise, if only the next
/// iteration of a loop reads the value, LLVM would add at the end of this
/// iteration and keep all terms in registers until then.
Value keepInPlace(NumberBuilder &b, Value value) {
  return createAssembly(b, value.getType(), value, "", "=f,0");
}

/// Multiplies operands of 16 or 8 bits by mma.sync, and adds the products to
/// `acc`. The right operand is read by ldmatrix.
void multiplyWords(NumberBuilder &b, DotOp op, DotOp::Adaptor adaptor,
                   MutableArrayRef<Value> acc) {
  Type element = op.getLhs().getType().getElementType();
  WarpShape shape(op);
  bool isKMajor = op.getTransposeRhs();

  // ldmatrix takes from lane l the address of row l mod 8 of matrix l / 8.
  // Matrices 0 and 1 are the lower and the upper half of k for columns 0-7 of
  // the right operand. If the warp has more than 8 columns, matrices 2 and 3
  // are the same halves for columns 8-15.
  int64_t half = getMatrixColumns(element);
  AffineExpr lane = b.getAffineDimExpr(0) % 32;
  AffineExpr kPart = lane.floorDiv(8) % 2 * half, nPart = lane.floorDiv(16) * 8;
  (isKMajor ? nPart : kPart) = (isKMajor ? nPart : kPart) + lane % 8;
  RightOperand right(b, op, shape, adaptor.getRhs(), kPart, nPart);

  LeftOperand left(b, op, adaptor.getLhs());
  for (int64_t kStep = 0; kStep < shape.k / (2 * half); ++kStep) {
    SmallVector<SmallVector<Value>> fragments;
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      fragments.push_back(left.load(t, kStep));
    int64_t tiles = shape.columns / 8;
    for (int64_t first = 0; first < tiles; first += 2) {
      int64_t count = std::min<int64_t>(tiles - first, 2);
      SmallVector<Value> matrices = loadMatrices(
          b, right.at(2 * half * kStep, 8 * first), !isKMajor, 2 * count);
      for (int64_t j = 0; j < count; ++j)
        for (int64_t t = 0; t < shape.rowTiles; ++t)
          multiplyFragments(b, element, fragments[t],
                            ArrayRef(matrices).slice(2 * j, 2),
                            acc.slice((t * tiles + first + j) * 4, 4));
    }
  }
}

/// Multiplies 8-bit operands, of which the right one is stored as K x N, by
/// mma.sync, and adds the products to `acc`. The order along K is that in which
/// lanes hold the left operand, which is an accumulator's order. If the op is
/// `exact`, the MMAs begin with zeros, and their sum is added to `acc` in f32.
/// The reason is that mma.sync drops what is smaller than some 2^-13 of its
/// sum.
void multiplyRuns(NumberBuilder &b, DotOp op, DotOp::Adaptor adaptor,
                  MutableArrayRef<Value> acc) {
  constexpr int64_t kStep = 32, kColumns = 16;
  Type element = op.getLhs().getType().getElementType();
  WarpShape shape(op);
  RightOperand right(b, op, shape, adaptor.getRhs(),
                     b.getAffineDimExpr(0) % kStep, b.getAffineConstantExpr(0));
  LeftOperand left(b, op, interleave(b, adaptor.getLhs()));
  SmallVector<SmallVector<SmallVector<Value>>> fragments(shape.k / kStep);
  for (auto [step, ofStep] : llvm::enumerate(fragments))
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      ofStep.push_back(left.load(t, step));
  // The selectors of prmt for two bytes from each of two words: bytes 0 and 2,
  // and bytes 1 and 3.
  Value selectors[] = {b.word(0x6420), b.word(0x7531)};
  Value zero = b.f32(0);
  int64_t tiles = shape.columns / kColumns;
  for (int64_t j = 0; j < tiles; ++j) {
    // `sums` holds, for each tile of 16 rows, two accumulators of the 16
    // columns from 16 j on: that of the even columns, and that of the odd ones.
    SmallVector<std::array<SmallVector<Value>, 2>> sums(shape.rowTiles);
    auto getSum = [&](int64_t t, int64_t parity, int64_t i) -> Value & {
      return acc[(t * tiles + j) * 8 + 2 * i + parity];
    };
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      for (int64_t parity : {0, 1})
        for (int64_t i = 0; i < 4; ++i)
          sums[t][parity].push_back(op.getExact() ? zero
                                                  : getSum(t, parity, i));
    for (auto [step, ofStep] : llvm::enumerate(fragments)) {
      SmallVector<Value> matrices = loadMatrices(
          b, right.at(kStep * static_cast<int64_t>(step), kColumns * j),
          /*transpose=*/true, /*count=*/4);
      for (int64_t parity : {0, 1}) {
        Value operand[] = {
            permuteBytes(b, matrices[0], matrices[1], selectors[parity]),
            permuteBytes(b, matrices[2], matrices[3], selectors[parity])};
        for (int64_t t = 0; t < shape.rowTiles; ++t)
          multiplyFragments(b, element, ofStep[t], operand, sums[t][parity]);
      }
    }
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      for (int64_t parity : {0, 1})
        for (int64_t i = 0; i < 4; ++i) {
          Value &sum = getSum(t, parity, i), part = sums[t][parity][i];
          sum = op.getExact() ? keepInPlace(b, b.addf(sum, part)) : part;
        }
  }
}

/// Multiplies f32 operands by mma.sync. Each operand is a sum of three bf16
/// parts, and six of the nine products of parts are added to `acc`. The other
/// three products, and the bits that mma.sync truncates, are smaller than the
/// rounding errors of f32.
void multiply32(NumberBuilder &b, DotOp op, DotOp::Adaptor adaptor,
                MutableArrayRef<Value> acc) {
  WarpShape shape(op);
  int64_t k = shape.k, n = shape.columns, rowTiles = shape.rowTiles;
  Type f32 = b.getF32Type(), bf16 = b.getBF16Type();

  AffineExpr lane = b.getAffineDimExpr(0) % 32;
  RightOperand right(b, op, shape, adaptor.getRhs(), lane % 4 * 2,
                     lane.floorDiv(4));
  LeftOperand left(b, op, adaptor.getLhs());
  auto loadLeft = [&](int64_t kStep) {
    SmallVector<Parts> fragments;
    for (int64_t t = 0; t < rowTiles; ++t) {
      // The f32 elements of two steps along k make one fragment of bf16. Each
      // step has rows 0-7 and 8-15 of the lower half of its k, then those of
      // the upper half.
      SmallVector<Value> elements = left.load(t, 2 * kStep);
      llvm::append_range(elements, left.load(t, 2 * kStep + 1));
      fragments.push_back(split(b, elements));
    }
    return fragments;
  };
  auto loadRight = [&](int64_t kStep, int64_t j) {
    SmallVector<Value> elements;
    for (int64_t row : {0, 1, 8, 9})
      elements.push_back(LLVM::LoadOp::create(
          b, f32, right.at(16 * kStep + row, 8 * j), /*alignment=*/4));
    return split(b, elements);
  };

  // mma.sync aligns the terms of a sum with the largest one and truncates the
  // smaller ones. Therefore the products of the largest parts are summed from
  // zero, and an f32 addition adds that sum to the accumulator. The rounding
  // error of this addition is added to the sum of the small terms.
  Value zero = b.f32(0);
  Value infinity = b.f32(INFINITY);
  SmallVector<Value> small(acc.size(), zero);
  auto multiplyStep = [&](ArrayRef<Parts> fragments, int64_t kStep, int64_t j) {
    Parts rightParts = loadRight(kStep, j);
    for (int64_t t = 0; t < rowTiles; ++t) {
      int64_t position = (t * (n / 8) + j) * 4;
      MutableArrayRef<Value> smallTile =
          MutableArrayRef(small).slice(position, 4);
      for (auto [i, j] : {std::pair(2, 0), {1, 1}, {0, 2}, {1, 0}, {0, 1}})
        multiplyFragments(b, bf16, fragments[t][i], rightParts[j], smallTile);
      SmallVector<Value> large(4, zero);
      multiplyFragments(b, bf16, fragments[t][0], rightParts[0], large);
      for (auto [sum, term, rest] :
           llvm::zip(acc.slice(position, 4), large, smallTile)) {
        Value next = b.addf(sum, term);
        Value added = b.subf(next, sum);
        Value error = b.subf(term, added);
        rest = b.addf(rest, error);
        sum = next;
      }
    }
  };
  auto finishColumns = [&](int64_t j) {
    for (int64_t t = 0; t < rowTiles; ++t)
      for (int64_t i = 0; i < 4; ++i) {
        // If the accumulated sum of large terms is infinite, the sum of small
        // terms is NaN and must not be added to it.
        Value &sum = acc[(t * (n / 8) + j) * 4 + i];
        Value isInfinite = b.oeq(b.absf(sum), infinity);
        Value rounded = b.addf(sum, small[(t * (n / 8) + j) * 4 + i]);
        sum = b.select(isInfinite, sum, rounded);
        sum = keepInPlace(b, sum);
      }
  };
  // The outer loop is over the longer of n (columns) and k. Thus either few
  // sums of small terms or few fragments of the left operand are in registers
  // at a time.
  if (n > k) {
    SmallVector<SmallVector<Parts>> fragments;
    for (int64_t kStep = 0; kStep < k / 16; ++kStep)
      fragments.push_back(loadLeft(kStep));
    for (int64_t j = 0; j < n / 8; ++j) {
      for (int64_t kStep = 0; kStep < k / 16; ++kStep)
        multiplyStep(fragments[kStep], kStep, j);
      finishColumns(j);
    }
    return;
  }
  for (int64_t kStep = 0; kStep < k / 16; ++kStep) {
    SmallVector<Parts> fragments = loadLeft(kStep);
    for (int64_t j = 0; j < n / 8; ++j)
      multiplyStep(fragments, kStep, j);
  }
  for (int64_t j = 0; j < n / 8; ++j)
    finishColumns(j);
}

LogicalResult convertDot(ConversionBuilder &b, DotOp op,
                         DotOp::Adaptor adaptor) {
  auto layout = dyn_cast<MmaLayoutAttr>(op.getResult().getType().getEncoding());
  RankedTensorType lhs = op.getLhs().getType();
  constexpr int64_t kOfRuns = 4;
  bool hasRuns = isFloat8(lhs.getElementType()) && !op.getTransposeRhs();
  if (!layout || layout.getColumns() != (hasRuns ? kOfRuns : 2) ||
      !isInSharedMemory(op.getRhs().getType()))
    return b.rewriter.notifyMatchFailure(op, "expects rhs in shared memory");
  if (hasRuns && isInSharedMemory(lhs))
    return b.rewriter.notifyMatchFailure(op, "expects lhs in registers");
  if (!isInSharedMemory(lhs) &&
      (op.getTransposeLhs() ||
       lhs.getEncoding() !=
           Attribute(layout.getOfLeft(lhs, op.getRhs().getType()))))
    return b.rewriter.notifyMatchFailure(
        op, "expects lhs in shared memory, or rows of the result");
  SmallVector<Value> acc = getElements(b, adaptor.getAccumulator());
  if (op.getLhs().getType().getElementType().isF32())
    multiply32(b, op, adaptor, acc);
  else if (hasRuns)
    multiplyRuns(b, op, adaptor, acc);
  else
    multiplyWords(b, op, adaptor, acc);
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
      op, adaptor.getAccumulator().getType(), acc);
  return success();
}

/// Loads the left operand of an MMA from a padded tile in shared memory to
/// registers.
LogicalResult convertSharedToMma(ConversionBuilder &b, ConvertLayoutOp op,
                                 ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType();
  RankedTensorType tile = op.getResult().getType();
  MmaLayoutAttr layout = getOperandLayout(tile);
  auto type = b.converter.convertType<VectorType>(tile);
  if (!layout || layout.getWarpsN() != 1 ||
      !isa_and_nonnull<SharedLayoutAttr>(input.getEncoding()))
    return b.rewriter.notifyMatchFailure(op, "expects shared to mma");
  Type element = tile.getElementType();
  int64_t k = tile.getDimSize(1);
  int64_t step = element.isF32() ? 8 : 2 * getMatrixColumns(element);
  if (k % step != 0)
    return b.rewriter.notifyMatchFailure(op, "expects an MMA's columns");
  SharedFragments fragments(b, input, tile, adaptor.getInput(),
                            /*isTransposed=*/false);
  int64_t rowTiles = type.getNumElements() / (k / 2);
  SmallVector<Value> words;
  for (int64_t t = 0; t < rowTiles; ++t)
    for (int64_t kStep = 0; kStep < k / step; ++kStep)
      llvm::append_range(words, fragments.load(t, kStep));
  if (element.isF32())
    b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, words);
  else
    b.rewriter.replaceOp(op, joinWords(b, words, type));
  return success();
}

/// Converts 8-bit floats from the layout of an accumulator, where a lane has
/// pairs of columns, to that of an MMA's left operand, where it has four
/// neighboring columns. The elements move among the four lanes of a row.
LogicalResult convertPairsToFours(ConversionBuilder &b, ConvertLayoutOp op,
                                  ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType(),
                   result = op.getResult().getType();
  MmaLayoutAttr before = getMmaLayout(input), after = getOperandLayout(result);
  if (!before || !after || !isFloat8(input.getElementType()) ||
      before.getOfOperand(input.getElementType()) != after)
    return failure();
  b.rewriter.replaceOp(op, exchangePairs(b, adaptor.getInput()));
  return success();
}

} // namespace

void attn::populateMmaSyncPatterns(const TileTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  addConversions<convertDot, convertSharedToMma, convertPairsToFours>(converter,
                                                                      patterns);
}
