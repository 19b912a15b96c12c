//===- WarpSpecializer.h - One warpgroup copies, the others compute -*- C++
//-*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {

using attn_tile::DotOp;
using attn_tile::LoadOp;
using attn_tile::StoreOp;

/// Whether the tile is in a ring.
bool isSwizzled(LoadOp load);

/// Whether there is a load of a tile of a ring in the op.
bool hasLoads(Operation *op);

/// Whether consumers copy the tile to registers.
bool isCopied(LoadOp load);

/// Whether a product reads the tile as rows along K.
bool isLeftOperand(LoadOp load);

/// The index in `array` of the first element of a view that is a part of it.
SmallVector<OpFoldResult> getOrigin(ImplicitLocOpBuilder &b, Value array,
                                    Value view);

/// Of the element at `indices` of a view that begins at `origin`.
SmallVector<Value> getCoordinates(ImplicitLocOpBuilder &b,
                                  ArrayRef<OpFoldResult> origin,
                                  ValueRange indices);

/// What attn-gpu-specialize-warps does to a launch. Rings, the producer and the
/// consumers each have a file: SpecializeRings.cpp, SpecializeProducer.cpp and
/// SpecializeConsumers.cpp.
class WarpSpecializer {
public:
  WarpSpecializer(gpu::LaunchOp launch, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : launch(launch), schedule(schedule), chip(chip),
        consumers(schedule.getNumConsumers()), registers(consumers) {}

  LogicalResult run();

private:
  /// Tiles of one array: those that are read as the same operand.
  struct Ring {
    Value array, map, ring;
    /// Whether consumers copy its tiles to registers: all threads read them.
    bool isCopied = false;
  };
  using RingKey = std::tuple<Value, Type, unsigned>;
  /// For each ring, the number of its next tile.
  using Counts = llvm::MapVector<Ring *, Value>;

  RingKey getKey(LoadOp load) {
    return {load.getSource(), load.getResult().getType(), isLeftOperand(load)};
  }
  /// Results that are stored through shared memory.
  struct Output {
    StoreOp store;
    Value array, map;
    int64_t offset;
  };

  void eraseUnsharedDiscards();
  LogicalResult createRings();
  void createOutput(StoreOp store, Value array, int64_t offset);
  void createRoles();
  bool isQueue(scf::ForOp loop) {
    return schedule.getScheduler() == SchedulerKind::Dynamic &&
           loop->getParentOp() == launch.getOperation();
  }
  Operation *getLastReader(LoadOp load);
  void releaseCopied(LoadOp load, llvm::function_ref<void(OpBuilder &)> emit);

  SmallVector<Ring *> getRingsIn(Operation *op);
  SmallVector<Value> getCounts(Counts &counts, ArrayRef<Ring *> used);
  void setCounts(Counts &counts, ArrayRef<Ring *> used, ValueRange values);
  void advance(ImplicitLocOpBuilder &b, Counts &counts, Ring *ring);

  void produce(ImplicitLocOpBuilder &b, Block *block, IRMapping &mapping,
               Counts &counts);
  SmallVector<Value> getCoordinatesOf(ImplicitLocOpBuilder &b, LoadOp load,
                                      IRMapping &mapping);
  /// Emits a branch whose sides advance `counts` of the rings in `used`.
  void produceBranch(
      ImplicitLocOpBuilder &b, Value condition, ArrayRef<Ring *> used,
      Counts &counts,
      llvm::function_ref<void(ImplicitLocOpBuilder &, bool isThen, Counts &)>
          emitBody);
  void produceFirst(ImplicitLocOpBuilder &b, scf::ForOp loop,
                    IRMapping &mapping, Counts &counts);
  void produceQueue(ImplicitLocOpBuilder &b, scf::ForOp loop,
                    IRMapping &mapping, Counts &counts);
  void consumeQueue(scf::ForOp loop);
  /// Emits what is done for the tile of that number, which is the `turn`-th of
  /// the block; changes the counts of rings to those after it, and returns the
  /// next tile's number.
  using TileLoopBody = llvm::function_ref<Value(
      ImplicitLocOpBuilder &, Value tile, Value turn, SmallVector<Value> &)>;
  /// A loop over tiles from `first` on, up to a number that is none's.
  static scf::WhileOp createTileLoop(ImplicitLocOpBuilder &b, Value first,
                                     Value numTiles, ValueRange counts,
                                     TileLoopBody emitBody);
  void fill(ImplicitLocOpBuilder &b, LoadOp load, IRMapping &mapping,
            Counts &counts);
  void storeOutput(const Output &output);
  void consume(Block *block, Counts &counts);
  void acquire(LoadOp load, Counts &counts);

  gpu::LaunchOp launch;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  int64_t consumers;
  RegisterSplit registers;
  llvm::MapVector<RingKey, std::unique_ptr<Ring>> rings;
  SmallVector<Output> outputs;
  /// Where outputs overlay a left operand, which then stays until they are
  /// read.
  bool overlaysOperand = false;
  Value workCounters;
  int64_t queueOffset = 0;
  int64_t numBytes = 0;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H
