//===- AttnAssignSchedule.cpp - Choose a schedule for each attention op
//
// Part of the attn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "attn/Dialect/Attn/IR/Attn.h"
#include "attn/Dialect/Attn/Transforms/Passes.h"
#include "attn/Target/Chips.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::attn {
#define GEN_PASS_DEF_ATTNASSIGNSCHEDULEPASS
#include "attn/Dialect/Attn/Transforms/Passes.h.inc"
} // namespace mlir::attn

using namespace mlir;
using namespace mlir::attn;

/// The largest head dim, of keys or values, that a tile program holds.
static constexpr int64_t kMaxHeadDim = 256;

namespace {
/// A schedule, and for people why it is this one.
struct Choice {
  ScheduleAttr schedule;
  SmallVector<std::string> reasons;
};
} // namespace

/// Rows of a tile: `largest`, or what a shorter static length needs.
static int64_t fitTile(int64_t largest, int64_t length) {
  if (ShapedType::isDynamic(length))
    return largest;
  return std::max<int64_t>(llvm::alignTo(std::min(length, largest), 16), 16);
}

/// Host tiles: two blocks of 64 rows and 64 keys keep a step's working set
/// within a core's second-level cache up to head dim 256.
static ScheduleAttr getHostSchedule(AttentionOp op) {
  return ScheduleAttr::get(op.getContext(),
                           fitTile(64, op.getQueryType().getDimSize(2)),
                           fitTile(64, op.getKeyType().getDimSize(2)),
                           /*warps=*/0, Access::Narrow);
}

/// Bytes of shared memory of a block: the rows of the query once, two slots
/// each of keys and values, with the padding of #attn_gpu.shared.
static int64_t getSharedBytes(AttentionOp op, int64_t tileQ, int64_t tileKv) {
  int64_t elementBytes = op.getQueryType().getElementTypeBitWidth() / 8;
  int64_t keyRow = llvm::alignTo(op.getHeadDim(), 16) * elementBytes + 16;
  int64_t valueRow =
      llvm::alignTo(op.getValueHeadDim(), 16) * elementBytes + 16;
  return tileQ * keyRow + 2 * tileKv * (keyRow + valueRow);
}

/// mma.sync tiles: four warps, and as many keys as registers and shared memory
/// allow. With 32 rows a warp, what it reads of keys and values serves twice:
/// with 16, shared memory is slower than the tensor cores. A thread then holds
/// Dv registers of the output and tile_kv of the scores; with 16 rows, half.
static Choice getMmaSchedule(AttentionOp op, const Chip &chip) {
  constexpr int64_t kWarps = 4;
  int64_t largest = std::max(op.getHeadDim(), op.getValueHeadDim());
  bool isF32 = op.getQueryType().getElementType().isF32();
  int64_t tileKv = isF32 ? (largest <= 64 ? 32 : 16) : largest <= 64 ? 64 : 32;
  int64_t numRows = op.getQueryType().getDimSize(2);
  bool isShort = ShapedType::isStatic(numRows) && numRows <= 16 * kWarps;
  // Above head dim 64 the same code takes more registers from sm_100 on.
  int64_t widest = chip.getNumber() >= 100 ? 64 : 128;
  int64_t rows = (isF32 || isShort || largest > widest ? 16 : 32) * kWarps;
  std::string rowsReason =
      isF32     ? "16 rows a warp: f32 takes more registers"
      : isShort ? "16 rows a warp: there are at most 64"
      : largest > widest
          ? "16 rows a warp: head dims above " + std::to_string(widest) +
                " leave no registers for 32"
          : "32 rows a warp: what it reads of keys and values serves twice";
  std::string keysReason =
      std::to_string(tileKv) + " keys a step: " + (isF32 ? "f32, " : "") +
      (largest <= 64 ? "head dims up to 64" : "head dims above 64");
  while (tileKv > 16 && getSharedBytes(op, rows, tileKv) > chip.sharedBytes) {
    tileKv /= 2;
    keysReason = std::to_string(tileKv) + " keys a step: more do not fit the " +
                 std::to_string(chip.sharedBytes) +
                 " bytes of shared memory of " + chip.name.str();
  }
  int64_t fitting = fitTile(tileKv, op.getKeyType().getDimSize(2));
  if (fitting != tileKv)
    keysReason = std::to_string(fitting) + " keys a step: there are no more";
  return {
      ScheduleAttr::get(op.getContext(), rows, fitting, kWarps, Access::Narrow),
      {rowsReason, keysReason}};
}

/// Bytes of shared memory of a block with rings: the rows of the query once,
/// `stages` tiles each of keys and values, in panels of 64 columns, and
/// barriers.
static int64_t getRingBytes(AttentionOp op, ScheduleAttr schedule) {
  int64_t keyRow = llvm::alignTo(op.getHeadDim(), 64) * 2;
  int64_t valueRow = llvm::alignTo(op.getValueHeadDim(), 64) * 2;
  constexpr int64_t kBarrierBytes = 1024;
  return schedule.getTileQ() * keyRow + kBarrierBytes +
         schedule.getStages() * schedule.getTileKv() * (keyRow + valueRow);
}

/// Why the op cannot use wgmma on arrays that tensor maps describe, or "" if as
/// far as types tell it can.
static std::string findObstacle(AttentionOp op, const Chip &chip) {
  if (!chip.hasWarpgroupProducts) {
    std::string reason = chip.name.str() + " has no wgmma";
    for (const Chip &other : getChips())
      if (other.hasWarpgroupProducts && other.getNumber() == chip.getNumber())
        reason += ", " + other.name.str() + " has";
    return reason;
  }
  Type element = op.getQueryType().getElementType();
  if (!element.isF16() && !element.isBF16())
    return llvm::formatv("wgmma takes f16 and bf16, found {0}", element);
  if (!op.getLengths().empty())
    return "lengths are operands, which tensor maps do not know";
  if (op.getHeadDim() == 0 || op.getValueHeadDim() == 0)
    return "a tensor map has no head dim of 0";
  return "";
}

/// Hopper's tiles, after measurements on an H200 (docs/performance.md). Each
/// warpgroup of consumers has 64 rows, and a thread half a row of the output
/// and of the scores for each of its two rows. At head dim 64 a step is short
/// and its latency counts, as it does with a score region where tiles are of
/// one length: more warpgroups, with fewer registers each. Under an upper
/// diagonal tiles differ in length, and blocks take them from a queue.
static Choice getWarpgroupSchedule(AttentionOp op) {
  int64_t largest = std::max(op.getHeadDim(), op.getValueHeadDim());
  int64_t numRows = op.getQueryType().getDimSize(2);
  int64_t numKeys = op.getKeyType().getDimSize(2);
  bool isCausal = op.getMaskAttr() && op.getMaskAttr().getUpperDiagonal();
  Blocks blocks = isCausal ? Blocks::Queue : Blocks::Loop;
  auto schedule = [&](int64_t warps, int64_t tileKv, int64_t stages,
                      StringRef reason) -> Choice {
    return {ScheduleAttr::get(op.getContext(), 16 * warps, tileKv, warps,
                              Access::Tma, stages, /*overlap=*/true, blocks,
                              /*ping_pong=*/true, /*lazy_max=*/true),
            {(Twine("tiles: ") + reason).str(),
             isCausal ? "queue of tiles: under a diagonal they differ in length"
                      : "loop over tiles: all are of one length"}};
  };
  constexpr int64_t kManyKeys = 4096;
  // Few tiles of many rows would leave multiprocessors without work; a queue
  // shares them out better.
  uint64_t fewRows = (isCausal ? 1 : 4) * 132 * 256;
  auto hasFewRows = [&](ArrayRef<int64_t> sizes) {
    uint64_t allRows = 1;
    for (int64_t size : sizes)
      allRows = llvm::SaturatingMultiply<uint64_t>(allRows, size);
    return allRows < fewRows;
  };
  ArrayRef<int64_t> sizes = op.getQueryType().getShape().drop_back();
  bool isShort = !ShapedType::isDynamicShape(sizes) &&
                 (numRows <= 128 || hasFewRows(sizes));
  if (largest > 192)
    return schedule(8, 64, 2, "head dims above 192");
  if (largest > 128)
    return schedule(8, 96, 2, "head dims from 129 to 192");
  if (largest > 64 && op.hasScore() && !isCausal && !isShort)
    return schedule(12, 80, 2, "head dims from 65 to 128, a score region");
  if (largest > 64)
    return schedule(8, 128, 2, "head dims from 65 to 128");
  if (isShort)
    return schedule(8, 128, 3,
                    "few rows, larger ones would leave multiprocessors idle");
  if (!isCausal && ShapedType::isStatic(numKeys) && numKeys > kManyKeys)
    return schedule(12, 128, 3, "head dims up to 64 and many keys");
  return schedule(16, 64, 4, "head dims up to 64");
}

static int64_t getBytes(AttentionOp op, ScheduleAttr schedule) {
  return schedule.getAccess() == Access::Tma
             ? getRingBytes(op, schedule)
             : getSharedBytes(op, schedule.getTileQ(), schedule.getTileKv());
}

static LogicalResult checkSharedBytes(AttentionOp op, const Chip &chip) {
  ScheduleAttr schedule = op.getScheduleAttr();
  int64_t bytes = getBytes(op, schedule);
  if (schedule.getWarps() == 0 || bytes <= chip.sharedBytes)
    return success();
  return op.emitOpError("expected tiles that need at most ")
         << chip.sharedBytes << " bytes of shared memory on " << chip.name
         << ", found " << schedule << ", which needs " << bytes;
}

/// The reasons, with the one for the path first.
static ArrayAttr getReasons(AttentionOp op, const Choice &choice,
                            const Twine &path) {
  std::string first = path.str();
  SmallVector<StringRef> reasons = {first};
  llvm::append_range(reasons, choice.reasons);
  return Builder(op).getStrArrayAttr(reasons);
}

static void assign(AttentionOp op, const Chip &chip) {
  Choice simple = getMmaSchedule(op, chip);
  std::string obstacle = findObstacle(op, chip);
  if (!obstacle.empty()) {
    op.setScheduleAttr(simple.schedule);
    op->setAttr(kReasonsAttrName,
                getReasons(op, simple, "mma.sync: " + obstacle));
    return;
  }
  Choice best = getWarpgroupSchedule(op);
  op.setScheduleAttr(best.schedule);
  op->setAttr(kReasonsAttrName,
              getReasons(op, best, "wgmma: " + chip.name + " has it"));
  op->setAttr(kFallbackAttrName, simple.schedule);
  op->setAttr(kFallbackReasonsAttrName,
              getReasons(op, simple, "mma.sync: wgmma is for access tma"));
}

namespace {
struct AttnAssignSchedulePass
    : public attn::impl::AttnAssignSchedulePassBase<AttnAssignSchedulePass> {
  using AttnAssignSchedulePassBase::AttnAssignSchedulePassBase;

  void runOnOperation() override {
    std::optional<Chip> gpu;
    if (chip != "host") {
      llvm::Expected<Chip> found = findChip(chip);
      if (!found) {
        getOperation()->emitError(llvm::toString(found.takeError()) +
                                  ", or host");
        return signalPassFailure();
      }
      gpu = *found;
    }
    WalkResult result = getOperation()->walk([&](AttentionOp op) {
      for (int64_t dim : {op.getHeadDim(), op.getValueHeadDim()})
        if (dim > kMaxHeadDim) {
          op.emitOpError("expected a head dim of at most ")
              << kMaxHeadDim << ", found " << dim;
          return WalkResult::interrupt();
        }
      bool isGiven = op.getScheduleAttr() != nullptr;
      if (!gpu && !isGiven)
        op.setScheduleAttr(getHostSchedule(op));
      else if (gpu && !isGiven)
        assign(op, *gpu);
      else if (gpu && !op->hasAttr(kReasonsAttrName))
        op->setAttr(kReasonsAttrName, Builder(op).getStrArrayAttr(
                                          {"schedule: the module's own"}));
      if (gpu && failed(checkSharedBytes(op, *gpu)))
        return WalkResult::interrupt();
      return WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
