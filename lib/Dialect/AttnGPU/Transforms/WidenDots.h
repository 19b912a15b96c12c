//===- WidenDots.h - 8-bit products on 16-bit MMAs --------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WIDENDOTS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WIDENDOTS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Extends to f16, which represents all values of 8-bit floats, the operands of
/// each product of 8-bit floats that no 8-bit MMA can compute, not even after a
/// converter has transposed the right operand. With wgmma, fails with an error
/// at a product whose operands are not stored in rows along K, unless its left
/// operand is computed in registers.
LogicalResult widenDots(KernelOp kernel, ScheduleAttr schedule,
                        const attn::Chip &chip);

/// Whether a converter may transpose the right operand of a product of 8-bit
/// floats. The operand must be loaded and not be stored in rows along K, and
/// the left operand must be computed in registers.
bool mayTranspose(attn_tile::DotOp dot);

/// The number of neighboring columns of the result that a lane has if mma.sync
/// multiplies 8-bit operands and the right operand is not stored in rows along
/// K. These are two columns of each of two MMAs, one of which computes the even
/// columns and the other the odd ones.
inline constexpr int64_t kColumnsOfRuns = 4;

/// Whether the product is of 8-bit operands, and mma.sync computes it such that
/// each lane has kColumnsOfRuns (4) neighboring columns of the result.
bool hasRunsOfColumns(attn_tile::DotOp dot, ScheduleAttr schedule);

/// Returns the loads of tiles with elements of 8 bits or fewer whose readers
/// all extend or unpack the tile for products. Tiles whose rows are not whole
/// chunks of 16 bytes (hasWholeChunks()) are left out, since each warp loads
/// them to registers.
SmallVector<attn_tile::LoadOp> findWidenedLoads(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WIDENDOTS_H
