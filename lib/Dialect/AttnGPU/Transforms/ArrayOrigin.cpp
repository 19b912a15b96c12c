//===- ArrayOrigin.cpp - Positions of views in their arrays ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ArrayOrigin.h"
#include "RepeatableOps.h"

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

attn::NumberBuilder mlir::attn_gpu::getSetupBuilder(KernelOp kernel) {
  return attn::NumberBuilder(kernel.getLoc(), kernel.getBegin());
}

/// Whether a slice is known to take all indices of dimension `dim` of its
/// source: its offset is 0, and its size is the static size or a memref.dim of
/// the source.
static bool isWhole(memref::SubViewOp slice, int64_t dim) {
  if (!isZeroInteger(slice.getMixedOffsets()[dim]))
    return false;
  OpFoldResult size = slice.getMixedSizes()[dim];
  int64_t all = slice.getSourceType().getDimSize(dim);
  if (std::optional<int64_t> known = getConstantIntValue(size))
    return *known == all;
  auto dimOp = cast<Value>(size).getDefiningOp<memref::DimOp>();
  return dimOp && dimOp.getSource() == slice.getSource() &&
         dimOp.getConstantIndex() == dim;
}

/// Whether tiles of a slice are at known coordinates of its source, so that TMA
/// can copy them by the source's tensor map: the slice has unit strides, the
/// source's rank and all of the source's columns.
static bool isCopiedAsSource(memref::SubViewOp slice) {
  int64_t rank = slice.getType().getRank();
  return slice.hasUnitStride() && slice.getSourceType().getRank() == rank &&
         isWhole(slice, rank - 1);
}

OuterArray mlir::attn_gpu::getOuterArray(KernelOp kernel, Value view) {
  OuterArray found;
  auto isArgument = [&](Value value) {
    auto argument = dyn_cast<BlockArgument>(value);
    return argument && argument.getOwner() == &kernel.getBody().front();
  };
  while (!isArgument(view)) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    if (!slice || !isCopiedAsSource(slice))
      return {};
    int64_t rank = slice.getType().getRank();
    if (rank > 1 && !isWhole(slice, rank - 2)) {
      if (found.rows)
        return {};
      found.rows = slice;
    }
    view = slice.getSource();
  }
  found.array = view;
  return found;
}

FailureOr<SmallVector<OuterArray>>
mlir::attn_gpu::getLoadedArrays(KernelOp kernel, attn_tile::LoadOp load) {
  if (load.isListed())
    return load.emitOpError("expected copy = cp_async or element for rows of a "
                            "list, found tma");
  SmallVector<OuterArray> arrays;
  for (Value source : load.getSources()) {
    OuterArray array = getOuterArray(kernel, source);
    if (!array)
      return load.emitOpError("expected a slice with unit strides of an array "
                              "from outside of the kernel");
    arrays.push_back(array);
    // One tensor map must serve all parts of the tile, so all parts must be of
    // one array, and either all or none of them sliced along rows.
    if (array.array != arrays.front().array ||
        bool(array.rows) != bool(arrays.front().rows))
      return load.emitOpError("expected parts of one array, sliced alike");
  }
  return arrays;
}

/// Emits a condition that is true if TMA boxes that begin at `coordinates` of a
/// sliced array contain no row of the slice.
static Value hasNoRow(attn::NumberBuilder &b, OuterArray outer,
                      ArrayRef<Value> coordinates) {
  int64_t dim = cast<MemRefType>(outer.array.getType()).getRank() - 2;
  OpFoldResult rows = memref::getMixedSize(b, b.getLoc(), outer.array, dim);
  // `coordinates` begins with the end of the slice, and the coordinates of the
  // element follow. The coordinate of the row, in dimension `dim` of the array,
  // is therefore at index dim + 1.
  Value row = coordinates[dim + 1];
  return b.sge(row, b.indexCast(row.getType(), b.asValue(rows)));
}

/// Whether one of the boxes that copy the panels of a tile may begin past the
/// last column of the array. `column` is the first column of the tile. False
/// for vectors, and for arrays whose number of columns is dynamic.
static bool mayHaveNoColumn(OuterArray outer, RankedTensorType tile,
                            Value column) {
  int64_t columns = cast<MemRefType>(outer.array.getType()).getShape().back();
  if (tile.getRank() == 1 || ShapedType::isDynamic(columns))
    return false;
  int64_t panel = getPanelColumns(tile.getElementType());
  std::optional<int64_t> first = getConstantIntValue(column);
  int64_t end = llvm::alignTo(columns, panel);
  return !first || *first + tile.getDimSize(1) > end;
}

/// Appends to `found` a tensor map for each box (panel) of one part of a tile.
/// At run time, a box that begins past the last row of the slice or the last
/// column of the array selects the map for boxes without an element.
static void appendMaps(attn::NumberBuilder &b, OuterArray outer,
                       RankedTensorType tile, ArrayRef<Value> coordinates,
                       LoadMaps maps, SmallVectorImpl<Value> &found) {
  int64_t columns = cast<MemRefType>(outer.array.getType()).getShape().back();
  int64_t panel = getPanelColumns(tile.getElementType());
  Value noRow = hasNoRow(b, outer, coordinates), first = coordinates.back();
  for (int64_t i = 0; i < tile.getDimSize(1); i += panel) {
    Value isPast = b.sge(first, b.word(columns - i));
    found.push_back(b.select(b.ori(noRow, isPast), maps.ofEmpty, maps.map));
  }
}

void mlir::attn_gpu::fillLoaded(attn::NumberBuilder &b, attn_tile::LoadOp load,
                                ArrayRef<OuterArray> arrays, LoadMaps maps,
                                Value ring, const IRMapping &mapping) {
  RankedTensorType tile = load.getResult().getType();
  SmallVector<SmallVector<Value>> places;
  SmallVector<Value> coordinates, mapsOfBoxes;
  bool mayBePast = false;
  for (auto [part, array] : llvm::enumerate(arrays)) {
    places.push_back(getCoordinates(b, array, load.getSources()[part],
                                    load.getIndicesOfPart(part), mapping));
    llvm::append_range(coordinates, places.back());
    mayBePast |= mayHaveNoColumn(array, tile, places.back().back());
  }
  if (!maps.ofEmpty)
    mapsOfBoxes.push_back(maps.map);
  else
    for (auto [array, place] : llvm::zip_equal(arrays, places))
      if (mayBePast)
        appendMaps(b, array, tile, place, maps, mapsOfBoxes);
      else
        mapsOfBoxes.push_back(
            b.select(hasNoRow(b, array, place), maps.ofEmpty, maps.map));
  FillOp::create(b, ring, mapsOfBoxes, coordinates, load.getNumParts());
}

SmallVector<Value> mlir::attn_gpu::getCoordinates(attn::NumberBuilder &b,
                                                  OuterArray outer, Value view,
                                                  ValueRange indices,
                                                  const IRMapping &mapping) {
  SmallVector<OpFoldResult> origin(indices.size(), b.getIndexAttr(0));
  AffineExpr sum = b.getAffineDimExpr(0) + b.getAffineDimExpr(1);
  auto lookup = [&](OpFoldResult ofr) -> OpFoldResult {
    if (auto value = dyn_cast<Value>(ofr))
      return mapping.lookupOrDefault(value);
    return ofr;
  };
  auto add = [&](OpFoldResult lhs, OpFoldResult rhs) {
    return affine::makeComposedFoldedAffineApply(b, b.getLoc(), sum,
                                                 {lhs, rhs});
  };
  auto asCoordinate = [&](OpFoldResult index) -> Value {
    return b.indexCast(b.getI32Type(), b.asValue(index));
  };
  SmallVector<Value> coordinates;
  while (view != outer.array) {
    if (auto cast = view.getDefiningOp<memref::CastOp>()) {
      view = cast.getSource();
      continue;
    }
    auto slice = view.getDefiningOp<memref::SubViewOp>();
    SmallVector<OpFoldResult> offsets = slice.getMixedOffsets();
    if (slice == outer.rows) {
      // The map of a sliced array has one more coordinate than the array, the
      // end of the slice, which comes first. Row i of a slice [first, end) has
      // the row coordinate N - (end - first) + i, where N is the number of rows
      // of the array (see attn_nv.encode_tensor_map).
      int64_t dim = offsets.size() - 2;
      OpFoldResult count = lookup(slice.getMixedSizes()[dim]);
      coordinates.push_back(asCoordinate(add(lookup(offsets[dim]), count)));
      offsets[dim] = affine::makeComposedFoldedAffineApply(
          b, b.getLoc(), b.getAffineDimExpr(0) - b.getAffineDimExpr(1),
          {memref::getMixedSize(b, b.getLoc(), outer.array, dim), count});
    }
    for (auto [first, offset] : llvm::zip(origin, offsets))
      first = add(first, lookup(offset));
    view = slice.getSource();
  }
  for (auto [first, index] : llvm::zip(origin, indices))
    coordinates.push_back(
        asCoordinate(b.addi(b.asValue(first), mapping.lookupOrDefault(index))));
  return coordinates;
}

/// Creates the tensor map of an array, whose box is a vector or the rows of one
/// panel of the tile. With `isEmpty`, creates the map by which boxes without an
/// element of the slice are copied.
static Value encode(attn::NumberBuilder &b, OuterArray outer,
                    RankedTensorType tile, bool isReadOnce, bool isEmpty) {
  int64_t rank = cast<MemRefType>(outer.array.getType()).getRank();
  SmallVector<int64_t> box(rank + (outer.rows ? 1 : 0), 1);
  bool isVector = tile.getRank() == 1;
  if (isVector) {
    box.back() = tile.getDimSize(0);
  } else {
    box[box.size() - 2] = tile.getDimSize(0);
    box.back() = getPanelColumns(tile.getElementType());
  }
  return attn_nv::EncodeTensorMapOp::create(
      b, attn_nv::TensorMapType::get(b.getContext()), outer.array,
      b.getDenseI64ArrayAttr(box), isVector ? b.getUnitAttr() : UnitAttr(),
      isReadOnce ? b.getUnitAttr() : UnitAttr(),
      outer.rows ? b.getI64IntegerAttr(rank - 2) : IntegerAttr(),
      isEmpty ? b.getUnitAttr() : UnitAttr());
}

Value mlir::attn_gpu::encodeMap(attn::NumberBuilder &b, OuterArray outer,
                                RankedTensorType tile) {
  return encode(b, outer, tile, /*isReadOnce=*/false, /*isEmpty=*/false);
}

LoadMaps mlir::attn_gpu::encodeMaps(attn::NumberBuilder &b, OuterArray outer,
                                    RankedTensorType tile, bool isReadOnce) {
  LoadMaps maps;
  maps.map = encode(b, outer, tile, isReadOnce, /*isEmpty=*/false);
  if (outer.rows)
    maps.ofEmpty = encode(b, outer, tile, isReadOnce, /*isEmpty=*/true);
  return maps;
}

bool mlir::attn_gpu::isDescribable(KernelOp kernel, Value array) {
  constexpr int64_t kMaxRank = 5;
  auto type = cast<MemRefType>(array.getType());
  return kernel.isWorkspace(array) && type.getRank() <= kMaxRank &&
         ShapedType::isStatic(type.getShape().back()) &&
         (type.getShape().back() * type.getElementTypeBitWidth() / 8) %
                 kCopyBytes ==
             0;
}

bool mlir::attn_gpu::isWholeRow(KernelOp kernel, attn_tile::LoadOp load) {
  constexpr int64_t kMaxBox = 256;
  RankedTensorType tile = load.getResult().getType();
  auto [array, rows] = getOuterArray(kernel, load.getSource());
  return tile.getRank() == 1 && array && !rows &&
         isDescribable(kernel, array) && tile.getElementType().isF32() &&
         tile.getDimSize(0) <= kMaxBox &&
         cast<MemRefType>(array.getType()).getShape().back() ==
             tile.getDimSize(0) &&
         isZeroInteger(load.getIndices().back());
}

LogicalResult mlir::attn_gpu::checkCopiedByThreads(KernelOp kernel,
                                                   attn_tile::LoadOp load) {
  // A producer runs ahead of the program, so it may not use a list of rows that
  // the program writes: it would read the list too early.
  if (load.isListed() && kernel.getSchedule().hasProducer() &&
      isWritten(load.getList(), kernel))
    return load.emitOpError("expected a list of rows that the program does not "
                            "write beside a producer, which reads it ahead");
  RankedTensorType type = load.getResult().getType();
  if (type.getRank() == 2 || isWholeRow(kernel, load))
    return success();
  return load.emitOpError("expected a tile of rank 2, or a row of the "
                          "workspace, to copy to shared memory, found ")
         << type;
}
