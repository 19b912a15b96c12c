//===- SaturateCasts.h - Floats to integers ---------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_CONVERSION_SATURATECASTS_H
#define ATTN_LIB_CONVERSION_SATURATECASTS_H

#include "mlir/IR/Operation.h"

namespace mlir::attn {

/// Selects around casts of floats to integers of at most `largestWidth` bits
/// within `root`: what is out of range becomes the nearest integer and NaN
/// becomes 0, as in the GPU's instructions for 16, 32 and 64 bits.
void saturateCasts(Operation *root, unsigned largestWidth);

} // namespace mlir::attn

#endif // ATTN_LIB_CONVERSION_SATURATECASTS_H
