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

#include "attn/Oracle/Oracle.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::attn {

/// Calls `visit` with the plain problem of each batch entry or sequence, the
/// batch entry that holds it and its first row there. The problem's arrays live
/// as long as the call.
void forEachPart(
    const AttentionProblem &problem,
    llvm::function_ref<void(const AttentionProblem &, int64_t, int64_t)> visit);

} // namespace mlir::attn

#endif // ATTN_LIB_ORACLE_PARTS_H
