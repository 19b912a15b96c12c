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

/// Returns the ops that read a tile in shared memory or a slice of its columns.
SmallVector<Operation *> getReaders(Value tile);

/// Whether threads copy the tile that `load` writes to shared memory from there
/// to registers, by a conversion of its layout or a transpose.
bool isCopied(Operation *load);

/// Whether threads read the tile, to copy it to registers or as an operand of
/// mma.sync. Each warp of a reading role then releases the tile's slot.
bool isReadByThreads(Operation *load, ScheduleAttr schedule);

/// Whether the load is of a vector, and follows one of the loads `filled` of a
/// tile in its block. Rings are filled in the order of their loads: the ring of
/// the vector then `follows` that of the tile. MMAs that depend on the vector
/// read that tile, or end before it is released.
bool followsTile(attn_tile::LoadOp load, ArrayRef<attn_tile::LoadOp> filled);

/// Emits a branch in which the CTA's first thread runs the ops that `emit`
/// creates, which initialise mbarriers, and then a barrier of the CTA. Returns
/// a value that is true in that thread.
Value initBarriers(attn::NumberBuilder &builder, KernelOp kernel,
                   const attn::Chip &chip, llvm::function_ref<void()> emit);

/// Emits a fill in which all threads of the CTA copy what the load reads to a
/// slot of a ring, part by part. The tile gets number `index`; if that is null,
/// it is the ring's next one. `mapping` maps values of the program that has the
/// load to values at the builder.
FillOp fillByThreads(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                     RingOp ring, Value index, ScheduleAttr schedule,
                     const IRMapping &mapping);

/// Replaces the load by an acquire of a ring's tile: number `index` or, if that
/// is null, the next one.
void acquireLoaded(attn_tile::LoadOp load, RingOp ring, Value index = {});

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
