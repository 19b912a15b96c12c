//===- AheadLoads.h - Loads that are wanted ahead ---------------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Returns the loads of vectors (lse, delta) with the attribute `ahead` that
/// can be copied to shared memory before they are needed. Such a load must read
/// a whole row of workspace. If TMA or a producer copies, it may be in any
/// loop; otherwise it must be directly in a loop over blocks.
SmallVector<attn_tile::LoadOp> findVectorsAhead(KernelOp kernel,
                                                ScheduleAttr schedule);

/// Returns the first load of a tile (such as a bias) that has the attribute
/// `ahead`, is in a loop over blocks, and reads an array that TMA can copy.
/// Returns null if there is none, or if the schedule does not copy by TMA. Only
/// one load is returned, since shared memory is planned for one such tile.
attn_tile::LoadOp findPairsAhead(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
