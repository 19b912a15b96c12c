//===- RightLayout.cpp - Layouts of right operands in registers -----------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

using namespace mlir;
using namespace mlir::attn_gpu;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

/// kMmaRows is the number of rows of the right operand of an m16n8k16 MMA, and
/// kMmaLanes the number of lanes that have rows of the same column.
static constexpr int64_t kMmaRows = 16, kMmaLanes = 4, kWarpSize = 32;

LogicalResult RightLayoutAttr::verify(EmitError emitError,
                                      MmaLayoutAttr parent) {
  if (parent.getLanes() != kMmaLanes || parent.getWarpsM() != 1)
    return emitError() << "expected a parent of 'lanes' 4 whose warps share "
                          "all rows, found "
                       << parent;
  return success();
}

/// Returns the number of columns of the smallest right operand that one warp
/// can hold: eight lanes have runs of neighboring elements of a row.
static int64_t getTileColumns(RightLayoutAttr layout) {
  return kWarpSize / kMmaLanes * layout.getRun();
}

LogicalResult RightLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                              EmitError emitError) const {
  int64_t columns = getTileColumns(*this) * getParent().getWarpsN();
  if (shape.size() == 2 && shape[0] % kMmaRows == 0 && shape[1] % columns == 0)
    return success();
  return emitError() << "expected a tile of rank 2, a multiple of " << kMmaRows
                     << " rows and of " << columns << " columns for layout "
                     << *this << ", found shape [" << shape << "]";
}

int64_t RightLayoutAttr::getNumThreads() const {
  return getParent().getNumThreads();
}

int64_t RightLayoutAttr::getRun() const { return getParent().getColumns() / 2; }

SmallVector<int64_t>
RightLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape,
                                    int64_t axis) const {
  SmallVector<int64_t> offsets;
  int64_t width = getTileColumns(*this);
  for (int64_t s = 0; s < shape[0]; s += kMmaRows)
    for (int64_t j = 0; j < shape[1] / getParent().getWarpsN(); j += width)
      for (int64_t row : {0, 1, 8, 9})
        for (int64_t c = 0; c < getRun(); ++c)
          offsets.push_back(axis == 0 ? s + row : j + c);
  return offsets;
}

AffineExpr RightLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                            int64_t axis) const {
  AffineExpr lane = getAffineDimExpr(0, getContext());
  if (axis == 0)
    return lane % kMmaLanes * 2;
  AffineExpr column = lane.floorDiv(kMmaLanes) * getRun();
  int64_t warpsN = getParent().getWarpsN();
  if (warpsN == 1)
    return column;
  AffineExpr warp =
      getAffineDimExpr(1, getContext()) - getParent().getFirstWarp();
  return warp * (shape[1] / warpsN) + column;
}
