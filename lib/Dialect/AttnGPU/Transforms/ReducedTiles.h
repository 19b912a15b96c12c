//===- ReducedTiles.h - What iterations add to memory -----------*- C++ -*-===//
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

/// The ops that a reducer runs: stores that add to memory `apart`, the MMAs
/// whose results they add, and the element-wise ops between them. Fails with an
/// error where another op uses a result of theirs, or what makes a tile is none
/// of these.
FailureOr<llvm::SetVector<Operation *>> findReduced(KernelOp kernel);

/// Elements of the results of a kernel's MMAs without those.
int64_t countAccumulators(KernelOp kernel,
                          const llvm::SetVector<Operation *> &reduced);

/// Whether columns of what such a store adds need the same columns alone of
/// what makes it: those of MMAs' right operands.
bool mayDivideColumns(attn_tile::StoreOp store);

/// Clones what makes a tile that such a store adds, for `count` columns from
/// `first` on. Operands of MMAs are those of `mapping`.
Value cloneColumns(attn::NumberBuilder &builder, Value tile, int64_t first,
                   int64_t count, const IRMapping &mapping);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_REDUCEDTILES_H
