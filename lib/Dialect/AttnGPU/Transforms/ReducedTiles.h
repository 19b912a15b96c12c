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
/// results these add to memory, and the element-wise ops between MMAs and
/// stores. Fails with an error if another op reads a result of these ops, or if
/// ops of another kind compute a stored tile.
FailureOr<llvm::SetVector<Operation *>> findReduced(KernelOp kernel);

/// Returns the number of elements that the MMAs of a kernel accumulate, over
/// all threads of a CTA. The MMAs in `reduced`, which a reducer runs, do not
/// count. If warps have copies of a tile, each copy counts. An MMA whose sum is
/// divided into a partial sum and a total (flushSums()) counts twice.
int64_t countAccumulators(KernelOp kernel,
                          const llvm::SetVector<Operation *> &reduced);

/// Whether a reducer can compute the tile that `store` adds to memory a few
/// columns at a time. Each column of the tile may then depend only on the same
/// column of the right operand of one MMA.
bool mayDivideColumns(attn_tile::StoreOp store);

/// Emits the ops that compute `tile`, which a reducer adds to memory, for only
/// `count` of its columns, from column `first` on. Returns these columns.
/// `mapping` maps the operands of the tile's MMAs to values at the builder.
Value cloneColumns(attn::NumberBuilder &builder, Value tile, int64_t first,
                   int64_t count, const IRMapping &mapping);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
