//===- RandomScore.h - Random score regions ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TOOLS_ATTNC_RANDOMSCORE_H
#define ATTN_TOOLS_ATTNC_RANDOMSCORE_H

#include "SweepCases.h"

namespace attnc {

/// A score region as GenerateOptions takes it: valid, and with none of the ops
/// that have no lowering on a GPU.
std::string drawScoreText(Dice &dice);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_RANDOMSCORE_H
