//===- SweepWide.cpp - Random problems with wide heads --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepWide.h"
#include "SweepServing.h"

#include <algorithm>

using namespace attnc;
using namespace mlir::attn;

/// Draws head dims above 256, for keys, values or both; values may be columns
/// of the key. Draws few key heads, and many query heads only if there are few
/// rows, since the oracle is slow.
static void widen(Dice &dice, GenerateOptions &generate) {
  generate.dtype = dice.pick({DType::F16, DType::BF16});
  generate.batch = generate.numSequences ? 1 : 1 + dice.below(2);
  generate.kvHeads = 1 + dice.oneIn(3);
  bool hasFewRows = generate.queryLength <= 16;
  generate.queryHeads =
      generate.kvHeads * (hasFewRows
                              ? dice.pick<int64_t>({1, 2, 3, 8, 16, 40, 128})
                              : dice.pick<int64_t>({1, 1, 2}));
  if (generate.queryLength * generate.queryHeads > 256)
    generate.queryHeads = generate.kvHeads * dice.pick<int64_t>({1, 4, 8});
  auto wide = [&](int64_t most) {
    return std::min<int64_t>(
        most, dice.pick<int64_t>({257, 272, 300, 320, 320, 336, 384, 400, 448,
                                  512, 512, 513, 575, 576}));
  };
  generate.headDim = dice.oneIn(3) ? 576 : wide(576);
  generate.valueHeadDim = dice.oneIn(4)
                              ? dice.pick<int64_t>({1, 17, 64, 128, 192, 256})
                              : std::min(wide(512), generate.headDim);
  if (dice.oneIn(6) && generate.valueHeadDim > 256)
    generate.headDim = dice.pick<int64_t>({16, 64, 128, 200});
  if (generate.valueHeadDim > generate.headDim || dice.oneIn(3))
    return;
  // Values that are columns of the key mostly begin at a multiple of 64
  // columns, which is the width of a panel, and sometimes at any column.
  int64_t last = generate.headDim - generate.valueHeadDim;
  int64_t first = dice.below(last + 1);
  if (!dice.oneIn(4))
    first = dice.oneIn(2) ? 0 : first / 64 * 64;
  generate.valueDims = {first, first + generate.valueHeadDim};
}

void attnc::drawWideSizes(Dice &dice, GenerateOptions &generate) {
  drawPlainSizes(dice, generate);
  widen(dice, generate);
}

void attnc::drawWideServingSizes(Dice &dice, GenerateOptions &generate) {
  drawServingSizes(dice, generate);
  // Half of the problems with pages of 128 keys get pages of 256 keys instead,
  // so that a tile of keys is a part of one page.
  if (generate.pageSize == 128 && dice.oneIn(2)) {
    generate.pageSize = 256;
    generate.kvLength *= 2;
  }
  // widen() may change the batch size; the number of pages in memory, which was
  // drawn for the old batch size, stays.
  widen(dice, generate);
}

void attnc::drawWideValueSizes(Dice &dice, GenerateOptions &generate) {
  drawWideSizes(dice, generate);
  generate.valueDims.reset();
}

void attnc::drawWideRaggedSizes(Dice &dice, GenerateOptions &generate) {
  drawRaggedSizes(dice, generate);
  widen(dice, generate);
  generate.valueDims.reset();
}
