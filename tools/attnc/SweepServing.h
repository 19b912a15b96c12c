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

/// Appends the arguments for lengths, for the offsets of packed sequences and
/// for the table of pages to those of captures, sink and dropout. Sometimes
/// makes the numbers of pages and sequences dynamic, or a dynamic number of
/// rows static.
void drawSequences(uint64_t seed, uint64_t number, SweepCase &drawn);

/// Draws a problem of the forward op, with lengths, packed sequences or pages.
SweepCase drawServingCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawServingSizes);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSERVING_H
