//===- KeyRange.h - The keys of a row ---------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_KEYRANGE_H
#define ATTN_LIB_ORACLE_KEYRANGE_H

#include "attn/Oracle/Oracle.h"

namespace mlir::attn {

/// A range of keys, in the coordinates of the operands.
struct KeyRange {
  int64_t begin = 0, end = 0;
  bool isEmpty() const { return begin >= end; }
};

/// Keys before the actual length. None past it is ever read.
int64_t getNumKeys(const AttentionProblem &problem);

/// The keys that row `i` attends to. The masks leave one range.
KeyRange getKeyRange(const AttentionProblem &problem, int64_t numKeys,
                     int64_t i);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_KEYRANGE_H
