//===- WarpSpecializer.h - Divides a kernel among roles ---------*- C++ -*-===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H
#define ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H

#include "ArrayOrigin.h"
#include "ConvertedTiles.h"
#include "RingTiles.h"
#include "RoleSlice.h"

#include "attn/Dialect/AttnGPU/IR/AttnGPU.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"
#include "attn/Support/NumberBuilder.h"

#include "llvm/ADT/MapVector.h"

namespace mlir::attn_gpu {

/// Returns the number of columns of the store's tile that a reducer computes,
/// and adds to memory, at a time.
int64_t getPartColumns(attn_tile::StoreOp store);

/// Divides the program of a kernel among the roles of its schedule.
class WarpSpecializer {
public:
  WarpSpecializer(KernelOp kernel, ScheduleAttr schedule,
                  const attn::Chip &chip)
      : kernel(kernel), schedule(schedule), chip(chip),
        producer(schedule.getRoles().find(RoleKind::Producer)),
        consumers(schedule.getNumConsumers()),
        warpgroups(schedule.getNumWarpgroups()) {
    for (RoleAttr role : schedule.getHelpers())
      if (role.getKind() != RoleKind::Reducer)
        made.emplace_back(kernel, role);
  }

  LogicalResult run();

private:
  /// Whether one thread of the producer copies tiles, by TMA. Otherwise all
  /// threads of the producer copy.
  bool isByTma() const { return schedule.getCopy() == CopyKind::Tma; }
  /// Returns the number, within the CTA, of the producer's first warpgroup.
  int64_t getFirstOfProducer() const {
    return warpgroups - producer.getWarpgroups();
  }

  /// The ring for the tiles of one load, or for the tiles of an op by which one
  /// role passes tiles to another.
  struct Ring {
    SmallVector<OuterArray> arrays;
    LoadMaps maps;
    RingOp op;
    /// Which roles read the ring's tiles: consumers if isConsumed is set, and
    /// the reducer if isReduced is set. `makers` is the number of warpgroups of
    /// those converters and multipliers that read them.
    bool isConsumed = true, isReduced = false;
    int64_t makers = 0;
    /// The number of warps that put each tile into the ring, or 0 if a load
    /// fills the ring.
    int64_t writers = 0;
    /// Whether a converter or a multiplier puts the tiles into the ring.
    bool isMade = false;
  };
  /// A store whose tile may be staged in shared memory, and the array that it
  /// writes. `place` is the memory that the plan gives to the tile, if there is
  /// room.
  struct Output {
    attn_tile::StoreOp store;
    OuterArray array;
    std::optional<RingPlan::Output> place;
    /// Whether the reducer runs the store, which adds the tile to memory.
    bool isReduced = false;
  };

  void findRoles(Ring &ring, Value tile);
  LogicalResult findRings();
  void findExchanges();
  void findOutputs();
  void createRings(const RingPlan &plan);
  void storeAsync(attn::NumberBuilder b, const Output &output, bool waits);
  void addColumns(attn::NumberBuilder &b, attn_tile::StoreOp store,
                  int64_t first, int64_t count, int64_t part,
                  const IRMapping &mapping);
  void initRings();
  RolesOp createRoles(attn::NumberBuilder &b);
  Block *getBody(RolesOp roles, RoleAttr role);
  FailureOr<RoleSlice> findProducer(Block *program);
  FailureOr<RoleSlice> findReducer(Block *program);
  FailureOr<RoleSlice> findMaker(Block *program, const ConvertedTiles &tiles);
  void emitProducer(RoleSlice &slice, Block *role);
  void emitReducer(RoleSlice &slice, Block *role);
  void emitMaker(RoleSlice &slice, Block *role, const ConvertedTiles &tiles);
  void acquire(attn::NumberBuilder &b, Operation *source, IRMapping &mapping);
  /// Lets the loops of a role's program carry no values that converters and
  /// multipliers compute.
  void dropCarriedByMakers(Block *role);
  void emitConsumers(Block *program, Block *role, bool waits);
  LogicalResult reportIdle(RoleAttr role);

  KernelOp kernel;
  ScheduleAttr schedule;
  const attn::Chip &chip;
  RoleAttr producer;
  /// The number of warpgroups of consumers, and of all roles together.
  int64_t consumers, warpgroups;
  /// The rings. The key of a ring is the load that fills it, or the op that
  /// writes a tile to shared memory for MMAs of another role.
  llvm::MapVector<Operation *, Ring> rings;
  SmallVector<RingRequest> requests;
  /// The ops that the reducer runs. Empty if there is no reducer.
  llvm::SetVector<Operation *> reduced;
  /// For each converter and multiplier, in the order of roles, the ops that it
  /// runs.
  SmallVector<ConvertedTiles> made;
  SmallVector<Output> outputs;
  ForTilesOp tiles;
};

} // namespace mlir::attn_gpu

#endif // ATTN_LIB_DIALECT_ATTNGPU_TRANSFORMS_WARPSPECIALIZER_H
