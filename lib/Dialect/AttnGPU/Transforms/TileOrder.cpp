//===- TileOrder.cpp - The order in which CTAs run programs ---------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileOrder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using namespace mlir::attn_tile;

/// The number of bytes that the arrays which the programs of a section of heads
/// read repeatedly may have, so that the L2 cache holds them.
static constexpr int64_t kCachedBytes = 32 << 20;
/// The number of rows of a head that CTAs should work on at the same time. Each
/// key and value that is read from memory then serves so many rows, and the
/// bandwidth of memory suffices.
static constexpr int64_t kRowsPerHead = 768;

LongestFirst::LongestFirst(const GridShape &shape, Value blocks,
                           Value bytesOfRow, bool isAtFirst,
                           attn::NumberBuilder &b)
    : rows(shape.counts.back()), isAtFirst(isAtFirst) {
  Value heads;
  for (Value count : ArrayRef(shape.counts).drop_back())
    heads = heads ? b.muliOrFold(heads, count) : count;
  Value one = b.index(1);
  // The number of bytes of a head is at least 1 even for an empty grid, since
  // other numbers are divided by it.
  Value bytesOfHead = b.maxuiOrFold(
      one, b.muliOrFold(b.muliOrFold(rows, shape.steps.back()), bytesOfRow));
  if (!heads)
    heads = one;
  Value perHead = b.index(kRowsPerHead);
  Value rowsAtATime = b.muliOrFold(blocks, shape.steps.back());
  // The size of the cache limits the number of heads of a section, but not
  // below the number of heads on which CTAs work at the same time. Smaller
  // sections would save no reads from memory.
  Value cached =
      b.maxuiOrFold(b.divuiOrFold(b.index(kCachedBytes), bytesOfHead),
                    b.divuiOrFold(blocks, b.maxuiOrFold(one, rows)));
  Value size = b.minuiOrFold(cached, b.divuiOrFold(rowsAtATime, perHead));
  size = b.maxuiOrFold(one, size);
  // Enlarges sections so that the last one is not smaller than the others: a
  // small last section would have too few tiles for all CTAs.
  Value sections = b.maxuiOrFold(one, b.divuiOrFold(heads, size));
  size = b.maxuiOrFold(one, b.divuiOrFold(heads, sections));
  numWhole = b.subiOrFold(sections, one);
  section = getDivisor(size, b);
  // Numbers are divided by the size of the last section, so it is at least 1
  // even for a grid without heads.
  lastSection = getDivisor(
      b.maxuiOrFold(one, b.subiOrFold(heads, b.muliOrFold(numWhole, size))), b);
  tilesOfSection = getDivisor(b.muliOrFold(size, rows), b);
}

Value LongestFirst::getIteration(Value position, attn::NumberBuilder &b) const {
  Value number = b.minui(divide(position, tilesOfSection, b), numWhole);
  Value inSection = b.subi(position, b.muli(number, tilesOfSection.value));
  Value isWhole = b.ult(number, numWhole);
  auto choose = [&](Value whole, Value last) -> Value {
    return b.select(isWhole, whole, last);
  };
  Divisor width = {choose(section.value, lastSection.value),
                   choose(section.inverse, lastSection.inverse)};
  Value row = divide(inSection, width, b);
  Value head = b.addi(b.muli(number, section.value),
                      b.subi(inSection, b.muli(row, width.value)));
  if (!isAtFirst)
    row = b.subi(b.subi(rows, b.index(1)), row);
  return b.addi(b.muli(head, rows), row);
}
