//===- Layouts.cpp - Layouts of tiles -------------------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/ElementDType.h"

#include "llvm/Support/MathExtras.h"

#include <array>
#include <numeric>

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// MmaLayoutAttr
//===----------------------------------------------------------------------===//

/// kMmaRows is the number of rows of the accumulator of an m16n8 MMA, and
/// kWarpSize the number of lanes of a warp.
static constexpr int64_t kMmaRows = 16;
static constexpr int64_t kWarpSize = 32;

/// The number of lanes that share a row of an MMA's accumulator.
static constexpr int64_t kMmaLanes = 4;

/// Returns the number of columns of the smallest tile that one warp can hold in
/// the layout: `getLanes()` lanes share each row, and each of them holds
/// `getColumns()` neighboring elements of the row.
static int64_t getTileColumns(MmaLayoutAttr layout) {
  return layout.getLanes() * layout.getColumns();
}

/// Returns the numbers of rows and columns of the smallest tile that can have
/// the layout. Other tiles have multiples of them.
static std::array<int64_t, 2> getLeastShape(MmaLayoutAttr layout) {
  return {kMmaRows * layout.getWarpsM(),
          getTileColumns(layout) * layout.getWarpsN()};
}

static bool isWhole(MmaLayoutAttr layout, ArrayRef<int64_t> shape) {
  auto [rows, columns] = getLeastShape(layout);
  return shape[0] % rows == 0 && shape[1] % columns == 0;
}

/// Verifies the shape of a vector, of which the layout needs a multiple of
/// `granule` elements.
static LogicalResult verifyVector(EmitError emitError, Attribute layout,
                                  ArrayRef<int64_t> shape, int64_t granule) {
  if (shape.size() != 1)
    return emitError() << "expected a tile of rank 1 for layout " << layout
                       << ", found rank " << shape.size();
  if (shape[0] % granule != 0)
    return emitError() << "expected a multiple of " << granule
                       << " elements for layout " << layout << ", found "
                       << shape[0];
  return success();
}

LogicalResult MmaLayoutAttr::verify(EmitError emitError, int64_t warps,
                                    int64_t warpsN, int64_t firstWarp,
                                    int64_t columns, int64_t copies,
                                    int64_t lanes) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 'warps' to be from 1 to 32, found "
                       << warps;
  if (warpsN < 1 || warps % warpsN != 0)
    return emitError() << "expected 'warps_n' to divide " << warps
                       << " warps, found " << warpsN;
  if (firstWarp < 0 || firstWarp > 32 - warps)
    return emitError() << "expected 'first_warp' to be from 0 to " << 32 - warps
                       << ", found " << firstWarp;
  if (copies < 1 || warps % copies != 0)
    return emitError() << "expected 'copies' to divide " << warps
                       << " warps, found " << copies;
  if (copies > 1 && warpsN > 1)
    return emitError() << "expected 'copies' or 'warps_n' to be 1, found "
                       << copies << " and " << warpsN;
  if (columns != 2 && columns != 4 && columns != 8 && columns != 16)
    return emitError() << "expected 'columns' to be 2, 4, 8 or 16, found "
                       << columns;
  if (lanes != 4 && lanes != 8 && lanes != 16)
    return emitError() << "expected 'lanes' to be 4, 8 or 16, found " << lanes;
  return success();
}

FailureOr<MmaLayoutAttr> MmaLayoutAttr::getFor(MLIRContext *context,
                                               ArrayRef<int64_t> shape,
                                               int64_t warps, int64_t firstWarp,
                                               int64_t columns,
                                               int64_t warpRows) {
  auto find = [&](int64_t rows, int64_t width) -> FailureOr<MmaLayoutAttr> {
    for (int64_t warpsN = 1; warpsN <= warps; ++warpsN) {
      if (warps % warpsN != 0)
        continue;
      auto layout = get(context, warps, warpsN, firstWarp, columns,
                        /*copies=*/1, kMmaLanes);
      if (shape[0] % (rows * layout.getWarpsM()) == 0 &&
          shape[1] % (width * warpsN) == 0 && isWhole(layout, shape))
        return layout;
    }
    return failure();
  };
  constexpr int64_t kWidth = 16;
  if (warpRows > kMmaRows)
    if (auto layout = find(warpRows, kWidth); succeeded(layout))
      return layout;
  return find(kMmaRows, /*width=*/1);
}

MmaLayoutAttr MmaLayoutAttr::getOfOperand(Type element) const {
  constexpr int64_t kRegisterBits = 32, kLeast = 2;
  return get(getContext(), getWarps(), getWarpsN(), getFirstWarp(),
             std::max(kLeast, kRegisterBits / element.getIntOrFloatBitWidth()),
             getCopies(), kMmaLanes);
}

MmaLayoutAttr MmaLayoutAttr::getOfLeft(RankedTensorType left,
                                       RankedTensorType right) const {
  auto layout = dyn_cast_or_null<SwizzledLayoutAttr>(right.getEncoding());
  MmaLayoutAttr own = getWithWholeRows();
  // The registers of the left operand must have K in the order in which the
  // right operand stores it. A lane gets pairs of adjacent columns, as in an
  // accumulator, if the right operand is interleaved or if the result's lanes
  // do not hold pairs. It gets as many as of a right operand in registers that
  // is stored as N x K. Otherwise a lane gets as many adjacent columns as fill
  // a 32-bit register.
  constexpr int64_t kOfMma = 2;
  if (auto inRegisters = dyn_cast_or_null<MmaLayoutAttr>(right.getEncoding()))
    return get(getContext(), own.getWarps(), own.getWarpsN(),
               own.getFirstWarp(), inRegisters.getColumns(), own.getCopies(),
               kMmaLanes);
  if (!isOfMma() || (layout && layout.getInterleaved()))
    return get(getContext(), own.getWarps(), own.getWarpsN(),
               own.getFirstWarp(), kOfMma, own.getCopies(), kMmaLanes);
  return own.getOfOperand(left.getElementType());
}

LogicalResult MmaLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                            EmitError emitError) const {
  if (shape.size() != 2)
    return emitError() << "expected a tile of rank 2 for layout " << *this
                       << ", found rank " << shape.size();
  auto [rows, columns] = getLeastShape(*this);
  if (!isWhole(*this, shape))
    return emitError() << "expected a multiple of " << rows << " rows and of "
                       << columns << " columns for layout " << *this
                       << ", found " << shape[0] << "x" << shape[1];
  return success();
}

int64_t MmaLayoutAttr::getNumThreads() const { return kWarpSize * getWarps(); }

int64_t MmaLayoutAttr::getRun() const { return getColumns(); }

SmallVector<int64_t> MmaLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape,
                                                       int64_t axis) const {
  SmallVector<int64_t> offsets;
  auto [leastRows, leastColumns] = getLeastShape(*this);
  int64_t width = getTileColumns(*this);
  int64_t rowsAtOnce = kWarpSize / getLanes();
  for (int64_t t = 0; t < shape[0] / leastRows; ++t)
    for (int64_t j = 0; j < shape[1] / leastColumns; ++j)
      for (int64_t h = 0; h < kMmaRows; h += rowsAtOnce)
        for (int64_t c = 0; c < getColumns(); ++c)
          offsets.push_back(axis == 0 ? kMmaRows * t + h : width * j + c);
  return offsets;
}

AffineExpr MmaLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                          int64_t axis) const {
  AffineExpr lane = getAffineDimExpr(0, getContext());
  AffineExpr warp = getAffineDimExpr(1, getContext()) - getFirstWarp();
  if (axis == 0) {
    AffineExpr warpM = dividesRows() ? warp : warp % getWarpsM();
    return warpM * (shape[0] / getWarpsM()) + lane.floorDiv(getLanes());
  }
  AffineExpr column = (lane % getLanes()) * getColumns();
  if (getWarpsN() == 1)
    return column;
  return warp.floorDiv(getWarpsM()) * (shape[1] / getWarpsN()) + column;
}

MmaLayoutAttr MmaLayoutAttr::getWithWholeRows() const {
  return get(getContext(), getWarps(), /*warpsN=*/1, getFirstWarp(),
             getColumns(), getCopies() * getWarpsN(), getLanes());
}

MmaLayoutAttr MmaLayoutAttr::getWithLongRows(ArrayRef<int64_t> shape) const {
  constexpr int64_t kMostLanes = 16;
  MmaLayoutAttr layout = *this;
  for (int64_t lanes = 2 * kMmaLanes; lanes <= kMostLanes; lanes *= 2) {
    auto longer = get(getContext(), getWarps(), getWarpsN(), getFirstWarp(),
                      getColumns(), getCopies(), lanes);
    if (isWhole(longer, shape))
      layout = longer;
  }
  return layout;
}

//===----------------------------------------------------------------------===//
// SliceLayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult SliceLayoutAttr::verify(EmitError emitError, int64_t axis,
                                      MmaLayoutAttr parent) {
  if (axis != 0 && axis != 1)
    return emitError() << "expected 'axis' to be 0 or 1, found " << axis;
  if (parent.getLanes() != kMmaLanes)
    return emitError() << "expected a parent of 'lanes' 4, found " << parent;
  if (axis == 1 && parent.getWarpsN() > 1)
    return emitError() << "expected a parent of 'warps_n' 1 along axis 1, as "
                       << parent.getWithWholeRows() << ", found " << parent;
  return success();
}

SliceLayoutAttr SliceLayoutAttr::getOf(MmaLayoutAttr tile, int64_t axis) {
  constexpr int64_t kRows = 1, kOfMma = 2;
  if (axis == kRows) {
    MmaLayoutAttr whole = tile.getWithWholeRows();
    tile = MmaLayoutAttr::get(tile.getContext(), whole.getWarps(),
                              whole.getWarpsN(), whole.getFirstWarp(), kOfMma,
                              whole.getCopies(), kMmaLanes);
  }
  return get(tile.getContext(), axis, tile);
}

/// Returns the shape of the smallest tile with the parent layout of which a
/// slice has `length` elements.
static std::array<int64_t, 2> getParentShape(SliceLayoutAttr layout,
                                             int64_t length) {
  std::array<int64_t, 2> shape = getLeastShape(layout.getParent());
  shape[1 - layout.getAxis()] = length;
  return shape;
}

LogicalResult SliceLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                              EmitError emitError) const {
  return verifyVector(emitError, *this, shape,
                      getLeastShape(getParent())[1 - getAxis()]);
}

int64_t SliceLayoutAttr::getNumThreads() const {
  return getParent().getNumThreads();
}

SmallVector<int64_t>
SliceLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape, int64_t) const {
  SmallVector<int64_t> offsets;
  for (int64_t offset : getParent().getRegisterOffsets(
           getParentShape(*this, shape[0]), 1 - getAxis()))
    if (!llvm::is_contained(offsets, offset))
      offsets.push_back(offset);
  return offsets;
}

AffineExpr SliceLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                            int64_t) const {
  return getParent().getThreadOffset(getParentShape(*this, shape[0]),
                                     1 - getAxis());
}

//===----------------------------------------------------------------------===//
// SpreadLayoutAttr
//===----------------------------------------------------------------------===//

LogicalResult SpreadLayoutAttr::verify(EmitError emitError,
                                       MmaLayoutAttr parent) {
  if (parent.getLanes() != kMmaLanes)
    return emitError() << "expected a parent of 'lanes' 4, found " << parent;
  return success();
}

LogicalResult SpreadLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                                               EmitError emitError) const {
  return verifyVector(emitError, *this, shape, getLeastShape(getParent())[1]);
}

int64_t SpreadLayoutAttr::getWidth(int64_t length) const {
  return std::gcd(length / getParent().getWarpsN(), kWarpSize);
}

int64_t SpreadLayoutAttr::getNumThreads() const {
  return getParent().getNumThreads();
}

SmallVector<int64_t>
SpreadLayoutAttr::getRegisterOffsets(ArrayRef<int64_t> shape, int64_t) const {
  SmallVector<int64_t> offsets;
  for (int64_t i = 0; i < shape[0] / getParent().getWarpsN();
       i += getWidth(shape[0]))
    offsets.push_back(i);
  return offsets;
}

AffineExpr SpreadLayoutAttr::getThreadOffset(ArrayRef<int64_t> shape,
                                             int64_t) const {
  MmaLayoutAttr parent = getParent();
  AffineExpr element = getAffineDimExpr(0, getContext()) % getWidth(shape[0]);
  if (parent.getWarpsN() == 1)
    return element;
  AffineExpr warp = getAffineDimExpr(1, getContext()) - parent.getFirstWarp();
  return warp.floorDiv(parent.getWarpsM()) * (shape[0] / parent.getWarpsN()) +
         element;
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

SharedLayoutAttr SharedLayoutAttr::getOfColumns(RankedTensorType tile,
                                                int64_t columns) const {
  int64_t others = tile.getDimSize(1) - columns;
  return get(getContext(),
             getPadding() + others * tile.getElementTypeBitWidth() / 8);
}

LogicalResult SharedLayoutAttr::verifyEncoding(ArrayRef<int64_t> shape,
                                               Type element,
                                               EmitError emitError) const {
  // If the parser does not know the element type, it has already reported an
  // error, and the type is null here.
  if (!element)
    return failure();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8 != 0)
    return emitError() << "expected elements of whole bytes for layout "
                       << *this << ", found " << element;
  if (shape.size() != 2 && !(shape.size() == 1 && getPadding() == 0))
    return emitError() << "expected a tile of rank 2, or without padding a "
                          "vector, for layout "
                       << *this << ", found rank " << shape.size();
  return success();
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  RankedTensorType input = getInput().getType(), result = getResult().getType();
  if (input.getShape() != result.getShape() ||
      input.getElementType() != result.getElementType())
    return emitOpError("expected to keep shape and element type, found ")
           << input << " and " << result;
  auto spread = dyn_cast_or_null<SpreadLayoutAttr>(input.getEncoding());
  if (!spread) {
    if (isa_and_nonnull<SpreadLayoutAttr>(result.getEncoding()))
      return emitOpError(
                 "expected no result of layout spread, to which no layout "
                 "is converted, found ")
             << result;
    return success();
  }
  auto slice =
      SliceLayoutAttr::get(getContext(), /*axis=*/0, spread.getParent());
  if (result.getEncoding() != Attribute(slice))
    return emitOpError("expected a result of layout ")
           << slice << ", found " << result;
  if (!input.getElementType().isF32())
    return emitOpError("expected elements of f32, which shuffles pass between "
                       "lanes, found ")
           << input;
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
  // If the parser does not know the element type, it has already reported an
  // error, and the type is null here.
  if (!element)
    return failure();
  if (!element.isF16() && !element.isBF16() &&
      (!attn::isNarrow(element) || attn::isInt4(element)))
    return emitError() << "expected elements of f16, bf16, f8E4M3FN, f8E5M2 or "
                          "i8 for layout "
                       << *this << ", found " << element;
  // An interleaved layout permutes the columns within each group of 16, so a
  // tile must have a multiple of 16 columns.
  constexpr int64_t kInterleaved = 16;
  if (getInterleaved() &&
      (!attn::isFloat8(element) || shape[1] % kInterleaved != 0))
    return emitError() << "expected elements of 8 bits and a multiple of "
                       << kInterleaved << " columns for layout " << *this
                       << ", found shape [" << shape << "] of " << element;
  return success();
}

LogicalResult RingType::verify(EmitError emitError, int64_t stages,
                               RankedTensorType tile) {
  if (stages < 1 || stages > 16)
    return emitError() << "expected from 1 to 16 stages, found " << stages;
  auto shared = dyn_cast_or_null<SharedLayoutAttr>(tile.getEncoding());
  if (isSwizzled(tile) ||
      (shared && (tile.getRank() == 2 || shared.getPadding() == 0)))
    return success();
  return emitError() << "expected tiles of layout swizzled or shared, or "
                        "vectors of layout shared without padding, found "
                     << tile;
}

int64_t RingType::getTileBytes(bool hasBarriers) {
  RankedTensorType tile = getTile();
  int64_t elementBytes = tile.getElementTypeBitWidth() / 8;
  if (tile.getRank() == 1)
    return llvm::alignTo(tile.getNumElements() * elementBytes,
                         hasBarriers ? 128 : 16);
  if (auto shared = dyn_cast<SharedLayoutAttr>(tile.getEncoding()))
    return tile.getDimSize(0) *
           (tile.getDimSize(1) * elementBytes + shared.getPadding());
  return tile.getDimSize(0) *
         llvm::alignTo(tile.getDimSize(1) * elementBytes, kPanelRowBytes);
}
