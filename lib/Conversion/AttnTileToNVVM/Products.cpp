//===- Products.cpp - Products on tensor cores
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments are those of the PTX ISA's mma.m16n8k16 (16-bit elements) and
// mma.m16n8k8 (tf32), which #attn_tile.mma names register by register.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include <cmath>

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

SmallVector<Value> attn::loadMatrices(ImplicitLocOpBuilder &b, Value address,
                                      bool transpose) {
  auto i32 = b.getI32Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {i32, i32, i32, i32});
  auto shape = NVVM::LdStMatrixShapeAttr::get(b.getContext(), /*m=*/8, /*n=*/8);
  Value loaded = NVVM::LdMatrixOp::create(b, type, address, /*num=*/4,
                                          transpose ? NVVM::MMALayout::col
                                                    : NVVM::MMALayout::row,
                                          shape, NVVM::LdStMatrixEltType::B16);
  SmallVector<Value> registers;
  for (int64_t i = 0; i < 4; ++i)
    registers.push_back(LLVM::ExtractValueOp::create(b, loaded, i));
  return registers;
}

namespace {

/// The lane of the calling thread, an index.
Value getLane(ImplicitLocOpBuilder &b) {
  Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  return applyAffine(b, b.getAffineDimExpr(0) % 32, id);
}

/// One product of fragments; accumulators are f32.
void multiply(ImplicitLocOpBuilder &b, Type element, ArrayRef<Value> lhs,
              ArrayRef<Value> rhs, MutableArrayRef<Value> acc) {
  auto f32 = b.getF32Type();
  auto type =
      LLVM::LLVMStructType::getLiteral(b.getContext(), {f32, f32, f32, f32});
  NVVM::MMATypes ptxType = element.isF16()    ? NVVM::MMATypes::f16
                           : element.isBF16() ? NVVM::MMATypes::bf16
                                              : NVVM::MMATypes::tf32;
  // f16 operands are pairs, the others words.
  auto convert = [&](ArrayRef<Value> words) {
    SmallVector<Value> operands(words);
    if (element.isF16())
      for (Value &word : operands)
        word = LLVM::BitcastOp::create(b, VectorType::get({2}, element), word);
    return operands;
  };
  int64_t k = element.isF32() ? 8 : 16;
  Value result = NVVM::MmaOp::create(
      b, type, convert(lhs), convert(rhs), ValueRange(acc),
      ArrayRef<int64_t>{16, 8, k}, std::nullopt, std::nullopt,
      std::array<NVVM::MMATypes, 2>{ptxType, ptxType},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (auto [i, value] : llvm::enumerate(acc))
    value = LLVM::ExtractValueOp::create(b, result, i);
}

SmallVector<Value> getElements(ImplicitLocOpBuilder &b, Value vector) {
  SmallVector<Value> elements;
  int64_t count = cast<VectorType>(vector.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

/// The pair of 16-bit elements at `first` as a word.
Value getWord(ImplicitLocOpBuilder &b, Value vector, int64_t first) {
  Value pair = vector::ShuffleOp::create(b, vector, vector,
                                         ArrayRef<int64_t>{first, first + 1});
  return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
}

/// An f32 as the sum of two tf32, each rounded to nearest: what is cut off
/// would have the value's sign in every term, and the errors would add up. The
/// hardware reads the upper 19 bits, so half of the last of them is added; the
/// upper part is exact in f32, or the rest would not be.
std::pair<Value, Value> split(ImplicitLocOpBuilder &b, Value value) {
  Type i32 = b.getI32Type();
  Value half = arith::ConstantOp::create(b, b.getI32IntegerAttr(0x1000));
  Value mask = arith::ConstantOp::create(b, b.getI32IntegerAttr(0xffffe000));
  auto round = [&](Value number) -> Value {
    return arith::AddIOp::create(b, arith::BitcastOp::create(b, i32, number),
                                 half);
  };
  Value high = arith::AndIOp::create(b, round(value), mask);
  Value rest = arith::SubFOp::create(
      b, value, arith::BitcastOp::create(b, b.getF32Type(), high));
  return {high, round(rest)};
}

/// The left operand of a product in shared memory: fragments of 16 rows.
class SharedFragments {
public:
  SharedFragments(ImplicitLocOpBuilder &b, RankedTensorType tile,
                  LayoutInterface layout, Value address)
      : b(b), element(tile.getElementType()),
        rowBytes(getSharedRowBytes(tile)) {
    AffineExpr thread = b.getAffineDimExpr(0);
    AffineExpr lane = thread % 32, warp = thread.floorDiv(32);
    AffineExpr firstRow =
        warp * (tile.getDimSize(0) * 32 / layout.getNumThreads());
    AffineExpr offset;
    if (element.isF32()) {
      offset = (firstRow + lane.floorDiv(4)) * rowBytes + (lane % 4) * 8;
    } else {
      // Matrices: rows 0-7 and 8-15, for the lower half of k, then the upper.
      AffineExpr row = firstRow + (lane.floorDiv(8) % 2) * 8 + lane % 8;
      offset = row * rowBytes + lane.floorDiv(16) * 16;
    }
    Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    base = addBytes(b, address, OpFoldResult(applyAffine(b, offset, id)));
  }

  /// Four registers of rows 16 t to 16 t + 15 and step `kStep` of k, in the
  /// order of #attn_tile.mma: pairs of 16-bit elements as words, or f32.
  SmallVector<Value> load(int64_t t, int64_t kStep) {
    int64_t first = t * 16 * rowBytes + kStep * 32;
    if (!element.isF32())
      return loadMatrices(b, at(first), /*transpose=*/false);
    SmallVector<Value> registers;
    for (int64_t row : {0, 8})
      for (int64_t column : {0, 1})
        registers.push_back(LLVM::LoadOp::create(
            b, element, at(first + row * rowBytes + column * 4),
            /*alignment=*/4));
    return registers;
  }

private:
  Value at(int64_t bytes) {
    return addBytes(b, base, OpFoldResult(b.getIndexAttr(bytes)));
  }

  ImplicitLocOpBuilder &b;
  Type element;
  int64_t rowBytes;
  Value base;
};

/// The left operand of a product, in registers or in shared memory.
class LeftOperand {
public:
  LeftOperand(ImplicitLocOpBuilder &b, DotOp op, Value converted)
      : b(b), tile(op.getLhs().getType()) {
    if (isa_and_nonnull<SharedLayoutAttr>(tile.getEncoding()))
      shared.emplace(b, tile, getLayout(op.getResult().getType()), converted);
    else
      registers = converted;
  }

  /// As SharedFragments::load.
  SmallVector<Value> load(int64_t t, int64_t kStep) {
    if (shared)
      return shared->load(t, kStep);
    SmallVector<Value> words;
    bool isF32 = tile.getElementType().isF32();
    int64_t first = isF32 ? (t * (tile.getDimSize(1) / 8) + kStep) * 4
                          : (t * (tile.getDimSize(1) / 8) + 2 * kStep) * 4;
    for (int64_t i = 0; i < 4; ++i)
      words.push_back(
          isF32 ? Value(vector::ExtractOp::create(b, registers, first + i))
                : getWord(b, registers, first + 2 * i));
    return words;
  }

private:
  ImplicitLocOpBuilder &b;
  RankedTensorType tile;
  std::optional<SharedFragments> shared;
  Value registers;
};

struct ConvertDot : OpConversionPattern<DotOp> {
  using OpConversionPattern::OpConversionPattern;

  /// 16-bit operands: rhs read by ldmatrix.
  void multiply16(ImplicitLocOpBuilder &b, DotOp op, OpAdaptor adaptor,
                  MutableArrayRef<Value> acc) const {
    RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    Type element = lhs.getElementType();
    int64_t k = lhs.getDimSize(1), n = op.getResult().getType().getDimSize(1);
    int64_t rowTiles = acc.size() / (n / 2);
    bool isKMajor = op.getTransposeRhs();
    int64_t rowBytes = getSharedRowBytes(rhs);

    // Lane l names row l mod 8 of matrix l / 8. The matrices are the two
    // halves of k, for columns 0-7 and then for columns 8-15.
    AffineExpr lane = b.getAffineDimExpr(0);
    AffineExpr kPart = (lane.floorDiv(8) % 2) * 8,
               nPart = lane.floorDiv(16) * 8;
    AffineExpr row = isKMajor ? nPart + lane % 8 : kPart + lane % 8;
    AffineExpr column = isKMajor ? kPart : nPart;
    Value base = addBytes(
        b, adaptor.getRhs(),
        OpFoldResult(applyAffine(b, row * rowBytes + column * 2, getLane(b))));

    LeftOperand left(b, op, adaptor.getLhs());
    for (int64_t kStep = 0; kStep < k / 16; ++kStep) {
      SmallVector<SmallVector<Value>> fragments;
      for (int64_t t = 0; t < rowTiles; ++t)
        fragments.push_back(left.load(t, kStep));
      for (int64_t nPair = 0; nPair < n / 16; ++nPair) {
        int64_t offset = isKMajor ? nPair * 16 * rowBytes + kStep * 32
                                  : kStep * 16 * rowBytes + nPair * 32;
        SmallVector<Value> matrices = loadMatrices(
            b, addBytes(b, base, OpFoldResult(b.getIndexAttr(offset))),
            !isKMajor);
        for (int64_t j = 0; j < 2; ++j)
          for (int64_t t = 0; t < rowTiles; ++t)
            multiply(b, element, fragments[t],
                     ArrayRef(matrices).slice(2 * j, 2),
                     acc.slice((t * (n / 8) + 2 * nPair + j) * 4, 4));
      }
    }
  }

  /// f32 operands: three products of their tf32 parts. The order of k within a
  /// step is free, so lane l takes columns 2 (l mod 4) and one more, which it
  /// holds, for the instruction's l mod 4 and l mod 4 + 4.
  void multiply32(ImplicitLocOpBuilder &b, DotOp op, OpAdaptor adaptor,
                  MutableArrayRef<Value> acc) const {
    RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
    int64_t k = lhs.getDimSize(1), n = op.getResult().getType().getDimSize(1);
    int64_t rowTiles = acc.size() / (n / 2);
    bool isKMajor = op.getTransposeRhs();
    int64_t rowBytes = getSharedRowBytes(rhs);
    Type f32 = b.getF32Type();

    AffineExpr lane = b.getAffineDimExpr(0);
    AffineExpr kPart = (lane % 4) * 2, nPart = lane.floorDiv(4);
    AffineExpr offset =
        isKMajor ? nPart * rowBytes + kPart * 4 : kPart * rowBytes + nPart * 4;
    Value base = addBytes(b, adaptor.getRhs(),
                          OpFoldResult(applyAffine(b, offset, getLane(b))));
    LeftOperand left(b, op, adaptor.getLhs());
    auto load = [&](int64_t bytes) -> Value {
      Value address = addBytes(b, base, OpFoldResult(b.getIndexAttr(bytes)));
      return LLVM::LoadOp::create(b, f32, address, /*alignment=*/4);
    };
    using Parts = std::pair<SmallVector<Value>, SmallVector<Value>>;
    auto splitAll = [&](ArrayRef<Value> values) {
      Parts parts;
      for (Value value : values) {
        auto [high, low] = split(b, value);
        parts.first.push_back(high);
        parts.second.push_back(low);
      }
      return parts;
    };
    auto loadLeft = [&](int64_t kStep) {
      SmallVector<Parts> fragments;
      for (int64_t t = 0; t < rowTiles; ++t) {
        SmallVector<Value> e = left.load(t, kStep);
        fragments.push_back(splitAll({e[0], e[2], e[1], e[3]}));
      }
      return fragments;
    };

    // The instruction cuts its sum off instead of rounding it. The large terms
    // of a step are few bits short of exact, so they begin at zero and are
    // added here; what is cut off the small terms does not matter.
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
    Value infinity = arith::ConstantOp::create(b, b.getF32FloatAttr(INFINITY));
    SmallVector<Value> small(acc.size(), zero);
    auto addTo = [&](Value &sum, Value term) {
      sum = arith::AddFOp::create(b, sum, term);
    };
    auto multiplyStep = [&](ArrayRef<Parts> fragments, int64_t kStep,
                            int64_t j) {
      int64_t first = isKMajor ? j * 8 * rowBytes + kStep * 32
                               : kStep * 8 * rowBytes + j * 32;
      Parts right =
          splitAll({load(first), load(first + (isKMajor ? 4 : rowBytes))});
      for (int64_t t = 0; t < rowTiles; ++t) {
        int64_t position = (t * (n / 8) + j) * 4;
        MutableArrayRef<Value> smallTile =
            MutableArrayRef(small).slice(position, 4);
        multiply(b, f32, fragments[t].second, right.first, smallTile);
        multiply(b, f32, fragments[t].first, right.second, smallTile);
        SmallVector<Value> large(4, zero);
        multiply(b, f32, fragments[t].first, right.first, large);
        for (auto [sum, term] : llvm::zip(acc.slice(position, 4), large))
          addTo(sum, term);
      }
    };
    auto finishColumns = [&](int64_t j) {
      for (int64_t t = 0; t < rowTiles; ++t)
        for (int64_t i = 0; i < 4; ++i) {
          // Small terms of an infinite product are NaN.
          Value &sum = acc[(t * (n / 8) + j) * 4 + i];
          Value isInfinite =
              arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ,
                                    math::AbsFOp::create(b, sum), infinity);
          Value rounded =
              arith::AddFOp::create(b, sum, small[(t * (n / 8) + j) * 4 + i]);
          sum = arith::SelectOp::create(b, isInfinite, sum, rounded);
        }
    };
    // The longer dimension is the outer loop, so that either few sums of small
    // terms or few fragments are held at a time.
    if (n > k) {
      SmallVector<SmallVector<Parts>> fragments;
      for (int64_t kStep = 0; kStep < k / 8; ++kStep)
        fragments.push_back(loadLeft(kStep));
      for (int64_t j = 0; j < n / 8; ++j) {
        for (int64_t kStep = 0; kStep < k / 8; ++kStep)
          multiplyStep(fragments[kStep], kStep, j);
        finishColumns(j);
      }
      return;
    }
    for (int64_t kStep = 0; kStep < k / 8; ++kStep) {
      SmallVector<Parts> fragments = loadLeft(kStep);
      for (int64_t j = 0; j < n / 8; ++j)
        multiplyStep(fragments, kStep, j);
    }
    for (int64_t j = 0; j < n / 8; ++j)
      finishColumns(j);
  }

  LogicalResult
  matchAndRewrite(DotOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.getTransposeLhs() ||
        !isa_and_nonnull<MmaLayoutAttr, SharedLayoutAttr>(
            op.getLhs().getType().getEncoding()) ||
        !isa_and_nonnull<MmaLayoutAttr>(
            op.getResult().getType().getEncoding()) ||
        !isa_and_nonnull<SharedLayoutAttr>(op.getRhs().getType().getEncoding()))
      return rewriter.notifyMatchFailure(op, "expects rhs in shared memory");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    SmallVector<Value> acc = getElements(b, adaptor.getAccumulator());
    if (op.getLhs().getType().getElementType().isF32())
      multiply32(b, op, adaptor, acc);
    else
      multiply16(b, op, adaptor, acc);
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
        op, adaptor.getAccumulator().getType(), acc);
    return success();
  }
};

/// Reads the left operand of a product from shared memory.
struct ConvertToRegisters : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType input = op.getInput().getType();
    RankedTensorType tile = op.getResult().getType();
    auto layout = dyn_cast_or_null<MmaLayoutAttr>(tile.getEncoding());
    auto type = getTypeConverter()->convertType<VectorType>(tile);
    if (!layout || !isa_and_nonnull<SharedLayoutAttr>(input.getEncoding()))
      return rewriter.notifyMatchFailure(op, "expects shared to mma");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = tile.getElementType();
    SharedFragments fragments(b, input, layout, adaptor.getInput());
    int64_t k = tile.getDimSize(1);
    int64_t rowTiles = type.getNumElements() / (k / 2);
    SmallVector<Value> elements;
    for (int64_t t = 0; t < rowTiles; ++t)
      for (int64_t kStep = 0; kStep < k / (element.isF32() ? 8 : 16); ++kStep)
        for (Value word : fragments.load(t, kStep)) {
          if (element.isF32()) {
            elements.push_back(word);
            continue;
          }
          auto pairType = VectorType::get({2}, element);
          Value pair = LLVM::BitcastOp::create(b, pairType, word);
          for (int64_t i = 0; i < 2; ++i)
            elements.push_back(vector::ExtractOp::create(b, pair, i));
        }
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, type, elements);
    return success();
  }
};

} // namespace

void attn::populateProductPatterns(const TileTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertDot, ConvertToRegisters>(converter,
                                               patterns.getContext());
}
