//===- Layouts.cpp - The positions of a tile's elements -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layouts.h"
#include "Values.h"

#include "mlir/IR/AffineMap.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;
using namespace mlir::attn::sim;
using namespace mlir::attn_gpu;

constexpr int64_t kRowBytes = 128, kUnitBytes = 16;

TileLayout::TileLayout(RankedTensorType tile) {
  numElements = tile.getNumElements();
  rank = tile.getRank();
  if (!tile.getEncoding()) {
    int64_t columns = tile.getRank() == 2 ? tile.getDimSize(1) : 1;
    for (int64_t i = 0, e = llvm::alignTo(numElements, kLanes); i < e; ++i) {
      int64_t element = std::min(i, numElements - 1);
      elements[0].push_back(element / columns);
      elements[1].push_back(element % columns);
    }
    return;
  }
  auto layout = cast<LayoutInterface>(tile.getEncoding());
  auto mma = dyn_cast<MmaLayoutAttr>(tile.getEncoding());
  if (auto slice = dyn_cast<SliceLayoutAttr>(tile.getEncoding()))
    mma = slice.getParent();
  else if (auto spread = dyn_cast<SpreadLayoutAttr>(tile.getEncoding()))
    mma = spread.getParent();
  else if (auto right = dyn_cast<RightLayoutAttr>(tile.getEncoding()))
    mma = right.getParent();
  firstWarp = mma ? mma.getFirstWarp() : 0;
  numWriters =
      mma ? mma.getWarps() / mma.getCopies() : layout.getNumThreads() / kLanes;
  int64_t numThreads = layout.getNumThreads();
  MLIRContext *context = tile.getContext();
  for (int64_t axis = 0; axis < tile.getRank(); ++axis) {
    offsets[axis] = layout.getRegisterOffsets(tile.getShape(), axis);
    AffineExpr expr = layout.getThreadOffset(tile.getShape(), axis);
    threads[axis].resize(numThreads);
    for (int64_t thread = 0; thread < numThreads; ++thread) {
      AffineExpr lane = getAffineConstantExpr(thread % kLanes, context);
      AffineExpr warp =
          getAffineConstantExpr(firstWarp + thread / kLanes, context);
      AffineExpr value =
          simplifyAffineExpr(expr.replaceDims({lane, warp}), 0, 0);
      threads[axis][thread] = cast<AffineConstantExpr>(value).getValue();
    }
  }
}

SmallVector<int64_t> TileLayout::getSliceRegisters(const TileLayout &slice,
                                                   int64_t sliceAxis) const {
  SmallVector<int64_t> registers;
  for (int64_t offset : offsets[1 - sliceAxis])
    registers.push_back(llvm::find(slice.offsets[0], offset) -
                        slice.offsets[0].begin());
  return registers;
}

SharedLayout::SharedLayout(RankedTensorType tile)
    : rows(tile.getRank() == 1 ? 1 : tile.getDimSize(0)),
      columns(tile.getShape().back()),
      elementBytes(tile.getElementTypeBitWidth() / 8),
      dtype(*attn::getDType(tile.getElementType())),
      isSwizzled(isa<SwizzledLayoutAttr>(tile.getEncoding())) {
  if (!isSwizzled)
    rowBytes = columns * elementBytes +
               cast<SharedLayoutAttr>(tile.getEncoding()).getPadding();
}

int64_t SharedLayout::getOffset(int64_t row, int64_t column) const {
  int64_t byte = column * elementBytes;
  if (!isSwizzled)
    return row * rowBytes + byte;
  return byte / kRowBytes * rows * kRowBytes + row * kRowBytes +
         ((byte % kRowBytes) ^ (row % 8 * kUnitBytes));
}

int64_t SharedLayout::getBytes() const {
  if (!isSwizzled)
    return rows * rowBytes;
  return rows * llvm::alignTo(columns * elementBytes, kRowBytes);
}

void SharedLayout::forEachPart(
    int64_t firstRow, int64_t numRows, int64_t firstColumn, int64_t numColumns,
    llvm::function_ref<void(int64_t, int64_t)> visit) const {
  int64_t first = firstColumn * elementBytes,
          last = first + numColumns * elementBytes;
  if (!isSwizzled) {
    for (int64_t row = firstRow; row < firstRow + numRows; ++row)
      visit(row * rowBytes + first, last - first);
    return;
  }
  for (int64_t panel = first / kRowBytes; panel * kRowBytes < last; ++panel) {
    int64_t begin = std::max(first, panel * kRowBytes),
            end = std::min(last, (panel + 1) * kRowBytes);
    int64_t base = panel * rows * kRowBytes;
    if (end - begin == kRowBytes) {
      visit(base + firstRow * kRowBytes, numRows * kRowBytes);
      continue;
    }
    begin -= panel * kRowBytes;
    end -= panel * kRowBytes;
    for (int64_t row = firstRow; row < firstRow + numRows; ++row)
      for (int64_t unit = begin / kUnitBytes * kUnitBytes; unit < end;
           unit += kUnitBytes) {
        // The range may begin or end in the middle of a 16-byte unit of the
        // swizzle: a warp may have 8 columns of a tile of 8 bits, half of a
        // unit.
        int64_t from = std::max(begin, unit),
                to = std::min(end, unit + kUnitBytes);
        visit(base + row * kRowBytes + (from ^ (row % 8 * kUnitBytes)),
              to - from);
      }
  }
}

bool sim::isShared(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  return tile && isa_and_nonnull<SharedLayoutAttr, SwizzledLayoutAttr>(
                     tile.getEncoding());
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

int64_t View::getAddress(ArrayRef<int64_t> indices) const {
  int64_t element = offset;
  for (auto [index, stride] : llvm::zip(indices, strides))
    element += index * stride;
  return base + getNumBytes(dtype, element);
}

int64_t sim::wrapInteger(Type type, int64_t value) {
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer || integer.getWidth() >= 64)
    return value;
  if (integer.getWidth() == 1)
    return value & 1;
  return llvm::SignExtend64(static_cast<uint64_t>(value), integer.getWidth());
}

float sim::roundFloat(Type type, float value) {
  if (type.isF16())
    return static_cast<float>(roundTo(DType::F16, value));
  if (type.isBF16())
    return static_cast<float>(roundTo(DType::BF16, value));
  if (isFloat8(type))
    return static_cast<float>(roundTo(*getDType(type), value));
  return value;
}
