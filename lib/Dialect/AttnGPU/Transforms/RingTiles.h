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

/// Returns the ops that read a tile in shared memory or a view of some of its
/// columns.
SmallVector<Operation *> getReaders(Value tile);

/// Whether threads read the tile that `load` (a load, or an op that writes to a
/// ring) writes to shared memory, to convert it to a layout in registers or to
/// transpose it.
bool isCopied(Operation *load);

/// If the op's result, a tile in shared memory, takes the memory of a loaded
/// tile that nobody reads any more (attn_tile.reuse), returns the load.
attn_tile::LoadOp getReused(Operation *op);

/// Whether threads themselves read the tile from shared memory, to copy it to
/// registers or as an operand of mma.sync. Each warp of a role that reads the
/// tile then releases the tile's slot.
bool isReadByThreads(Operation *load, ScheduleAttr schedule);

/// A load that fills a ring, and the ring's number of slots.
struct FilledRing {
  attn_tile::LoadOp load;
  int64_t slots;
};

/// Whether `ring` has vectors, and one of the rings `filled` has tiles and at
/// most as many slots, and its load comes before that of `ring` in the same
/// block. Rings are filled in the order of their loads, so when a slot of
/// `ring` is filled again, the tile that was loaded before the slot's vector
/// has been released. This is not all that `follows` of a ring requires: that
/// the tile is released only when MMAs that depend on the vector have ended is
/// not checked.
bool followsTile(const FilledRing &ring, ArrayRef<FilledRing> filled);

/// Emits a branch in which the CTA's first thread runs the ops that `emit`
/// creates, and after the branch a barrier of the CTA. `emit` initialises
/// mbarriers. Returns a value that is true in the CTA's first thread.
Value initBarriers(attn::NumberBuilder &builder, KernelOp kernel,
                   const attn::Chip &chip, llvm::function_ref<void()> emit);

/// Emits a fill in which threads copy the tile that the load reads to a slot of
/// a ring, part by part. All threads of the CTA copy, unless the caller changes
/// the returned op. The tile gets the number `index` or, if `index` is null,
/// the ring's next number. `mapping` maps values of the program that contains
/// the load to values at the builder.
FillOp fillByThreads(attn::NumberBuilder &builder, attn_tile::LoadOp load,
                     RingOp ring, Value index, ScheduleAttr schedule,
                     const IRMapping &mapping);

/// Replaces the load by an acquire of the ring's tile number `index` or, if
/// `index` is null, of the ring's next tile.
void acquireLoaded(attn_tile::LoadOp load, RingOp ring, Value index = {});

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_RINGTILES_H
