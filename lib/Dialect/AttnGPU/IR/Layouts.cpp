//===- Layouts.cpp - Layouts of tiles -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// MmaLayoutAttr
//===----------------------------------------------------------------------===//

/// Rows of one m16n8 accumulator.
static constexpr int64_t kMmaRows = 16;
static constexpr int64_t kWarpSize = 32;

LogicalResult MmaLayoutAttr::verify(EmitError emitError, int64_t warps) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 'warps' to be from 1 to 32, found "
                       << warps;
  return success();
}

LogicalResult MmaLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                            EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "expected a tile of rank 2 for layout " << *this
                       << ", found rank " << shape.size();
  if (shape[0] % (kMmaRows * getWarps()) != 0 || shape[1] % 8 != 0)
    return emitError() << "expected a multiple of " << kMmaRows * getWarps()
                       << " rows and of 8 columns for layout " << *this
                       << ", found " << shape[0] << "x" << shape[1];
  return success();
}

int64_t MmaLayoutAttr::getNumThreads() const { return kWarpSize * getWarps(); }

SmallVector<int64_t> MmaLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape,
                                                       int64_t axis) const {
  SmallVector<int64_t> offsets;
  int64_t rowTiles = shape[0] / (kMmaRows * getWarps());
  for (int64_t t = 0; t < rowTiles; ++t)
    for (int64_t j = 0; j < shape[1] / 8; ++j)
      for (int64_t h = 0; h < 2; ++h)
        for (int64_t c = 0; c < 2; ++c)
          offsets.push_back(axis == 0 ? kMmaRows * t + 8 * h : 8 * j + c);
  return offsets;
}

AffineExpr MmaLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                          int64_t axis) const {
  AffineExpr lane = getAffineDimExpr(0, getContext());
  AffineExpr warp = getAffineDimExpr(1, getContext());
  if (axis == 1)
    return (lane % 4) * 2;
  return warp * (shape[0] / getWarps()) + lane.floorDiv(4);
}

//===----------------------------------------------------------------------===//
// SliceLayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult SliceLayoutAttr::verify(EmitError emitError, int64_t axis,
                                      MmaLayoutAttr) {
  if (axis != 1)
    return emitError() << "expected 'axis' to be 1, found " << axis;
  return success();
}

LogicalResult SliceLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                              EmitError emitError) const {
  if (shape.size() != 1)
    return emitError() << "expected a tile of rank 1 for layout " << *this
                       << ", found rank " << shape.size();
  if (shape[0] % (kMmaRows * getParent().getWarps()) != 0)
    return emitError() << "expected a multiple of "
                       << kMmaRows * getParent().getWarps()
                       << " elements for layout " << *this << ", found "
                       << shape[0];
  return success();
}

int64_t SliceLayoutAttr::getNumThreads() const {
  return getParent().getNumThreads();
}

SmallVector<int64_t>
SliceLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape, int64_t) const {
  SmallVector<int64_t> offsets;
  int64_t rowTiles = shape[0] / (kMmaRows * getParent().getWarps());
  for (int64_t t = 0; t < rowTiles; ++t)
    for (int64_t h = 0; h < 2; ++h)
      offsets.push_back(kMmaRows * t + 8 * h);
  return offsets;
}

AffineExpr SliceLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                            int64_t) const {
  return getParent().getThreadOffset({shape[0], 8}, 0);
}

//===----------------------------------------------------------------------===//
// SharedLayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult SharedLayoutAttr::verify(EmitError emitError, int64_t padding) {
  if (padding < 0 || padding % 16 != 0)
    return emitError() << "expected 'padding' to be a multiple of 16, found "
                       << padding;
  return success();
}

LogicalResult SharedLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                               EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "expected a tile of rank 2 for layout " << *this
                       << ", found rank " << shape.size();
  return success();
}

//===----------------------------------------------------------------------===//
// SwizzledLayoutAttr and rings of it
//===----------------------------------------------------------------------===//

LogicalResult SwizzledLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                                 Type element,
                                                 EmitError emitError) const {
  if (shape.size() != 2 || shape[0] % 8 != 0)
    return emitError() << "expected a tile of rank 2 and a multiple of 8 rows "
                          "for layout "
                       << *this << ", found shape [" << shape << "]";
  if (!element.isF16() && !element.isBF16())
    return emitError() << "expected elements of f16 or bf16 for layout "
                       << *this << ", found " << element;
  return success();
}

LogicalResult RingType::verify(EmitError emitError, int64_t stages,
                               RankedTensorType tile) {
  if (stages < 1 || stages > 16)
    return emitError() << "expected from 1 to 16 stages, found " << stages;
  if (!isa_and_nonnull<SwizzledLayoutAttr>(tile.getEncoding()))
    return emitError() << "expected tiles of layout swizzled, found " << tile;
  return success();
}

int64_t RingType::getTileBytes() {
  return getTile().getDimSize(0) *
         llvm::alignTo(getTile().getDimSize(1), kPanelColumns) * 2;
}
