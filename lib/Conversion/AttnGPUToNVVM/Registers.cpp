//===- Registers.cpp - Ops on tiles in registers --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../Assembly.h"
#include "../CombinePairwise.h"
#include "MmaOperands.h"

#include "attn/Dialect/AttnTile/Transforms/Reductions.h"
#include "attn/Support/ElementDType.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

SmallVector<int64_t> attn::getSliceRegisters(RankedTensorType tile,
                                             RankedTensorType slice) {
  int64_t kept = 1 - cast<SliceLayoutAttr>(slice.getEncoding()).getAxis();
  SmallVector<int64_t> positions =
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0);
  SmallVector<int64_t> registers;
  for (int64_t position :
       getLayout(tile).getRegisterOffsets(tile.getShape(), kept))
    registers.push_back(llvm::find(positions, position) - positions.begin());
  return registers;
}

SmallVector<SmallVector<Value>> attn::groupBySlice(NumberBuilder &b,
                                                   Value registers,
                                                   RankedTensorType tile,
                                                   RankedTensorType slice) {
  SmallVector<SmallVector<Value>> groups(
      getLayout(slice).getRegisterOffsets(slice.getShape(), 0).size());
  for (auto [i, group] : llvm::enumerate(getSliceRegisters(tile, slice)))
    groups[group].push_back(
        vector::ExtractOp::create(b, registers, static_cast<int64_t>(i)));
  return groups;
}

Value attn::combineLanes(NumberBuilder &b, ReduceKind kind, Value value,
                         ArrayRef<int32_t> distances) {
  // Shuffles do not accept an i1, so a condition is extended to i32 before
  // them.
  Type type = value.getType();
  bool isCondition = type.isInteger(1);
  if (isCondition)
    value = b.extui(b.getI32Type(), value);
  for (int32_t distance : distances) {
    value =
        attn_tile::combine(b, kind, value, readOtherLane(b, value, distance));
  }
  return isCondition ? b.trunci(type, value) : value;
}

Value attn::finishReduction(NumberBuilder &b, ReduceKind kind, Value value) {
  if (kind != ReduceKind::MaxNum)
    return value;
  return b.maxnumf(value, b.real(value.getType(), -INFINITY));
}

Value attn::joinConditions(NumberBuilder &b, Value conditions) {
  auto type = dyn_cast<VectorType>(conditions.getType());
  if (!type || !type.getElementType().isInteger(1))
    return Value();
  Value any;
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    Value own = vector::ExtractOp::create(b, conditions, i);
    any = any ? b.ori(any, own) : own;
  }
  return any;
}

namespace {

/// The masks of the butterfly shuffles that combine the four lanes of a quad,
/// which hold the same rows.
constexpr int32_t kQuad[] = {1, 2};

/// Whether combineLanes() can combine elements of the type: f32 and i1.
bool canCombine(Type element) {
  return element.isF32() || element.isInteger(1);
}

/// Converts element-wise ops on tiles to the same ops on vectors that have the
/// elements of a thread's registers.
struct ConvertElementwise : ConversionPattern {
  ConvertElementwise(const TypeConverter &converter, MLIRContext *context)
      : ConversionPattern(converter, MatchAnyOpTypeTag(), 1, context) {}

  LogicalResult
  matchAndRewrite(Operation *op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    if (!OpTrait::hasElementwiseMappableTraits(op))
      return failure();
    SmallVector<Type> types;
    if (failed(getTypeConverter()->convertTypes(op->getResultTypes(), types)))
      return failure();
    OperationState state(op->getLoc(), op->getName(), operands, types,
                         op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state));
    return success();
  }
};

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

LogicalResult convertConstant(ConversionBuilder &b, arith::ConstantOp op,
                              arith::ConstantOp::Adaptor) {
  auto elements = dyn_cast<SplatElementsAttr>(op.getValue());
  auto type = b.converter.convertType<VectorType>(op.getType());
  if (!elements || !type)
    return failure();
  b.rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   elements.resizeSplat(type));
  return success();
}

LogicalResult convertSplat(ConversionBuilder &b, tensor::SplatOp op,
                           tensor::SplatOp::Adaptor adaptor) {
  auto type = b.converter.convertType<VectorType>(op.getType());
  if (!type)
    return failure();
  b.rewriter.replaceOpWithNewOp<vector::BroadcastOp>(op, type,
                                                     adaptor.getInput());
  return success();
}

LogicalResult convertBroadcast(ConversionBuilder &b, BroadcastOp op,
                               BroadcastOp::Adaptor adaptor) {
  RankedTensorType slice = op.getInput().getType(),
                   tile = op.getResult().getType();
  auto layout = dyn_cast_or_null<SliceLayoutAttr>(slice.getEncoding());
  auto ofTile = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (!layout || !ofTile ||
      layout != SliceLayoutAttr::getOf(ofTile, op.getAxis()))
    return b.rewriter.notifyMatchFailure(op, "expects a slice of the result");
  b.rewriter.replaceOpWithNewOp<vector::ShuffleOp>(
      op, adaptor.getInput(), adaptor.getInput(),
      getSliceRegisters(tile, slice));
  return success();
}

/// Converts a vector of layout spread to a slice. Each register of the slice is
/// a shuffle of one register: lanes that hold neighboring columns of a tile
/// read neighboring lanes.
LogicalResult convertSpread(ConversionBuilder &b, ConvertLayoutOp op,
                            ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType(),
                   slice = op.getResult().getType();
  auto layout = dyn_cast_or_null<SpreadLayoutAttr>(input.getEncoding());
  auto type = b.converter.convertType<VectorType>(slice);
  if (!layout || !type)
    return failure();
  int64_t width = layout.getWidth(input.getDimSize(0));
  MmaLayoutAttr parent = layout.getParent();
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  AffineExpr column =
      b.getAffineDimExpr(0) % parent.getLanes() * parent.getColumns();
  Value first = b.indexCast(b.getI32Type(), applyAffine(b, column, thread));
  SmallVector<Value> elements;
  for (int64_t offset :
       getLayout(slice).getRegisterOffsets(slice.getShape(), 0)) {
    Value own =
        vector::ExtractOp::create(b, adaptor.getInput(), offset / width);
    Value lane = b.addi(first, b.word(offset % width));
    elements.push_back(NVVM::ShflOp::create(b, own.getType(), b.word(-1), own,
                                            lane, b.word(31),
                                            NVVM::ShflKind::idx, UnitAttr()));
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
  return success();
}

LogicalResult convertCombineQuad(ConversionBuilder &b, CombineQuadOp op,
                                 CombineQuadOp::Adaptor adaptor) {
  auto type = dyn_cast<VectorType>(adaptor.getInput().getType());
  if (!type || !canCombine(type.getElementType()))
    return b.rewriter.notifyMatchFailure(
        op, "only f32 and conditions are combined");
  SmallVector<Value> results;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    results.push_back(combineLanes(
        b, op.getKind(), vector::ExtractOp::create(b, adaptor.getInput(), i),
        kQuad));
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

LogicalResult convertRare(ConversionBuilder &b, RareOp op,
                          RareOp::Adaptor adaptor) {
  b.rewriter.replaceOp(
      op, LLVM::ExpectOp::create(b, adaptor.getCondition(), b.boolean(false)));
  return success();
}

LogicalResult convertVoteAny(ConversionBuilder &b, VoteAnyOp op,
                             VoteAnyOp::Adaptor adaptor) {
  Value any = joinConditions(b, adaptor.getCondition());
  if (!any)
    return b.rewriter.notifyMatchFailure(op, "expects conditions");
  Value all = b.word(-1);
  b.rewriter.replaceOpWithNewOp<NVVM::VoteSyncOp>(op, b.getI1Type(), all, any,
                                                  NVVM::VoteSyncKind::any);
  return success();
}

/// Reduces the rows of a tile. For ReduceOp, the elements of a row are combined
/// over all lanes that hold some of them. For ReduceThreadOp, only those that
/// the calling thread holds are combined.
template <typename Reduce>
LogicalResult convertReduce(ConversionBuilder &b, Reduce op,
                            typename Reduce::Adaptor adaptor) {
  RankedTensorType tile = op.getInput().getType();
  RankedTensorType slice = op.getResult().getType();
  auto type = b.converter.convertType<VectorType>(slice);
  auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
  if (op.getAxis() != 1 || !canCombine(tile.getElementType()) || !type ||
      !layout || (std::is_same_v<Reduce, ReduceOp> && layout.getWarpsN() != 1))
    return b.rewriter.notifyMatchFailure(op, "only rows of f32 or conditions "
                                             "that a warp has for itself are "
                                             "reduced");
  auto combine = [&](Value lhs, Value rhs) {
    return attn_tile::combine(b, op.getKind(), lhs, rhs);
  };

  SmallVector<Value> results;
  for (SmallVector<Value> &row :
       groupBySlice(b, adaptor.getInput(), tile, slice)) {
    Value combined = combinePairwise(std::move(row), combine);
    if constexpr (std::is_same_v<Reduce, ReduceOp>)
      combined = finishReduction(
          b, op.getKind(), combineLanes(b, op.getKind(), combined, kQuad));
    results.push_back(combined);
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, results);
  return success();
}

} // namespace

void attn::populateRegisterPatterns(const TileTypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertElementwise>(converter, patterns.getContext());
  addConversions<convertOfRight<arith::ExtFOp>,
                 convertOfRight<arith::SIToFPOp>>(converter, patterns,
                                                  /*benefit=*/2);
  addConversions<convertConstant, convertSplat, convertBroadcast, convertSpread,
                 convertUnpack, convertReduce<ReduceOp>,
                 convertReduce<ReduceThreadOp>, convertCombineQuad, convertRare,
                 convertVoteAny>(converter, patterns);
}
