//===- DiagonalPairs.cpp - Pairs of tiles within diagonals ----------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DiagonalPairs.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::attn;

DiagonalPairs::DiagonalPairs(TileBuilder &b, MaskAttr mask, int64_t own,
                             OpFoldResult diagonal, OpFoldResult firstKey,
                             Value tilesOfKeys)
    : b(b), tilesOfKeys(tilesOfKeys) {
  AffineExpr offset = b.getAffineDimExpr(0);
  AffineExpr before = b.getAffineDimExpr(1).floorDiv(own);
  auto apply = [&](AffineExpr expr) -> Value {
    return b.asValue(b.apply(expr - before, {diagonal, firstKey}));
  };
  if (std::optional<int64_t> least = mask.getLowerDiagonal())
    first = apply((offset + *least).floorDiv(own));
  if (std::optional<int64_t> most = mask.getUpperDiagonal())
    end = apply((offset + *most).ceilDiv(own) + 1);
}

Value DiagonalPairs::clamp(Value number) {
  return b.minsiOrFold(b.maxsiOrFold(number, b.index(0)), tilesOfKeys);
}

/// Returns the sum of clamp(i) over all i < `end`: 0 + 1 + 2 and so on, as far
/// as i is less than `tilesOfKeys`, and `tilesOfKeys` for each i from there on.
Value DiagonalPairs::sumBefore(Value end) {
  Value growing = clamp(end);
  Value triangle = b.divuiOrFold(
      b.muliOrFold(growing, b.subiOrFold(growing, b.index(1))), b.index(2));
  Value whole = b.maxsiOrFold(b.subiOrFold(end, tilesOfKeys), b.index(0));
  return b.addiOrFold(triangle, b.muliOrFold(whole, tilesOfKeys));
}

Value DiagonalPairs::countBefore(Value tileOfRows) {
  // The sum over tiles of rows r of clamp(r + bound).
  auto sum = [&](Value bound) -> Value {
    Value last = b.addiOrFold(tileOfRows, bound);
    return b.subiOrFold(sumBefore(last), sumBefore(bound));
  };
  Value count = end ? sum(end) : b.muliOrFold(tileOfRows, tilesOfKeys);
  return first ? b.subiOrFold(count, sum(first)) : count;
}

Value DiagonalPairs::getNumber(Value tileOfRows, Value tileOfKeys) {
  Value before = countBefore(tileOfRows);
  if (first)
    before = b.subiOrFold(before, clamp(b.addiOrFold(tileOfRows, first)));
  return b.addiOrFold(before, tileOfKeys);
}

std::optional<int64_t>
DiagonalPairs::getWidth(MaskAttr mask, int64_t own,
                        std::optional<int64_t> diagonal) {
  std::optional<int64_t> least = mask.getLowerDiagonal();
  std::optional<int64_t> most = mask.getUpperDiagonal();
  if (!least || !most)
    return std::nullopt;
  // If the diagonal is not known, the interval of keys of a tile of rows may
  // begin with the last key of a tile.
  if (!diagonal)
    return 2 + llvm::divideCeilSigned(*most - *least - 1, own);
  return 1 + llvm::divideCeilSigned(*diagonal + *most, own) -
         llvm::divideFloorSigned(*diagonal + *least, own);
}
