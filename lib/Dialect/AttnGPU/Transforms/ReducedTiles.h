//===- ReducedTiles.h - Tiles that are added to memory ----------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Support/NumberBuilder.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::attn_gpu {

/// Returns the ops that a reducer runs: stores with `add apart`, the MMAs whose
/// results they add, and the element-wise ops between these. Fails with an
/// error if another op uses one of their results, or if a stored tile is
/// computed by ops of another kind.
FailureOr<llvm::SetVector<Operation *>> findReduced(KernelOp kernel);

/// Returns the number of elements that the MMAs of a kernel hold in
/// accumulators, over all threads of a CTA. Each copy of a replicated layout
/// counts, and MMAs whose sums are flushed count twice. Leaves out the MMAs in
/// `reduced`, which a reducer runs.
int64_t countAccumulators(KernelOp kernel,
                          const llvm::SetVector<Operation *> &reduced);

/// Whether a reducer can compute the tile that `store` adds to memory a few
/// columns at a time: each column of the tile depends only on the same column
/// of the right operand of its MMA.
bool mayDivideColumns(attn_tile::StoreOp store);

/// Clones the ops that make a tile which a reducer adds to memory, for only
/// `count` of its columns from `first` on, and returns these columns. `mapping`
/// maps operands of the MMAs to values at the builder.
Value cloneColumns(attn::NumberBuilder &builder, Value tile, int64_t first,
                   int64_t count, const IRMapping &mapping);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
