//===- SweepWide.h - Random problems with wide heads ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPWIDE_H
#define ATTN_TOOLS_ATTNC_SWEEPWIDE_H

#include "SweepCases.h"

namespace attnc {

/// Draw problems with head dims up to 576, whose values may be columns of the
/// keys; the second function also draws lengths, packed sequences and pages.
void drawWideSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawWideServingSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Draw problems of gradients with such head dims, in which values are an array
/// of their own; the second function also draws lengths and packed sequences,
/// but no pages.
void drawWideValueSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawWideRaggedSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPWIDE_H
