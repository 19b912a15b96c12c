//===- Numbers.h - Numbers that are not finite ------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_TEST_UNIT_NUMBERS_H
#define ATTN_TEST_UNIT_NUMBERS_H

#include <limits>

namespace mlir::attn {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

} // namespace mlir::attn

#endif // ATTN_TEST_UNIT_NUMBERS_H
