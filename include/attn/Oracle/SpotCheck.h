//===- SpotCheck.h - The accuracy rule on some rows -------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_ORACLE_SPOTCHECK_H
#define ATTN_ORACLE_SPOTCHECK_H

#include "attn/Oracle/Accuracy.h"

namespace mlir::attn {

/// Applies the accuracy rule to up to 16 rows at the beginning, in the middle
/// and at the end of the first and of the last head, for problems where
/// evaluating all rows takes too long. Returns the report of the first rows
/// that break the rule or, if none do, of those with the largest error.
/// Problems with lengths, packed sequences or pages are checked whole.
AccuracyReport checkSpots(const AttentionProblem &problem,
                          const ArrayView &output);

} // namespace mlir::attn

#endif // ATTN_ORACLE_SPOTCHECK_H
