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

/// Draws the problem of gradients that has the given number in the sweep. With
/// `isWide`, head dims are above 256. With `hasParts`, query and key mostly
/// consist of two arrays each. With `isNarrow`, arrays mostly have types of 8
/// bits.
SweepCase drawBackwardCase(uint64_t seed, uint64_t number, SweepKind kind,
                           bool isWide = false, bool hasParts = false,
                           bool isNarrow = false);

/// Prints, without a newline, those properties of a problem of gradients that
/// printCase() omits.
void printBackward(const SweepCase &drawn, llvm::raw_ostream &os);

/// Applies the accuracy rule of gradients to the entry's only op, and describes
/// the result in `figures`. Returns false if the oracle does not support the
/// op.
bool checkGradientCase(const mlir::attn::EntryPoint &entry,
                       const mlir::attn::Execution &execution,
                       std::string &figures, bool &passed);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPBACKWARD_H
