//===- SweepScales.h - Random types of 8 bits and scales --------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPSCALES_H
#define ATTN_TOOLS_ATTNC_SWEEPSCALES_H

#include "SweepCases.h"

namespace attnc {

/// Draws element types for a third of the problems, or for each problem if
/// `isAlways`: keys and values mostly have 8 or 4 bits, with scales for some
/// arrays, and query and output sometimes have 8 bits. All other arguments
/// except outputs must have been drawn. With `isAlways`, values have a mean
/// from 0 to 10, and a third of them a stride of 1 along keys. For gradients,
/// scales are so small that scores are within what docs/limits.md promises.
void drawNarrow(uint64_t seed, uint64_t number, SweepCase &drawn,
                bool isAlways = false);

/// Divides query and key of the problem into two arrays each (query_rope and
/// key_rope), unless they have 8-bit types or too few columns. Call it after
/// drawNarrow().
void drawParts(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSCALES_H
