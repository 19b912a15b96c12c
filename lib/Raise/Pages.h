//===- Pages.h - Keys that are gathered by a table --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_RAISE_PAGES_H
#define ATTN_LIB_RAISE_PAGES_H

#include "Layout.h"

namespace mlir::attn::raise {

/// Keys and values that are gathered from pools of pages by a table of numbers:
/// the pools of the key, of the value and, if the key is in two arrays, of its
/// further columns.
/// The index variables of a key are divided in two: `numbers` say which number
/// of the table, and `offsets` which key of the page.
struct Pages {
  Arrangement table;
  SmallVector<Arrangement, 3> pools;
  /// An index variable of pools: the number of a page.
  unsigned page = 0;
  Digits numbers, offsets;
  /// How many pages there are.
  int64_t count = 0;
  /// Whether the source takes the first or the last page for a number that is
  /// out of range.
  bool clamps = false;
  /// Whether a number below 0 counts from the last page. It is limited after
  /// that.
  bool wraps = false;
};

/// Splits index variables of keys that are gathered from pages, whose indices
/// are quotients and remainders of a key's number. findPages() finds only what
/// the indices of the layout express.
void splitPages(Elements &elements, const Attention &attention);

/// Returns the pools and the table if keys and values are gathered in such a
/// way that the operand `pages` of attn.attention can express it: both by the
/// same table, of i32, whose numbers are those of whole pages. Batch entries
/// and heads of `layout` are then those of the table and of the pools.
std::optional<Pages> findPages(Elements &elements, const Attention &attention,
                               Layout &layout);

} // namespace mlir::attn::raise

#endif // ATTN_LIB_RAISE_PAGES_H
