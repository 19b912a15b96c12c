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

/// Vectors that are wanted ahead are copied so where they are whole rows of the
/// workspace: by TMA or a producer in any loop, else in loops over blocks.
SmallVector<attn_tile::LoadOp> findVectorsAhead(KernelOp kernel,
                                                ScheduleAttr schedule);

/// TMA copies the first tile, too, that is wanted ahead of an array which it
/// can copy, and that is in no shared memory yet. Memory is planned for one.
/// Null if there is none.
attn_tile::LoadOp findPairsAhead(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
