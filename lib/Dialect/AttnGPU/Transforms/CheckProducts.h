//===- CheckProducts.h - Checks of products for MMAs ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Fails with an error at `op` unless MMAs of the schedule can read tiles with
/// the element type of `tile`.
LogicalResult checkElement(Operation *op, RankedTensorType tile,
                           ScheduleAttr schedule);

/// Whether each row of the tile is whole chunks of 16 bytes, the unit of copies
/// to shared memory.
bool hasWholeChunks(RankedTensorType tile);

/// Fails with an error at the load unless hasWholeChunks() holds for its tile.
LogicalResult checkRowBytes(attn_tile::LoadOp load);

/// Fails with an error at the product unless MMAs of the schedule can compute
/// it in the layout that its result has.
LogicalResult checkDot(attn_tile::DotOp dot, ScheduleAttr schedule);

/// Fails with an error at the softmax update unless each warp has the same rows
/// of the scores and of the accumulators that the update rescales.
LogicalResult checkRows(attn_tile::SoftmaxUpdateOp update);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H
