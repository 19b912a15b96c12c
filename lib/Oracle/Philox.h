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

/// Returns four random integers of 32 bits by the generator Philox 4x32-10 (J.
/// K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel Random
/// Numbers: As Easy as 1, 2, 3", SC 2011). Counter, key and result begin with
/// the least significant 32 bits.
std::array<uint32_t, 4> philox(std::array<uint32_t, 4> counter,
                               std::array<uint32_t, 2> key);

/// Whether dropout keeps the pair of row `i` and key `j` of head `h` in batch
/// entry `b`. All of these are indices into the operands; this function adds
/// the problem's origin, its position in a larger problem.
bool isKept(const AttentionProblem &problem, int64_t b, int64_t h, int64_t i,
            int64_t j);

/// Returns the factor by which probabilities that dropout keeps are multiplied:
/// the reciprocal of the probability to be kept (0 if dropout keeps nothing),
/// and 1 without dropout.
double getDropoutScale(const AttentionProblem &problem);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PHILOX_H
