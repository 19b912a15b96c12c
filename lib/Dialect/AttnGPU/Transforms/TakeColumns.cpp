//===- TakeColumns.cpp - Slices of columns of tiles -----------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TakeColumns.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mlir::attn_gpu;

LogicalResult attn_gpu::takeColumns(tensor::ExtractSliceOp slice) {
  auto tile = cast<RankedTensorType>(slice.getSource().getType());
  RankedTensorType result = slice.getType();
  if (result.getRank() != 2 || !slice.hasUnitStride() ||
      result.getDimSize(0) != tile.getDimSize(0) ||
      ShapedType::isDynamic(slice.getStaticOffset(1)))
    return slice.emitOpError("expected all rows and a known first column of a "
                             "tile, found ")
           << tile << " to " << result;
  Attribute layout = tile.getEncoding();
  if (auto padded = dyn_cast<SharedLayoutAttr>(layout))
    layout = padded.getOfColumns(tile, result.getDimSize(1));
  OpBuilder b(slice);
  auto columns = ColumnsOp::create(
      b, slice.getLoc(),
      RankedTensorType::get(result.getShape(), result.getElementType(), layout),
      slice.getSource(), slice.getStaticOffset(1));
  if (failed(columns.verify()))
    return failure();
  slice.replaceAllUsesWith(columns.getResult());
  slice.erase();
  return success();
}
