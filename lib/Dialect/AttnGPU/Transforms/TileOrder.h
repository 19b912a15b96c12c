//===- TileOrder.h - In which order CTAs take programs ----------*- C++ -*-===//
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

/// The order of a dynamic scheduler, of programs that read the same tiles, and
/// of CTAs of different length, which an SM takes in the order of their
/// numbers: the last rows of all heads first, since they see the most keys, or
/// the first where they do. So it is within sections of heads for which the
/// cache holds what their programs read again and again, and each of which
/// several of the CTAs work on. Rows are a grid's last dimension, heads the
/// others. Programs of the same rows are neighbors: what they read alike is
/// read once.
class LongestFirst {
public:
  LongestFirst(const attn_tile::GridShape &shape, Value blocks,
               Value bytesOfRow, bool isAtFirst, attn::NumberBuilder &b);

  /// The iteration that comes `position`-th.
  Value getIteration(Value position, attn::NumberBuilder &b) const;

private:
  Value rows, numWhole;
  attn_tile::Divisor section, lastSection, tilesOfSection;
  bool isAtFirst;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_TILEORDER_H
