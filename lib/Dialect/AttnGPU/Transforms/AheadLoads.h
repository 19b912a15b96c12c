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

/// Finds the loads of vectors (lse, delta) with the attribute `ahead` that can
/// be copied to shared memory before they are needed: those of whole rows of
/// workspace. If TMA or a producer copies, they may be in any loop, otherwise
/// only directly in a loop over blocks.
SmallVector<attn_tile::LoadOp> findVectorsAhead(KernelOp kernel,
                                                ScheduleAttr schedule);

/// Returns the first load of a tile with the attribute `ahead`, such as a bias,
/// that is in a loop over blocks and from an array that TMA can copy; null if
/// there is none or if the schedule does not copy by TMA. Shared memory is
/// planned for one such tile.
attn_tile::LoadOp findPairsAhead(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
