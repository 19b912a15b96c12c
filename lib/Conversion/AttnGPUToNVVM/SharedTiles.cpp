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

SharedAddresses::SharedAddresses(ImplicitLocOpBuilder &b, RankedTensorType tile,
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
    return arith::IndexCastOp::create(b, b.getI32Type(),
                                      applyAffine(b, expr, thread));
  };
  base = arith::AddIOp::create(b, memory, apply(row * kPanelRowBytes));
  swizzle = arith::XOrIOp::create(b, apply(column * elementBytes),
                                  apply(row % 8 * 16));
  if (firstColumn)
    firstBytes = apply(firstColumn * elementBytes);
}

Value SharedAddresses::at(int64_t row, int64_t column) {
  if (!swizzle)
    return addBytes(b, base,
                    OpFoldResult(b.getIndexAttr(row * getSharedRowBytes(tile) +
                                                column * elementBytes)));
  auto word = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  if (!firstBytes) {
    Value unit =
        arith::XOrIOp::create(b, swizzle, word(getBytesInPanel(tile, column)));
    Value address =
        addWord(b, arith::AddIOp::create(b, base, unit),
                getPanelOffset(tile, column) + row * kPanelRowBytes);
    return getSharedPointer(b, address);
  }
  // The panel depends on the warp.
  Value bytes = addWord(b, firstBytes, column * elementBytes);
  Value unit = arith::XOrIOp::create(
      b, swizzle, arith::AndIOp::create(b, bytes, word(kPanelRowBytes - 1)));
  Value panel = arith::DivUIOp::create(b, bytes, word(kPanelRowBytes));
  Value panelOffset = arith::MulIOp::create(
      b, panel, word(tile.getDimSize(0) * kPanelRowBytes));
  Value address = arith::AddIOp::create(
      b, arith::AddIOp::create(b, base, panelOffset), unit);
  return getSharedPointer(b, addWord(b, address, row * kPanelRowBytes));
}

/// The computing warps, which may be fewer than the CTA has.
void attn::synchronizeWarps(ImplicitLocOpBuilder &b, Operation *op,
                            MmaLayoutAttr layout) {
  int64_t threads = op->getParentOfType<KernelOp>().getThreads();
  if (threads == layout.getNumThreads()) {
    gpu::BarrierOp::create(b);
    return;
  }
  auto word = [&](int32_t value) -> Value {
    return arith::ConstantOp::create(b, b.getI32IntegerAttr(value));
  };
  NVVM::BarrierOp::create(b, Type(), word(kConsumersBarrier),
                          word(static_cast<int32_t>(layout.getNumThreads())),
                          NVVM::BarrierReductionAttr(), Value());
}

void attn::fenceAsyncReads(ImplicitLocOpBuilder &b) {
  NVVM::FenceProxyOp::create(
      b, NVVM::ProxyKind::async_shared,
      NVVM::SharedSpaceAttr::get(b.getContext(),
                                 NVVM::SharedSpace::shared_cta));
}
