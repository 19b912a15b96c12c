//===- Parts.h - One plain problem for each sequence ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Converts problems with lengths, packed sequences or pages to problems of one
// batch entry or sequence each, which have none of these.
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_ORACLE_PARTS_H
#define ATTN_LIB_ORACLE_PARTS_H

#include "attn/Oracle/Gradients.h"
#include "attn/Oracle/Oracle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::attn {

/// The problem of one batch entry or packed sequence of a larger problem.
/// `batch` is the batch entry of the larger problem that it belongs to, and
/// `row` and `key` are the indices there of its first row and key.
template <typename Problem> struct Part {
  Problem problem;
  int64_t batch = 0, row = 0, key = 0;
};

/// Calls `visit` with each part of a problem that has lengths, packed sequences
/// or pages: its batch entries or packed sequences. The arrays of the part are
/// valid only during the call.
void forEachPart(
    const AttentionProblem &problem,
    llvm::function_ref<void(const Part<AttentionProblem> &)> visit);
void forEachPart(const GradientProblem &problem,
                 llvm::function_ref<void(const Part<GradientProblem> &)> visit);

/// A range of keys: those from index `begin` to `end` - 1 of the operands key
/// and value.
struct KeyRange {
  int64_t begin = 0, end = 0;
  bool isEmpty() const { return begin >= end; }
};

/// Returns how many keys of the problem are before the key length; the other
/// keys are never read. If the problem has an origin, its keys are a part of a
/// larger problem's, and the key length counts from the beginning of the larger
/// problem.
int64_t getNumKeys(const AttentionProblem &problem);

/// Returns the range of keys to which row `i` attends under the op's mask
/// attribute, such as `causal`. Without the attribute, these are all `numKeys`
/// keys. A row at or past the query length attends to none.
KeyRange getKeyRange(const AttentionProblem &problem, int64_t numKeys,
                     int64_t i);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PARTS_H
