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

/// Finds the loads of vectors with `ahead` that can be copied ahead: those of
/// whole rows of workspace, in any loop if TMA or a producer copies, else in
/// loops over blocks.
SmallVector<attn_tile::LoadOp> findVectorsAhead(KernelOp kernel,
                                                ScheduleAttr schedule);

/// Finds the first load of a tile with `ahead`, such as a bias, in a loop over
/// blocks, if TMA can copy from its array. Shared memory is planned for one
/// such tile. Null if there is none.
attn_tile::LoadOp findPairsAhead(KernelOp kernel, ScheduleAttr schedule);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_AHEADLOADS_H
