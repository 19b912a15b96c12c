//===- Wgmma.cpp - MMAs by wgmma ------------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lowers attn_gpu.mma to wgmma. Operands in shared memory have layout
// #attn_gpu.swizzled, and each warpgroup multiplies 64 rows. For descriptors
// see PTX ISA, "Matrix Descriptor Format".
//
//===----------------------------------------------------------------------===//

#include "MmaOperands.h"

#include "attn/Dialect/AttnGPU/Schedule/WgmmaColumns.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

constexpr int64_t kRowBytes = kPanelRowBytes;

int64_t getStep(RankedTensorType tile) {
  return 256 / tile.getElementTypeBitWidth();
}

int64_t getPanelBytes(RankedTensorType tile) {
  return tile.getDimSize(0) * kRowBytes;
}

/// Creates the wgmma matrix descriptor of an operand at `address`. Its leading
/// byte offset is the distance between panels, if the rows of the stored tile
/// run along K; otherwise hardware ignores it. Its stride byte offset is 1024,
/// the number of bytes in eight rows of a panel.
Value createDescriptor(NumberBuilder &b, Value address, int64_t leadingBytes) {
  Type i64 = b.getI64Type();
  auto word = [&](uint64_t value) {
    return b.i64(static_cast<int64_t>(value));
  };
  constexpr uint64_t kSwizzle128 = 1;
  uint64_t fields = kSwizzle128 << 62 | uint64_t(1024 >> 4) << 32 |
                    uint64_t(leadingBytes >> 4) << 16;
  Value bits = b.andi(b.shrui(address, b.word(4)), b.word(0x3fff));
  return b.ori(b.extui(i64, bits), word(fields));
}

/// Returns, for each step of wgmma along the columns of a tile, the number that
/// is added to the tile's matrix descriptor, in units of 16 bytes.
SmallVector<int64_t> getColumnSteps(RankedTensorType tile) {
  SmallVector<int64_t> steps;
  int64_t step = getStep(tile);
  for (int64_t column = 0; column < tile.getDimSize(1); column += step)
    steps.push_back(
        (getPanelOffset(tile, column) + getBytesInPanel(tile, column)) >> 4);
  return steps;
}

/// Returns, for each step of wgmma along the rows of a tile, the number that is
/// added to the tile's matrix descriptor, in units of 16 bytes.
SmallVector<int64_t> getRowSteps(RankedTensorType tile) {
  SmallVector<int64_t> steps;
  for (int64_t row = 0; row < tile.getDimSize(0); row += getStep(tile))
    steps.push_back(row * kRowBytes >> 4);
  return steps;
}

/// Returns `address + place * bytes`.
Value addPlace(NumberBuilder &b, Value address, Value place, int64_t bytes) {
  Value offset = b.muli(place, b.word(bytes));
  return b.addi(address, offset);
}

/// The part of an MMA's result that the calling warpgroup computes, as its
/// index along rows and its index along columns. If warpgroups do not divide
/// the columns, `column` has no meaning and is not used.
struct Place {
  Place(NumberBuilder &b, MmaLayoutAttr layout) {
    Value warpgroup = getWarpgroup(b);
    if (layout.getFirstWarp() > 0)
      warpgroup = addWord(b, warpgroup, -layout.getFirstWarp() / 4);
    row = column = warpgroup;
    if (layout.dividesRows())
      return;
    Value rows = b.word(layout.getWarpsM() / 4);
    row = b.remui(warpgroup, rows);
    column = b.divui(warpgroup, rows);
  }
  Value row, column;
};

/// The initial value of an MMA's result. `accumulator` is null if the result
/// begins with zeros. If the value is that of attn_gpu.start_sum, `accumulate`
/// is that op's condition, which becomes wgmma's operand scale-d; otherwise
/// `accumulate` is null.
struct Start {
  Start(ConversionBuilder &b, MmaOp op, MmaOp::Adaptor adaptor) {
    if (matchPattern(op.getAccumulator(), m_AnyZeroFloat()))
      return;
    accumulator = adaptor.getAccumulator();
    if (auto start = op.getAccumulator().getDefiningOp<StartSumOp>())
      accumulate = b.rewriter.getRemappedValue(start.getContinues());
  }
  Value accumulator, accumulate;
};

FailureOr<Value> issueMma(ConversionBuilder &b, MmaOp op,
                          MmaOp::Adaptor adaptor) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType(),
                   result = op.getResult().getType();
  MmaLayoutAttr layout = getMmaLayout(result);
  if (!layout || !isSwizzled(rhs) || layout.getWarpsM() % 4 != 0 ||
      result.getDimSize(0) != kWarpgroupRows * layout.getWarpsM() / 4)
    return failure();
  auto type = b.converter.convertType<VectorType>(result);
  bool isShared = layout.getWarpsN() > 1,
       isLhsTransposed = op.getTransposeLhs();
  if (!isSwizzled(lhs) &&
      (lhs.getEncoding() != Attribute(layout.getOfLeft(lhs, rhs)) ||
       isLhsTransposed))
    return failure();

  Value left = adaptor.getLhs(), right = adaptor.getRhs();
  if (cast<SwizzledLayoutAttr>(rhs.getEncoding()).getInterleaved()) {
    if (isSwizzled(lhs))
      return failure();
    left = interleave(b, left);
  }
  WgmmaColumns divided(op->getParentOfType<KernelOp>(), lhs, result);
  int64_t columns = divided.getOfWarpgroup();
  bool isKMajor = op.getTransposeRhs();
  std::optional<Place> place;
  if (isSwizzled(lhs) || isShared)
    place.emplace(b, layout);
  SmallVector<int64_t> leftSteps;
  if (isSwizzled(lhs)) {
    // A transposed left operand is stored such that the 64 rows of each
    // warpgroup are one panel.
    left = addPlace(b, left, place->row,
                    isLhsTransposed ? getPanelBytes(lhs)
                                    : kWarpgroupRows * kRowBytes);
    left = createDescriptor(b, left, isLhsTransposed ? getPanelBytes(lhs) : 16);
    leftSteps = isLhsTransposed ? getRowSteps(lhs) : getColumnSteps(lhs);
  }
  if (isShared) {
    int64_t bytes = columns * kRowBytes;
    if (!isKMajor)
      bytes = getPanelOffset(rhs, columns) + getBytesInPanel(rhs, columns);
    right = addPlace(b, right, place->column, bytes);
  }
  IntegerAttr rest;
  if (divided.areDivided())
    rest = b.getI64IntegerAttr(
        (isKMajor ? attn_nv::kColumnsBeforeRest * kRowBytes
                  : getPanelOffset(rhs, attn_nv::kColumnsBeforeRest)) >>
        4);
  right = createDescriptor(b, right, isKMajor ? 16 : getPanelBytes(rhs));
  Start start(b, op, adaptor);
  return attn_nv::WgmmaOp::create(
             b, type, TypeAttr::get(lhs.getElementType()), left, right,
             start.accumulator, start.accumulate,
             b.getDenseI64ArrayAttr(leftSteps),
             b.getDenseI64ArrayAttr(isKMajor ? getColumnSteps(rhs)
                                             : getRowSteps(rhs)),
             rest, isLhsTransposed ? b.getUnitAttr() : UnitAttr(),
             isKMajor ? UnitAttr() : b.getUnitAttr())
      .getResult();
}

/// Replaces the op by its partial sum: an MMA that begins with the op has its
/// condition as a predicate, and ignores the sum where that is false.
LogicalResult convertStart(ConversionBuilder &b, StartSumOp op,
                           StartSumOp::Adaptor adaptor) {
  for (OpOperand &use : op->getUses())
    if (auto mma = dyn_cast<MmaOp>(use.getOwner());
        !mma || use.get() != mma.getAccumulator())
      return op.emitOpError("expected to be only the accumulator of "
                            "attn_gpu.mma, found an operand of '")
             << use.getOwner()->getName() << "'";
  b.rewriter.replaceOp(op, adaptor.getPart());
  return success();
}

LogicalResult convertMma(ConversionBuilder &b, MmaOp op,
                         MmaOp::Adaptor adaptor) {
  auto mma = issueMma(b, op, adaptor);
  if (failed(mma))
    return failure();
  b.rewriter.replaceOp(op, *mma);
  return success();
}

LogicalResult convertMmaWait(ConversionBuilder &b, MmaWaitOp op,
                             MmaWaitOp::Adaptor adaptor) {
  b.rewriter.replaceOpWithNewOp<attn_nv::WgmmaWaitOp>(
      op, adaptor.getMma().getType(), op.getPendingAttr(), adaptor.getMma());
  return success();
}

/// Loads the left operand of an MMA from swizzled shared memory to registers,
/// by ldmatrix.
LogicalResult convertToRegisters(ConversionBuilder &b, ConvertLayoutOp op,
                                 ConvertLayoutOp::Adaptor adaptor) {
  RankedTensorType input = op.getInput().getType(),
                   tile = op.getResult().getType();
  MmaLayoutAttr layout = getOperandLayout(tile);
  if (!layout || !isSwizzled(input) || layout.getWarpsN() != 1 ||
      tile.getDimSize(1) % getStep(tile) != 0)
    return failure();
  int64_t rows = tile.getDimSize(0) / layout.getWarpsM();
  SwizzledFragments fragments(b, input, adaptor.getInput(), rows, layout);
  SmallVector<Value> words;
  for (int64_t row = 0; row < rows; row += 16)
    for (int64_t column = 0; column < tile.getDimSize(1);
         column += getStep(tile))
      llvm::append_range(words,
                         loadMatrices(b, fragments.getAddress(row, column),
                                      /*transpose=*/false));
  b.rewriter.replaceOp(
      op, joinWords(b, words, b.converter.convertType<VectorType>(tile)));
  return success();
}

} // namespace

/// ldmatrix takes from lane l the address of row l mod 8 of matrix l / 8. The
/// four matrices are rows 0-7 and 8-15 of the first 16 bytes of columns, then
/// the same rows of the next 16 bytes. In row r of a panel, the swizzle stores
/// unit u of 16 bytes at unit u xor (r mod 8).
SwizzledFragments::SwizzledFragments(NumberBuilder &b, RankedTensorType tile,
                                     Value memory, int64_t rowsOfWarp,
                                     MmaLayoutAttr layout)
    : b(b), tile(tile), memory(memory) {
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  AffineExpr d0 = b.getAffineDimExpr(0);
  AffineExpr lane = d0 % 32;
  auto apply = [&](AffineExpr expr) -> Value {
    return b.indexCast(b.getI32Type(), applyAffine(b, expr, thread));
  };
  AffineExpr warp = d0.floorDiv(32) - layout.getFirstWarp();
  if (!layout.dividesRows())
    warp = warp % layout.getWarpsM();
  rowOffset = apply((warp * rowsOfWarp + lane.floorDiv(8) % 2 * 8 + lane % 8) *
                    kRowBytes);
  swizzle = b.xori(apply(lane.floorDiv(16) * 16), apply(lane % 8 * 16));
}

Value SwizzledFragments::getAddress(int64_t row, int64_t column) {
  Value unit = b.xori(swizzle, b.word(getBytesInPanel(tile, column)));
  Value offset = b.addi(b.addi(rowOffset, unit),
                        b.word(getPanelOffset(tile, column) + row * kRowBytes));
  return getSharedPointer(b, b.addi(memory, offset));
}

LogicalResult attn::checkWgmma(KernelOp kernel) {
  if (kernel.getSchedule().getMma() != MmaKind::Wgmma)
    return success();
  WalkResult walked = kernel.walk([&](MmaOp op) {
    if (!getMmaLayout(op.getResult().getType()) ||
        !isSwizzled(op.getRhs().getType()))
      return WalkResult::advance();
    std::string misfit =
        WgmmaColumns(kernel, op.getLhs().getType(), op.getResult().getType())
            .findMisfit();
    if (misfit.empty())
      return WalkResult::advance();
    op.emitOpError("expected a product that ptxas compiles: ") << misfit;
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

void attn::populateWgmmaPatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  addConversions<convertMma, convertMmaWait, convertStart, convertToRegisters>(
      converter, patterns);
}
