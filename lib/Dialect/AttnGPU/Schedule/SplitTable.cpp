//===- SplitTable.cpp - Schedules of few rows -----------------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableRows.h"

#include "attn/Dialect/AttnGPU/Schedule/ProgramPlanner.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::AttentionInterface;
using attn::Chip;

/// The rows of the table for kernels with wgmma of few query rows, whose keys
/// several programs divide (split-KV). A tile has the rows of all query heads
/// that share keys. Reading the keys takes most of the time, so as many bytes
/// as possible should be in flight.
static const Row<WgmmaTiles> kSplitWgmmaTiles[] = {
    {[](const Problem &p) { return hasWideValues(p) && p.isGathered; },
     {8, 64, 1, 2},
     "tiles: few rows, keys that are gathered from pages, head dims above 256"},
    {[](const Problem &p) {
       return hasWideValues(p) && p.isWithinKey && p.isExtended &&
              !p.isGathered;
     },
     {8, 64, 1, 2},
     "tiles: few rows, head dims above 256, two warpgroups share them and "
     "extend keys"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 64, 2, 2},
     "tiles: few rows, head dims above 256, two warpgroups share them"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 48, 2, 2},
     "tiles: few rows, head dims above 256, 48 keys a step, two warpgroups "
     "share them"},
    {[](const Problem &p) { return hasWideValues(p) && !p.isGathered; },
     {8, 32, 2, 2},
     "tiles: few rows, head dims above 256, 32 keys a step, two warpgroups "
     "share them"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 64, 2},
     "tiles: few rows, head dims of keys above 256"},
    {[](const Problem &p) { return p.headDim > 256 && !p.isGathered; },
     {4, 48, 2},
     "tiles: few rows, head dims of keys above 256, 48 keys a step"},
    {isWiderThan<256>,
     {4, 32, 2},
     "tiles: few rows, head dims of keys above 256, 32 keys a step"},
    {isWiderThan<128>, {4, 64, 2}, "tiles: few rows, head dims above 128"},
    {[](const Problem &p) { return p.headDim > 64 && p.isExact; },
     {4, 64, 6},
     "tiles: few rows, head dims from 65 to 128, sums are flushed"},
    {[](const Problem &p) { return p.headDim > 64 && p.hasDropout; },
     {4, 64, 6},
     "tiles: few rows, head dims from 65 to 128, dropout"},
    {[](const Problem &p) {
       return p.headDim > 64 && p.hasNarrowCache && p.isListed &&
              p.hasTokenScales;
     },
     {4, 64, 4},
     "tiles: few rows, head dims from 65 to 128, a converter extends keys and "
     "values, whose scales a list names"},
    // With two slots for each load, shared memory has room for two slots for
    // each of the converter's results; with three slots, it would have room for
    // one.
    {[](const Problem &p) { return p.headDim > 64 && p.hasNarrowCache; },
     {4, 128, 2},
     "tiles: few rows, head dims from 65 to 128, a converter extends keys and "
     "values"},
    {isWiderThan<64>, {4, 128, 3}, "tiles: few rows, head dims from 65 to 128"},
    {always, {4, 128, 4}, "tiles: few rows, head dims up to 64"},
};

/// The numbers of converters of kernels whose keys and values a converter
/// extends. A tile of e4m3 with head dims up to 128 is extended fast enough by
/// one.
static const Row<int64_t> kSplitConverters[] = {
    {[](const Problem &p) {
       return p.isExtended && (p.hasIntegers || p.headDim > 128);
     },
     2, "two converters: one extends keys, the other values"},
    {always, 1, "one converter: it keeps up with copies"},
};

/// Returns a producer and consumers, and `converters` converters.
static RolesAttr getRoles(MLIRContext *context, int64_t converters) {
  SmallVector<RoleAttr> roles = {RoleAttr::get(context, RoleKind::Consumer)};
  for (int64_t i = 0; i < converters; ++i) {
    auto role = RoleAttr::get(context, RoleKind::Converter);
    std::string name = role.getName().str() + "_" + std::to_string(i + 1);
    roles.push_back(i == 0 ? role
                           : RoleAttr::get(context, role.getKind(), name,
                                           role.getWarps(), role.getRegisters(),
                                           /*late=*/false));
  }
  roles.push_back(RoleAttr::get(context, RoleKind::Producer));
  return RolesAttr::get(context, roles);
}

llvm::Expected<Plan> attn_gpu::chooseSplitWgmma(AttentionInterface op,
                                                const Chip &chip,
                                                CopyKind copy) {
  Problem problem(op, chip, copy);
  auto findWith = [&](int64_t converters, StringRef whyConverters) {
    return findFitting<WgmmaTiles>(
        kSplitWgmmaTiles, problem, op, chip,
        [&](const Row<WgmmaTiles> &row) -> Plan {
          auto schedule = getWgmmaSchedule(
              row.value, problem, copy, mayOverlap(row.value, problem),
              /*pingPong=*/false, getRoles(op.getContext(), converters),
              SchedulerKind::Persistent,
              /*splitKv=*/true);
          SmallVector<std::string> reasons = {
              "wgmma: " + chip.name.str() + " has it", row.reason.str(),
              kSplitReason.str()};
          if (!whyConverters.empty())
            reasons.push_back(whyConverters.str());
          return {schedule, reasons};
        });
  };
  if (problem.hasNarrowCache) {
    const auto &converters = find<int64_t>(kSplitConverters, problem);
    llvm::Expected<Plan> plan = findWith(converters.value, converters.reason);
    if (plan)
      return plan;
    llvm::consumeError(plan.takeError());
    problem.hasNarrowCache = false;
  }
  return findWith(/*converters=*/0, /*whyConverters=*/"");
}

/// The rows of the table for kernels with mma.sync of few query rows on keys
/// and values of 8 bits or fewer. One warp has the rows of all query heads that
/// share keys, and extends keys and values to the registers of its MMAs. The
/// MMAs of wgmma would read them from shared memory, to which they would be
/// written extended. A row has the most CTAs that an SM should have: as many as
/// its registers have room for or, if fewer read memory as fast, these, since
/// the results of fewer parts are merged then.
static const Row<int64_t> kSplitWarpCtas[] = {
    {isWiderThan<128>, 8,
     "one warp extends 32 keys a step: few rows, head dims above 128"},
    {[](const Problem &p) { return p.headDim > 64 && p.hasIntegers; }, 12,
     "one warp extends 32 keys a step: few rows, head dims from 65 to 128, "
     "integers"},
    {isWiderThan<64>, 9,
     "one warp extends 32 keys a step: few rows, head dims from 65 to 128"},
    {always, 16,
     "one warp extends 32 keys a step: few rows, head dims up to 64"},
};

/// Returns a schedule with one warp.
static ScheduleAttr getWarpSchedule(MLIRContext *context, int64_t ctas) {
  return ScheduleAttr::get(
      context, /*tile_q=*/16, kKeysOfWarp, /*warps=*/1, MmaKind::MmaSync,
      CopyKind::CpAsync, /*stages=*/2, /*overlap=*/false, /*ping_pong=*/false,
      SoftmaxKind::Lazy, RolesKind::None, SchedulerKind::Static,
      /*split_kv=*/true, /*warp_rows=*/16, ctas);
}

/// Returns how many CTAs of the op's programs an SM's shared memory has room
/// for.
static int64_t countCtas(AttentionInterface op, ScheduleAttr schedule,
                         const Chip &chip) {
  auto *planner = op.getContext()
                      ->getLoadedDialect<AttnGPUDialect>()
                      ->getRegisteredInterface<ProgramPlanner>();
  int64_t bytes = 0;
  for (const KernelNeeds &kernel : planner->plan(op, schedule, chip))
    bytes = std::max(bytes, kernel.sharedBytes);
  return chip.getCTAsPerSM(32 * schedule.getWarps(), /*registers=*/0, bytes);
}

std::optional<Plan> attn_gpu::chooseBeforeTma(AttentionInterface op,
                                              const Chip &chip) {
  Problem problem(op, chip, CopyKind::CpAsync);
  if (!problem.isExtendedInRegisters)
    return std::nullopt;
  const auto &row = find<int64_t>(kSplitWarpCtas, problem);
  ScheduleAttr schedule = getWarpSchedule(op.getContext(), row.value);
  if (!findMisfit(op, schedule, chip).empty())
    return std::nullopt;
  // Keys are divided among as many CTAs as run at a time.
  int64_t ctas = std::min(row.value, countCtas(op, schedule, chip));
  return Plan{getWarpSchedule(op.getContext(), ctas),
              {row.reason.str(), kSplitReason.str()}};
}

void attn_gpu::addSplitReasons(SmallVectorImpl<StringRef> &reasons) {
  addReasonsOf(kSplitWgmmaTiles, reasons);
  addReasonsOf(kSplitConverters, reasons);
  addReasonsOf(kSplitWarpCtas, reasons);
  reasons.push_back(kSplitReason);
}
