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

/// Draw sizes of problems with head dims up to 576, whose values may be columns
/// of the keys. drawWideServingSizes() also draws lengths, packed sequences or
/// pages.
void drawWideSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawWideServingSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

/// Draw sizes of problems of gradients with head dims up to 576, whose values
/// are not columns of the keys. drawWideRaggedSizes() also draws lengths or
/// packed sequences.
void drawWideValueSizes(Dice &dice, mlir::attn::GenerateOptions &generate);
void drawWideRaggedSizes(Dice &dice, mlir::attn::GenerateOptions &generate);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPWIDE_H
