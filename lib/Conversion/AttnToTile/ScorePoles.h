//===- ScorePoles.h - Infinite scores of finite ones ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREPOLES_H
#define ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREPOLES_H

#include "attn/Dialect/Attn/IR/Attn.h"

namespace mlir::attn {

/// Whether the op's score region may make an infinity of a finite score, so
/// that rows with keys may have nothing to attend to: by a constant, a capture,
/// or a function that has poles. Overflow aside.
bool hasPole(AttentionInterface op);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_ATTNTOTILE_SCOREPOLES_H
