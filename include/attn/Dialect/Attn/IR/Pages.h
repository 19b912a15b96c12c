//===- Pages.h - Tiles of keys that are in pages ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTN_IR_PAGES_H
#define ATTN_DIALECT_ATTN_IR_PAGES_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::attn {

/// Returns from how many pages of `page` keys a tile of `tileKv` keys is
/// loaded, if the tile's first key is a multiple of `tileKv`. It is 1 if a page
/// holds a whole number of tiles, and n if a tile holds n whole pages. In the
/// latter case, a page must be a multiple of 8 keys, after which the swizzle of
/// shared memory repeats, and n must be at most 32.
///
/// Returns 0 in all other cases and for a dynamic page size. Keys are then
/// gathered one by one.
inline int64_t getPagesOfTile(int64_t page, int64_t tileKv) {
  constexpr int64_t kPatternRows = 8, kMaxPages = 32;
  if (ShapedType::isDynamic(page) || page < 1)
    return 0;
  if (page % tileKv == 0)
    return 1;
  if (tileKv % page != 0 || page % kPatternRows != 0 ||
      tileKv / page > kMaxPages)
    return 0;
  return tileKv / page;
}

} // namespace mlir::attn

#endif // ATTN_DIALECT_ATTN_IR_PAGES_H
