//===- BackwardTable.cpp - Schedules of gradients -------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableRows.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

/// The tiles of kernels of gradients with wgmma. `warps` is the number of
/// computing warps, `block` the number of rows or keys of an iteration, and
/// `stages` the number of iterations whose tiles shared memory holds. A program
/// has 64 rows or keys for each warpgroup or, if `sharing` is above 1, for each
/// group of `sharing` warpgroups; each warpgroup of a group computes a part of
/// the columns.
///
/// In a program of d_key and d_value, each thread of a warpgroup that shares no
/// keys accumulates half as many elements as a row of d_key, of d_value, of the
/// scores and of their gradient have together.
struct BackwardTiles {
  int64_t warps, block, stages;
  bool overlap, pingPong;
  SchedulerKind scheduler;
  RolesKind roles = RolesKind::ProducerConsumer;
  int64_t sharing = 1;
};
static const Row<BackwardTiles> kBackwardWgmmaTiles[] = {
    {[](const Problem &p) { return isWiderThan<256>(p) && p.isCausal; },
     {8, 64, 3, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, head dims above 256, P and dS in memory, under a "
     "diagonal"},
    {isWiderThan<256>,
     {8, 64, 3, false, false, SchedulerKind::Persistent},
     "tiles: gradients, head dims above 256, P and dS in memory"},
    {isWiderThan<256>,
     {8, 32, 1, false, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumer, /*sharing=*/2},
     "tiles: gradients, head dims above 256, two warpgroups share rows"},
    {[](const Problem &p) { return p.headDim <= 64 && p.mayAdd; },
     {8, 64, 4, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims up to 64, d_query in memory"},
    {[](const Problem &p) {
       return p.headDim <= 128 && p.mayAdd && p.isCausal;
     },
     {8, 64, 2, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 65 to 128, d_query in memory, under a "
     "diagonal"},
    {[](const Problem &p) { return p.headDim <= 128 && p.mayAdd; },
     {8, 64, 2, true, false, SchedulerKind::Persistent,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 65 to 128, d_query in memory"},
    {[](const Problem &p) { return isWiderThan<192>(p) && p.mayAdd; },
     {8, 64, 1, false, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims above 192, d_query in memory"},
    {[](const Problem &p) { return isWiderThan<128>(p) && p.mayAdd; },
     {8, 64, 2, true, false, SchedulerKind::Dynamic,
      RolesKind::ProducerConsumerReducer},
     "tiles: gradients, head dims from 129 to 192, d_query in memory"},
    {isWiderThan<128>,
     {8, 32, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, head dims above 128"},
    {[](const Problem &p) { return p.headDim > 64 && p.isCausal; },
     {8, 64, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, head dims from 65 to 128, under a diagonal"},
    {isWiderThan<64>,
     {8, 64, 3, true, false, SchedulerKind::Persistent},
     "tiles: gradients, head dims from 65 to 128"},
    {always,
     {8, 64, 3, true, true, SchedulerKind::Dynamic},
     "tiles: gradients, head dims up to 64"},
    {always,
     {4, 32, 2, false, false, SchedulerKind::Dynamic},
     "tiles: gradients, shared memory holds no more"},
};

/// Whether a program has few accumulators because it may add d_query to memory,
/// and has operands of 16 bits. It is false for chips from sm_100 on, for which
/// ptxas gives the same code more registers.
static bool addsInMemory(const Problem &p) {
  return p.mayAdd && !p.isF32 && p.chipNumber < 100;
}
/// Whether registers suffice for 32 keys for each warp, or for warps that share
/// 32 keys: programs have few accumulators (addsInMemory()) and head dims of at
/// most 128.
static bool mayHaveMoreKeys(const Problem &p) {
  return addsInMemory(p) && p.headDim <= 128;
}
/// Whether the op has no score region, mask region or dropout, which would take
/// registers.
static bool hasPlainScores(const Problem &p) {
  return !p.hasScore && !p.hasMaskRegion && !p.hasDropout;
}
/// Whether one CTA of eight warps on an SM is faster than two CTAs of four
/// warps. This holds if registers suffice for 32 keys for each warp
/// (mayHaveMoreKeys()) and no region or dropout takes registers.
static bool hasSpareRegisters(const Problem &p) {
  return mayHaveMoreKeys(p) && hasPlainScores(p);
}

/// The tiles of kernels of gradients with mma.sync. `warps` is the number of
/// warps, `tile` the number of keys of a program or, in a program of d_query,
/// of rows, `block` the number of rows or keys of a step, and `ctas` the number
/// of CTAs of an SM.
///
/// With 32 keys for each warp, each read of rows from shared memory serves two
/// MMAs. The more keys a program has, the fewer programs add to d_query. If a
/// program has fewer than `warpRows` keys for each warp, several warps share
/// keys, so that each has fewer accumulators. A warp that shares 32 keys reads
/// less from shared memory than a warp that has 16 keys for itself.
struct BackwardMmaSyncTiles {
  int64_t warps, tile, block, ctas;
  int64_t warpRows = 16;
};
static const Row<BackwardMmaSyncTiles> kBackwardMmaSyncTiles[] = {
    {isWiderThan<256>,
     {8, 32, 32, 1, 32},
     "eight warps share 32 keys, 32 rows a step: gradients, head dims above "
     "256"},
    {isWiderThan<256>,
     {4, 32, 16, 1, 32},
     "four warps share 32 keys, 16 rows a step: gradients, head dims above "
     "256"},
    {isWiderThan<256>,
     {2, 16, 16, 1},
     "two warps share 16 keys, 16 rows a step: gradients, head dims above 256"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim <= 16; },
     {4, 128, 32, 3},
     "four warps of 32 keys, 32 rows a step, three CTAs an SM: gradients, head "
     "dims up to 16"},
    {[](const Problem &p) {
       return mayHaveMoreKeys(p) && p.isByElement && p.headDim <= 64;
     },
     {4, 128, 16, 2},
     "four warps of 32 keys, 16 rows a step: gradients of arrays that no "
     "copies take, head dims up to 64"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.isByElement; },
     {8, 128, 32, 1, 32},
     "eight warps share groups of 32 keys, 32 rows a step: gradients of arrays "
     "that no copies take, head dims from 65 to 128"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim <= 64; },
     {4, 128, 32, 2},
     "four warps of 32 keys, 32 rows a step: gradients, head dims up to 64"},
    {[](const Problem &p) { return mayHaveMoreKeys(p) && p.headDim > 112; },
     {8, 128, 64, 1, 32},
     "eight warps share groups of 32 keys, 64 rows a step: gradients, head "
     "dims from 113 to 128"},
    {hasSpareRegisters,
     {8, 128, 64, 1},
     "eight warps, 64 rows a step: gradients, head dims from 65 to 128"},
    {hasSpareRegisters,
     {8, 128, 32, 1},
     "eight warps, 32 rows a step: gradients, shared memory holds no more"},
    {hasSpareRegisters,
     {8, 128, 16, 1},
     "eight warps, 16 rows a step: gradients, shared memory holds no more"},
    {[](const Problem &p) { return p.isF32 && p.headDim <= 64; },
     {4, 64, 16, 2},
     "16 rows a step: gradients of f32, head dims up to 64"},
    {[](const Problem &p) {
       return p.isF32 && p.headDim > 96 && p.headDim <= 128;
     },
     {8, 64, 16, 1},
     "eight warps share 64 keys: gradients of f32, head dims from 97 to 128"},
    {[](const Problem &p) {
       return p.isF32 && p.headDim > 128 && p.headDim <= 192;
     },
     {8, 64, 16, 1, 32},
     "eight warps share 64 keys, in groups of 32: gradients of f32, head dims "
     "from 129 to 192"},
    {[](const Problem &p) { return p.isF32 && p.headDim > 192; },
     {4, 32, 16, 1, 32},
     "four warps share 32 keys, one CTA an SM: gradients of f32, head dims "
     "above 192"},
    {isOfF32,
     {4, 32, 16, 2},
     "four warps share 32 keys: gradients of f32, other head dims, or shared "
     "memory holds no more"},
    {isOfF32,
     {2, 16, 16, 2},
     "two warps share 16 keys: gradients of f32, shared memory holds no more"},
    {isOfF32,
     {4, 64, 16, 2},
     "16 rows a step: gradients of f32, warps cannot share rows"},
    {[](const Problem &p) { return p.headDim <= 64; },
     {4, 64, 64, 2},
     "64 rows a step: gradients, head dims up to 64"},
    {[](const Problem &p) { return p.headDim <= 128; },
     {4, 64, 32, 2},
     "32 rows a step: gradients, head dims up to 128"},
    {[](const Problem &p) {
       return addsInMemory(p) && hasPlainScores(p) && !p.isByElement &&
              p.headDim <= 160;
     },
     {8, 128, 32, 1},
     "eight warps of 16 keys, 32 rows a step: gradients, head dims from 129 to "
     "160"},
    {[](const Problem &p) { return p.headDim > 192 && p.isByElement; },
     {8, 64, 16, 1},
     "eight warps share 64 keys, 16 rows a step: gradients of arrays that no "
     "copies take, head dims above 192"},
    {[](const Problem &p) { return p.headDim > 144 && !p.isByElement; },
     {8, 64, 64, 1, 32},
     "eight warps share 64 keys, 64 rows a step: gradients, head dims above "
     "144"},
    {[](const Problem &p) { return p.headDim > 144; },
     {8, 64, 32, 1, 32},
     "eight warps share 64 keys: gradients, head dims above 144"},
    {always, {4, 64, 16, 2}, "16 rows a step: gradients, head dims above 128"},
    {always, {2, 32, 16, 2}, "2 warps: gradients, shared memory holds no more"},
    {always, {1, 16, 16, 2}, "1 warp: gradients, shared memory holds no more"},
};

llvm::Expected<Plan> attn_gpu::chooseBackward(AttentionInterface op,
                                              const Chip &chip, CopyKind copy) {
  Problem problem(op, chip);
  problem.isByElement = copy == CopyKind::Element;
  if (copy == CopyKind::Tma)
    return findFitting<BackwardTiles>(
        kBackwardWgmmaTiles, problem, op, chip,
        [&](const Row<BackwardTiles> &row) -> Plan {
          auto [warps, block, stages, overlap, pingPong, scheduler, roles,
                sharing] = row.value;
          // In a batch of ragged sequences, programs take different times, so a
          // dynamic scheduler replaces that of the table's row.
          if (problem.isRagged)
            scheduler = SchedulerKind::Dynamic;
          auto schedule = ScheduleAttr::get(
              op.getContext(), kWarpgroupRows * (warps / 4 / sharing), block,
              warps, MmaKind::Wgmma, CopyKind::Tma, stages, overlap, pingPong,
              SoftmaxKind::Strict, roles, scheduler, /*split_kv=*/false,
              /*warp_rows=*/16, /*ctas=*/0);
          return {schedule,
                  {"wgmma: " + chip.name.str() + " has it", row.reason.str()}};
        });
  return findFitting<BackwardMmaSyncTiles>(
      kBackwardMmaSyncTiles, problem, op, chip,
      [&](const Row<BackwardMmaSyncTiles> &row) -> Plan {
        auto [warps, tile, block, ctas, warpRows] = row.value;
        auto schedule = ScheduleAttr::get(
            op.getContext(), tile, block, warps, MmaKind::MmaSync, copy,
            /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
            SoftmaxKind::Strict, RolesKind::None, SchedulerKind::Static,
            /*split_kv=*/false, warpRows, ctas);
        return {schedule, {row.reason.str()}};
      });
}

void attn_gpu::addBackwardReasons(SmallVectorImpl<StringRef> &reasons) {
  addReasonsOf(kBackwardWgmmaTiles, reasons);
  addReasonsOf(kBackwardMmaSyncTiles, reasons);
}
