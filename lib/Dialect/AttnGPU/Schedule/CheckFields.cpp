//===- CheckFields.cpp - Checks of a schedule's fields --------------------===//
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckFields.h"

#include "attn/Dialect/AttnGPU/Schedule/Check.h"
#include "attn/Dialect/AttnGPU/Schedule/MemoryPlan.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::attn_gpu;
using attn::Chip;
using llvm::formatv;

static std::string findMissingFeature(ScheduleAttr schedule, const Chip &chip) {
  if (schedule.getMma() == MmaKind::Wgmma && !chip.hasWgmma) {
    std::string misfit = formatv("{0} has no wgmma", chip.name);
    for (const Chip &other : attn::getChips())
      if (other.hasWgmma && other.getNumber() == chip.getNumber())
        misfit += formatv(", {0} has", other.name).str();
    return misfit;
  }
  if (schedule.getCopy() == CopyKind::Tma && !chip.hasTma())
    return formatv("{0} has no TMA", chip.name);
  return "";
}

static std::string findMissingRows(ScheduleAttr schedule) {
  return formatv("mma_sync takes a multiple of {0} rows for each of {1} warps, "
                 "not {2}",
                 schedule.getWarpRows(), schedule.getWarps(),
                 schedule.getTileQ());
}

std::string attn_gpu::findMissingRowsOfWarpgroups(ScheduleAttr schedule) {
  return formatv("wgmma takes {0} rows for each of {1} warpgroups, or for each "
                 "of equal groups of them, not {2}",
                 kWarpgroupRows, schedule.getWarps() / 4, schedule.getTileQ());
}

/// Returns why the schedule's helpers (reducer, converters, multipliers)
/// contradict each other or other fields of the schedule, whatever the chip is;
/// "" if they do not.
static std::string findContradictionOfHelpers(ScheduleAttr schedule) {
  auto names = llvm::map_to_vector(schedule.getHelpers(), [](RoleAttr role) {
    std::string kind = stringifyRoleKind(role.getKind()).str();
    return role.getName() == kind ? kind
                                  : kind + " '" + role.getName().str() + "'";
  });
  // Each warpgroup of consumers and helpers has a named barrier, so together
  // they have at most kMaxConsumers warpgroups.
  int64_t most = kMaxConsumers - schedule.getNumHelperWarpgroups();
  if (!names.empty() && schedule.getNumConsumers() > most)
    return formatv("at most {0} warps compute beside a {1}, not {2}",
                   4 * std::max<int64_t>(most, 0), llvm::join(names, " and a "),
                   schedule.getWarps());
  for (auto [role, name] : llvm::zip(schedule.getHelpers(), names))
    if (role.getKind() != RoleKind::Multiplier && role.getWarpgroups() > 1)
      return formatv("a {0} has 4 warps, not {1}", name, role.getWarps());
  if (schedule.hasReducer() && names.size() > 1)
    return "a reducer has no other role beside it but producer and consumers";
  if ((schedule.hasReducer() || schedule.hasMultiplier()) &&
      schedule.getMma() != MmaKind::Wgmma)
    return formatv("a {0} computes MMAs of wgmma", names.back());
  for (auto [role, name] : llvm::zip(schedule.getHelpers(), names))
    if (role.getLate() && (!schedule.getOverlap() || schedule.getStages() < 2))
      return formatv(
          "a {0} that is late needs overlap, and slots for the tiles "
          "of two steps, so stages = 2",
          name);
  int64_t tileKv = schedule.getTileKv();
  if (schedule.hasConverter() &&
      (schedule.getMma() != MmaKind::Wgmma || tileKv % kWarpgroupRows != 0))
    return formatv("a converter makes operands of {0} rows, or a multiple, for "
                   "wgmma, not of tile_kv = {1} for {2}",
                   kWarpgroupRows, tileKv, stringifyMmaKind(schedule.getMma()));
  return "";
}

/// Returns why fields of the schedule contradict each other on every chip; ""
/// if they do not.
static std::string findContradiction(ScheduleAttr schedule) {
  int64_t tileQ = schedule.getTileQ(), warps = schedule.getWarps();
  if (schedule.getPingPong() && !schedule.getOverlap())
    return "ping_pong needs overlap";
  int64_t rows = schedule.getWarpRows() * warps;
  if (schedule.getMma() == MmaKind::MmaSync &&
      std::max(tileQ, rows) % std::min(tileQ, rows) != 0)
    return findMissingRows(schedule);
  if (schedule.getMma() == MmaKind::Wgmma && warps % 4 != 0)
    return formatv("wgmma takes warpgroups of 4 warps, not {0} warps", warps);
  if (schedule.getMma() == MmaKind::Wgmma &&
      (tileQ % kWarpgroupRows != 0 ||
       warps / 4 % (tileQ / kWarpgroupRows) != 0))
    return findMissingRowsOfWarpgroups(schedule);
  if (schedule.hasProducer() && warps % 4 != 0)
    return formatv("roles are of warpgroups of 4 warps, not of {0} warps",
                   warps);
  if (schedule.hasProducer() && warps / 4 > kMaxConsumers)
    return formatv("at most {0} warps compute beside a producer, not {1}",
                   4 * kMaxConsumers, warps);
  if (RoleAttr role = schedule.getRoles().find(RoleKind::Producer);
      role && role.getWarpgroups() > 1 && schedule.getCopy() == CopyKind::Tma)
    return formatv("one thread copies by TMA, of a producer of 4 warps, not "
                   "{0}",
                   role.getWarps());
  if (std::string misfit = findContradictionOfHelpers(schedule);
      !misfit.empty())
    return misfit;
  // The largest size of a dimension of a box of TMA, in elements (CUDA Driver
  // API, cuTensorMapEncodeTiled), which is also the largest N of a wgmma (PTX
  // ISA).
  constexpr int64_t kMaxRows = 256;
  if (schedule.hasSwizzledTiles())
    for (auto [name, rows] : {std::pair("tile_q", schedule.getTileQ()),
                              {"tile_kv", schedule.getTileKv()}})
      if (rows > kMaxRows)
        return formatv("a box of TMA and an MMA of wgmma have at most {0} "
                       "rows and columns, not {1} = {2}",
                       kMaxRows, name, rows);
  return "";
}

/// Returns why the roles' registers do not suffice: all roles together take
/// more than the CTA has, or consumers or producer have fewer than 24 registers
/// for each thread, or the schedule asks for more than one CTA on an SM
/// (`ctas`). Returns "" if they suffice, if the schedule has no roles, or if
/// the chip cannot divide registers among roles.
static std::string findMissingRegisters(ScheduleAttr schedule,
                                        const Chip &chip) {
  if (!schedule.hasProducer() || !chip.hasRegisterSplit())
    return "";
  // With `.minnctapersm` above 1, ptxas would launch the CTA with a part of the
  // SM's registers, and warps would wait for ever for those of their role.
  if (schedule.getCtas() > 1)
    return formatv("roles divide the registers of an SM, which then has room "
                   "for one CTA, not for ctas = {0}",
                   schedule.getCtas());
  constexpr int64_t kFewest = 24;
  RegisterSplit split(schedule);
  int64_t groups = schedule.getNumWarpgroups(), sum = 0;
  int64_t most = getRegistersAtLaunch(groups) * groups;
  for (auto [count, registers] :
       llvm::zip_equal(getWarpgroupsOfRoles(schedule), split.getOfRoles()))
    sum += count * registers;
  if (sum > most || std::min(split.consumer, split.producer) < kFewest)
    return formatv("roles take more registers than there are: threads of one "
                   "of {0} warpgroups each have {1} together, of which {2} are "
                   "left for each consumer and {3} for the producer",
                   groups, most, split.consumer, split.producer);
  return "";
}

std::string mlir::attn_gpu::findMisfit(ScheduleAttr schedule,
                                       const Chip &chip) {
  if (std::string misfit = findMissingFeature(schedule, chip); !misfit.empty())
    return misfit;
  if (std::string misfit = findContradiction(schedule); !misfit.empty())
    return misfit;
  return findMissingRegisters(schedule, chip);
}
