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

/// What a domain says of a range of rows. `first` is the first column of the
/// first block.
struct Columns {
  OpFoldResult first, hi, fullLo, fullHi;
};

/// Asks a domain for rows [first, last).
Columns getColumns(attn::NumberBuilder &builder, DomainOp domain,
                   OpFoldResult first, OpFoldResult last);

/// Whether the columns depend on the rows that a domain is asked for.
bool dependsOnRows(DomainOp domain);

/// Whether ops of the region whose arguments these are, or ops inside of them,
/// compute the value from one of the arguments.
bool isComputedFrom(Value value, ValueRange arguments);

/// The most rows that a domain has, as far as its operands tell.
FailureOr<int64_t> getMostRows(DomainOp domain);

/// `expr` of the operands, composed with what computes them.
OpFoldResult applyFolded(attn::NumberBuilder &builder, AffineExpr expr,
                         ArrayRef<OpFoldResult> operands);

/// Replaces a loop over blocks by an scf.for. `getBlock` makes, at the begin of
/// its body, of its induction variable the block's position and whether it is
/// partial.
scf::ForOp
replaceLoop(RewriterBase &rewriter, ForBlocksOp loop, Value first, Value end,
            Value step,
            function_ref<std::pair<Value, Value>(attn::NumberBuilder &, Value)>
                getBlock);

/// The same, over the entries of a list.
scf::ForOp replaceLoopOverList(RewriterBase &rewriter, ForBlocksOp loop,
                               DomainListOp list);

/// Erases the domains of an op that nothing uses any more.
void eraseUnusedDomains(Operation *root);

} // namespace mlir::attn_tile

#endif // ATTN_DIALECT_ATTNTILE_TRANSFORMS_DOMAINS_H
