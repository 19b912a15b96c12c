//===- ArrayOrigin.cpp - Where views lie in their arrays ------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Dialect/AttnNV/IR/AttnNV.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

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
                                RankedTensorType tile) {
  SmallVector<int64_t> box(cast<MemRefType>(array.getType()).getRank(), 1);
  bool isVector = tile.getRank() == 1;
  if (isVector) {
    box.back() = tile.getDimSize(0);
  } else {
    box[box.size() - 2] = tile.getDimSize(0);
    box.back() = getPanelColumns(tile.getElementType());
  }
  return attn_nv::EncodeTensorMapOp::create(
      b, attn_nv::TensorMapType::get(b.getContext()), array,
      b.getDenseI64ArrayAttr(box), isVector ? b.getUnitAttr() : UnitAttr());
}

bool mlir::attn_gpu::isDescribable(Value array) {
  constexpr int64_t kMaxRank = 5;
  auto type = cast<MemRefType>(array.getType());
  return array.getDefiningOp<memref::AllocOp>() &&
         type.getLayout().isIdentity() && type.getRank() <= kMaxRank &&
         ShapedType::isStatic(type.getShape().back()) &&
         (type.getShape().back() * type.getElementTypeBitWidth() / 8) %
                 kCopyBytes ==
             0;
}

bool mlir::attn_gpu::isWholeRow(gpu::LaunchOp launch, attn_tile::LoadOp load) {
  constexpr int64_t kMaxBox = 256;
  RankedTensorType tile = load.getResult().getType();
  Value array = getOuterArray(launch, load.getSource());
  return tile.getRank() == 1 && array && isDescribable(array) &&
         tile.getElementType().isF32() && tile.getDimSize(0) <= kMaxBox &&
         cast<MemRefType>(array.getType()).getShape().back() ==
             tile.getDimSize(0) &&
         isZeroInteger(load.getIndices().back());
}
