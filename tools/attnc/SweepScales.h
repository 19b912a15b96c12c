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

/// Draws element types, for a third of the problems or, if `isAlways`, for each
/// problem. Keys and values mostly get 8 or 4 bits, and query and output
/// sometimes 8 bits. Some arrays get scales; for gradients, they keep scores
/// within what docs/limits.md promises. All other arguments except outputs must
/// have been drawn.
///
/// With `isAlways`, values have a mean from 0 to 10, and a third of the
/// problems have values with a stride of 1 along keys, where that is possible.
void drawNarrow(uint64_t seed, uint64_t number, SweepCase &drawn,
                bool isAlways = false);

/// Divides query and key of the problem into two arrays each (query_rope and
/// key_rope have the further columns), unless they have 8-bit types or too few
/// columns. drawNarrow() must have been called before.
void drawParts(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSCALES_H
