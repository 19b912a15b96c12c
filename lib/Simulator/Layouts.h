//===- Layouts.h - The positions of a tile's elements -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_SIMULATOR_LAYOUTS_H
#define ATTN_LIB_SIMULATOR_LAYOUTS_H

#include "Values.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

#include <array>

namespace mlir::attn::sim {

/// Maps the registers of a CTA's threads to the elements of a tile. If the tile
/// has no layout, one warp holds the whole tile in row-major order, element i
/// in register i / 32 of lane i % 32. Lanes that are left over in the last
/// register repeat the last element.
class TileLayout {
public:
  explicit TileLayout(RankedTensorType tile);

  bool isWhole() const { return !elements[0].empty(); }
  /// Returns how many elements a warp holds, which is the size of its
  /// Registers.
  int64_t getSize() const {
    return isWhole() ? elements[0].size() : offsets[0].size() * kLanes;
  }
  int64_t getNumWarps() const {
    return isWhole() ? 1 : threads[0].size() / kLanes;
  }
  /// Whether warp `warp` of the CTA holds elements of the tile.
  bool hasWarp(int64_t warp) const {
    return warp >= firstWarp && warp - firstWarp < getNumWarps();
  }
  /// Whether warp `warp` holds the same elements of a tile of rank 2 as an
  /// earlier warp. The earlier warp then writes the elements to memory.
  bool isCopy(int64_t warp) const {
    return !isWhole() && warp - firstWarp >= numWriters;
  }
  /// Returns the number of elements of the tile, each counted once.
  int64_t getNumElements() const { return numElements; }
  /// Whether element `i` of a warp's Registers only repeats the tile's last
  /// element. Such elements exist in a tile without a layout whose number of
  /// elements is not a multiple of the number of lanes.
  bool isRepeated(int64_t i) const { return isWhole() && i >= numElements; }
  /// Returns the index along dimension `axis` of the tile of element `i` of the
  /// Registers of warp `warp`.
  int64_t get(int64_t axis, int64_t warp, int64_t i) const {
    if (isWhole())
      return elements[axis][i];
    return threads[axis][(warp - firstWarp) * kLanes + i % kLanes] +
           offsets[axis][i / kLanes];
  }
  /// Returns the element's row and its column. A vector counts as a tile of one
  /// row.
  int64_t getRow(int64_t warp, int64_t i) const {
    return rank == 1 ? 0 : get(0, warp, i);
  }
  int64_t getColumn(int64_t warp, int64_t i) const {
    return get(rank - 1, warp, i);
  }
  /// Returns the element's indices in the tile.
  SmallVector<int64_t, 2> getPlace(int64_t warp, int64_t i) const {
    if (rank == 1)
      return {get(0, warp, i)};
    return {get(0, warp, i), get(1, warp, i)};
  }
  /// Returns, for each register of the tile, the index of the register of a
  /// vector that has the element for the same row or column. `slice` is the
  /// layout of the vector, which has one element for each row of the tile if
  /// `sliceAxis` is 1, and for each column if it is 0.
  SmallVector<int64_t> getSliceRegisters(const TileLayout &slice,
                                         int64_t sliceAxis) const;

private:
  std::array<SmallVector<int64_t>, 2> offsets;
  std::array<std::vector<int64_t>, 2> threads;
  std::array<std::vector<int64_t>, 2> elements;
  int64_t numElements = 0, firstWarp = 0, numWriters = 0, rank = 0;
};

/// Maps the elements of a padded or swizzled tile in shared memory to byte
/// offsets. A vector is laid out as a tile of one row.
class SharedLayout {
public:
  explicit SharedLayout(RankedTensorType tile);

  /// Returns the distance in bytes of an element from the beginning of the tile
  /// in shared memory.
  int64_t getOffset(int64_t row, int64_t column) const;
  int64_t getBytes() const;
  /// Calls `visit` with the offset and the size, in bytes, of each of some
  /// contiguous ranges of shared memory that together cover a rectangle of the
  /// tile, and nothing else of it.
  void forEachPart(int64_t firstRow, int64_t rows, int64_t firstColumn,
                   int64_t columns,
                   llvm::function_ref<void(int64_t, int64_t)> visit) const;
  DType getDType() const { return dtype; }
  int64_t getRows() const { return rows; }
  int64_t getColumns() const { return columns; }

private:
  int64_t rows, columns, elementBytes;
  DType dtype;
  /// The number of bytes of a row of a padded tile, with the padding; not used
  /// for swizzled tiles.
  int64_t rowBytes = 0;
  bool isSwizzled;
};

/// Whether the type is that of a tile in shared memory.
bool isShared(Type type);

} // namespace mlir::attn::sim

#endif // ATTN_LIB_SIMULATOR_LAYOUTS_H
