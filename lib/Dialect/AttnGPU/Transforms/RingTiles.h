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
#include "attn/Support/NumberBuilder.h"

#include "mlir/IR/IRMapping.h"

namespace mlir::attn_gpu {

/// The ops that read a tile of shared memory, or some of its columns.
SmallVector<Operation *> getReaders(Value tile);

/// Whether the tile that an op gives is copied to registers.
bool isCopied(Operation *load);

/// Whether all threads read the tile, for a copy or for MMAs of a warp: each of
/// them releases it.
bool isReadByThreads(Operation *load, ScheduleAttr schedule);

/// Has the first thread run what `emit` makes, which sets barriers up, before
/// all others go on. Gives whether a thread is the first.
Value initBarriers(attn::NumberBuilder &builder, KernelOp kernel,
                   const attn::Chip &chip, llvm::function_ref<void()> emit);

/// Copies a tile to a ring by all threads of the block: what the load reads,
/// part by part. It is tile number `index`, or without that the next one.
/// `mapping` is from the program that has the load to where the builder is.
FillOp fillByThreads(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                     RingOp ring, Value index, ScheduleAttr schedule,
                     const IRMapping &mapping);

/// Replaces the load by tile number `index` of a ring, or without that by the
/// next one.
void acquireLoaded(attn_tile::LoadOp load, RingOp ring, Value index = {});

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
