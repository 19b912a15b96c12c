//===- Transpose.cpp - Tiles of 8-bit elements, transposed ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transposes tiles of bytes by ldmatrix with .trans, for which a pair of bytes
// is one element, byte permutations, and stmatrix. A warp transposes 32 rows of
// 16 columns at a time: lane 4 c + t gets columns 2 c and 2 c + 1 of rows 2 t
// and 2 t + 1 of each eight rows. Its bytes of one column, from 16 rows, form a
// word of the result, in the order of #attn_gpu.swizzled<interleaved = true>.
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

/// The number of rows that an ldmatrix of four matrices reads, and the number
/// of bytes of each of these rows.
static constexpr int64_t kRows = 32, kUnit = 16;

Value attn::permuteBytes(NumberBuilder &b, Value low, Value high,
                         Value selector) {
  return LLVM::CallIntrinsicOp::create(b, b.getI32Type(),
                                       b.getStringAttr("llvm.nvvm.prmt"),
                                       ValueRange{low, high, selector})
      .getResults();
}

static void storeMatrices(NumberBuilder &b, Value address, ValueRange words) {
  NVVM::StMatrixOp::create(
      b, address, words,
      NVVM::MMALayoutAttr::get(b.getContext(), NVVM::MMALayout::row),
      NVVM::LdStMatrixShapeAttr::get(b.getContext(), 8, 8),
      NVVM::LdStMatrixEltTypeAttr::get(b.getContext(),
                                       NVVM::LdStMatrixEltType::B16));
}

void attn::writeTransposed(NumberBuilder &b, RankedTensorType tile,
                           Value source, RankedTensorType transposed,
                           Value target) {
  AffineExpr thread = b.getAffineDimExpr(0), lane = thread % 32;
  AffineExpr warp = thread.floorDiv(32) % 4;
  Value number = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  auto apply = [&](AffineExpr expr) -> Value {
    return b.indexCast(b.getI32Type(), applyAffine(b, expr, number));
  };
  // Each of the four warps transposes every fourth unit of 16 columns. For
  // ldmatrix, each lane passes the address of one row of a unit.
  Value from = b.addi(source, apply(lane * kPanelRowBytes));
  Value fromUnit = b.xori(apply(warp * kUnit), apply(lane % 8 * kUnit));
  // For stmatrix, each lane passes the address of one row of the result, which
  // is a column of the original tile. In each matrix, half of the lanes pass
  // even columns and the other half odd columns, so that rows that are written
  // at once differ modulo 8. Lanes of the upper half of the warp put the bytes
  // of odd columns into the first word; the other lanes put those of even
  // columns there.
  Value row = apply(lane % 8), matrix = apply(lane.floorDiv(8));
  Value isOdd = b.xori(b.shrui(row, b.word(2)), b.andi(matrix, b.word(1)));
  Value toRow = b.addi(b.muli(row, b.word(2)), isOdd);
  Value to = b.addi(b.addi(target, apply(warp * (kUnit * kPanelRowBytes))),
                    b.muli(toRow, b.word(kPanelRowBytes)));
  Value toUnit = b.xori(b.muli(b.shrui(matrix, b.word(1)), b.word(kUnit)),
                        b.muli(b.andi(toRow, b.word(7)), b.word(kUnit)));
  Value isUpper = b.uge(apply(lane), b.word(16));
  constexpr int32_t kEven = 0x6420, kOdd = 0x7531;
  Value first = b.select(isUpper, b.word(kOdd), b.word(kEven));
  Value second = b.select(isUpper, b.word(kEven), b.word(kOdd));

  constexpr int64_t kWarps = 4;
  for (int64_t column = 0; column < tile.getDimSize(1);
       column += kWarps * kUnit) {
    Value unit = b.xori(fromUnit, b.word(getBytesInPanel(tile, column)));
    Value columns =
        addWord(b, b.addi(from, unit), getPanelOffset(tile, column));
    for (int64_t key = 0; key < tile.getDimSize(0); key += kRows) {
      SmallVector<Value> loaded = loadMatrices(
          b, getSharedPointer(b, addWord(b, columns, key * kPanelRowBytes)),
          /*transpose=*/true);
      SmallVector<Value> words;
      for (int64_t half : {0, 2})
        for (Value selector : {first, second})
          words.push_back(
              permuteBytes(b, loaded[half], loaded[half + 1], selector));
      Value place = b.xori(toUnit, b.word(getBytesInPanel(transposed, key)));
      Value address =
          addWord(b, b.addi(to, place),
                  getPanelOffset(transposed, key) + column * kPanelRowBytes);
      storeMatrices(b, getSharedPointer(b, address), words);
    }
  }
}
