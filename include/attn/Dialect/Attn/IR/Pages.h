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

/// Returns how many pages of `page` keys a tile of `tileKv` keys takes, if its
/// first key is a multiple of `tileKv`: 1 if the tile is a part of a page, or
/// the number of its pages if these are whole. Returns 0, so that keys are
/// gathered one by one, if it is neither, if the page size is dynamic, if the
/// tile would have more than 32 pages, or if a page is not a multiple of 8
/// keys, after which the swizzle of shared memory repeats.
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
