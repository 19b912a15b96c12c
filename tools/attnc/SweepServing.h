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

/// Sizes of problems with lengths, packed sequences or pages: few rows and many
/// heads against a cache, or many rows.
void drawServingSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
/// The same without pages, of which there are no gradients.
void drawRaggedSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Adds the arrays of lengths and pages behind what regions capture, a sink and
/// dropout, and leaves more sizes to the run.
void drawSequences(uint64_t seed, uint64_t number, SweepCase &drawn);

/// A problem of the forward op.
SweepCase drawServingCase(uint64_t seed, uint64_t number,
                          SizesOf drawSizes = drawServingSizes);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSERVING_H
