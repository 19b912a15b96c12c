//===- BlockMap.h - Blocks that an attention op visits ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DRIVER_BLOCKMAP_H
#define ATTN_DRIVER_BLOCKMAP_H

#include "attn/Driver/Execution.h"

namespace mlir::attn {

/// The blocks of scores of an attention op for given arguments, and for each
/// block whether the program skips it, computes all of it (full), or tests each
/// pair (partial). The kinds follow from the domain of the op's tile program.
struct BlockMap {
  enum class Kind : char { Skipped = '-', Full = '#', Partial = '+' };

  int64_t tileQ = 0, tileKv = 0;
  int64_t batch = 0, heads = 0;
  /// The number of blocks along the rows, and along the keys.
  int64_t numRows = 0, numKeys = 0;
  /// The kinds of all blocks. They are in the row-major order of an array of
  /// sizes batch x heads x numRows x numKeys.
  std::vector<Kind> kinds;
  /// Numbers of blocks that the domain classifies imprecisely. The mask is
  /// evaluated at each pair to find them. `emptyPartial` is the number of
  /// partial blocks of which no pair counts, and `fullPartial` of those of
  /// which all pairs count.
  int64_t emptyPartial = 0, fullPartial = 0;
  /// Numbers of blocks that the domain classifies wrongly. The mask is
  /// evaluated at each pair to find them. `wronglySkipped` is the number of
  /// skipped blocks of which a pair counts, and `wronglyFull` of full blocks of
  /// which a pair does not count.
  int64_t wronglySkipped = 0, wronglyFull = 0;

  Kind get(int64_t b, int64_t h, int64_t row, int64_t key) const {
    return kinds[((b * heads + h) * numRows + row) * numKeys + key];
  }
  /// Prints the share of each kind of blocks, and a map of the blocks of batch
  /// entry `b` and head `h`, with a line for each block of rows.
  void print(raw_ostream &os, int64_t b, int64_t h) const;
};

/// Derives the block map of the only attention op in `entry`, for tiles of the
/// given sizes. The function lowers a copy of the module. If the program has
/// lists of blocks, it runs the programs that make these lists on the host.
/// Failures are reported by a diagnostic.
FailureOr<BlockMap> deriveBlockMap(ModuleOp module, const EntryPoint &entry,
                                   Execution &execution, int64_t tileQ,
                                   int64_t tileKv);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BLOCKMAP_H
