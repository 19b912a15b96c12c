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

/// An order of programs with the longest first. It is used by dynamic
/// schedulers, for programs that read the same tiles, and for grids whose CTAs
/// differ in length, since SMs take CTAs in the order of their numbers. Rows
/// are the last dimension of a grid, heads are all others. Within each section
/// of heads, the last rows of all heads come first, since under causal masks
/// they have the most keys, or the first rows if `isAtFirst`. A section has so
/// many heads that several CTAs work on each and the cache holds what they read
/// repeatedly. Programs of the same rows are neighbors, so that they read the
/// tiles that they share at about the same time.
class LongestFirst {
public:
  LongestFirst(const attn_tile::GridShape &shape, Value blocks,
               Value bytesOfRow, bool isAtFirst, attn::NumberBuilder &b);

  /// The iteration of the grid that is the `position`-th to run.
  Value getIteration(Value position, attn::NumberBuilder &b) const;

private:
  Value rows, numWhole;
  attn_tile::Divisor section, lastSection, tilesOfSection;
  bool isAtFirst;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILEORDER_H
