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

/// Returns the text of a random score region, for GenerateOptions::scoreText.
/// The region is valid, and contains only ops that can be lowered for a GPU.
std::string drawScoreText(Dice &dice);

} // namespace attnc

#endif // ATTN_TOOLS_ATTNC_RANDOMSCORE_H
