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

/// Extends the 8-bit operands of each product that no 8-bit MMA computes to
/// f16, which represents all their values. Fails with an error at a product for
/// wgmma whose operands are not stored in rows along K, as wgmma reads them.
LogicalResult widenDots(KernelOp kernel, ScheduleAttr schedule,
                        const attn::Chip &chip);

/// Whether a converter may transpose the right operand of a product of 8-bit
/// floats: it is loaded and not stored along K, and the left operand is
/// computed in registers.
bool mayTranspose(attn_tile::DotOp dot);

/// The number of neighboring columns of the result that a lane has if mma.sync
/// multiplies 8-bit operands of which the right one is not stored along K: two
/// of each of two MMAs, one of which computes the even columns, the other the
/// odd ones.
inline constexpr int64_t kColumnsOfRuns = 4;

/// Whether lanes have kColumnsOfRuns neighbouring columns of the result.
bool hasRunsOfColumns(attn_tile::DotOp dot, ScheduleAttr schedule);

/// Returns the loads of tiles of 8 bits or fewer whose readers all extend or
/// unpack them for products. Tiles that hasWholeChunks() excludes are left out:
/// each warp loads these to registers.
SmallVector<attn_tile::LoadOp> findWidenedLoads(KernelOp kernel);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WIDENDOTS_H
