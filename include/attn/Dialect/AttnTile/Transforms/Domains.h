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

/// The columns, as constants or SSA values, that a domain's region returns for
/// a range of rows. Those that any row needs end before `hi`, and those that
/// all rows need are [fullLo, fullHi). `first` is the first column of the block
/// that contains the first column that any row needs.
struct Columns {
  OpFoldResult first, hi, fullLo, fullHi;
};

/// Emits the ops of a domain's region for the rows `first` to `last` - 1, and
/// returns the columns that they compute.
Columns getColumns(attn::NumberBuilder &builder, DomainOp domain,
                   OpFoldResult first, OpFoldResult last);

/// Whether the region of a domain uses the range of rows that it gets as
/// arguments. If it does not, the domain has the same columns for all rows.
bool dependsOnRows(DomainOp domain);

/// Whether `value` is one of `arguments`, which are arguments of a region, or
/// is computed from them by ops in this region or in regions nested in it.
bool isComputedFrom(Value value, ValueRange arguments);

/// Returns a constant upper bound (inclusive) of the number of rows of a
/// domain, derived from the domain's operands. Fails if no such bound can be
/// derived.
FailureOr<int64_t> getMostRows(DomainOp domain);

/// Returns the value of an affine expression for the given operands. It is a
/// constant if the expression folds to one. Otherwise it is the result of an
/// affine.apply that also contains the affine ops that compute the operands.
OpFoldResult applyFolded(attn::NumberBuilder &builder, AffineExpr expr,
                         ArrayRef<OpFoldResult> operands);

/// Replaces a loop over blocks by an scf.for from `first` to `end` with step
/// `step`. `getBlock` emits code at the beginning of the new loop's body. It
/// returns, for the induction variable, the position of the block (its first
/// column) and an i1, whether the block is partial.
scf::ForOp
replaceLoop(RewriterBase &rewriter, ForBlocksOp loop, Value first, Value end,
            Value step,
            function_ref<std::pair<Value, Value>(attn::NumberBuilder &, Value)>
                getBlock);

/// Replaces a loop over a list of blocks by an scf.for over the entries of the
/// list, from 0 to the list's count of entries. Each iteration loads the number
/// of a block (its first column, divided by the number of columns of a block),
/// and whether that block is partial.
scf::ForOp replaceLoopOverList(RewriterBase &rewriter, ForBlocksOp loop,
                               DomainListOp list);

/// Erases the ops within `root` that make domains without uses.
void eraseUnusedDomains(Operation *root);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_DOMAINS_H
