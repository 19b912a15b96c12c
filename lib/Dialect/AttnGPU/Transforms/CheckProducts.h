//===- CheckProducts.h - Checks of products for MMAs ------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H

#include "HelperOps.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Fails with an error at `op` unless MMAs of the schedule can read tiles with
/// the element type of `tile`.
LogicalResult checkElement(Operation *op, RankedTensorType tile,
                           ScheduleAttr schedule);

/// Whether the tile's rows are whole chunks of 16 bytes, the unit of copies to
/// shared memory.
bool hasWholeChunks(RankedTensorType tile);

/// Fails with an error at the load unless hasWholeChunks() holds for its tile.
LogicalResult checkRowBytes(attn_tile::LoadOp load);

/// Fails with an error at the product unless MMAs of the schedule can compute
/// it in the layout that its result has.
LogicalResult checkDot(attn_tile::DotOp dot, ScheduleAttr schedule);

/// Fails with an error unless each warp has the same rows of the scores and of
/// the accumulators that their softmax rescales.
LogicalResult checkRows(attn_tile::SoftmaxUpdateOp update);

/// Fails with an error unless `role`, a multiplier, can put the tile where the
/// loaded tile `dead` was: the same block loads it, the role has one warpgroup,
/// and its products alone read the dead tile.
LogicalResult checkReuse(Value tile, Value dead, RoleAttr role,
                         const HelperOps &helpers);

/// Warns at a product if a role has too few registers for the accumulators of a
/// loop, so that ptxas would not compile the kernel as the schedule says.
void warnOfRegisters(KernelOp kernel, ScheduleAttr schedule,
                     const attn::Chip &chip, const HelperOps &helpers);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_CHECKPRODUCTS_H
