//===- Scatter.cpp - Elements to places of their own ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn_tile;

namespace {

/// A store for each register, where all of its indices are in bounds. Threads
/// that have the same elements of a slice leave them to one.
struct ConvertScatter : OpConversionPattern<ScatterOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScatterOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto vector = dyn_cast<VectorType>(adaptor.getTile().getType());
    if (!vector)
      return rewriter.notifyMatchFailure(op, "expects a tile in registers");
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    RankedTensorType tile = op.getTile().getType();
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < op.getDestination().getType().getRank(); ++dim)
      sizes.push_back(getValueOrCreateConstantIndexOp(
          b, b.getLoc(),
          memref::getMixedSize(b, b.getLoc(), op.getDestination(), dim)));
    Value isOwn = tile.getRank() == 1 ? ownsSlice(b, tile) : Value();
    for (int64_t i = 0; i < vector.getNumElements(); ++i) {
      Value isWritten = isOwn;
      SmallVector<Value> place;
      for (auto [index, size] : llvm::zip(adaptor.getIndices(), sizes)) {
        place.push_back(
            isa<VectorType>(index.getType())
                ? vector::ExtractOp::create(b, index, SmallVector<int64_t>{i})
                      .getResult()
                : index);
        // As unsigned numbers, what is below 0 is beyond any size.
        Value isBelow = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                              place.back(), size);
        isWritten =
            isWritten ? arith::AndIOp::create(b, isWritten, isBelow).getResult()
                      : isBelow;
      }
      auto write = [&](OpBuilder &inner, Location loc) {
        ImplicitLocOpBuilder body(loc, inner);
        Value element = vector::ExtractOp::create(body, adaptor.getTile(),
                                                  SmallVector<int64_t>{i});
        memref::StoreOp::create(body, element, op.getDestination(), place);
        scf::YieldOp::create(body);
      };
      if (!isWritten)
        isWritten = arith::ConstantOp::create(b, b.getBoolAttr(true));
      scf::IfOp::create(b, isWritten, write);
    }
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void attn::populateScatterPatterns(const TileTypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertScatter>(converter, patterns.getContext());
}
