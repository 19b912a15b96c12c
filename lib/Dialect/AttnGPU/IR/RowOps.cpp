//===- RowOps.cpp - Reductions and votes of rows --------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

using namespace mlir;
using namespace mlir::attn_gpu;

LogicalResult CombineQuadOp::verify() {
  return attn_tile::verifyElements(*this, getKind(),
                                   getInput().getType().getElementType());
}

LogicalResult ReduceThreadOp::verify() {
  if (failed(attn_tile::verifyElements(*this, getKind(),
                                       getInput().getType().getElementType())))
    return failure();
  if (getAxis() != 1)
    return emitOpError("expected axis 1, found ") << getAxis();
  return attn_tile::verifySlice(*this, getInput().getType(),
                                getResult().getType(), getAxis());
}

LogicalResult VoteAnyOp::verify() {
  Type element = getCondition().getType().getElementType();
  if (!element.isSignlessInteger(1))
    return emitOpError("expected elements of i1, found ") << element;
  return success();
}

/// Verifies the type of the vectors that `op` combines among warps: each has
/// one element for each row of a tile, that is, layout #attn_gpu.slice with
/// axis 1.
static LogicalResult verifyRowsOfWarps(Operation *op, RankedTensorType rows) {
  auto slice = dyn_cast_or_null<SliceLayoutAttr>(rows.getEncoding());
  if (slice && slice.getAxis() == 1)
    return success();
  return op->emitOpError("expected a vector of layout slice along axis 1, "
                         "found ")
         << rows;
}

LogicalResult CombineWarpsOp::verify() {
  RankedTensorType type = getInput().getType();
  if (!type.getElementType().isF32() || attn_tile::isOfConditions(getKind()))
    return emitOpError("expected add or maxnum of f32, found ")
           << attn_tile::stringifyReduceKind(getKind()) << " of "
           << type.getElementType();
  return verifyRowsOfWarps(*this, type);
}

LogicalResult VoteWarpsOp::verify() {
  RankedTensorType type = getCondition().getType();
  if (!type.getElementType().isSignlessInteger(1))
    return emitOpError("expected elements of i1, found ")
           << type.getElementType();
  return verifyRowsOfWarps(*this, type);
}

SmallVector<int64_t> ColumnsOp::getRegisters() {
  auto getPlaces = [](RankedTensorType type, int64_t first) {
    auto layout = cast<LayoutInterface>(type.getEncoding());
    SmallVector<std::pair<int64_t, int64_t>> places;
    for (auto [row, column] :
         llvm::zip(layout.getRegisterOffsets(type.getShape(), 0),
                   layout.getRegisterOffsets(type.getShape(), 1)))
      places.emplace_back(row, first + column);
    return places;
  };
  auto whole = getPlaces(getTile().getType(), 0);
  return llvm::map_to_vector(
      getPlaces(getResult().getType(), static_cast<int64_t>(getFirst())),
      [&](auto place) -> int64_t {
        return llvm::find(whole, place) - whole.begin();
      });
}
