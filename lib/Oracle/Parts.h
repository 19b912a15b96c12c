//===- Parts.h - One plain problem for each sequence ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lengths of batch entries, packed sequences and pages are gathered into plain
// problems of one batch entry each.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_PARTS_H
#define ATTN_LIB_ORACLE_PARTS_H

#include "attn/Oracle/Gradients.h"
#include "attn/Oracle/Oracle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::attn {

/// A plain problem of one batch entry or sequence, the batch entry that holds
/// it, and its first row and key there.
template <typename Problem> struct Part {
  Problem problem;
  int64_t batch = 0, row = 0, key = 0;
};

/// Calls `visit` with each part, whose arrays live as long as the call.
void forEachPart(
    const AttentionProblem &problem,
    llvm::function_ref<void(const Part<AttentionProblem> &)> visit);
void forEachPart(const GradientProblem &problem,
                 llvm::function_ref<void(const Part<GradientProblem> &)> visit);

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

#endif // ATTN_LIB_ORACLE_PARTS_H
