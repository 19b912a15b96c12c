//===- Domains.h - Blocks that rows need ------------------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_DIALECT_ATTNTILE_TRANSFORMS_DOMAINS_H
#define ATTN_DIALECT_ATTNTILE_TRANSFORMS_DOMAINS_H

#include "attn/Dialect/AttnTile/IR/AttnTile.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::attn_tile {

/// The results of a domain's region for a range of rows. `first` is the first
/// column of the first block, at most the `lo` that the region yields.
struct Columns {
  OpFoldResult first, hi, fullLo, fullHi;
};

/// Evaluates a domain's region for rows [first, last).
Columns getColumns(attn::NumberBuilder &builder, DomainOp domain,
                   OpFoldResult first, OpFoldResult last);

/// Whether the region of a domain uses the rows that it gets as arguments;
/// otherwise the domain has the same columns for all rows.
bool dependsOnRows(DomainOp domain);

/// Whether a value is computed from one of the arguments of a region, by ops in
/// that region or nested in them.
bool isComputedFrom(Value value, ValueRange arguments);

/// Returns a constant upper bound of the number of rows of a domain, derived
/// from its operands. Fails if none can be derived.
FailureOr<int64_t> getMostRows(DomainOp domain);

/// Returns the value of `expr` for the operands: a constant if it folds to one,
/// else an affine.apply that is composed with the affine ops that compute the
/// operands.
OpFoldResult applyFolded(attn::NumberBuilder &builder, AffineExpr expr,
                         ArrayRef<OpFoldResult> operands);

/// Replaces a loop over blocks by an scf.for from `first` to `end`. At the
/// beginning of its body, `getBlock` computes, from the induction variable, the
/// block's position and whether the block is partial.
scf::ForOp
replaceLoop(RewriterBase &rewriter, ForBlocksOp loop, Value first, Value end,
            Value step,
            function_ref<std::pair<Value, Value>(attn::NumberBuilder &, Value)>
                getBlock);

/// Replaces a loop over a list of blocks by an scf.for over the list's entries,
/// from 0 to its count, which loads each block's number and whether it is
/// partial.
scf::ForOp replaceLoopOverList(RewriterBase &rewriter, ForBlocksOp loop,
                               DomainListOp list);

/// Erases domains within `root` that nothing uses any more.
void eraseUnusedDomains(Operation *root);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_DOMAINS_H
