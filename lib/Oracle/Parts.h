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

/// The problem of one batch entry or packed sequence, with the batch entry that
/// it belongs to, and the index of its first row and key there.
template <typename Problem> struct Part {
  Problem problem;
  int64_t batch = 0, row = 0, key = 0;
};

/// Calls `visit` with each part of the problem. The arrays of the part are
/// valid only during the call.
void forEachPart(
    const AttentionProblem &problem,
    llvm::function_ref<void(const Part<AttentionProblem> &)> visit);
void forEachPart(const GradientProblem &problem,
                 llvm::function_ref<void(const Part<GradientProblem> &)> visit);

/// A range of keys, as indices into the operands.
struct KeyRange {
  int64_t begin = 0, end = 0;
  bool isEmpty() const { return begin >= end; }
};

/// Returns how many keys of the problem are before the key length, which counts
/// from the beginning of the larger problem if the problem has an origin. Other
/// keys are never read.
int64_t getNumKeys(const AttentionProblem &problem);

/// Returns the range of keys to which row `i` attends under the mask attribute:
/// all `numKeys` keys without the attribute, and none if the row is at or past
/// the query length.
KeyRange getKeyRange(const AttentionProblem &problem, int64_t numKeys,
                     int64_t i);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PARTS_H
