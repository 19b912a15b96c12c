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

/// Gives a third of the problems keys and values of 8 bits or 4, with scales.
/// All other arguments except outputs must have been drawn. With `isAlways`,
/// gives each problem such types, and values whose mean is from 0 to 10.
void drawNarrow(uint64_t seed, uint64_t number, SweepCase &drawn,
                bool isAlways = false);

/// Divides query and key of some forward problems into two arrays each
/// (query_rope and key_rope), if that is possible. Call it after drawNarrow().
void drawParts(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSCALES_H
