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

/// What the program of one attention op does with each block of its scores, as
/// the domain of its tile program says, for given arguments.
struct BlockMap {
  enum class Kind : char { Skipped = '-', Full = '#', Partial = '+' };

  int64_t tileQ = 0, tileKv = 0;
  int64_t batch = 0, heads = 0;
  /// Blocks of rows and of keys.
  int64_t numRows = 0, numKeys = 0;
  /// batch x heads x numRows x numKeys.
  std::vector<Kind> kinds;
  /// By the mask itself, at each pair: visited blocks without a pair that is
  /// kept, and partial ones of which all pairs are.
  int64_t emptyVisited = 0, fullMasked = 0;
  /// Mistakes: skipped blocks with a pair that is kept, and full ones with a
  /// pair that is masked.
  int64_t wronglySkipped = 0, wronglyFull = 0;

  Kind get(int64_t b, int64_t h, int64_t row, int64_t key) const {
    return kinds[((b * heads + h) * numRows + row) * numKeys + key];
  }
  /// The shares, and the map of one batch entry and head: a line for each block
  /// of rows.
  void print(raw_ostream &os, int64_t b, int64_t h) const;
};

/// Derives the map of the entry's one attention op, in tiles of these sizes.
/// The module is lowered in a copy; what makes lists of blocks is run on the
/// host. Fails with a diagnostic.
FailureOr<BlockMap> deriveBlockMap(ModuleOp module, const EntryPoint &entry,
                                   Execution &execution, int64_t tileQ,
                                   int64_t tileKv);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BLOCKMAP_H
