//===- Table.cpp - Schedules that were found to be fast -------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/AttnGPU/Schedule/Table.h"
#include "TableRows.h"

#include "attn/Dialect/Attn/IR/Pages.h"
#include "attn/Dialect/Attn/IR/ValueOrder.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

//===----------------------------------------------------------------------===//
// wgmma: after measurements on an H200 (docs/lab/index.md)
//===----------------------------------------------------------------------===//

/// The rows of the table for forward kernels with wgmma. Each warpgroup has 64
/// rows, so each thread accumulates a quarter of each of two rows of output and
/// scores. More warpgroups, with fewer registers each, are faster at head dim
/// 64, where an iteration is so short that its latency matters, and with a
/// score region if all tiles are equally long. Mask regions, tiles of a
/// captured array and random numbers take registers that more warpgroups would
/// not have.
static const Row<WgmmaTiles> kWgmmaTiles[] = {
    {[](const Problem &p) { return hasWideValues(p) && p.isGathered; },
     {8, 64, 1, 2},
     "tiles: keys that are gathered from pages, head dims above 256"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 64, 2, 2},
     "tiles: head dims above 256, two warpgroups share rows"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 48, 2, 2},
     "tiles: head dims above 256, 48 keys a step, two warpgroups share rows"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 32, 2, 2},
     "tiles: head dims above 256, 32 keys a step, two warpgroups share rows"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 64, 2},
     "tiles: head dims of keys above 256"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 48, 2},
     "tiles: head dims of keys above 256, 48 keys a step"},
    {isWiderThan<256>,
     {4, 32, 2},
     "tiles: head dims of keys above 256, 32 keys a step"},
    // The next row is for keys that are gathered one by one, with any head dim
    // up to 256. Its tile has 64 keys, which eight warps can divide in
    // registers at each of these head dims.
    {[](const Problem &p) { return p.isGathered; },
     {8, 64, 2},
     "tiles: keys that are gathered from pages"},
    {isWiderThan<192>, {8, 64, 2}, "tiles: head dims above 192"},
    {isWiderThan<128>, {8, 96, 2}, "tiles: head dims from 129 to 192"},
    {isWiderThan<128>,
     {8, 64, 2},
     "tiles: head dims from 129 to 192, 64 keys a step"},
    {[](const Problem &p) { return p.headDim > 64 && p.hasDropout; },
     {8, 64, 3},
     "tiles: head dims from 65 to 128, dropout"},
    {[](const Problem &p) {
       return p.headDim > 64 && p.hasScore && !p.hasMaskRegion && !p.hasPairs &&
              !p.isCausal && !p.hasFewRows;
     },
     {12, 80, 2},
     "tiles: head dims from 65 to 128, a score region"},
    {isWiderThan<64>, {8, 128, 2}, "tiles: head dims from 65 to 128"},
    {[](const Problem &p) { return p.hasFewRows; },
     {8, 128, 3},
     "tiles: few rows, larger ones would leave SMs idle"},
    {[](const Problem &p) { return !p.isCausal && p.numKeys > 4096; },
     {12, 128, 3},
     "tiles: head dims up to 64 and many keys"},
    {always, {16, 64, 4}, "tiles: head dims up to 64"},
};

/// The rows of the table for kernels with wgmma whose scores or output are
/// products of 8 bits, with a converter. Exact sums take twice as many
/// accumulators.
static const Row<WgmmaTiles> kConvertedWgmmaTiles[] = {
    {isWiderThan<128>, {8, 64, 3}, "tiles: 8 bits, head dims above 128"},
    {isWiderThan<128>,
     {8, 64, 2},
     "tiles: 8 bits, head dims above 128, values are extended"},
    // Without overlap, the sums of a step's products take the registers that
    // the step's scores had (flushEachStep() of FlushSums.cpp).
    {[](const Problem &p) {
       return p.headDim > 64 && p.isExact && !p.hasScore && !p.hasMaskRegion &&
              !p.hasDropout;
     },
     {8, 128, 2, 1, /*overlap=*/false},
     "tiles: 8 bits, head dims from 65 to 128, each step is flushed"},
    {[](const Problem &p) { return p.headDim > 64 && p.isExact; },
     {8, 64, 3},
     "tiles: 8 bits, head dims from 65 to 128, sums are flushed"},
    {[](const Problem &p) { return !p.hasNarrowProbabilities; },
     {8, 64, 3},
     "tiles: 8 bits, head dims up to 128, values are extended"},
    {isWiderThan<64>, {8, 128, 3}, "tiles: 8 bits, head dims from 65 to 128"},
    {always, {8, 128, 2}, "tiles: 8 bits, head dims up to 64"},
};

/// The rows of the table for kernels with wgmma of many query rows whose keys
/// and values have 8 bits or fewer, which a converter extends to the type of
/// the query. The computing warps would extend each tile while no MMA runs.
/// With scales of tokens, kernels with head dims above 128 would spill.
static const Row<WgmmaTiles> kExtendedWgmmaTiles[] = {
    {[](const Problem &p) { return p.headDim > 192 && !p.hasTokenScales; },
     {8, 64, 1, 1, /*overlap=*/false},
     "tiles: a converter extends keys and values, head dims above 192"},
    {[](const Problem &p) {
       return p.headDim > 64 && p.headDim <= (p.hasTokenScales ? 128 : 192);
     },
     {8, 64, 2},
     "tiles: a converter extends keys and values, head dims from 65 to 192"},
    {[](const Problem &p) { return p.headDim <= 64; },
     {8, 64, 3},
     "tiles: a converter extends keys and values, head dims up to 64"},
};

/// The row of the table for kernels with wgmma whose scores and softmax a
/// multiplier computes. Two consumer warpgroups share its 64 rows, each with
/// half of the output's columns. The producer has no registers for coordinates
/// of several pages of each tile.
static const Row<WgmmaTiles> kScoresRoleTiles[] = {
    {[](const Problem &p) {
       bool hasRows = p.fewestRows >= kWarpgroupRows ||
                      (!p.splitsKeys && ShapedType::isDynamic(p.numRows));
       return hasWideValues(p) && p.isWithinKey && hasRows &&
              (!p.isPaged || p.page >= kWarpgroupRows) && !p.isListed &&
              !p.isExtended && !p.isNarrow;
     },
     {8, 64, 2, 2},
     "tiles: a role has scores and the softmax, values of more than 256 "
     "columns within the key, at least 64 rows"},
};

static const Row<SchedulerKind> kSchedulers[] = {
    {[](const Problem &p) { return p.isCausal; }, SchedulerKind::Dynamic,
     "dynamic scheduler: under a diagonal tiles differ in length"},
    {[](const Problem &p) { return p.hasMaskRegion; }, SchedulerKind::Dynamic,
     "dynamic scheduler: under a mask region tiles may differ in length"},
    {[](const Problem &p) { return p.isRagged; }, SchedulerKind::Dynamic,
     "dynamic scheduler: sequences differ in length"},
    {always, SchedulerKind::Persistent,
     "persistent scheduler: all tiles are of one length"},
};

//===----------------------------------------------------------------------===//
// mma.sync
//===----------------------------------------------------------------------===//

/// The number of rows of each warp. With 32 rows, each read of keys and values
/// from shared memory serves two MMAs; with 16, shared memory is slower than
/// the tensor cores. With 32 rows, each thread accumulates as many elements as
/// a row of the output and a row of the scores have together; with 16, half as
/// many.
static const Row<int64_t> kMmaSyncRows[] = {
    {isOfF32, 16, "16 rows a warp: f32 takes more registers"},
    {[](const Problem &p) {
       return ShapedType::isStatic(p.numRows) && p.numRows <= 64;
     },
     16, "16 rows a warp: there are at most 64"},
    {[](const Problem &p) { return p.splitsKeys; }, 16,
     "16 rows a warp: the op says that there are few"},
    // From sm_100 on, ptxas gives the same code more registers, so 32 rows do
    // not fit above head dim 64.
    {[](const Problem &p) { return p.chipNumber >= 100 && p.headDim > 64; }, 16,
     "16 rows a warp: head dims above 64 leave no registers for 32"},
    {isWiderThan<128>, 16,
     "16 rows a warp: head dims above 128 leave no registers for 32"},
    {always, 32,
     "32 rows a warp: what it reads of keys and values serves twice"},
};

/// The tiles of forward kernels with mma.sync. `warps` is the number of warps,
/// `block` the number of keys of a step, and `ctas` the number of CTAs on an
/// SM. `copies` is the number of warps that share rows: each of them computes
/// all of the scores, and its own columns of the output.
struct MmaSyncTiles {
  int64_t warps, block;
  int64_t ctas = 0;
  int64_t copies = 1;
};

/// The rows of the table for forward kernels with mma.sync. For each kind of
/// problem, rows with larger tiles come first, and rows with smaller ones
/// follow in case registers or shared memory do not suffice.
static const Row<MmaSyncTiles> kMmaSyncTiles[] = {
    {[](const Problem &p) { return p.isF32 && p.headDim <= 64; },
     {4, 32},
     "32 keys a step: f32, head dims up to 64"},
    {isOfF32, {4, 16}, "16 keys a step: f32, head dims above 64"},
    {[](const Problem &p) { return p.headDim <= 32 && p.chipNumber < 100; },
     {4, 64, 3},
     "64 keys a step, three CTAs an SM: head dims up to 32"},
    {[](const Problem &p) { return p.headDim <= 64; },
     {4, 64},
     "64 keys a step: head dims up to 64"},
    {hasWideValues,
     {8, 16, 0, 2},
     "pairs of 8 warps share rows, 16 keys a step: head dims above 256"},
    {hasWideValues,
     {4, 16, 0, 2},
     "pairs of 4 warps share rows: head dims above 256, shared memory holds no "
     "more"},
    {hasWideValues,
     {2, 16, 0, 2},
     "2 warps share rows: head dims above 256, shared memory holds no more"},
    {isWiderThan<64>, {4, 32}, "32 keys a step: head dims above 64"},
    {always, {4, 16}, "16 keys a step: shared memory holds no more"},
    {always, {2, 16}, "2 warps: shared memory holds no more"},
};

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

ScheduleAttr attn_gpu::getWgmmaSchedule(const WgmmaTiles &tiles,
                                        const Problem &problem, CopyKind copy,
                                        bool overlap, bool pingPong,
                                        RolesAttr roles,
                                        SchedulerKind scheduler, bool splitKv) {
  const auto &[warps, tileKv, stages, copies, _] = tiles;
  return ScheduleAttr::get(
      roles.getContext(), kWarpgroupRows * (warps / 4) / copies,
      fitPages(tileKv, /*copying=*/4, problem), warps, MmaKind::Wgmma, copy,
      stages, overlap, pingPong, SoftmaxKind::Lazy, roles, scheduler, splitKv,
      /*warp_rows=*/16, /*ctas=*/0);
}

/// Returns the roles of kScoresRoleTiles. The consumers' accumulators take 128
/// registers of each thread. Fewer of the producer are too few for the
/// coordinates of pages.
static RolesAttr getRolesWithScores(MLIRContext *context) {
  auto get = [&](RoleKind kind, StringRef name, int64_t warps,
                 int64_t registers) {
    return RoleAttr::get(context, kind, name, warps, registers, /*late=*/false);
  };
  auto consumer = RoleAttr::get(context, RoleKind::Consumer);
  auto producer = RoleAttr::get(context, RoleKind::Producer);
  return RolesAttr::get(
      context, {get(RoleKind::Consumer, consumer.getName(), consumer.getWarps(),
                    /*registers=*/184),
                get(RoleKind::Multiplier, "scores", /*warps=*/4,
                    /*registers=*/104),
                get(RoleKind::Producer, producer.getName(), producer.getWarps(),
                    /*registers=*/40)});
}

/// Chooses a schedule from kScoresRoleTiles. The error is empty if no row
/// applies.
static llvm::Expected<Plan> chooseScoresRole(AttentionInterface op,
                                             const Chip &chip, CopyKind copy) {
  Problem problem(op, chip, copy);
  const auto &scheduler = find<SchedulerKind>(kSchedulers, problem);
  return findFitting<WgmmaTiles>(
      kScoresRoleTiles, problem, op, chip,
      [&](const Row<WgmmaTiles> &row) -> Plan {
        auto schedule = getWgmmaSchedule(
            row.value, problem, copy, row.value.overlap, /*pingPong=*/false,
            getRolesWithScores(op.getContext()),
            problem.splitsKeys ? SchedulerKind::Persistent : scheduler.value,
            problem.splitsKeys);
        StringRef second = problem.splitsKeys ? kSplitReason : scheduler.reason;
        return {schedule,
                {"wgmma: " + chip.name.str() + " has it", row.reason.str(),
                 second.str()}};
      });
}

/// Chooses a schedule in which the consumers compute scores and output.
static llvm::Expected<Plan> chooseTogether(AttentionInterface op,
                                           const Chip &chip, CopyKind copy) {
  Problem problem(op, chip, copy);
  if (problem.splitsKeys)
    return chooseSplitWgmma(op, chip, copy);
  const auto &scheduler = find<SchedulerKind>(kSchedulers, problem);
  auto findWith = [&](ArrayRef<Row<WgmmaTiles>> rows, RolesKind roles) {
    return findFitting<WgmmaTiles>(
        rows, problem, op, chip, [&](const Row<WgmmaTiles> &row) -> Plan {
          // Ping-pong slowed down every kernel with a converter that was
          // measured, so kernels with a converter do not use it.
          const WgmmaTiles &tiles = row.value;
          bool overlap = mayOverlap(tiles, problem);
          bool pingPong = overlap && tiles.copies == 1 && tiles.warps > 4 &&
                          roles == RolesKind::ProducerConsumer;
          auto schedule = getWgmmaSchedule(
              tiles, problem, copy, overlap, pingPong,
              RolesAttr::get(op.getContext(), roles), scheduler.value,
              /*splitKv=*/false);
          return {schedule,
                  {"wgmma: " + chip.name.str() + " has it", row.reason.str(),
                   scheduler.reason.str()}};
        });
  };
  if (problem.hasNarrowCache && !problem.isNarrow) {
    llvm::Expected<Plan> plan =
        findWith(kExtendedWgmmaTiles, RolesKind::ProducerConsumerConverter);
    if (plan)
      return plan;
    llvm::consumeError(plan.takeError());
  }
  if (problem.isNarrow) {
    for (RolesKind roles :
         {RolesKind::ProducerConsumerConverter, RolesKind::ProducerConsumer}) {
      // Tries the tiles of kConvertedWgmmaTiles with a converter first. Then
      // tries them without a converter, but only if the values' contiguous
      // dimension is keys, as an 8-bit MMA of probabilities and values
      // requires. If none fits, takes a row of kWgmmaTiles: 8-bit MMAs still
      // compute scores, if hasNarrowScores(), but the computing warps extend
      // the values.
      if (roles == RolesKind::ProducerConsumer && !hasValueAlongKeys(op))
        break;
      llvm::Expected<Plan> plan = findWith(kConvertedWgmmaTiles, roles);
      if (plan)
        return plan;
      llvm::consumeError(plan.takeError());
    }
  }
  return findWith(kWgmmaTiles, RolesKind::ProducerConsumer);
}

static llvm::Expected<Plan> chooseWgmma(AttentionInterface op, const Chip &chip,
                                        CopyKind copy) {
  llvm::Expected<Plan> plan = chooseScoresRole(op, chip, copy);
  if (plan)
    return plan;
  std::string misfit = llvm::toString(plan.takeError());
  plan = chooseTogether(op, chip, copy);
  if (plan && !misfit.empty())
    plan->reasons.push_back("no role for scores: " + misfit);
  return plan;
}

static llvm::Expected<Plan> chooseMmaSync(AttentionInterface op,
                                          const Chip &chip, CopyKind copy) {
  Problem problem(op, chip, copy);
  const auto &rows = find<int64_t>(kMmaSyncRows, problem);
  return findFitting<MmaSyncTiles>(
      kMmaSyncTiles, problem, op, chip,
      [&](const Row<MmaSyncTiles> &row) -> Plan {
        auto [warps, keys, ctas, copies] = row.value;
        int64_t tileKv =
            fitPages(attn::fitTile(keys, problem.numKeys), warps, problem);
        auto schedule = ScheduleAttr::get(
            op.getContext(), rows.value * warps / copies, tileKv, warps,
            MmaKind::MmaSync, copy, /*stages=*/2, /*overlap=*/false,
            /*ping_pong=*/false, SoftmaxKind::Strict, RolesKind::None,
            SchedulerKind::Static, problem.splitsKeys, /*warp_rows=*/16, ctas);
        std::string reason =
            tileKv == keys ? row.reason.str()
            : op.getPages()
                ? std::to_string(tileKv) + " keys a step: pages fit"
                : std::to_string(tileKv) + " keys a step: there are no more";
        SmallVector<std::string> reasons = {rows.reason.str(), reason};
        if (problem.splitsKeys)
          reasons.push_back(kSplitReason.str());
        return {schedule, reasons};
      });
}

llvm::Expected<Plan> mlir::attn_gpu::choosePlan(AttentionInterface op,
                                                const Chip &chip,
                                                CopyKind copy) {
  if (isa<attn::AttentionBackwardOp>(op.getOperation()))
    return chooseBackward(op, chip, copy);
  if (copy == CopyKind::Tma)
    return chooseWgmma(op, chip, copy);
  if (copy == CopyKind::CpAsync)
    if (std::optional<Plan> plan = chooseBeforeTma(op, chip))
      return std::move(*plan);
  // TMA cannot take rows from a list, so wgmma has copies by cp.async then.
  if (copy == CopyKind::CpAsync && Problem(op, chip, copy).isListed) {
    llvm::Expected<Plan> plan = chooseWgmma(op, chip, copy);
    if (plan)
      return plan;
    llvm::consumeError(plan.takeError());
  }
  return chooseMmaSync(op, chip, copy);
}

ArrayAttr Plan::getReasonsAttr() const {
  SmallVector<StringRef> views(reasons.begin(), reasons.end());
  return Builder(schedule.getContext()).getStrArrayAttr(views);
}

SmallVector<StringRef> mlir::attn_gpu::getTableReasons() {
  SmallVector<StringRef> reasons;
  addReasonsOf(kWgmmaTiles, reasons);
  addReasonsOf(kConvertedWgmmaTiles, reasons);
  addReasonsOf(kExtendedWgmmaTiles, reasons);
  addReasonsOf(kScoresRoleTiles, reasons);
  addSplitReasons(reasons);
  addReasonsOf(kSchedulers, reasons);
  addReasonsOf(kMmaSyncRows, reasons);
  addReasonsOf(kMmaSyncTiles, reasons);
  addBackwardReasons(reasons);
  return reasons;
}
