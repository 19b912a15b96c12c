//===- TileOrder.h - The order in which CTAs run programs -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILEORDER_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILEORDER_H

#include "attn/Dialect/AttnTile/Transforms/GridUtils.h"

namespace mlir::attn_gpu {

/// An order of the programs of a grid in which the longest come first. Dynamic
/// schedulers use it. Grids whose programs read the same tiles, or differ in
/// length, also use it, since SMs take CTAs in the order of their numbers.
///
/// Rows are the last dimension of the grid, heads are all other dimensions.
/// Heads are divided into sections. Within a section, the last rows of all
/// heads come first, since under causal masks they have the most keys; with
/// `isAtFirst`, the first rows do. A section has so many heads that several
/// CTAs work on each head and that the cache holds what they read repeatedly.
/// Programs of the same rows are neighbors, so that they read the tiles that
/// they share at about the same time.
class LongestFirst {
public:
  LongestFirst(const attn_tile::GridShape &shape, Value blocks,
               Value bytesOfRow, bool isAtFirst, attn::NumberBuilder &b);

  /// Emits the number, in the grid's own order, of the program that is the
  /// `position`-th to run, counted from 0.
  Value getIteration(Value position, attn::NumberBuilder &b) const;

private:
  Value rows, numWhole;
  attn_tile::Divisor section, lastSection, tilesOfSection;
  bool isAtFirst;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILEORDER_H
