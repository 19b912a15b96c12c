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
                                 AffineExpr column, AffineExpr firstColumn)
    : b(b), tile(tile), elementBytes(tile.getElementTypeBitWidth() / 8) {
  Value thread = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
  if (isa<SharedLayoutAttr>(tile.getEncoding())) {
    if (firstColumn)
      column = column + firstColumn;
    AffineExpr offset = row * getSharedRowBytes(tile) + column * elementBytes;
    base = addBytes(b, memory, OpFoldResult(applyAffine(b, offset, thread)));
    return;
  }
  auto apply = [&](AffineExpr expr) -> Value {
    return b.indexCast(b.getI32Type(), applyAffine(b, expr, thread));
  };
  base = b.addi(memory, apply(row * kPanelRowBytes));
  swizzle = b.xori(apply(column * elementBytes), apply(row % 8 * 16));
  if (firstColumn)
    firstBytes = apply(firstColumn * elementBytes);
}

Value SharedAddresses::at(int64_t row, int64_t column) {
  if (!swizzle)
    return addBytes(b, base,
                    OpFoldResult(b.getIndexAttr(row * getSharedRowBytes(tile) +
                                                column * elementBytes)));
  if (!firstBytes) {
    Value unit = b.xori(swizzle, b.word(getBytesInPanel(tile, column)));
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
