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

/// Applies the accuracy rule to a part of the output, for problems for which
/// the evaluation of all rows takes too long. It checks up to 16 rows each at
/// the beginning, in the middle and at the end, of the first and of the last
/// head. Problems with lengths, packed sequences or pages are checked whole.
///
/// Returns the report of the first of these groups of rows that breaks the
/// rule. If none does, returns the report of the group with the largest error.
AccuracyReport checkSpots(const AttentionProblem &problem,
                          const ArrayView &output);

} // namespace mlir::attn

#endif // ATTN_ORACLE_SPOTCHECK_H
