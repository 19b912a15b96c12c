//===- RingTiles.h - Loads whose tiles come through rings -------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"

namespace mlir::attn_gpu {

/// Whether the tile that an op gives is copied to registers.
bool isCopied(Operation *load);

/// Whether all threads read the tile, for a copy or for MMAs of a warp: each of
/// them releases it.
bool isReadByThreads(Operation *load, ScheduleAttr schedule);

/// Replaces the load by the next tile of a ring.
void acquireLoaded(attn_tile::LoadOp load, RingOp ring);

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
