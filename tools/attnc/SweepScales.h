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

/// Makes keys and values of some forward problems ones of 8 bits, and gives
/// them scales. Other arguments that come before those of results must have
/// been drawn.
void drawNarrow(uint64_t seed, uint64_t number, SweepCase &drawn);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_SWEEPSCALES_H
