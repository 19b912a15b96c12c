//===- SweepServing.h - Random lengths and pages ----------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPSERVING_H
#define ATTN_TOOLS_ATTNC_SWEEPSERVING_H

#include "SweepCases.h"

namespace attnc {

/// Draws sizes of a problem with lengths, packed sequences or pages: either few
/// rows and many heads, as in decoding against a cache, or many rows.
void drawServingSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
/// Draws sizes as drawServingSizes() does, but without pages, which backward
/// does not support.
void drawRaggedSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Inserts the arguments for lengths and pages after those of captures, sink
/// and dropout, and makes more sizes dynamic.
void drawSequences(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Draws a problem of the forward op.
SweepCase drawServingCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawServingSizes);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSERVING_H
