//===- SharedTiles.cpp - Addresses in tiles of shared memory --------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;

bool attn::isInSharedMemory(RankedTensorType tile) {
  return isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
      tile.getEncoding());
}

SharedAddresses::SharedAddresses(NumberBuilder &b, RankedTensorType tile,
                                 Value memory, AffineExpr row,
                                 AffineExpr column, int64_t columns,
                                 AffineExpr firstColumn)
    : b(b), tile(tile), elementBytes(tile.getElementTypeBitWidth() / 8) {
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  if (isa<SharedLayoutAttr>(tile.getEncoding())) {
    if (firstColumn)
      column = column + firstColumn;
    AffineExpr offset = row * getSharedRowBytes(tile) + column * elementBytes;
    base = addBytes(b, memory, applyAffine(b, offset, thread));
    return;
  }
  auto apply = [&](AffineExpr expr) -> Value {
    return b.indexCast(b.getI32Type(), applyAffine(b, expr, thread));
  };
  AffineExpr offset = row * kPanelRowBytes, bytes = column * elementBytes;
  // The lanes of a row may have columns of several panels.
  if (columns * elementBytes > kPanelRowBytes) {
    offset = offset + bytes.floorDiv(kPanelRowBytes) *
                          (tile.getDimSize(0) * kPanelRowBytes);
    bytes = bytes % kPanelRowBytes;
  }
  base = b.addi(memory, apply(offset));
  swizzle = b.xori(apply(bytes), apply(row % 8 * 16));
  if (firstColumn)
    firstBytes = apply(firstColumn * elementBytes);
}

Value SharedAddresses::at(int64_t row, int64_t column) {
  if (!swizzle)
    return addBytes(b, base,
                    row * getSharedRowBytes(tile) + column * elementBytes);
  // The thread's first row and `row` have no bit in common among the lowest
  // three, so the swizzle of their sum is the xor of their swizzles.
  int64_t ofRow = row % 8 * 16;
  if (!firstBytes) {
    Value unit = b.xori(swizzle, b.word(getBytesInPanel(tile, column) ^ ofRow));
    Value address =
        addWord(b, b.addi(base, unit),
                getPanelOffset(tile, column) + row * kPanelRowBytes);
    return getSharedPointer(b, address);
  }
  // If warps divide the columns of a tile, the warp's first column and
  // therefore its panel are known at run time only. The offset of the panel is
  // then computed by a division.
  Value bytes = addWord(b, firstBytes, column * elementBytes);
  Value unit = b.xori(swizzle, b.andi(bytes, b.word(kPanelRowBytes - 1)));
  if (ofRow != 0)
    unit = b.xori(unit, b.word(ofRow));
  Value panel = b.divui(bytes, b.word(kPanelRowBytes));
  Value panelOffset =
      b.muli(panel, b.word(tile.getDimSize(0) * kPanelRowBytes));
  Value address = b.addi(b.addi(base, panelOffset), unit);
  return getSharedPointer(b, addWord(b, address, row * kPanelRowBytes));
}

/// Emits the barrier of the whole CTA if all of its threads belong to the
/// layout. Otherwise emits the consumers' named barrier, with as many threads
/// as the layout has.
void attn::synchronizeWarps(NumberBuilder &b, Operation *op,
                            MmaLayoutAttr layout) {
  int64_t threads = op->getParentOfType<KernelOp>().getThreads();
  if (threads == layout.getNumThreads()) {
    gpu::BarrierOp::create(b);
    return;
  }
  NVVM::BarrierOp::create(b, Type(), b.word(kConsumersBarrier),
                          b.word(static_cast<int32_t>(layout.getNumThreads())),
                          NVVM::BarrierReductionAttr(), Value());
}

void attn::fenceAsyncReads(NumberBuilder &b) {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}
