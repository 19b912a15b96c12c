//===- SweepBackward.h - Random problems of gradients -----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_SWEEPBACKWARD_H
#define ATTN_TOOLS_ATTNC_SWEEPBACKWARD_H

#include "SweepCases.h"

namespace attnc {

/// Draws a problem of gradients by its number, with wide heads if `isWide`, and
/// mostly with query and key in two arrays each if `hasParts`. With `isNarrow`,
/// arrays mostly have types of 8 bits.
SweepCase drawBackwardCase(uint64_t seed, uint64_t number, SweepKind kind,
                           bool isWide = false, bool hasParts = false,
                           bool isNarrow = false);

/// Prints those properties of a case that printCase() omits, without a newline.
void printBackward(const SweepCase &drawn, llvm::raw_ostream &os);

/// Applies the accuracy rule of gradients to the entry's only op, and describes
/// the result in `figures`. Returns false if the oracle does not support the
/// op.
bool checkGradientCase(const mlir::attn::EntryPoint &entry,
                       const mlir::attn::Execution &execution,
                       std::string &figures, bool &passed);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPBACKWARD_H
