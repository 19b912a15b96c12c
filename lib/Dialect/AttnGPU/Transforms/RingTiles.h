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

/// The ops that read a tile in shared memory, or some of its columns.
SmallVector<Operation *> getReaders(Value tile);

/// Whether the tile that `load` yields is copied from shared memory to
/// registers.
bool isCopied(Operation *load);

/// Whether threads themselves read the tile, to copy it to registers or as an
/// operand of mma.sync. Then each warp releases it.
bool isReadByThreads(Operation *load, ScheduleAttr schedule);

/// Emits a branch in which the CTA's first thread runs what `emit` makes, which
/// prepares barriers, and then a barrier of the CTA. Returns whether the
/// calling thread is the first.
Value initBarriers(attn::NumberBuilder &builder, KernelOp kernel,
                   const attn::Chip &chip, llvm::function_ref<void()> emit);

/// Makes all threads of the CTA copy what the load reads to a slot of a ring,
/// part by part. It is tile number `index`, or without a number the next one.
/// `mapping` maps values of the program that has the load to those where the
/// builder is.
FillOp fillByThreads(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                     RingOp ring, Value index, ScheduleAttr schedule,
                     const IRMapping &mapping);

/// Replaces the load by an acquire of tile number `index` of a ring, or without
/// a number of the next one.
void acquireLoaded(attn_tile::LoadOp load, RingOp ring, Value index = {});

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
