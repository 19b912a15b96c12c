//===- ArrayOrigin.cpp - Where views lie in their arrays ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mlir::attn_gpu;

Value mlir::attn_gpu::getOuterArray(gpu::LaunchOp launch, Value view) {
  while (launch.getBody().isAncestor(view.getParentRegion())) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    if (!slice || !slice.hasUnitStride() ||
        slice.getSourceType().getRank() != slice.getType().getRank())
      return Value();
    view = slice.getSource();
  }
  return view;
}

FailureOr<Value> mlir::attn_gpu::getLoadedArray(gpu::LaunchOp launch,
                                                attn_tile::LoadOp load) {
  Value array = getOuterArray(launch, load.getSource());
  if (!array)
    return load.emitOpError("expected a slice with unit strides of an array "
                            "from outside of the launch");
  return array;
}

SmallVector<Value> mlir::attn_gpu::getCoordinates(ImplicitLocOpBuilder &b,
                                                  Value array, Value view,
                                                  ValueRange indices,
                                                  const IRMapping &mapping) {
  SmallVector<OpFoldResult> origin(indices.size(), b.getIndexAttr(0));
  AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
  auto lookup = [&](OpFoldResult ofr) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(ofr))
      return mapping.lookupOrDefault(value);
    return ofr;
  };
  while (view != array) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    for (auto [first, offset] : llvm::zip(origin, slice.getMixedOffsets()))
      first = affine::makeComposedFoldedAffineApply(b, b.getLoc(), sum,
                                                    {first, lookup(offset)});
    view = slice.getSource();
  }
  SmallVector<Value> coordinates;
  for (auto [first, index] : llvm::zip(origin, indices)) {
    Value position = arith::AddIOp::create(
        b, getValueOrCreateConstantIndexOp(b, b.getLoc(), first),
        mapping.lookupOrDefault(index));
    coordinates.push_back(
        arith::IndexCastOp::create(b, b.getI32Type(), position));
  }
  return coordinates;
}

Value mlir::attn_gpu::encodeMap(ImplicitLocOpBuilder &b, Value array,
                                int64_t rows) {
  SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
  box[box.size() - 2] = rows;
  box.back() = kPanelColumns;
  return attn_nv::EncodeTensorMapOp::create(
      b, attn_nv::TensorMapType::get(b.getContext()), array,
      b.getDenseI64ArrayAttr(box));
}
