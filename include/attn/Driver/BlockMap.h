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

/// For given arguments, which blocks of scores the program of an attention op
/// skips, masks or leaves unmasked, according to the domain of its tile
/// program.
struct BlockMap {
  enum class Kind : char { Skipped = '-', Full = '#', Partial = '+' };

  int64_t tileQ = 0, tileKv = 0;
  int64_t batch = 0, heads = 0;
  /// The number of blocks along rows and along keys.
  int64_t numRows = 0, numKeys = 0;
  /// The kinds of all blocks, in the order batch x heads x numRows x numKeys.
  std::vector<Kind> kinds;
  /// The numbers of blocks that were classified imprecisely, found by
  /// evaluating the mask at each pair: visited blocks without a pair that is
  /// kept, and partial blocks in which all pairs are kept.
  int64_t emptyVisited = 0, fullMasked = 0;
  /// The numbers of blocks that were classified wrongly, found in the same way:
  /// skipped blocks with a pair that is kept, and full blocks with a pair that
  /// is masked.
  int64_t wronglySkipped = 0, wronglyFull = 0;

  Kind get(int64_t b, int64_t h, int64_t row, int64_t key) const {
    return kinds[((b * heads + h) * numRows + row) * numKeys + key];
  }
  /// Prints the share of each kind of blocks, and a map of batch entry `b` and
  /// head `h` with a line for each block of rows.
  void print(raw_ostream &os, int64_t b, int64_t h) const;
};

/// Derives the map of the entry's only attention op for tiles of the given
/// sizes. Lowers a copy of the module; if the program has lists of blocks, runs
/// the programs that make these on the host. Fails with a diagnostic.
FailureOr<BlockMap> deriveBlockMap(ModuleOp module, const EntryPoint &entry,
                                   Execution &execution, int64_t tileQ,
                                   int64_t tileKv);

} // namespace mlir::attn

#endif // ATTN_DRIVER_BLOCKMAP_H
