//===- Philox.h - The random bits of dropout --------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_PHILOX_H
#define ATTN_LIB_ORACLE_PHILOX_H

#include "attn/Oracle/Oracle.h"

#include <array>
#include <cstdint>

namespace mlir::attn {

/// Philox 4x32-10, by J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw,
/// "Parallel Random Numbers: As Easy as 1, 2, 3", SC 2011. Counter, key and
/// result begin with the least significant 32-bit word.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

/// Whether dropout keeps a pair of row `i` and key `j`, which are indices into
/// the operands.
bool isKept(const AttentionProblem &problem, int64_t b, int64_t h, int64_t i,
            int64_t j);

/// Returns the factor of probabilities that dropout keeps; 1 without dropout.
double getDropoutScale(const AttentionProblem &problem);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PHILOX_H
