//===- Stores.cpp - Tiles of registers to global memory -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

namespace {

Value isLess(ImplicitLocOpBuilder &b, Value lhs, Value rhs) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, lhs, rhs);
}

struct ConvertStore : OpConversionPattern<StoreOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(StoreOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType tile = op.getTile().getType();
    LayoutInterface layout = getLayout(tile);
    if (!layout)
      return failure();
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Value view = op.getDestination();
    int64_t rank = cast<MemRefType>(view.getType()).getRank();
    int64_t firstDim = rank - tile.getRank();
    SmallVector<int64_t> rows = layout.getRegisterOffsets(tile.getShape(), 0);
    Value rowIndex = op.getIndices()[firstDim];
    Value threadRow = getThreadCoordinate(b, tile, 0);
    Value numRows = getRemaining(b, view, firstDim, rowIndex);
    Value threadColumn, numColumns;
    SmallVector<int64_t> columns(rows.size(), 0);
    if (tile.getRank() == 2) {
      columns = layout.getRegisterOffsets(tile.getShape(), 1);
      threadColumn = getThreadCoordinate(b, tile, 1);
      numColumns =
          getRemaining(b, view, firstDim + 1, op.getIndices()[firstDim + 1]);
    }

    // Registers of a row share the test of the row.
    llvm::MapVector<int64_t, SmallVector<int64_t>> byRow;
    for (auto [i, row] : llvm::enumerate(rows))
      byRow[row].push_back(i);
    auto at = [&](Value base, int64_t offset) {
      return b.createOrFold<arith::AddIOp>(
          base, arith::ConstantIndexOp::create(b, offset));
    };
    for (auto &[row, registers] : byRow) {
      Value tileRow = at(threadRow, row);
      Value isInside = isLess(b, tileRow, numRows);
      if (tile.getRank() == 1)
        isInside = arith::AndIOp::create(b, isInside, ownsSlice(b, tile));
      auto guard = scf::IfOp::create(b, isInside);
      OpBuilder::InsertionGuard insertion(b);
      b.setInsertionPoint(guard.thenYield());
      SmallVector<Value> indices(op.getIndices());
      indices[firstDim] = arith::AddIOp::create(b, rowIndex, tileRow);
      for (int64_t i : registers) {
        Value element = vector::ExtractOp::create(b, adaptor.getTile(), i);
        if (tile.getRank() == 1) {
          write(b, op, element, indices);
          continue;
        }
        Value tileColumn = at(threadColumn, columns[i]);
        indices.back() =
            b.createOrFold<arith::AddIOp>(op.getIndices().back(), tileColumn);
        if (getConstantIntValue(numColumns) == tile.getDimSize(1)) {
          write(b, op, element, indices);
          continue;
        }
        scf::IfOp::create(b, isLess(b, tileColumn, numColumns),
                          [&](OpBuilder &inner, Location loc) {
                            ImplicitLocOpBuilder body(loc, inner);
                            write(body, op, element, indices);
                            scf::YieldOp::create(body);
                          });
      }
    }
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Whether the thread is the one, of all that hold its elements of a slice,
  /// that stores them.
  static Value ownsSlice(ImplicitLocOpBuilder &b, RankedTensorType tile) {
    auto slice = cast<SliceLayoutAttr>(tile.getEncoding());
    MmaLayoutAttr parent = slice.getParent();
    AffineExpr thread = b.getAffineDimExpr(0), lane = thread % 32;
    AffineExpr warp = thread.floorDiv(32);
    // A number of the thread among them.
    AffineExpr number = lane % 4;
    if (slice.getAxis() == 0)
      number = lane.floorDiv(4) + warp % parent.getWarpsM();
    else if (parent.getWarpsN() > 1)
      number = number + warp.floorDiv(parent.getWarpsM());
    Value id = gpu::ThreadIdOp::create(b, gpu::Dimension::x);
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                 applyAffine(b, number, id),
                                 arith::ConstantIndexOp::create(b, 0));
  }

  static void write(ImplicitLocOpBuilder &b, StoreOp op, Value element,
                    ValueRange indices) {
    if (!op.getAdd()) {
      memref::StoreOp::create(b, element, op.getDestination(), indices);
      return;
    }
    // No order with other accesses, no result: a reduction, without a fence.
    auto global = LLVM::LLVMPointerType::get(b.getContext(), 1);
    Value address = getAddress(b, op.getDestination(), global, indices);
    LLVM::AtomicRMWOp::create(b, LLVM::AtomicBinOp::fadd, address, element,
                              LLVM::AtomicOrdering::monotonic, "device");
  }
};

} // namespace

void attn::populateStorePatterns(const TileTypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertStore>(converter, patterns.getContext());
}
