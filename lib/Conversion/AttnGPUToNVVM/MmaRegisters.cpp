//===- MmaRegisters.cpp - Dots of right operands in registers -------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../VectorElements.h"
#include "MmaOperands.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

/// Returns two elements of a vector, packed as an i32, the first in the lower
/// half.
Value getPair(NumberBuilder &b, Value vector, int64_t first, int64_t second) {
  Value pair = vector::ShuffleOp::create(b, vector, vector,
                                         ArrayRef<int64_t>{first, second});
  return LLVM::BitcastOp::create(b, b.getI32Type(), pair);
}

/// Multiplies operands of 16 bits by mma.sync, of which the right one is in
/// registers and stored as N x K, and adds the products to `acc`. In both
/// operands a lane has runs of neighboring elements along K, which it may give
/// to MMAs in any order. In a run of 8, element i is beside element i + 4, as
/// they are in the words that attn_tile.unpack makes of 4-bit integers.
void multiplyRegistersAlongK(NumberBuilder &b, DotOp op, Value lhs, Value rhs,
                             MutableArrayRef<Value> acc) {
  constexpr int64_t kUnpacked = 8;
  WarpShape shape(op);
  Type element = op.getLhs().getType().getElementType();
  int64_t run = getLayout(op.getRhs().getType()).getRun();
  // A lane holds a row's elements in blocks of 4 runs; of each block, it has
  // the runs of row h = 0, then that of row h = 1, 8 rows below. Returns the
  // pair `number` along K of a row.
  auto load = [&](Value registers, int64_t tile, int64_t half, int64_t number) {
    int64_t start =
        tile * shape.k / 2 + 2 * number / run * 2 * run + half * run;
    int64_t pairs = run / 2, own = number % pairs;
    return run == kUnpacked
               ? getPair(b, registers, start + own, start + own + pairs)
               : getPair(b, registers, start + 2 * own, start + 2 * own + 1);
  };
  int64_t tiles = shape.columns / 8;
  for (int64_t pair = 0; pair < shape.k / 8; pair += 2) {
    SmallVector<SmallVector<Value>> fragments(shape.rowTiles);
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      for (int64_t part : {0, 1})
        for (int64_t half : {0, 1})
          fragments[t].push_back(load(lhs, t, half, pair + part));
    for (int64_t j = 0; j < tiles; ++j) {
      Value operand[] = {load(rhs, j / 2, j % 2, pair),
                         load(rhs, j / 2, j % 2, pair + 1)};
      for (int64_t t = 0; t < shape.rowTiles; ++t)
        multiplyFragments(b, element, fragments[t], operand,
                          acc.slice((t * tiles + j) * 4, 4));
    }
  }
}

/// Multiplies operands of 16 bits by mma.sync, of which the right one is in
/// registers and stored as K x N (#attn_gpu.right), and adds the products to
/// `acc`. The elements with the same place in their runs are the operand of an
/// MMA.
void multiplyRegisters(NumberBuilder &b, DotOp op, DotOp::Adaptor adaptor,
                       MutableArrayRef<Value> acc) {
  constexpr int64_t kStep = 16;
  WarpShape shape(op);
  Type element = op.getLhs().getType().getElementType();
  int64_t run = getLayout(op.getRhs().getType()).getRun();
  LeftOperand left(b, op, adaptor.getLhs());
  int64_t blocks = shape.columns / (8 * run);
  for (int64_t step = 0; step < shape.k / kStep; ++step) {
    SmallVector<SmallVector<Value>> fragments;
    for (int64_t t = 0; t < shape.rowTiles; ++t)
      fragments.push_back(left.load(t, step));
    for (int64_t j = 0; j < blocks; ++j)
      for (int64_t c = 0; c < run; ++c) {
        int64_t first = (step * blocks + j) * 4 * run + c;
        Value operand[] = {
            getPair(b, adaptor.getRhs(), first, first + run),
            getPair(b, adaptor.getRhs(), first + 2 * run, first + 3 * run)};
        for (int64_t t = 0; t < shape.rowTiles; ++t) {
          // The result's lane has columns c and c + run of a run twice as long,
          // in each of two rows.
          auto at = [&](int64_t i) -> Value & {
            return acc[((t * blocks + j) * 2 + i / 2) * 2 * run + i % 2 * run +
                       c];
          };
          SmallVector<Value> sums = {at(0), at(1), at(2), at(3)};
          multiplyFragments(b, element, fragments[t], operand, sums);
          for (int64_t i = 0; i < 4; ++i)
            at(i) = sums[i];
        }
      }
  }
}

/// Converts a product whose right operand is in registers.
LogicalResult convertOfRegisters(ConversionBuilder &b, DotOp op,
                                 DotOp::Adaptor adaptor) {
  auto layout = dyn_cast<MmaLayoutAttr>(op.getResult().getType().getEncoding());
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  auto alongK = dyn_cast_or_null<MmaLayoutAttr>(rhs.getEncoding());
  auto right = dyn_cast_or_null<RightLayoutAttr>(rhs.getEncoding());
  if (!layout || (!alongK && !right))
    return b.rewriter.notifyMatchFailure(op, "expects rhs in registers");
  if (lhs.getElementTypeBitWidth() != 16 || op.getTransposeLhs() ||
      op.getTransposeRhs() != bool(alongK) ||
      (alongK ? !layout.isOfMma() || layout.getWarpsM() != 1 ||
                    alongK != layout.getOfRight(alongK.getColumns())
              : right.getParent() != layout))
    return b.rewriter.notifyMatchFailure(
        op, "expects rhs in registers of the layout that the result's has");
  Attribute ofLeft = layout.getOfLeft(lhs, rhs);
  bool isLoaded = isInSharedMemory(lhs);
  if (!isLoaded && lhs.getEncoding() != ofLeft)
    return b.rewriter.notifyMatchFailure(op, "expects rows of the result");
  SmallVector<Value> acc = getElements(b, adaptor.getAccumulator());
  if (alongK) {
    Value left = adaptor.getLhs();
    if (isLoaded) {
      auto tile =
          RankedTensorType::get(lhs.getShape(), lhs.getElementType(), ofLeft);
      left = readRuns(b, lhs, left, tile,
                      b.converter.convertType<VectorType>(tile));
    }
    multiplyRegistersAlongK(b, op, left, adaptor.getRhs(), acc);
  } else {
    multiplyRegisters(b, op, adaptor, acc);
  }
  b.rewriter.replaceOpWithNewOp<vector::FromElementsOp>(
      op, adaptor.getAccumulator().getType(), acc);
  return success();
}

} // namespace

void attn::populateMmaRegisterPatterns(const TileTypeConverter &converter,
                                       RewritePatternSet &patterns) {
  addConversions<convertOfRegisters>(converter, patterns);
}
